// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which server of an address of PostgreSQL a session gets: they are asked one after the other, each
// for a second, and judged by what they are.
#pragma once

#include "connectors/sql/driver/postgresclient.h"
#include "connectors/sql/driver/storesettings.h"
#include "models/result.h"

#include <QDeadlineTimer>
#include <QList>
#include <QString>

#include <optional>

struct pg_conn;

namespace outbox {

/// One server that an address names, or one address of it.
struct PostgresServer
{
    QString host; ///< empty: libpq's own
    QString address; ///< of the host; empty: libpq finds it
    QString port; ///< empty: libpq's own

    /// "db-2:5433", or the folder of its socket.
    [[nodiscard]] QString shown() const;
};

/// In the order of the URL; a name with several addresses is several servers. Looks names up.
[[nodiscard]] QList<PostgresServer> postgresServers(const DatabaseUrl &url);

/// What a server said of itself when it was met.
struct MetServer
{
    QString name; ///< `PostgresServer::shown`
    bool isStandby = false;
    bool isGuarded = false; ///< it keeps the session read-only and to a deadline
    QString system; ///< the identifier of its cluster; empty: it may not be asked
    int timeline = 0; ///< of a primary; 0: not known
    bool hasOthers = false; ///< its address names other servers, too
    bool isWanted = true; ///< false: it was taken where no better one was found
};

/// One search for a server, which may take as long as the settings let a connect take, without the
/// time in which names are looked up: each server has a second, and where none has answered those
/// that were late share what is left. Those that gave no answer in time are asked last, also by the
/// next search with the same memory.
class PostgresSearch
{
public:
    PostgresSearch(const StoreSettings &settings, ServerMemory &memory, QString doing);
    /// A connection to the next server, which the caller ends; nullptr: no other one can be had.
    [[nodiscard]] pg_conn *next();
    /// The name of the server that `next` came to.
    [[nodiscard]] QString name() const;
    /// So many milliseconds that server has to say what it is; a session gives `usualMs`. One lets
    /// everybody in and answers nothing where it is a pooler before a server that stands still.
    [[nodiscard]] int meetingMs(int usualMs) const;
    [[nodiscard]] bool hasOthers() const { return m_servers.size() > 1; }
    /// Whether the session is to keep that server, which it has met; else it asks for the next one.
    [[nodiscard]] bool takes(const MetServer &met);
    /// Whether its role is that which is wished for first.
    [[nodiscard]] bool wants(const MetServer &met) const
    {
        return met.isStandby == (m_wish == ServerWish::StandbyOrPrimary);
    }
    /// That server failed when it was met; by Timeout it is one of those that were late.
    void failed(const Error &error);
    /// Why no server was taken. Unreachable with `noPrimaryCode` where a standby answered and only
    /// a primary will do; Refused where each that answered refused.
    [[nodiscard]] Error error() const;
    /// Of the server that was taken: a relay goes on with no other cluster than the first. Refused
    /// with `otherSystemCode`.
    [[nodiscard]] Result<void> remember(const MetServer &met);

private:
    [[nodiscard]] std::optional<qsizetype> nextIndex();
    [[nodiscard]] int patienceMs() const;
    /// Takes note of an answer that is none of the wanted ones.
    void turnDown(const QString &why, const QString &hint);
    void late();

    const StoreSettings &m_settings;
    ServerMemory &m_memory;
    QString m_doing;
    ServerWish m_wish;
    QList<PostgresServer> m_servers;
    QDeadlineTimer m_deadline; ///< begins when the names were looked up, which nothing bounds
    QList<Error> m_errors; ///< of each of them; without a text where it was not asked
    QList<qsizetype> m_left; ///< to be asked still
    QList<qsizetype> m_late; ///< gave no answer in time
    qsizetype m_now = -1; ///< is being asked
    std::optional<qsizetype> m_second; ///< would do where no better one is found
    bool m_isLast = false; ///< `m_second` is asked again, or those that were late
    bool m_isTurnedDown = false; ///< one answered, and is not what is wanted
};

} // namespace outbox
