// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/lastingtrouble.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

void LastingTrouble::failed(int worker, const Error &error, Time now)
{
    if (m_workers.isEmpty())
        m_since = now;
    m_workers.insert(worker);
    m_error = error;
    ++m_tries;
}

bool LastingTrouble::isDue(const QString &event, const Error &error, Time now)
{
    constexpr auto toldAgain = 1min;
    if (error.kind != Error::Kind::Unreachable && error.kind != Error::Kind::Timeout)
        return true;
    const QString line
        = event + u' ' + QString::number(static_cast<int>(error.kind)) + u' ' + error.code;
    const auto told = m_told.constFind(line);
    if (told != m_told.constEnd() && now < *told + toldAgain)
        return false;
    m_told.insert(line, now);
    return true;
}

std::optional<LastingTrouble::Length> LastingTrouble::worksAgain(int worker, Time now)
{
    if (!m_workers.remove(worker) || !m_workers.isEmpty())
        return {};
    const Length lasted = length(now);
    *this = {};
    return lasted;
}

LastingTrouble::Length LastingTrouble::length(Time now) const
{
    if (m_tries == 0)
        return {};
    return {m_tries, std::chrono::duration_cast<std::chrono::milliseconds>(now - m_since).count()};
}

} // namespace outbox
