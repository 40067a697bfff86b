// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alertfigure.h"

#include "models/health/health.h"
#include "models/phrases.h"
#include "models/system/relaylist.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

template <typename T> AlertReading readNumber(const std::optional<T> &value)
{
    return value ? AlertReading{static_cast<double>(*value)} : AlertReading();
}

/// What is read by a mapping that is a guess is no fact to alert from. Where counting stopped every
/// state may have more rows; an estimate of the pending ones is taken as it is.
AlertReading readRows(const AlertSources &sources, std::optional<qint64> OutboxSnapshot::*count)
{
    if (!sources.outbox || sources.outbox->guess)
        return {};
    AlertReading reading = readNumber(sources.outbox->*count);
    using enum OutboxSnapshot::Counted;
    const OutboxSnapshot::Counted counted = sources.outbox->counted;
    reading.isLeast = counted == Cut || (counted == Estimated && count != &OutboxSnapshot::pending);
    return reading;
}

AlertReading readLag(const AlertSources &sources)
{
    if (!sources.outbox)
        return {};
    AlertReading reading = readNumber(longestWait(*sources.outbox));
    if (!reading.value)
        return reading;
    // Of the rows that were not counted one may be older, or the only one that is pending.
    reading.isLeast = *reading.value > 0 ? !sources.outbox->isExact(u"oldest_pending_s"_s)
                                         : readRows(sources, &OutboxSnapshot::pending).isLeast;
    return reading;
}

AlertReading readQueueLag(const AlertSources &sources)
{
    if (!sources.queue)
        return {};
    return sources.queue->pending == 0 ? AlertReading{0.0}
                                       : readNumber(sources.queue->oldestPendingSeconds);
}

AlertReading readTasks(const AlertSources &sources, qint64 QueueSnapshot::*count)
{
    return sources.queue ? AlertReading{static_cast<double>(sources.queue->*count)}
                         : AlertReading();
}

AlertReading readDepth(const AlertSources &sources)
{
    if (!sources.queue)
        return {};
    const QueueSums sums(QList<QueueSnapshot>{*sources.queue});
    return {static_cast<double>(sums.depth()), !sums.exact};
}

AlertReading readIds(const AlertSources &sources, qint64 DedupSnapshot::*count)
{
    return sources.dedup ? AlertReading{static_cast<double>(sources.dedup->*count)}
                         : AlertReading();
}

AlertReading readIn(const AlertSources &sources)
{
    return sources.outbox && !sources.outbox->guess ? readNumber(sources.outbox->inPerSecond)
                                                    : AlertReading();
}

AlertReading readOut(const AlertSources &sources)
{
    return readNumber(sources.outPerSecond);
}

struct AlertFigureRow
{
    AlertFigure figure;
    QStringView word; ///< a literal
    AlertUnit unit;
    AlertOrigin origin;
    AlertReading (*read)(const AlertSources &);
};

