// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who of the server's sessions keeps deleted rows from being cleaned up.
#pragma once

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/message/message.h"

#include <QDeadlineTimer>

#include <optional>

namespace outbox {

/// Remembers the answer for some seconds, since it is asked with every look.
class OldSnapshots
{
public:
    /// The session of this database whose snapshot or transaction is the oldest, but for our own.
    /// nullopt: there is none, or the server has no such thing. Since when is not known where the
    /// role may not see it. Takes no lock; what fails here is no failure of the look.
    [[nodiscard]] std::optional<LockHolder> oldest(SqlSession &session, const Dialect &dialect);
    /// Another session or table: nothing is remembered.
    void forget() { m_askAgain = QDeadlineTimer(0); }

private:
    std::optional<LockHolder> m_oldest;
    QDeadlineTimer m_askAgain{0};
};

} // namespace outbox
