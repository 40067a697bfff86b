// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/quiettimes.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Failure quietFault(qsizetype position, const QString &text)
{
    auto fault = fail(Error::Kind::Invalid, u"reading quiet times"_s, text, {},
                      u"write two times of a day, such as `22:00-07:00`"_s);
    fault.value().position = static_cast<int>(position);
    return fault;
}

} // namespace

Result<QuietTimes> QuietTimes::fromText(const QString &text)
{
    const qsizetype dash = text.indexOf(u'-');
    if (dash < 0)
        return quietFault(text.size(), u"the end is missing"_s);
    const QString begin = text.left(dash).trimmed();
    const QString end = text.mid(dash + 1).trimmed();
    const QuietTimes times{QTime::fromString(begin, u"HH:mm"_s),
                           QTime::fromString(end, u"HH:mm"_s)};
    if (!times.from.isValid())
        return quietFault(0, u"`%1` is no time of a day"_s.arg(begin));
    if (!times.to.isValid())
        return quietFault(dash + 1, u"`%1` is no time of a day"_s.arg(end));
    if (times.from == times.to)
        return quietFault(dash + 1, u"they end when they begin"_s);
    return times;
}

QString QuietTimes::text() const
{
    return from.toString(u"HH:mm"_s) + u'-' + to.toString(u"HH:mm"_s);
}

bool QuietTimes::has(const QDateTime &local) const
{
    const QTime clock = local.time();
    return from < to ? clock >= from && clock < to : clock >= from || clock < to;
}

std::optional<AlertEvent> AlertNotice::take(const std::optional<AlertEvent> &event, bool isQuiet)
{
    if (event)
        m_held = event;
    if (isQuiet || !m_held)
        return std::nullopt;
    const bool isRaised = m_held->kind == AlertEvent::Kind::Raised;
    std::optional<AlertEvent> due = std::exchange(m_held, std::nullopt);
    if (isRaised == m_isTold)
        return std::nullopt;
    m_isTold = isRaised;
    return due;
}

} // namespace outbox
