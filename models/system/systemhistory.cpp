// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/systemhistory.h"

namespace outbox {

namespace {

/// Rows a second below which a backlog is not called growing.
constexpr double slowestGrowth = 0.5;

/// Two samples of each quarter of an hour, and some that say that nothing is known.
constexpr int mostLongSamples = 2 * 30 * 96 + 100;
constexpr qint64 longFoldMs = factsOf(HistoryTier::Quarter).width * 1000;

template <size_t... I>
std::array<TimeSeries, sizeof...(I)> equalSeries(int capacity, qint64 foldMs,
                                                 std::index_sequence<I...> /*count*/)
{
    return {((void)I, TimeSeries(capacity, foldMs))...};
}

/// Both values of a point stand where its time begins: a column of a chart that shows such points
/// is wider than the time of one.
void appendPoint(QList<QPointF> &samples, const HistoryPoint &point, Measure measure)
{
    const ValueRange &range = point.of(measure);
    const double at = static_cast<double>(point.at) * 1000;
    if (range.isKnown() || range.missed)
        samples.append({at, range.low});
    if (range.isKnown() && range.high > range.low)
        samples.append({at + 1, range.high});
}

} // namespace

SystemHistory::SystemHistory(int capacity)
    : m_series(equalSeries(capacity, 0, std::make_index_sequence<measureCount>())),
      m_longSeries(equalSeries(std::min(capacity, mostLongSamples), longFoldMs,
                               std::make_index_sequence<measureCount>()))
{ }

const TimeSeries &SystemHistory::series(Measure measure) const
{
    return m_series.at(static_cast<size_t>(measure));
}

const TimeSeries &SystemHistory::longSeries(Measure measure) const
{
    return m_longSeries.at(static_cast<size_t>(measure));
}

void SystemHistory::put(Measure measure, const QDateTime &at, std::optional<double> value)
{
    m_series.at(static_cast<size_t>(measure)).add(at, value);
    m_longSeries.at(static_cast<size_t>(measure)).add(at, value);
}

void SystemHistory::fillBefore(const HistoryPoints &kept)
{
    for (size_t i = 0; i < measureCount; ++i) {
        const auto measure = static_cast<Measure>(i);
        QList<QPointF> day;
        for (const HistoryTier tier : {HistoryTier::Minute, HistoryTier::Second}) {
            for (const HistoryPoint &point : kept.of(tier))
                appendPoint(day, point, measure);
        }
        m_series.at(i).fillBefore(day);
        QList<QPointF> month;
        for (const HistoryPoint &point : kept.of(HistoryTier::Quarter))
            appendPoint(month, point, measure);
        m_longSeries.at(i).fillBefore(month);
    }
    for (const HistoryEvent &event : kept.events)
        addInOrder(m_events, event);
}

void SystemHistory::addOutbox(const QDateTime &at, const OutboxSnapshot &snapshot)
{
    const auto number = [](const std::optional<qint64> &count) {
        return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
    };
    const std::optional<double> before = m_backlog;
    m_backlog = number(snapshot.backlog());
    m_firstLook = m_firstLook.value_or(at);
    if (before && m_backlog && *m_backlog < *before)
        m_lastLeft = at;
    else if (!m_lastLeft) // where the table tells nothing of the time before, the first look counts
        m_lastLeft = at.addMSecs(-qRound64(snapshot.lastLeftSeconds.value_or(0) * 1000));
    std::optional<QDateTime> head;
    if (snapshot.oldestPendingSeconds)
        head = snapshot.at.addMSecs(-qRound64(*snapshot.oldestPendingSeconds * 1000));
    constexpr qint64 sameMs = 5; // both numbers were rounded
    if (!head || !m_head || std::abs(head->msecsTo(*m_head)) > sameMs) {
        m_head = head;
        m_headSince = head ? std::optional(at) : std::nullopt;
    }
    put(Measure::Pending, at, number(snapshot.pending));
    put(Measure::Backlog, at, m_backlog);
    // Nothing pending is no lag; a lag that could not be asked is a gap.
    std::optional<double> lag = snapshot.oldestPendingSeconds;
    if (!lag && snapshot.pending == 0)
        lag = 0;
    put(Measure::Lag, at, lag);
    if (lag)
        m_worstLag = std::max(m_worstLag.value_or(0), *lag);
    if (snapshot.worstDelaySeconds)
        m_markedDelay = std::max(m_markedDelay.value_or(0), *snapshot.worstDelaySeconds);
    put(Measure::In, at, snapshot.inPerSecond);
    putGrowth(at, snapshot.isExact(QStringLiteral("pending")) ? m_backlog : std::nullopt);
}

void SystemHistory::addQueues(const QDateTime &at, const QList<QueueSnapshot> &queues)
{
    const QueueSums sum(queues);
    qint64 succeeded = 0;
    bool counted = !queues.isEmpty();
    for (const QueueSnapshot &queue : queues) {
        counted = counted && queue.processedTotal && queue.failedTotal;
        succeeded += queue.processedTotal.value_or(0) - queue.failedTotal.value_or(0);
    }
    put(Measure::QueuePending, at, static_cast<double>(sum.pending));
    put(Measure::QueueActive, at, static_cast<double>(sum.active));
    put(Measure::QueueScheduled, at, static_cast<double>(sum.scheduled));
    put(Measure::QueueRetry, at, static_cast<double>(sum.retry));
    put(Measure::QueueDead, at, static_cast<double>(sum.archived));
    put(Measure::QueueDepth, at, static_cast<double>(sum.depth()));
    // Whatever came in is either still there or was worked off; so the relay's output can be told
    // without asking the relay, whoever runs it.
    const std::optional<double> before = m_arrived;
    m_arrived = counted ? std::optional(static_cast<double>(sum.depth() + sum.archived + succeeded))
                        : std::nullopt;
    if (before && m_arrived && *m_arrived > *before)
        m_lastLeft = at;
    put(Measure::Out, at, m_out.add(at, m_arrived));
}

void SystemHistory::missOutbox(const QDateTime &at)
{
    m_backlog.reset();
    for (const Measure measure : {Measure::Lag, Measure::Backlog, Measure::Pending, Measure::In})
        put(measure, at, std::nullopt);
    putGrowth(at, std::nullopt);
}

void SystemHistory::missQueues(const QDateTime &at)
{
    m_arrived.reset();
    for (const Measure measure :
         {Measure::QueuePending, Measure::QueueActive, Measure::QueueScheduled, Measure::QueueRetry,
          Measure::QueueDead, Measure::QueueDepth})
        put(measure, at, std::nullopt);
    put(Measure::Out, at, m_out.add(at, std::nullopt));
}

void SystemHistory::putGrowth(const QDateTime &at, std::optional<double> backlog)
{
    // What comes and what leaves are told by two servers at two moments: their difference would be
    // rows that are nowhere.
    (void)m_backlogChange.add(at, backlog);
    m_growth = m_backlogChange.change();
    if (m_growth.value_or(0) < slowestGrowth)
        m_growingSince.reset();
    else if (!m_growingSince)
        m_growingSince = at;
}

std::optional<double> SystemHistory::secondsSinceLeft(const QDateTime &now) const
{
    return m_lastLeft ? std::optional(static_cast<double>(m_lastLeft->msecsTo(now)) / 1000.0)
                      : std::nullopt;
}

std::optional<double> SystemHistory::headSeconds(const QDateTime &now) const
{
    return m_headSince ? std::optional(static_cast<double>(m_headSince->msecsTo(now)) / 1000.0)
                       : std::nullopt;
}

std::optional<double> SystemHistory::growingSeconds(const QDateTime &now) const
{
    return m_growingSince
        ? std::optional(static_cast<double>(m_growingSince->msecsTo(now)) / 1000.0)
        : std::nullopt;
}

} // namespace outbox
