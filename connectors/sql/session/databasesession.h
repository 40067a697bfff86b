// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one holder of a database session: its settings, its socket, and how it is connected anew.
#pragma once

#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/storesettings.h"
#include "connectors/sql/session/sqlsession.h"

#include <QElapsedTimer>

#include <functional>
#include <memory>
#include <optional>

namespace outbox {

/// Like a pointer to the session that is open now. Blocking; made and used in one thread, but for
/// `interrupt`.
/// Errors: those of `SqlSession`; Invalid where no database was named.
class DatabaseSession
{
public:
    /// What the owner does with a session before anybody may use it.
    using Preparation = std::function<Result<void>()>;

    /// Ends the session; the next one is opened with these settings.
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
    /// Connects where no session is up. A session that could not be prepared ends again: it would
    /// pass for an open one.
    [[nodiscard]] Result<void> ensureOpen(const Preparation &prepare = {});
    void close() { m_session.reset(); }
    [[nodiscard]] bool isUp() const { return m_session && m_session->isUp(); }
    /// The session has been with a second-best server for so long that a better one may be back.
    [[nodiscard]] bool mayFindBetter() const;
    /// Unreachable where no session is up.
    [[nodiscard]] Result<void> ready(const QString &doing) const;

    /// True where a session was opened and not closed, also when the connection is lost.
    explicit operator bool() const { return m_session != nullptr; }
    SqlSession &operator*() const { return *m_session; }
    SqlSession *operator->() const { return m_session.get(); }

    /// Callable from any thread: shuts the session's socket, also while it is being opened. No-op
    /// on SQLite.
    void interrupt() noexcept { m_breaker.shut(); }

private:
    SocketBreaker m_breaker; ///< outlives every session; the one member that other threads touch
    std::unique_ptr<SqlSession> m_session;
    std::optional<StoreSettings> m_settings;
    QElapsedTimer m_sinceOpened;
};

} // namespace outbox
