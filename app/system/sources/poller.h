// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks again after the answer, never by a free-running timer; slows down when a look costs too
// much, and adds up what the looks cost.
#pragma once

#include "connectors/traffic.h"
#include "models/elapsed.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <type_traits>

namespace outbox {

/// One question asked over and over. The owner asks on `due`, or where `kick` says so, and calls
/// `answered`, `failed` or `refused` exactly once for each; there is never a second question under
/// way. Lives in the owner's thread.
class Poller : public QObject
{
    Q_OBJECT

public:
    Poller(int intervalMs, int deadlineMs, QObject *parent = nullptr);

    void start();
    void stop();
    /// True: the owner asks now. False: a question is under way, and `due` comes right behind its
    /// answer.
    [[nodiscard]] bool kick();
    void answered(double tookMs);
    void failed();
    /// Who was asked knows us and says no: not asked again before a `kick`. A wrong password that
    /// is tried over and over locks an account.
    void refused();
    [[nodiscard]] int intervalMs() const { return m_intervalMs; }
    /// What it was made with: the interval while looks are cheap.
    [[nodiscard]] int wantedMs() const { return m_baseMs; }
    [[nodiscard]] bool isSlowed() const { return m_intervalMs > m_baseMs; }
    /// Milliseconds until the next try; 0 when one is under way or none will be made.
    [[nodiscard]] int nextInMs() const { return m_timer.isActive() ? m_timer.remainingTime() : 0; }

signals:
    void due();
    /// The answer is overdue: the connection hangs. Sent once for each question.
    void overdue();
    void intervalChanged(int milliseconds, bool slowed);

private:
    void scheduleIn(int milliseconds) { m_timer.start(milliseconds); }

    QTimer m_timer;
    QTimer m_deadline;
    int m_baseMs;
    int m_intervalMs;
    int m_backOffMs = 0;
    bool m_running = false;
    bool m_underWay = false;
    bool m_kicked = false;
};

/// An answer of a room with what it cost there.
template <typename Answer> struct Measured
{
    Answer answer;
    double tookMs = 0;
    Traffic traffic;
};

/// The same job for a room, its answer with what it cost.
template <typename Job> auto measured(Job job)
{
    return [job = std::move(job)](auto &resource) mutable {
        using Answer = std::invoke_result_t<Job, decltype(resource)>;
        QElapsedTimer clock;
        clock.start();
        const Traffic before = trafficOfThread();
        Measured<Answer> measured{std::invoke(job, resource), 0, {}};
        const Traffic &after = trafficOfThread();
        measured.tookMs = millisecondsOf(clock);
        measured.traffic = {after.statements - before.statements, after.bytes - before.bytes};
        return measured;
    };
}

/// Adds up what the looks of one source cost. Lives in the asker's thread.
class CostMeter
{
public:
    void add(double tookMs, const Traffic &traffic);
    /// The last of these was the answer to a regular question, after which `poller` has settled its
    /// interval.
    void addRegular(PollCost::Regular PollCost::*which, const Poller &poller);
    [[nodiscard]] const PollCost &cost() const { return m_cost; }

private:
    PollCost m_cost;
    double m_lastMs = 0;
};

} // namespace outbox
