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

/// The usable indexes of a table.
/// Errors: those of `SqlSession`.
class TableIndexes
{
public:
    [[nodiscard]] static Result<TableIndexes> read(SqlSession &session, const CatalogTable &table,
                                                   DatabaseUrl::Dialect kind);

    /// Whether one over all rows begins with this column.
    [[nodiscard]] bool beginWith(const QString &column) const;
    /// Whether one is for the rows that a condition on this column chooses.
    [[nodiscard]] bool areChosenBy(const QString &column) const;

private:
    struct Index
    {
        QString firstColumn;
        QString where; ///< of a partial one
    };
    QList<Index> m_indexes;
};

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
    [[nodiscard]] const std::optional<TableIndexes> &
    known(SqlSession &session, const CatalogTable &table, DatabaseUrl::Dialect kind);

    QElapsedTimer m_since;
    std::optional<TableIndexes> m_last;
};

} // namespace outbox
