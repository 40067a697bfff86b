// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many rows come into an outbox, measured where the table itself tells it: by the rows behind
// the newest one of some seconds ago, or by the server's own count of what was inserted.
#pragma once

#include "connectors/sql/catalog/indexadvice.h"
#include "connectors/sql/dialect/dialect.h"
#include "models/system/timeseries.h"

#include <QElapsedTimer>

namespace outbox {

class SqlSession;

/// Costs a look two short steps along an index, and at most some thousands of its entries. What
/// leaves the table between two looks cannot be seen in it: where rows are deleted when they are
/// sent, and the server counts nothing, the rate stays unknown. One thread, that of the session.
class Arrivals
{
public:
    /// Puts the rate, or why there is none, into a snapshot. What fails here is no failure of the
    /// look.
    void fill(OutboxSnapshot &snapshot, SqlSession &session, const Dialect &dialect,
              DatabaseUrl::Dialect kind, IndexAdviser &indexes);
    void forget() { *this = {}; }

private:
    /// What the newest row was at a look.
    struct Mark
    {
        QDateTime at; ///< the database's clock
        QString place; ///< of that row in the order of `m_column`; empty: there was none
    };

    /// A column by which later rows stand behind earlier ones, and which an index begins with.
    [[nodiscard]] static QString columnOf(const OutboxSnapshot &snapshot, SqlSession &session,
                                          const Dialect &dialect, DatabaseUrl::Dialect kind,
                                          IndexAdviser &indexes);
    [[nodiscard]] QString byRows(OutboxSnapshot &snapshot, SqlSession &session,
                                 const Dialect &dialect);
    [[nodiscard]] QString byServer(OutboxSnapshot &snapshot, SqlSession &session,
                                   const Dialect &dialect, DatabaseUrl::Dialect kind);

    QString m_column; ///< empty: none is fit
    QElapsedTimer m_asked; ///< which one is
    QList<Mark> m_marks; ///< oldest first
    CounterRate m_inserted;
};

} // namespace outbox
