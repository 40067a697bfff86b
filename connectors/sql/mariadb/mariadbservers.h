// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which server of an address of MariaDB a session gets, by what it says of itself: whether it takes
// writes, and whether the Galera cluster that it is a node of has it in step.
#pragma once

#include "connectors/sql/session/serversearch.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/result.h"

#include <QString>

#include <optional>

namespace outbox {

/// In the order of the URL; a name with several addresses is one server.
[[nodiscard]] QList<DatabaseServer> mariadbServers(const DatabaseUrl &url);

/// What a server of MariaDB said of itself when it was met.
struct MetMariadb
{
    QString name; ///< `DatabaseServer::shown`; empty: none was taken
    bool isReadOnly = false;
    bool hasFollowed = false; ///< it is a replica, or was one
    bool isNode = false; ///< of a Galera cluster, as all that follows
    bool isReady = true; ///< false: it takes no statement
    int state = 0; ///< wsrep_local_state: 4 = in step, 2 = it gives its data to another node
    qint64 waiting = 0; ///< transactions of others that it has to apply still
    QString cluster; ///< its identifier
    bool hasOthers = false; ///< its address names other servers, too
    bool isWanted = true; ///< false: it was taken where no better one was found

    /// It may be read, and what it answers may be old.
    [[nodiscard]] bool isBehind() const;
};

/// A node that takes no statement.
[[nodiscard]] MetMariadb nodeOutside();

/// Asks a server what it is. A node that takes no statement says that in its own way, and is not
/// ready. Errors: those of `SqlSession`.
[[nodiscard]] Result<MetMariadb> meetMariadb(SqlSession &session, const QString &doing);

/// How far the server is behind, as it is now; nullopt: it is behind nobody. Asks nothing where it
/// is the only one and was not `isBehind` when it was met.
[[nodiscard]] std::optional<StandbyState> lagOf(SqlSession &session, const MetMariadb &met);

/// A search for a server of MariaDB.
class MariadbSearch
{
public:
    MariadbSearch(const StoreSettings &settings, ServerMemory &memory, QString doing);
    /// See `ServerSearch`.
    [[nodiscard]] bool next() { return m_search.next(); }
    [[nodiscard]] QString name() const { return m_search.name(); }
    [[nodiscard]] bool hasOthers() const { return m_search.hasOthers(); }
    /// What to connect to that server with, and how long it may take.
    [[nodiscard]] StoreSettings settings() const;
    /// It could not be connected to.
    void unmet(const Error &error, bool isLate) { m_search.unmet(named(error), isLate); }
    /// It failed when it was met.
    void failed(const Error &error) { m_search.failed(named(error)); }
    /// Whether the session is to keep that server, which it has met; else it asks for the next one.
    [[nodiscard]] bool takes(const MetMariadb &met);
    /// Whether it is what is wished for first: it takes writes, and is in step.
    [[nodiscard]] static bool wants(const MetMariadb &met);
    /// Why no server was taken. Unreachable with `noPrimaryCode` where one answered, and takes no
    /// writes.
    [[nodiscard]] Error error() const
    {
        return m_search.error(QStringLiteral("no host takes writes"));
    }
    /// Of the server that was taken: a relay goes on with no other cluster than the first. Refused
    /// with `otherSystemCode`.
    [[nodiscard]] Result<void> remember(const MetMariadb &met);

private:
    /// The same with the name of that server, which the text of the client library leaves out.
    [[nodiscard]] Error named(Error error) const;

    const StoreSettings &m_settings;
    ServerMemory &m_memory;
    QString m_doing;
    ServerSearch m_search;
};

} // namespace outbox
