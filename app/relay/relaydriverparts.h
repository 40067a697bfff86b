// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a RelayDriver is made of; for its own sources alone.
#pragma once

#include "app/relay/backoff.h"
#include "app/relay/ratebucket.h"
#include "app/relay/relaydriver.h"
#include "connectors/answer.h"
#include "connectors/room.h"

#include <QTimer>

#include <algorithm>

namespace outbox {

namespace relaypace {

inline constexpr int burstMs = 250; ///< so long a pause may take to be heard
inline constexpr int sliceMs = 250; ///< of a wait: after each the room is asked whether it answers
inline constexpr int queueFullWaitMs = 100;

} // namespace relaypace

struct RelayDriver::Private
{
    struct Opened
    {
        RedisFacts facts;
        QString parkingPlace;
    };
    struct Reopened
    {
        Result<void> done;
        bool mustStop = false;
        std::optional<RedisFacts> facts; ///< of a Redis that was met anew
    };

    explicit Private(RelayDriver *driver) : q(driver)
    {
        pause.setSingleShot(true);
        grace.setSingleShot(true);
        watchdog.setSingleShot(true);
        connect(&pause, &QTimer::timeout, q, [this] { endSlice(); });
        connect(&grace, &QTimer::timeout, q, [this] { q->abandon(); });
        connect(&watchdog, &QTimer::timeout, q, [this] {
            if (room)
                room->interrupt();
        });
    }

    void enter(RelayState next)
    {
        if (state == next)
            return;
        state = next;
        emit q->stateChanged(next);
    }

    /// A job must answer within every deadline of its two servers; past that the socket is shut.
    void guard()
    {
        watchdog.start(2 * target.store.statementTimeoutMs + 2 * target.store.connectTimeoutMs);
    }

    void open()
    {
        guard();
        answerTo(q, room->run([target = target](RelaySession &pair) -> Result<Opened> {
            if (auto open = pair.open(target); !open)
                return passOn(open);
            return Opened{pair.facts(), pair.parkingPlace()};
        }),
                 [this](const Result<Opened> &answer) {
                     watchdog.stop();
                     if (ending())
                         return finish();
                     if (answer) {
                         backOff.reset();
                         opened = true;
                         parkingPlace = answer->parkingPlace;
                         emit q->opened(answer->facts, answer->parkingPlace);
                         enter(standing());
                         return goOn();
                     }
                     giveUp(answer.error());
                 });
    }

    void giveUp(const Error &error)
    {
        emit q->failed(error);
        enter(RelayState::Failed);
        how = QStringLiteral("failed");
        finish();
    }

    /// Ends the relay as soon as the batch in hand has ended.
    void requestEnd()
    {
        stopper.request_stop();
        inHand.request_stop();
    }
    [[nodiscard]] bool ending() const { return stopper.stop_requested(); }
    /// The state of a relay whose connections stand.
    [[nodiscard]] RelayState standing() const
    {
        if (paused)
            return RelayState::Paused;
        return draining ? RelayState::Draining : RelayState::Running;
    }

    [[nodiscard]] RelayAim aim() const
    {
        if (draining)
            return RelayAim::Drained;
        return settings.schedule ? RelayAim::NothingDue : RelayAim::Always;
    }

    void waitFor(int milliseconds, bool isAsPlanned = false)
    {
        waitIsAsPlanned = isAsPlanned;
        waitLeftMs = milliseconds;
        pause.start(std::min(waitLeftMs, relaypace::sliceMs));
    }

    /// A wait is heard of: whoever watches the relay must be able to tell it from one that hangs.
    void endSlice()
    {
        waitLeftMs -= relaypace::sliceMs;
        if (waitLeftMs <= 0)
            return goOn();
        answerTo(q, room->run([](RelaySession &) { return true; }), [this](bool) {
            if (busy || closing)
                return;
            pause.start(std::min(waitLeftMs, relaypace::sliceMs));
            emit q->answered(waitIsAsPlanned);
        });
    }

    /// By a schedule: waits for the next time, then for its turn among the processes that work by
    /// one on this table.
    void awaitRun();
    void endRun();
    void tellRun();

