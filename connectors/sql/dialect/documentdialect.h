// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shape and catalog to the statements about documents: pure text, no connection. What differs
// between databases is here; what the columns of an answer mean is the same for all.
#pragma once

#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/designs/documentshape.h"
#include "models/shape/catalog.h"

#include <memory>

namespace outbox {

/// Columns of a page. The counts are NULL where the document cannot be taken apart by the database:
/// then `Document` has it whole, elsewhere that is NULL.
namespace DocumentColumn {
enum {
    Id,
    Version,
    Bytes,
    Kind, ///< of the map: "object", NULL where there is none, "invalid" where it is no JSON
    Undispatched,
    Dispatched,
    Malformed,
    OldestUndispatched, ///< the smallest text of the shape's time
    OldestDispatched,
    ChangedUs,
    NowUs,
    Document
};
}

class DocumentDialect
{
public:
    /// `table` is the catalog's entry for the shape's table; every column of `shape` is in it.
    DocumentDialect(DocumentShape shape, CatalogTable table);
    virtual ~DocumentDialect() = default;
    DocumentDialect(const DocumentDialect &) = delete;
    DocumentDialect &operator=(const DocumentDialect &) = delete;

    [[nodiscard]] const DocumentShape &shape() const { return m_shape; }
    [[nodiscard]] const CatalogTable &table() const { return m_table; }
    /// False where the text cannot be an id of this table, so that no document can have it.
    [[nodiscard]] bool isId(const QString &text) const;
    /// The version after `seen`: the next number, or a text that was never there.
    [[nodiscard]] QString versionAfter(const QString &seen) const;

    /// Documents by id behind `after`, one more than `limit`, so that the last page is known. An
    /// empty `after` is the start.
    [[nodiscard]] virtual SqlText page(const QString &after, int limit) const = 0;
    /// Id, version and document.
    [[nodiscard]] SqlText find(const QString &id) const;
    /// Writes where the version is still `seen`; affects one row, or none.
    [[nodiscard]] SqlText write(const QString &id, const QString &seen,
                                const QByteArray &json) const;
    /// Affects no row where the id is there already, or fails with `SqlDatabase::repeatedKeyCode`,
    /// where the database has one.
    [[nodiscard]] virtual SqlText insert(const QString &id, const QByteArray &json) const;

protected:
    [[nodiscard]] const CatalogColumn &column(const QString &name) const;
    [[nodiscard]] QString tableName() const;
    [[nodiscard]] virtual const SqlFlavor &flavor() const = 0;
    [[nodiscard]] QString textOf(const QString &name) const
    {
        return flavor().textOf(m_table, name);
    }
    /// The document as it is handed out whole.
    [[nodiscard]] virtual QString wholeDocument() const { return textOf(m_shape.documentColumn); }
    /// The time of the last change; nobody says its zone, so it is that of its default.
    [[nodiscard]] QString changedUs() const;
    /// A text as a value of the column.
    [[nodiscard]] SqlFragment value(const QString &text, const QString &name) const;
    [[nodiscard]] SqlFragment documentOf(const QByteArray &json) const;
    /// The column is exactly this, by its index.
    [[nodiscard]] virtual SqlFragment isExactly(const QString &name, const QString &text) const;
    [[nodiscard]] virtual SqlFragment isVersion(const QString &seen) const;
    /// ` WHERE … ORDER BY … LIMIT …` of the documents of a page.
    [[nodiscard]] SqlFragment behind(const QString &after, int limit) const;

    DocumentShape m_shape;
    CatalogTable m_table;
};

/// nullptr where documents are not read from the database.
[[nodiscard]] std::unique_ptr<DocumentDialect> makeDocumentDialect(DatabaseUrl::Dialect dialect,
                                                                   const DocumentShape &shape,
                                                                   const CatalogTable &table);

} // namespace outbox
