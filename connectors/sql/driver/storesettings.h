// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a database session is opened with.
#pragma once

#include "connectors/sql/driver/databaseurl.h"

#include <QDeadlineTimer>
#include <QList>
#include <QString>
#include <QStringList>

#include <memory>

namespace outbox {

/// What a session may do. The server itself keeps a `ReadOnly` session read-only; `Act` is an
/// operator's.
enum class StoreAccess { ReadOnly, Relay, Act };

/// A process of a PostgreSQL server that a session was given up with, in the midst of a statement:
/// the server does not notice that, and goes on.
struct LeftBackend
{
    QString server; ///< `DatabaseServer::shown`
    int pid = 0;
    QString begun; ///< in microseconds since 1970: another process may get the same pid
    qint64 leftNs = 0; ///< by `nowNs`: what the process began later is somebody else's statement
};

/// What the sessions of one thread learn of the servers behind one address.
struct ServerMemory
{
    QStringList hung; ///< they gave no answer in time, the last one last
    QString system; ///< the identifier of the cluster that was met first; empty: not known
    int timeline = 0; ///< of PostgreSQL, the newest that was met; 0: not known
    int departures = 0; ///< how often all had to leave a server that answers, and is none any more
    bool hasSeveralWriters = false; ///< each node of its cluster takes writes
    QString news; ///< of the servers, to be told once
    QDeadlineTimer questionDue; ///< before it no relay asks for a later primary
    QList<LeftBackend> left; ///< of PostgreSQL, until another session has asked for their end
};

struct StoreSettings
{
    DatabaseUrl url;
    StoreAccess access = StoreAccess::ReadOnly;
    /// E.g. "outboxdeck/ana@desk": what others see in pg_stat_activity; MariaDB does not show it.
    QString applicationName;
    int connectTimeoutMs = 5000;
    int statementTimeoutMs = 5000;
    int lockTimeoutMs = 2000;
    int idleInTransactionTimeoutMs = 15000; ///< frees the rows of a relay that stands still
    /// A look that a change is made by: it goes to a standby only where no primary answers.
    bool isForChange = false;
    /// Shared by sessions of one thread; nullptr: whoever holds a session has one for it.
    std::shared_ptr<ServerMemory> servers{};

    bool operator==(const StoreSettings &) const = default;
    /// The same session is opened with these, whatever is known of the servers.
    [[nodiscard]] bool opensSameAs(const StoreSettings &other) const
    {
        StoreSettings one = *this;
        one.servers = other.servers;
        return one == other;
    }
};

} // namespace outbox
