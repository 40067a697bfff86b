// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One question to one of many systems, in steps that never wait.
#pragma once

#include "app/system/fleet/answerdeadline.h"
#include "app/system/fleet/fleetsessions.h"
#include "app/system/sources/poller.h"
#include "app/system/sources/target.h"

#include <QFutureWatcher>
#include <QObject>
#include <QTimer>

#include <functional>
#include <utility>

namespace outbox {

/// What a question cost in its room.
struct QuestionCost
{
    double tookMs = 0; ///< from job to answer, all steps together
    double processorMs = 0; ///< of it in our own thread at work
    Traffic traffic;
};

/// Of the calling thread since it began.
[[nodiscard]] double processorMsOfThread();

/// A step runs in the room, and what follows it in the thread of the owner. Shares the room. Once
/// started it is destroyed after its end, or right before its room.
class SystemQuestion
{
public:
    SystemQuestion(const Target &target, QuestionPlace place);
    virtual ~SystemQuestion() = default;
    SystemQuestion(const SystemQuestion &) = delete;
    SystemQuestion &operator=(const SystemQuestion &) = delete;

    /// `ended` is called once, perhaps before this returns.
    void start(std::function<void()> ended);
    /// Of the steps so far.
    [[nodiscard]] const QuestionCost &cost() const { return m_cost; }

protected:
    /// The first step; the last one calls `end`.
    virtual void ask() = 0;
    void end() const { m_ended(); }
    [[nodiscard]] const Target &target() const { return m_target; }
    [[nodiscard]] const QString &program() const { return m_place.program; }
    /// What came of connecting a database. `isOpen` is false where there is no session, and `shape`
    /// says why.
    using Recognized = std::function<void(const Result<OutboxShape> &shape, bool isOpen)>;
    /// Connects the database where it can. `anew`: takes its shape, as where nothing was asked in
    /// this place before; else answers the one that is known there.
    void recognize(bool anew, Recognized then);
    /// Runs `job` in the room and `then` with its answer here. A job that takes longer than
    /// `answerDeadlineMs` is interrupted, and its error is the answer.
    template <typename Job, typename Then> void step(Job job, Then then);

private:
    Target m_target;
    QuestionPlace m_place;
    std::function<void()> m_ended;
    QuestionCost m_cost;
    QObject m_context; ///< owns what watches the jobs
    QTimer m_deadline;
};

template <typename Job, typename Then> void SystemQuestion::step(Job job, Then then)
{
    using Answer = std::invoke_result_t<Job, SystemSessions &>;
    using Paid = std::pair<Measured<Answer>, double>;
    auto *watcher = new QFutureWatcher<Paid>(&m_context);
    QObject::connect(watcher, &QFutureWatcherBase::finished, &m_context,
                     [this, watcher, then = std::move(then)] {
                         m_deadline.stop();
                         takeOver();
                         watcher->deleteLater();
                         const Paid paid = watcher->result();
                         m_cost.tookMs += paid.first.tookMs;
                         m_cost.processorMs += paid.second;
                         m_cost.traffic += paid.first.traffic;
                         then(paid.first.answer);
                     });
    watcher->setFuture(m_place.room->run(
        [job = measured(std::move(job)), place = m_place.place](FleetSessions &all) mutable {
            return all.use(place, [&job](SystemSessions &sessions) {
                const double before = processorMsOfThread();
                auto answer = job(sessions);
                return Paid(std::move(answer), processorMsOfThread() - before);
            });
        }));
    m_deadline.start(answerDeadlineMs);
}

} // namespace outbox
