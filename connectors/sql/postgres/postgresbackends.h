// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Backends: the processes of a server of PostgreSQL that serve sessions. One whose session was
// given up notices nothing while it waits for a standby, or works: it keeps its rows locked, and
// takes one of the connections that the server has. The next session ends it.
#pragma once

#include "connectors/sql/driver/storesettings.h"
#include "connectors/sql/session/sqlsession.h"

namespace outbox {

struct MetServer;

/// When a backend began, in microseconds since 1970: SQL over a row `a` of pg_stat_get_activity.
/// It is the same in each session, whatever zone and style of dates that has.
inline constexpr QLatin1StringView
    beginOfBackend("(extract(epoch FROM a.backend_start) * 1000000)::bigint");

/// Notes that the session with `met` is given up in the midst of a statement. No-op where it is not
/// known which backend that is.
void leaveBackend(ServerMemory &memory, const MetServer &met);

/// Asks that server, with which the session is, to end the backends that were left there and are
/// still at the statement of that time. Each is asked for once, whatever the answer is: the
/// question itself may be what ends the session. A COMMIT that waits for a standby is committed
/// then, on this server; anything else that is under way is rolled back. No-op where none was left.
/// Errors: those of `SqlSession`, and only where the session is down then.
[[nodiscard]] Result<void> endLeftBackends(SqlSession &session, ServerMemory &memory,
                                           const QString &server);

} // namespace outbox
