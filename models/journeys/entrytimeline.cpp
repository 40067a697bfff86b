// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/journeys/entrytimeline.h"

#include "models/phrases.h"
#include "models/translation.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using PointKind = TimelinePoint::Kind;
using PointFrom = TimelinePoint::From;

constexpr Translation entryLineText("outbox::EntryTimeline");

TimelinePoint entryPoint(PointKind kind, PointFrom from, const QString &note,
                         const std::optional<QDateTime> &at = std::nullopt)
{
    TimelinePoint point;
    point.kind = kind;
    point.from = from;
    point.note = note;
    if (at && at->isValid())
        point.at = at->toUTC();
    return point;
}

TimelinePoint comingPoint(PointKind kind, PointFrom from, const QString &note)
{
    TimelinePoint point = entryPoint(kind, from, note);
    point.isFuture = true;
    return point;
}

TimelinePoint presentPoint(const QDateTime &now)
{
    return entryPoint(PointKind::Now, PointFrom::Clock, {}, now);
}

/// Between each point and the last one before it whose time is known. `ageSeconds` is that of the
/// first point, by the clock that knows best.
void nameEntryGaps(QList<TimelinePoint> &line, const std::optional<double> &ageSeconds, bool waits)
{
    const TimelinePoint *known = nullptr;
    for (qsizetype i = 0; i < line.size(); ++i) {
        TimelinePoint &point = line[i];
        if (i > 0)
            measureGap(point, known, point.kind == PointKind::Now ? ageSeconds : std::nullopt);
        if (point.gapSeconds) {
            point.gap = (waits ? entryLineText("%1 undispatched") : entryLineText("%1 ago"))
                            .arg(spanText(*point.gapSeconds));
        }
        if (point.at)
            known = &point;
    }
}

/// What the entry says of its making.
TimelinePoint writtenPoint(const OutboxEntry &entry)
{
    QString note;
    if (entry.state == OutboxEntry::State::Malformed)
        note = clipped(entry.problem);
    else if (!entry.made && entry.state == OutboxEntry::State::Dispatched)
        note = entryLineText("an entry that is null keeps no time");
    else if (!entry.made)
        note = entryLineText("the entry keeps no time");
    return entryPoint(PointKind::Written, PointFrom::Document, note, entry.made);
}

TimelinePoint tokensPoint(const OutboxEntry &entry)
{
    const auto taken
        = std::count_if(entry.messages.cbegin(), entry.messages.cend(),
                        [](const OutgoingMessage &one) { return !one.token.isEmpty(); });
    return entryPoint(PointKind::TokenTaken, PointFrom::Document,
                      entryLineText("%1 of %2 messages have their token; when is not in the entry")
                          .arg(taken)
                          .arg(entry.messages.size()));
}

} // namespace

QList<TimelinePoint> timelineOf(const SeenEntry &seen, Design design, const QDateTime &now)
{
    using State = OutboxEntry::State;
    const OutboxEntry &entry = seen.entry;
    const bool isInside = entry.state == State::Undispatched;
    const bool isLeaked = seen.next.kind == FindingKind::LeakedEntry;
    const bool waits = isInside && !isLeaked;
    QList<TimelinePoint> line{writtenPoint(entry)};
    if (design == Design::Tokens && isInside)
        line += tokensPoint(entry);
    if (waits) {
        line += entryPoint(PointKind::Claimed, PointFrom::Document,
                           entryLineText("whether a handler is at work is not kept"));
    }
    if (entry.state == State::Dispatched) {
        line += entryPoint(PointKind::Dispatched, PointFrom::Document,
                           entryLineText("an entry that is null keeps no time"));
    } else if (isLeaked) {
        line += entryPoint(PointKind::Dispatched, PointFrom::Store,
                           entryLineText("its messages went out before; when is not kept"));
    }
    if (design != Design::EntityState && entry.state != State::Malformed && !waits) {
        // The reason says as well where the store does not know the id, or was not read.
        line += entryPoint(PointKind::DoneMark, PointFrom::Store, seen.next.reason);
    }
    line += presentPoint(now);
    if (waits) {
        line += comingPoint(PointKind::Dispatched, PointFrom::Document, seen.next.reason);
    } else if (design == Design::EntityState && entry.state == State::Dispatched) {
        line += comingPoint(PointKind::KeptUntil, PointFrom::Document,
                            entryLineText("copies are refused as long as the entry stays"));
    } else if (isLeaked) {
        line += comingPoint(
            PointKind::KeptUntil, PointFrom::Store,
            design == Design::Tokens
                ? entryLineText("for good: a token that was consumed does not come back")
                : entryLineText("copies are refused as long as the dedup store keeps the id"));
    }
    nameEntryGaps(line, entry.made ? seen.ageSeconds : std::nullopt, waits);
    return line;
}

QList<TimelinePoint> timelineOf(const JudgedToken &judged, const QDateTime &now)
{
    const auto &made = judged.token.made;
    QList<TimelinePoint> line{
        entryPoint(PointKind::TokenTaken, PointFrom::Store,
                   made ? QString() : entryLineText("the store keeps no time"), made),
        presentPoint(now)};
    const auto age = judged.ageSeconds;
    nameEntryGaps(line, age ? std::optional(static_cast<double>(*age)) : std::nullopt, false);
    return line;
}

} // namespace outbox
