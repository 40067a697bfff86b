// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a row last left the outbox and how long rows took at most, read from the marks of those that
// stay: what a look cannot have seen itself.
#pragma once

#include "connectors/sql/catalog/indexadvice.h"
#include "connectors/sql/dialect/dialect.h"

#include <QElapsedTimer>

namespace outbox {

class SqlSession;

/// Asks at the first look at a table, and now and then after it. One thread, that of the session.
class LastMarked
{
public:
    /// Puts into the snapshot what the table tells. Nothing is asked where no column says when a
    /// row was marked, or where the newest mark would be looked for in a large table without an
    /// index. What fails here is no failure of the look.
    void fill(OutboxSnapshot &snapshot, SqlSession &session, const Dialect &dialect,
              DatabaseUrl::Dialect kind, IndexAdviser &indexes);
    void forget() { *this = {}; }

private:
    QElapsedTimer m_asked;
    bool m_isMany = false; ///< many rows were gone through
};

} // namespace outbox
