// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/session/databasesession.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

bool SharedSession::mayFindBetter() const
{
    constexpr qint64 searchAgainMs = 10'000;
    return isUp() && session->isSecondBest() && sinceOpened.hasExpired(searchAgainMs);
}

DatabaseSession::DatabaseSession() : m_shared(std::make_shared<SharedSession>()), m_isAlone(true)
{ }

DatabaseSession::DatabaseSession(std::shared_ptr<SharedSession> shared)
    : m_shared(std::move(shared)), m_isAlone(false)
{ }

void DatabaseSession::setSettings(const StoreSettings &settings)
{
    close();
    m_settings = settings;
    if (!m_settings->servers) {
        m_settings->servers = mayUseShared(settings) ? m_shared->settings->servers
                                                     : std::make_shared<ServerMemory>();
    }
}

Result<void> DatabaseSession::open(const StoreSettings &settings, const Preparation &prepare)
{
    setSettings(settings);
    return ensureOpen(prepare);
}

Result<void> DatabaseSession::ensureOpen(const Preparation &prepare)
{
    if (isUp())
        return {};
    if (!m_settings)
        return fail(Error::Kind::Invalid, u"connecting"_s, u"no database was named"_s);
    if (!mayUseShared(*m_settings)) {
        TRY(connect());
    }
    m_opening = m_shared->timesOpened;
    auto prepared = prepare ? prepare() : Result<void>();
    if (!prepared)
        close();
    return prepared;
}

void DatabaseSession::close()
{
    m_opening = 0;
    if (m_isAlone)
        m_shared->session.reset();
}

bool DatabaseSession::mayUseShared(const StoreSettings &settings) const
{
    return m_shared->isUp() && m_shared->settings->opensSameAs(settings)
        && !m_shared->mayFindBetter();
}

Result<void> DatabaseSession::connect()
{
    m_shared->session.reset();
    m_shared->session = makeSession(*m_settings, m_shared->breaker);
    m_shared->settings = m_settings;
    auto opened = m_shared->session->open(*m_settings);
    m_shared->sinceOpened.start();
    ++m_shared->timesOpened;
    if (!opened)
        m_shared->session.reset();
    return opened;
}

Result<void> DatabaseSession::ready(const QString &doing) const
{
    if (!isUp())
        return fail(Error::Kind::Unreachable, doing, u"the database is not connected"_s);
    return {};
}

Result<void> DatabaseSession::passBarrier(const QString &doing) const
{
    const auto rows = m_shared->session->query({database().barrier, {}}, doing);
    if (!rows)
        return passOn(rows);
    if (rows->standbyWarning.isEmpty())
        return {};
    return fail(Error::Kind::Conflict, doing, u"the server warned: "_s + rows->standbyWarning);
}

} // namespace outbox
