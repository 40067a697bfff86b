// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one holder of a database session: its settings, its socket, and how it is connected anew; and
// what several holders have in common that share a session.
#pragma once

#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/storesettings.h"
#include "connectors/sql/session/sqlsession.h"

#include <QElapsedTimer>

#include <functional>
#include <memory>
#include <optional>

namespace outbox {

/// A session that holders in one thread use in turn, and what it was opened with. It ends with the
/// last of its owners. Only holders touch it, but for `isUp` and `interrupt`.
struct SharedSession
{
    SocketBreaker breaker; ///< outlives every session; the one member that other threads touch
    std::unique_ptr<SqlSession> session;
    std::optional<StoreSettings> settings; ///< of the last one that was opened
    QElapsedTimer sinceOpened;
    qint64 timesOpened = 0;

    [[nodiscard]] bool isUp() const { return session && session->isUp(); }
    /// The session has been with a second-best server for so long that a better one may be back.
    [[nodiscard]] bool mayFindBetter() const;
    /// Callable from any thread: shuts the session's socket, also while it is being opened. No-op
    /// on SQLite.
    void interrupt() noexcept { breaker.shut(); }
};

/// Like a pointer to the session that is open now. Blocking; made and used in one thread, but for
/// `interrupt`.
/// Errors: those of `SqlSession`; Invalid where no database was named.
class DatabaseSession
{
public:
    /// What the owner does with a session before anybody may use it.
    using Preparation = std::function<Result<void>()>;

    /// Has a session of its own.
    DatabaseSession();
    /// Uses the session of others, where they opened it with the settings that are set here; else
    /// it is opened anew. One that another holder opened counts as up only behind `ensureOpen`, so
    /// that each holder has prepared what it uses. To close it here is to leave it to the others.
    explicit DatabaseSession(std::shared_ptr<SharedSession> shared);
    DatabaseSession(const DatabaseSession &) = delete;
    DatabaseSession &operator=(const DatabaseSession &) = delete;

    /// Ends the session, or leaves it to the others; the next one is opened with these settings.
    void setSettings(const StoreSettings &settings);
    [[nodiscard]] bool hasSettings() const { return m_settings.has_value(); }
    /// Only where there are settings, as `dialect`.
    [[nodiscard]] const StoreSettings &settings() const { return *m_settings; }
    [[nodiscard]] DatabaseUrl::Dialect dialect() const { return m_settings->url.dialect; }
    /// The facts of its kind of database; those of a server where no database was named.
    [[nodiscard]] const SqlDatabase &database() const
    {
        return databaseOf(m_settings ? m_settings->url.dialect : DatabaseUrl::Dialect());
    }

    [[nodiscard]] Result<void> open(const StoreSettings &settings, const Preparation &prepare = {});
    /// Connects where no session is up. A session that could not be prepared ends again, or is left
    /// to the others: it would pass for an open one.
    [[nodiscard]] Result<void> ensureOpen(const Preparation &prepare = {});
    void close();
    [[nodiscard]] bool isUp() const { return isPrepared() && m_shared->isUp(); }
    /// As `SharedSession::mayFindBetter`.
    [[nodiscard]] bool mayFindBetter() const { return isUp() && m_shared->mayFindBetter(); }
    /// Unreachable where no session is up.
    [[nodiscard]] Result<void> ready(const QString &doing) const;
    /// Returns when all that was committed is durable; only where the database has a barrier, and a
    /// session is up. Conflict where the server warns that it no longer waits for the standbys: a
    /// wait that somebody cancels ends well otherwise.
    [[nodiscard]] Result<void> passBarrier(const QString &doing) const;

    /// True where a session was opened and not closed, also when the connection is lost.
    explicit operator bool() const { return isPrepared(); }
    SqlSession &operator*() const { return *m_shared->session; }
    SqlSession *operator->() const { return m_shared->session.get(); }

    /// As `SharedSession::interrupt`.
    void interrupt() noexcept { m_shared->interrupt(); }

private:
    /// The session that stands is the one that was opened or prepared here.
    [[nodiscard]] bool isPrepared() const
    {
        return m_shared->session && m_opening == m_shared->timesOpened;
    }
    [[nodiscard]] bool mayUseShared(const StoreSettings &settings) const;
    [[nodiscard]] Result<void> connect();

    std::shared_ptr<SharedSession> m_shared; ///< never nullptr
    bool m_isAlone;
    std::optional<StoreSettings> m_settings;
    qint64 m_opening = 0; ///< the number of the one that was prepared here; 0: none was
};

} // namespace outbox
