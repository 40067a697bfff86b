// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a row last left the outbox, read from the marks of those that stay: what a first look cannot
// have seen itself.
#pragma once

#include "connectors/sql/dialect.h"
#include "connectors/sql/indexadvice.h"

namespace outbox {

class SqlSession;

/// Asks once for each session and table. One thread, that of the session.
class LastMarked
{
public:
    /// Puts into the snapshot what the table tells. Nothing is asked where no column says when a
    /// row was marked, or where the newest mark would be looked for in a large table without an
    /// index. What fails here is no failure of the look.
    void fill(OutboxSnapshot &snapshot, SqlSession &session, const Dialect &dialect,
              DatabaseUrl::Dialect kind);
    void forget() { m_isAsked = false; }

private:
    bool m_isAsked = false;
};

} // namespace outbox
