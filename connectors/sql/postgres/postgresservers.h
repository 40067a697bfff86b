// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which server of an address of PostgreSQL a session gets: they are asked one after the other, each
// for a second, and judged by what they are.
#pragma once

#include "connectors/sql/driver/postgresclient.h"
#include "connectors/sql/session/serversearch.h"
#include "models/system/standbystate.h"

#include <QDeadlineTimer>

#include <optional>

struct pg_conn;

namespace outbox {

class SqlSession;

/// In the order of the URL; a name with several addresses is several servers. Looks names up, but
/// begins with none behind `deadline`: such a name is one server.
[[nodiscard]] QList<DatabaseServer> postgresServers(const DatabaseUrl &url,
                                                    const QDeadlineTimer &deadline
                                                    = QDeadlineTimer(QDeadlineTimer::Forever));

/// What a server said of itself when it was met.
struct MetServer
{
    QString name; ///< `DatabaseServer::shown`
    bool isStandby = false;
    bool isGuarded = false; ///< it keeps the session read-only and to a deadline
    QString system; ///< the identifier of its cluster; empty: it may not be asked
    int timeline = 0; ///< of a primary; 0: not known
    int pid = 0; ///< of the process there that serves the session
    QString begun; ///< as `LeftBackend::begun`; empty: not known, or a pooler stands in between
    bool hasOthers = false; ///< its address names other servers, too
    bool isWanted = true; ///< false: it was taken where no better one was found
    bool mustBeLatest = false; ///< it is left where a later timeline is met
};

/// Whether it is a primary of that cluster on an earlier timeline than one that was met.
[[nodiscard]] bool isEarlier(const MetServer &met, const ServerMemory &memory);
/// For `SqlSession::leaveEarlierPrimary`, of a session that is with `met`.
[[nodiscard]] Result<void> seekLaterPrimary(const StoreSettings &settings, const MetServer &met,
                                            ServerMemory &memory);
/// For `SqlSession::standby`, of a session whose server was a standby when it was met.
[[nodiscard]] std::optional<StandbyState> askStandby(SqlSession &session);

/// A search for a server of PostgreSQL.
class PostgresSearch
{
public:
    PostgresSearch(const StoreSettings &settings, ServerMemory &memory, QString doing);
    /// A connection to the next server, which the caller ends; nullptr: no other one can be had.
    [[nodiscard]] pg_conn *next();
    /// The name of the server that `next` came to.
    [[nodiscard]] QString name() const { return m_search.name(); }
    /// See `ServerSearch`.
    [[nodiscard]] int meetingMs(int usualMs) const { return m_search.meetingMs(usualMs); }
    [[nodiscard]] bool hasOthers() const { return m_search.hasOthers(); }
    /// Whether the session is to keep that server, which it has met; else it asks for the next one.
    [[nodiscard]] bool takes(const MetServer &met);
    /// Whether its role is that which is wished for first.
    [[nodiscard]] bool wants(const MetServer &met) const
    {
        return met.isStandby == (m_wish == ServerWish::StandbyOrPrimary);
    }
    /// Whether an earlier primary would be turned down.
    [[nodiscard]] bool mustBeLatest() const { return m_wish == ServerWish::Primary; }
    /// That server failed when it was met; by Timeout it is one of those that were late.
    void failed(const Error &error) { m_search.failed(error); }
    /// Why no server was taken. Unreachable with `noPrimaryCode` where a standby answered and only
    /// a primary will do; Refused where each that answered refused.
    [[nodiscard]] Error error() const
    {
        return m_search.error(QStringLiteral("no host is a primary"));
    }
    /// Of the server that was taken: a relay goes on with no other cluster than the first. Refused
    /// with `otherSystemCode`.
    [[nodiscard]] Result<void> remember(const MetServer &met);

private:
    const StoreSettings &m_settings;
    ServerMemory &m_memory;
    QString m_doing;
    ServerWish m_wish;
    ServerSearch m_search;
};

} // namespace outbox
