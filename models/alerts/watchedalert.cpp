// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/watchedalert.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/translation.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation watchedText("outbox::WatchedAlert");

} // namespace

AlertChange WatchedAlert::take(const QDateTime &at, const AlertSources &sources)
{
    m_isSeen = true;
    m_reading = readingOf(m_alert.rule.figure, sources);
    AlertChange change;
    change.event = m_state.take(at, m_reading);
    change.notice = m_notice.take(change.event, m_alert.isHeldBack(at));
    m_why = sources.count ? sources.count->why : QString();
    const int patience = sources.count && sources.count->isLasting ? 1 : patientLooks;
    if (m_state.unknownLooks() == 0)
        m_isLost = false;
    else if (m_state.unknownLooks() >= patience)
        change.isLost = !std::exchange(m_isLost, true);
    return change;
}

std::optional<AlertEvent> WatchedAlert::end(const QDateTime &at)
{
    std::optional<AlertEvent> event;
    if (m_state.isRaised()) {
        event = AlertEvent{AlertEvent::Kind::Over, at, m_state.heldSince().value_or(at)};
        event->isWithdrawn = true;
    }
    return m_notice.take(event, false);
}

AlertLine WatchedAlert::line(const QDateTime &now) const
{
    using State = AlertLine::State;
    AlertLine shown{m_alert};
    shown.reading = m_reading;
    shown.isUnknown = m_state.unknownSince().has_value();
    shown.why = m_why;
    shown.isMuted = m_alert.mutedUntil && now < *m_alert.mutedUntil;
    if (m_state.isRaised())
        shown.state = State::Raised;
    else if (shown.isUnknown)
        shown.state = State::Unknown;
    else if (m_state.heldSince())
        shown.state = State::Holding;
    else if (m_isSeen)
        shown.state = State::Quiet;
    if (shown.state == State::Unknown)
        shown.since = *m_state.unknownSince();
    else if (m_state.heldSince())
        shown.since = *m_state.heldSince();
    return shown;
}

QString label(AlertLine::State state)
{
    switch (state) {
    case AlertLine::State::Unseen:
        return watchedText("Not judged yet");
    case AlertLine::State::Quiet:
        return watchedText("Quiet");
    case AlertLine::State::Holding:
        return watchedText("Holds, not yet raised");
    case AlertLine::State::Raised:
        return watchedText("Raised");
    case AlertLine::State::Unknown:
        break;
    }
    return watchedText("Not known");
}

QString alertValueText(const AlertLine &line)
{
    if (line.state == AlertLine::State::Unseen)
        return {};
    if (!line.reading.value)
        return watchedText("not counted");
    const QString value = figureText(line.alert.rule.figure, *line.reading.value);
    return line.reading.isLeast ? watchedText("at least %1").arg(value) : value;
}

QString unjudgedText(const QList<AlertLine> &lines)
{
    QStringList told;
    for (const AlertLine &line : lines) {
        if (line.isUnknown && !line.why.isEmpty()) {
            told += watchedText("%1 cannot be judged: %2")
                        .arg(plainText(line.alert.name), plainText(line.why));
        }
    }
    return told.join(u'\n');
}

QString raisedSentence(const QList<AlertLine> &lines, const QDateTime &now)
{
    QStringList names;
    const AlertLine *first = nullptr;
    for (const AlertLine &line : lines) {
        if (line.state != AlertLine::State::Raised)
            continue;
        names += plainText(line.alert.name);
        first = first ? first : &line;
    }
    if (names.isEmpty())
        return {};
    if (names.size() > 1) {
        return watchedText("%1 alerts are raised: %2")
            .arg(countText(names.size()), names.join(u", "_s));
    }
    return watchedText("%1 is raised: %2, since %3")
        .arg(names.constFirst(), plainText(first->alert.rule.text), momentText(first->since, now));
}

} // namespace outbox
