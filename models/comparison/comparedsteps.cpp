// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/comparison/comparedsteps.h"

#include "models/phrases.h"
#include "models/translation.h"

#include <algorithm>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation stepText("outbox::ComparedSteps");

/// What is less is written as 0 s.
constexpr double leastDifference = 0.05;
constexpr int ownedByBoth = 2;

/// Names a step: two points of one name are the same step.
struct StepKey
{
    TimelinePoint::Kind kind;
    qsizetype number; ///< among those of its kind in the line
    int owner; ///< 0: A alone, 1: B alone

    bool operator==(const StepKey &) const = default;
};

QList<StepKey> keysOfLine(const QList<TimelinePoint> &line, int owner)
{
    QList<StepKey> keys;
    for (const TimelinePoint &point : line) {
        const auto number = std::count_if(keys.cbegin(), keys.cend(), [&point](const StepKey &key) {
            return key.kind == point.kind;
        });
        const bool isOwn = point.kind == TimelinePoint::Kind::Operation;
        keys += StepKey{point.kind, static_cast<qsizetype>(number), isOwn ? owner : ownedByBoth};
    }
    return keys;
}

QList<StepKey> mergedKeys(const QList<StepKey> &a, const QList<StepKey> &b)
{
    QList<StepKey> all = a;
    qsizetype behind = 0;
    for (const StepKey &key : b) {
        const qsizetype there = all.indexOf(key);
        if (there < 0)
            all.insert(behind, key);
        behind = (there < 0 ? behind : there) + 1;
    }
    return all;
}

std::optional<ComparedStep::Station> stationOf(const QList<TimelinePoint> &line,
                                               const QList<StepKey> &keys, const StepKey &key)
{
    const qsizetype at = keys.indexOf(key);
    if (at < 0)
        return std::nullopt;
    return ComparedStep::Station{line.at(at), std::nullopt, std::nullopt};
}

/// Something happened then; what is to come, and the ends of leases, took no time.
bool isMeasured(TimelinePoint::Kind kind)
{
    using Kind = TimelinePoint::Kind;
    switch (kind) {
    case Kind::Written:
    case Kind::Parked:
    case Kind::Processed:
    case Kind::Failed:
    case Kind::Queued:
    case Kind::LastTry:
    case Kind::Dead:
    case Kind::Done:
    case Kind::KeptOut:
        return true;
    default:
        return false;
    }
}

bool isKnownInBoth(const ComparedStep &step)
{
    const auto isKnown = [](const std::optional<ComparedStep::Station> &station) {
        return station && station->point.at && !station->point.isFuture;
    };
    return isMeasured(step.kind) && isKnown(step.a) && isKnown(step.b);
}

double secondsBetween(const QDateTime &from, const QDateTime &to)
{
    return static_cast<double>(from.msecsTo(to)) / 1000;
}

void measureStation(std::optional<ComparedStep::Station> &station,
                    const std::optional<ComparedStep::Station> &before)
{
    const double seconds = secondsBetween(*before->point.at, *station->point.at);
    if (seconds > -clockGrainSeconds)
        station->tookSeconds = std::max(seconds, 0.0);
}

void placeStation(std::optional<ComparedStep::Station> &station, const QDateTime &begin)
{
    if (station && station->point.at)
        station->afterSeconds = secondsBetween(begin, *station->point.at);
}

} // namespace

std::optional<double> ComparedStep::difference() const
{
    if (!a || !b || !a->tookSeconds || !b->tookSeconds)
        return std::nullopt;
    return *b->tookSeconds - *a->tookSeconds;
}

ComparedJourneys compareJourneys(const QList<TimelinePoint> &a, const QList<TimelinePoint> &b)
{
    ComparedJourneys journeys;
    const QList<StepKey> keysOfA = keysOfLine(a, 0);
    const QList<StepKey> keysOfB = keysOfLine(b, 1);
    for (const StepKey &key : mergedKeys(keysOfA, keysOfB)) {
        journeys.steps += ComparedStep{key.kind, std::nullopt, stationOf(a, keysOfA, key),
                                       stationOf(b, keysOfB, key)};
    }
    qsizetype first = -1;
    qsizetype last = -1;
    double most = leastDifference;
    for (qsizetype at = 0; at < journeys.steps.size(); ++at) {
        ComparedStep &step = journeys.steps[at];
        if (!isKnownInBoth(step))
            continue;
        if (last >= 0) {
            const ComparedStep &before = journeys.steps.at(last);
            step.since = before.kind;
            measureStation(step.a, before.a);
            measureStation(step.b, before.b);
        } else {
            first = at;
            journeys.begin = step.kind;
        }
        last = at;
        const double differs = std::abs(step.difference().value_or(0));
        if (differs >= most) {
            most = differs;
            journeys.widest = at;
        }
    }
    if (first < 0)
        return journeys;
    const QDateTime beginOfA = *journeys.steps.at(first).a->point.at;
    const QDateTime beginOfB = *journeys.steps.at(first).b->point.at;
    for (ComparedStep &step : journeys.steps) {
        placeStation(step.a, beginOfA);
        placeStation(step.b, beginOfB);
    }
    return journeys;
}

QString stepName(const ComparedStep &step)
{
    return step.since ? stepText("%1 to %2").arg(label(*step.since), label(step.kind))
                      : label(step.kind);
}

QString stationText(const std::optional<ComparedStep::Station> &station, const QDateTime &now)
{
    if (!station)
        return u"\u2013"_s;
    if (!station->point.at)
        return stepText("not known");
    if (station->tookSeconds)
        return spanText(*station->tookSeconds);
    if (station->point.kind == TimelinePoint::Kind::Written || !station->afterSeconds)
        return pointTimeText(station->point, now);
    const double after = *station->afterSeconds;
    if (after < 0)
        return stepText("%1 before the beginning").arg(spanText(-after));
    return station->point.isFuture ? stepText("expected after %1").arg(spanText(after))
                                   : stepText("after %1").arg(spanText(after));
}

QString stepDifferenceText(const ComparedStep &step)
{
    const auto differs = step.difference();
    if (!differs)
        return step.since ? stepText("not known: the clocks differ") : QString();
    if (std::abs(*differs) < leastDifference)
        return stepText("no difference");
    return *differs > 0 ? stepText("B took %1 longer").arg(spanText(*differs))
                        : stepText("A took %1 longer").arg(spanText(-*differs));
}

} // namespace outbox
