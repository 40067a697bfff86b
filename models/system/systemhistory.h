// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the console remembers of one system: a day of samples for each number on the Overview,
// thirty days of fewer, and what happened.
#pragma once

#include "models/system/historypoint.h"
#include "models/system/snapshots.h"
#include "models/system/timeseries.h"

#include <algorithm>
#include <array>

namespace outbox {

class SystemHistory
{
public:
    /// No series has more samples than `capacity`.
    explicit SystemHistory(int capacity = 86'400);

    /// `at` is our own clock: both servers' numbers share one axis, whatever their clocks say.
    void addOutbox(const QDateTime &at, const OutboxSnapshot &snapshot);
    void addQueues(const QDateTime &at, const QList<QueueSnapshot> &queues);
    /// The source was asked and did not answer: its lines end here.
    void missOutbox(const QDateTime &at);
    void missQueues(const QDateTime &at);
    void addEvent(const HistoryEvent &event) { addInOrder(m_events, event); }
    /// What was seen before the first look, as it was kept: seconds of the newest time, minutes of
    /// what is older, quarters of an hour of all of it. Only the lines are filled: no sentence
    /// rests on what was kept, since a clock may have been wrong then, another system may have
    /// stood at the same address, and another producer may have filled the queue.
    void fillBefore(const HistoryPoints &kept);

    [[nodiscard]] const TimeSeries &series(Measure measure) const;
    /// The same over thirty days, of each quarter of an hour the smallest and the largest value.
    [[nodiscard]] const TimeSeries &longSeries(Measure measure) const;
    /// What happened, oldest first, in earlier runs as well.
    [[nodiscard]] const QList<HistoryEvent> &events() const { return m_events; }
    /// Longest lag remembered, and never less than the newest.
    [[nodiscard]] std::optional<double> worstLag() const { return m_worstLag; }
    /// The same, or that of rows which were marked before the first look, or between two. It counts
    /// what was replayed from its first making on: to be shown, and not to be alarmed from.
    [[nodiscard]] std::optional<double> worstDelay() const
    {
        return m_worstLag ? std::max(m_worstLag, m_markedDelay) : m_markedDelay;
    }
    /// Where the table says nothing of delays, the moment since when they were looked for.
    [[nodiscard]] std::optional<QDateTime> delaysSeenSince() const
    {
        return m_markedDelay ? std::nullopt : m_firstLook;
    }
    /// Rows a second by which the backlog grows, below 0 where it shrinks; told by the outbox
    /// alone.
    [[nodiscard]] std::optional<double> growthPerSecond() const { return m_growth; }
    /// Since a message last left the outbox, as far as these looks saw; nullopt before the first.
    [[nodiscard]] std::optional<double> secondsSinceLeft(const QDateTime &now) const;
    /// For how long the oldest row that waits has been the same one; nullopt: none waits.
    [[nodiscard]] std::optional<double> headSeconds(const QDateTime &now) const;
    /// For how long the backlog has been growing; nullopt: it does not.
    [[nodiscard]] std::optional<double> growingSeconds(const QDateTime &now) const;

private:
    void put(Measure measure, const QDateTime &at, std::optional<double> value);
    void putGrowth(const QDateTime &at, std::optional<double> backlog);

    std::array<TimeSeries, measureCount> m_series;
    std::array<TimeSeries, measureCount> m_longSeries;
    QList<HistoryEvent> m_events;
    std::optional<double> m_worstLag;
    std::optional<double> m_markedDelay;
    std::optional<double> m_backlog;
    std::optional<double> m_arrived; ///< tasks that ever came into the queues, up to a constant
    std::optional<QDateTime> m_lastLeft;
    std::optional<QDateTime> m_growingSince;
    std::optional<QDateTime> m_head; ///< when it was written, by the database's clock
    std::optional<QDateTime> m_headSince; ///< by ours
    std::optional<QDateTime> m_firstLook;
    std::optional<double> m_growth;
    CounterRate m_backlogChange;
    CounterRate m_out;
};

} // namespace outbox
