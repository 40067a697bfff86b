// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether the looks of a console find their rows by an index, or read a whole large table.
#pragma once

#include "connectors/sql/dialect/dialect.h"
#include "models/system/snapshots.h"

#include <QElapsedTimer>

#include <optional>

namespace outbox {

class SqlSession;

/// A usable index of a table.
struct TableIndex
{
    QString firstColumn;
    QString where; ///< of a partial one
};

/// Errors: those of `SqlSession`.
[[nodiscard]] Result<QList<TableIndex>>
readTableIndexes(SqlSession &session, const CatalogTable &table, DatabaseUrl::Dialect kind);
/// Whether one of them, over all rows, begins with this column.
[[nodiscard]] bool beginsWith(const QList<TableIndex> &indexes, const QString &column);

/// Where looks at the table in use read more than they must for want of an index. The indexes are
/// read again once a minute, so that one made meanwhile is noticed; what was last known counts
/// where they cannot be read. One thread, that of the session.
class IndexAdviser
{
public:
    /// The indexes that are missing, with the statements that make them.
    [[nodiscard]] QList<IndexAdvice> missing(SqlSession &session, const Dialect &dialect,
                                             DatabaseUrl::Dialect kind);
    /// Whether an index over all rows begins with this column; false where that cannot be read.
    [[nodiscard]] bool hasIndex(SqlSession &session, const Dialect &dialect,
                                DatabaseUrl::Dialect kind, const QString &column);
    void forget() { *this = {}; }

private:
    [[nodiscard]] const std::optional<QList<TableIndex>> &
    known(SqlSession &session, const CatalogTable &table, DatabaseUrl::Dialect kind);

    QElapsedTimer m_since;
    std::optional<QList<TableIndex>> m_last;
};

} // namespace outbox
