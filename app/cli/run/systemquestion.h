// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many systems asked at once by one command: each in a room of its own, a few at a time.
#pragma once

#include "app/cli/run/await.h"
#include "app/system/sources/outboxsource.h"
#include "app/system/sources/target.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/room.h"

#include <QFutureWatcher>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <utility>

namespace outbox {

/// What lives in the room of one system while it is asked; closed with the room.
struct SystemSessions
{
    OutboxSource outbox;
    AsynqInspector tasks;

    /// From any thread: shuts the database's sockets. Redis has a deadline in each call.
    void interrupt() noexcept { outbox.interrupt(); }
};

/// One question to one system, in steps that never wait: a step runs in the room, and what follows
/// it in the thread of the command. Owns the room; destroyed only after its end.
class SystemQuestion
{
public:
    explicit SystemQuestion(const Target &target);
    virtual ~SystemQuestion() = default;
    SystemQuestion(const SystemQuestion &) = delete;
    SystemQuestion &operator=(const SystemQuestion &) = delete;

    /// `ended` is called once, perhaps before this returns.
    void start(std::function<void()> ended);

protected:
    /// The first step; the last one calls `end`.
    virtual void ask() = 0;
    void end() const { m_ended(); }
    [[nodiscard]] const Target &target() const { return m_target; }
    /// Connects the database where it can, and takes its shape.
    void recognize(std::function<void(const Result<OutboxShape> &)> then);
    /// Runs `job` in the room and `then` with its answer here. A job that takes longer than the
    /// deadline of a command is interrupted, and its error is the answer.
    template <typename Job, typename Then> void step(Job job, Then then);

private:
    Target m_target;
    std::function<void()> m_ended;
    QObject m_context; ///< owns what watches the jobs
    QTimer m_deadline;
    Room<SystemSessions> m_room;
};

/// So many systems are asked at a time.
inline constexpr qsizetype mostRoomsOfFleet = 8;

/// Asks `count` questions, made by `make` one by one when their turn comes, and returns when all
/// have ended. A system that does not answer keeps one of the rooms from the others until its
/// deadline, and nothing else.
void askEach(qsizetype count,
             const std::function<std::unique_ptr<SystemQuestion>(qsizetype at)> &make);

template <typename Job, typename Then> void SystemQuestion::step(Job job, Then then)
{
    using Answer = std::invoke_result_t<Job, SystemSessions &>;
    auto *watcher = new QFutureWatcher<Answer>(&m_context);
    QObject::connect(watcher, &QFutureWatcherBase::finished, &m_context,
                     [this, watcher, then = std::move(then)] {
                         m_deadline.stop();
                         takeOver();
                         watcher->deleteLater();
                         then(watcher->result());
                     });
    watcher->setFuture(m_room.run(std::move(job)));
    m_deadline.start(answerDeadlineMs);
}

} // namespace outbox
