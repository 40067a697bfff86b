// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table beside the documents: its session, its names as the catalog knows them, and whether the
// server can be relied on.
#pragma once

#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/session/databasesession.h"
#include "models/designs/donestore.h"
#include "models/shape/catalog.h"

#include <QSet>

#include <optional>

namespace outbox {

/// Blocking; one session, in one thread, but for `interrupt`. Every statement is its own
/// transaction.
/// Errors: those of `SqlSession`; Invalid for a name that the catalog does not know.
class AuxiliaryTable
{
public:
    /// Fails with Invalid for a name that the catalog does not know, with Refused for writing to a
    /// table that cannot roll back.
    [[nodiscard]] Result<void> open(const StoreSettings &settings, const DoneTable &table);

    [[nodiscard]] bool isOpen() const { return m_table.has_value(); }
    [[nodiscard]] const StoreDurability &trust() const { return m_trust; }
    // Only of a table that is open; in statements it is named t.
    [[nodiscard]] const DoneTable &names() const { return m_names; }
    [[nodiscard]] const CatalogTable &table() const { return *m_table; }
    [[nodiscard]] const SqlFlavor &flavor() const { return flavorOf(m_session.dialect()); }
    /// A value of the column's type.
    [[nodiscard]] SqlFragment bound(const QVariant &value, const QString &name) const;
    /// Now, as the time column holds it.
    [[nodiscard]] QString now() const;
    /// False where the text can be no id of this table, and where it is not open.
    [[nodiscard]] bool isId(const QString &text) const;
    /// As it stands in a statement.
    [[nodiscard]] QString tableName() const;
    [[nodiscard]] Result<SqlRows> query(const SqlText &sql, const QString &doing);
    /// Refused in a session that only looks.
    [[nodiscard]] Result<SqlRows> write(const SqlText &sql, const QString &doing);
    /// Those of `ids` that are in the table.
    [[nodiscard]] Result<QSet<QString>> have(const QStringList &ids, const QString &doing);
    /// As `DatabaseSession::interrupt`.
    void interrupt() noexcept { m_session.interrupt(); }

private:
    [[nodiscard]] Result<void> prepare(const DoneTable &table);

    DatabaseSession m_session;
    DoneTable m_names;
    std::optional<CatalogTable> m_table; ///< the catalog's entry, with every column of `m_names`
    StoreDurability m_trust;
};

} // namespace outbox
