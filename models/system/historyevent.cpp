// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/historyevent.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/translation.h"

#include <QStringList>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation eventText("outbox::HistoryEvent");
constexpr qsizetype mostTipLines = 12;
constexpr qsizetype mostToldMarks = 6;

QString timedText(const HistoryEvent &event, const QDateTime &now)
{
    return momentText(event.at, now) + u' ' + shownText(event.text);
}

} // namespace

void addInOrder(QList<HistoryEvent> &events, const HistoryEvent &event)
{
    const auto isBefore
        = [](const HistoryEvent &one, const HistoryEvent &other) { return one.at < other.at; };
    const auto [first, last] = std::equal_range(events.begin(), events.end(), event, isBefore);
    if (std::find(first, last, event) != last)
        return;
    events.insert(last, event);
    if (events.size() > mostHistoryEvents)
        events.removeFirst();
}

QString EventMark::title(const QDateTime &now) const
{
    if (events.size() == 1)
        return timedText(events.first(), now);
    return momentText(at(), now) + u' '
        + counted(events.size(), eventText("1 event"), eventText("%1 events"));
}

QString EventMark::lines(const QDateTime &now) const
{
    QStringList told{title(now)};
    if (events.size() == 1)
        return told.first();
    for (const HistoryEvent &event : events.first(std::min(events.size(), mostTipLines)))
        told += timedText(event, now);
    if (events.size() > mostTipLines)
        told += eventText("and %1 more").arg(countText(events.size() - mostTipLines));
    return told.join(u'\n');
}

QList<EventMark> marksOf(const QList<HistoryEvent> &events, const QDateTime &from,
                         const QDateTime &to, qint64 reachMs)
{
    QList<EventMark> marks;
    for (const HistoryEvent &event : events) {
        if (event.at < from || event.at > to)
            continue;
        if (marks.isEmpty() || marks.last().at().msecsTo(event.at) >= reachMs)
            marks.append(EventMark{{event}});
        else
            marks.last().events.append(event);
    }
    return marks;
}

QString marksSentence(const QList<EventMark> &marks, const QDateTime &now)
{
    if (marks.isEmpty())
        return {};
    QStringList told;
    for (const EventMark &mark : marks.last(std::min(marks.size(), mostToldMarks))) {
        const QString title = mark.title(now);
        told += title.endsWith(u'.') ? title.chopped(1) : title;
    }
    QString sentence = eventText("Events: %1").arg(told.join(u", "_s));
    if (marks.size() > mostToldMarks)
        sentence
            += u", "_s + eventText("and %1 before").arg(countText(marks.size() - mostToldMarks));
    return sentence;
}

} // namespace outbox
