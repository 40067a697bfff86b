// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/session/databasesession.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

void DatabaseSession::setSettings(const StoreSettings &settings)
{
    close();
    m_settings = settings;
    if (!m_settings->servers)
        m_settings->servers = std::make_shared<ServerMemory>();
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
    close();
    m_session = makeSession(*m_settings, m_breaker);
    auto opened = m_session->open(*m_settings);
    m_sinceOpened.start();
    if (opened && prepare)
        opened = prepare();
    if (!opened)
        close();
    return opened;
}

bool DatabaseSession::mayFindBetter() const
{
    constexpr qint64 searchAgainMs = 10'000;
    return isUp() && m_session->isSecondBest() && m_sinceOpened.hasExpired(searchAgainMs);
}

Result<void> DatabaseSession::ready(const QString &doing) const
{
    if (!isUp())
        return fail(Error::Kind::Unreachable, doing, u"the database is not connected"_s);
    return {};
}

} // namespace outbox