    /// The one place that decides what the room does next.
    void goOn()
    {
        if (ending())
            return finish();
        if (busy)
            return;
        if (state == RelayState::Paused)
            return waitFor(2 * relaypace::sliceMs);
        if (state == RelayState::BackingOff)
            return reopen();
        if (settings.schedule && !mayWork)
            return awaitRun();
        const qint64 rows = bucket.allowance();
        if (rows < 1) {
            waitFor(bucket.waitMs());
            return;
        }
        busy = true;
        guard();
        inHand = {};
        answerTo(q,
                 room->run([rows, batch = settings.batch, poll = settings.pollMs, aim = aim(),
                            token = inHand.get_token()](RelaySession &pair) {
                     return pair.work(batch, rows, relaypace::burstMs, poll, aim, token);
                 }),
                 [this](const RelayBurst &burst) {
                     const bool isWell = burst.worksWell();
                     took(burst);
                     emit q->answered(isWell);
                 });
    }

    void took(const RelayBurst &burst)
    {
        busy = false;
        watchdog.stop();
        for (const RelayStep &step : burst.steps) {
            totals.add(step);
            bucket.spend(step.claimed);
        }
        if (burst.facts)
            emit q->opened(*burst.facts, parkingPlace);
        if (!burst.steps.isEmpty())
            emit q->stepsTaken(burst.steps);
        switch (burst.end) {
        case RelayBurst::End::Drained:
            if (run && !draining)
                return endRun();
            how = QStringLiteral("drained");
            return finish();
        case RelayBurst::End::Stopped:
            return goOn();
        case RelayBurst::End::Failed:
            mayWork = false; // the session may be lost, and what kept others away with it
            if (burst.hasDelivered())
                backOff.reset();
            return ending() ? finish() : waitAndRetry(burst.error());
        case RelayBurst::End::BudgetSpent:
            backOff.reset();
            return goOn();
        case RelayBurst::End::QueueFull:
            backOff.reset();
            waitFor(relaypace::queueFullWaitMs);
            return;
        }
    }

    void waitAndRetry(const Error &error)
    {
        const int wait = backOff.next();
        if (state != RelayState::Paused)
            enter(RelayState::BackingOff);
        emit q->backingOff(error, wait);
        waitFor(wait);
    }

    void reopen()
    {
        busy = true;
        guard();
        answerTo(q, room->run([](RelaySession &pair) {
            Reopened reopened{pair.ensureOpen(), false, {}};
            reopened.mustStop = pair.mustStop();
            reopened.facts = pair.takeNewFacts();
            return reopened;
        }),
                 [this](const Reopened &answer) {
                     busy = false;
                     watchdog.stop();
                     if (ending())
                         return finish();
                     if (answer.mustStop && !answer.done)
                         return giveUp(answer.done.error());
                     if (answer.facts)
                         emit q->opened(*answer.facts, parkingPlace);
                     if (answer.done) {
                         enter(standing());
                         goOn();
                     } else {
                         waitAndRetry(answer.done.error());
                     }
                     emit q->answered(false);
                 });
    }

    void finish()
    {
        if (closing)
            return;
        closing = true;
        pause.stop();
        answerTo(q, room->run([](RelaySession &pair) {
            pair.close();
            return true;
        }),
                 [this](bool) {
                     grace.stop();
                     watchdog.stop();
                     room.reset();
                     closing = false;
                     if (state != RelayState::Failed)
                         enter(RelayState::Stopped);
                     emit q->finished(how);
                 });
    }

    RelayDriver *q;
    RelayState state = RelayState::Stopped;
    RelayTarget target;
    RelaySettings settings;
    RelayTotals totals;
    RateBucket bucket;
    BackOff backOff;
    std::stop_source stopper;
    std::stop_source inHand; ///< for the work in hand alone: a pause, a stop
    QTimer pause; ///< one slice of a wait: back-off, rate, pause
    int waitLeftMs = 0;
    bool waitIsAsPlanned = false; ///< nothing is wrong: there is nothing to do until then
    QDateTime nextRun; ///< by the schedule; invalid: not known yet
    std::optional<JobRun> run; ///< under way
    bool mayWork = false; ///< no other process runs
    RelayTotals before; ///< the run
    QTimer grace;
    QTimer watchdog;
    QString how;
    QString parkingPlace;
    bool paused = false;
    bool draining = false;
    bool busy = false; ///< a job is in the room
    bool closing = false;
    bool opened = false; ///< both connections stood once, so the room may be closed at any time
    std::unique_ptr<Room<RelaySession>> room; ///< last member: its thread ends before the rest goes
};

} // namespace outbox
