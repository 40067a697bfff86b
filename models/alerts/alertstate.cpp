// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alertstate.h"

#include <algorithm>

namespace outbox {

std::optional<AlertEvent> AlertState::take(const QDateTime &at, const AlertReading &reading)
{
    const auto holds = m_rule.holds(reading);
    if (!holds) {
        miss(at);
        return std::nullopt;
    }
    m_unknownSince.reset();
    m_unknownLooks = 0;
    const double value = reading.value.value_or(0);
    if (!*holds) {
        std::optional<AlertEvent> event;
        if (m_isRaised) {
            event = AlertEvent{AlertEvent::Kind::Over, at, m_since.value_or(at), value, m_hadGaps};
            event->isLeast = reading.isLeast;
        }
        forget();
        return event;
    }
    if (!m_since)
        m_since = at;
    if (m_lastHeld)
        m_heldMs += std::max<qint64>(m_lastHeld->msecsTo(at), 0);
    m_lastHeld = at;
    if (m_isRaised || m_heldMs < m_rule.forMs)
        return std::nullopt;
    m_isRaised = true;
    AlertEvent raised{AlertEvent::Kind::Raised, at, *m_since, value, m_hadGaps};
    raised.isLeast = reading.isLeast;
    return raised;
}

void AlertState::miss(const QDateTime &at)
{
    if (!m_unknownSince)
        m_unknownSince = at;
    ++m_unknownLooks;
    m_lastHeld.reset();
    m_hadGaps = m_hadGaps || m_since.has_value();
}

void AlertState::forget()
{
    m_since.reset();
    m_lastHeld.reset();
    m_heldMs = 0;
    m_isRaised = false;
    m_hadGaps = false;
}

} // namespace outbox
