// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What moves in an outbox, and a look cannot have seen itself: when a row last left, how long rows
// took, and how many come.
#pragma once

#include "connectors/sql/catalog/indexadvice.h"
#include "connectors/sql/dialect/dialect.h"
#include "models/system/timeseries.h"

#include <QElapsedTimer>

#include <utility>

namespace outbox {

class SqlSession;

/// Puts into a snapshot what the table tells. One thread, that of the session. What fails here is
/// no failure of the look.
class RowFlow
{
public:
    /// When a row last left and how long rows took at most, read from the marks of those that stay:
    /// at the first look at a table, and now and then after it. Nothing is asked where no column
    /// says when a row was marked, or where the newest mark would be looked for in a large table
    /// without an index.
    void fillLastMark(OutboxSnapshot &snapshot, SqlSession &session, const Dialect &dialect,
                      DatabaseUrl::Dialect kind, IndexAdviser &indexes);
    /// How many rows come, or why that is not known, by the rows behind the newest one of some
    /// seconds ago, or by the server's own count of what was inserted. Costs a look two short steps
    /// along an index, and at most some thousands of its entries. What leaves the table between two
    /// looks cannot be seen in it: where rows are deleted when they are sent, and the server counts
    /// nothing, the rate stays unknown.
    void fillArrivals(OutboxSnapshot &snapshot, SqlSession &session, const Dialect &dialect,
                      DatabaseUrl::Dialect kind, IndexAdviser &indexes);
    void forget() { *this = {}; }

private:
    /// A column by which later rows stand behind earlier ones, and which an index begins with.
    [[nodiscard]] static QString columnOf(const OutboxSnapshot &snapshot, SqlSession &session,
                                          const Dialect &dialect, DatabaseUrl::Dialect kind,
                                          IndexAdviser &indexes);
    [[nodiscard]] QString byRows(OutboxSnapshot &snapshot, SqlSession &session,
                                 const Dialect &dialect);
    [[nodiscard]] QString byServer(OutboxSnapshot &snapshot, SqlSession &session,
                                   const Dialect &dialect, DatabaseUrl::Dialect kind);

    QElapsedTimer m_markAsked; ///< when a row last left
    bool m_isMany = false; ///< many rows were gone through
    QString m_column; ///< empty: none is fit
    QElapsedTimer m_columnAsked; ///< which one is
    /// What the newest row was at each look, oldest first: when by the database's clock, and the
    /// place of that row in the order of `m_column`; empty: there was none.
    QList<std::pair<QDateTime, QString>> m_marks;
    CounterRate m_inserted;
};

} // namespace outbox
