// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/systemdnotifier.h"

#include <algorithm>
#include <utility>

namespace outbox {

Result<void> SystemdNotifier::open(int rooms)
{
    if (auto opened = m_supervisor.open(); !opened)
        return opened;
    m_works.assign(static_cast<size_t>(rooms), false);
    m_clock.start();
    if (const auto watchdog = m_supervisor.watchdog())
        m_heartbeat.emplace(rooms, watchdog->count() / 1000);
    return {};
}

void SystemdNotifier::answered(int room, bool works)
{
    if (works && !m_ready) {
        m_works.at(static_cast<size_t>(room)) = true;
        if (std::all_of(m_works.begin(), m_works.end(), [](bool one) { return one; })) {
            m_ready = true;
            tell("READY=1");
        }
    }
    if (m_heartbeat && m_heartbeat->answered(room, m_clock.elapsed()))
        tell("WATCHDOG=1");
}

void SystemdNotifier::gone(int room)
{
    if (m_heartbeat)
        m_heartbeat->gone(room);
}

void SystemdNotifier::status(const QString &sentence)
{
    if (sentence == m_status)
        return;
    m_status = sentence;
    tell("STATUS=" + QString(sentence).replace(u'\n', u' ').toUtf8());
}

void SystemdNotifier::stopping(qint64 needMs)
{
    if (std::exchange(m_stopping, true))
        return;
    // The manager's own patience may be shorter than the time that the operator gave the batch.
    tell("STOPPING=1\nEXTEND_TIMEOUT_USEC=" + QByteArray::number(needMs * 1000));
}

std::optional<Error> SystemdNotifier::takeProblem()
{
    return std::exchange(m_problem, std::nullopt);
}

void SystemdNotifier::tell(const QByteArray &lines)
{
    if (const auto told = m_supervisor.tell(lines); !told && !std::exchange(m_problemTold, true))
        m_problem = told.error();
}

} // namespace outbox