/// In the order in which people read them.
const auto &alertFigureRows()
{
    using F = AlertFigure;
    using U = AlertUnit;
    using O = AlertOrigin;
    using From = const AlertSources &;
    static const std::array rows{
        AlertFigureRow{F::Lag, u"lag", U::Seconds, O::Outbox, readLag},
        AlertFigureRow{F::Pending, u"pending", U::Count, O::Outbox,
                       [](From from) { return readRows(from, &OutboxSnapshot::pending); }},
        AlertFigureRow{F::Waiting, u"waiting", U::Count, O::Outbox,
                       [](From from) { return readRows(from, &OutboxSnapshot::waiting); }},
        AlertFigureRow{F::Locked, u"locked", U::Count, O::Outbox,
                       [](From from) { return readRows(from, &OutboxSnapshot::locked); }},
        AlertFigureRow{F::Failed, u"failed", U::Count, O::Outbox,
                       [](From from) { return readRows(from, &OutboxSnapshot::failed); }},
        AlertFigureRow{F::Parked, u"parked", U::Count, O::Outbox,
                       [](From from) { return readRows(from, &OutboxSnapshot::parked); }},
        AlertFigureRow{F::Unknown, u"unknown", U::Count, O::Outbox,
                       [](From from) { return readRows(from, &OutboxSnapshot::unknown); }},
        AlertFigureRow{F::In, u"in", U::PerSecond, O::Outbox, readIn},
        AlertFigureRow{F::Out, u"out", U::PerSecond, O::Queue, readOut},
        AlertFigureRow{F::QueueLag, u"queue_lag", U::Seconds, O::Queue, readQueueLag},
        AlertFigureRow{F::QueuePending, u"queue_pending", U::Count, O::Queue,
                       [](From from) { return readTasks(from, &QueueSnapshot::pending); }},
        AlertFigureRow{F::Active, u"active", U::Count, O::Queue,
                       [](From from) { return readTasks(from, &QueueSnapshot::active); }},
        AlertFigureRow{F::Scheduled, u"scheduled", U::Count, O::Queue,
                       [](From from) { return readTasks(from, &QueueSnapshot::scheduled); }},
        AlertFigureRow{F::Retry, u"retry", U::Count, O::Queue,
                       [](From from) { return readTasks(from, &QueueSnapshot::retry); }},
        AlertFigureRow{F::Dead, u"dead", U::Count, O::Queue,
                       [](From from) { return readTasks(from, &QueueSnapshot::archived); }},
        AlertFigureRow{F::Depth, u"depth", U::Count, O::Queue, readDepth},
        AlertFigureRow{F::Servers, u"servers", U::Count, O::Queue,
                       [](From from) {
                           return from.queue ? readNumber(from.queue->servers) : AlertReading();
                       }},
        AlertFigureRow{F::Retained, u"retained", U::Count, O::Queue,
                       [](From from) { return readIds(from, &DedupSnapshot::retained); }},
        AlertFigureRow{F::Expired, u"expired", U::Count, O::Queue,
                       [](From from) { return readIds(from, &DedupSnapshot::expired); }},
        AlertFigureRow{F::Level, u"level", U::Level, O::Health,
                       [](From from) {
                           return from.level ? AlertReading{numberOfLevel(*from.level)}
                                             : AlertReading();
                       }},
        AlertFigureRow{F::Rows, u"rows", U::Count, O::Filter,
                       [](From from) { return from.count ? from.count->reading : AlertReading(); }},
    };
    return rows;
}

const AlertFigureRow &alertFigureRow(AlertFigure figure)
{
    const auto &rows = alertFigureRows();
    const auto row = std::find_if(rows.begin(), rows.end(), [figure](const AlertFigureRow &one) {
        return one.figure == figure;
    });
    return row == rows.end() ? rows.back() : *row;
}

} // namespace

AlertReading readingOf(AlertFigure figure, const AlertSources &sources)
{
    return alertFigureRow(figure).read(sources);
}

QString word(AlertFigure figure)
{
    return alertFigureRow(figure).word.toString();
}

AlertUnit unitOf(AlertFigure figure)
{
    return alertFigureRow(figure).unit;
}

AlertOrigin originOf(AlertFigure figure)
{
    return alertFigureRow(figure).origin;
}

std::optional<AlertFigure> alertFigureFrom(QStringView text)
{
    for (const AlertFigureRow &row : alertFigureRows()) {
        if (text.compare(row.word, Qt::CaseInsensitive) == 0)
            return row.figure;
    }
    return std::nullopt;
}

QStringList alertFigureWords()
{
    QStringList words;
    for (const AlertFigureRow &row : alertFigureRows())
        words += row.word.toString();
    return words;
}

double numberOfLevel(HealthLevel level)
{
    return weightOf(level);
}

std::optional<double> levelNumberFrom(QStringView text)
{
    for (const HealthLevel level : levelsByWeight) {
        if (text.compare(word(level), Qt::CaseInsensitive) == 0)
            return numberOfLevel(level);
    }
    return std::nullopt;
}

QString figureText(AlertFigure figure, double value)
{
    switch (unitOf(figure)) {
    case AlertUnit::Seconds:
        return spanText(value);
    case AlertUnit::Level: {
        const auto most = static_cast<double>(levelsByWeight.size() - 1);
        return word(levelsByWeight.at(static_cast<std::size_t>(std::clamp(value, 0.0, most))));
    }
    case AlertUnit::PerSecond:
        return perSecondText(value);
    case AlertUnit::Count:
        break;
    }
    return countText(std::llround(value));
}

} // namespace outbox
