// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows that outbox rows point at. A table name among the data is only ever compared with the tables
// the shape lists; what goes into a statement is the catalog's own name.
#pragma once

#include "connectors/sql/dialect/dialect.h"
#include "models/result.h"
#include "models/shape/catalog.h"

#include <QHash>
#include <QList>
#include <QString>

namespace outbox {

struct Reference
{
    QString table; ///< as it stands in the row
    QString id;
};

/// What a reference led to. `problem` is not empty when it led nowhere.
struct Referenced
{
    QByteArray json;
    qint64 bytes = -1; ///< length of the whole text
    QString problem;
};

/// Errors: those of `SqlSession`.
class ReferenceReader
{
public:
    /// Takes the tables of the shape that the catalog knows.
    ReferenceReader(const OutboxShape &shape, const Catalog &catalog);

    /// Answers in the order of `references`; one statement for each table that occurs.
    [[nodiscard]] Result<QList<Referenced>> read(SqlSession &session, const Dialect &dialect,
                                                 const QList<Reference> &references,
                                                 qint64 payloadLimit) const;

private:
    [[nodiscard]] const CatalogTable *tableFor(const QString &name) const;
    QHash<QString, CatalogTable> m_byName; ///< every spelling that a row may use
};

} // namespace outbox
