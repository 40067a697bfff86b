// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A relay that works by a schedule: one run after the other, never two at once.
#include "app/relay/relaydriverparts.h"

namespace outbox {

namespace {

constexpr int longestWaitMs = 30'000; ///< then the clock is asked again, which may have been set
constexpr int elsewhereWaitMs = 1000; ///< of a drain, while another process runs
constexpr int mostMissedTold = 1000;

} // namespace

void RelayDriver::Private::awaitRun()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    if (!run && !draining) {
        if (!nextRun.isValid()) {
            nextRun = settings.schedule->nextAfter(now);
            emit q->runPlanned(nextRun);
        }
        const qint64 left = now.msecsTo(nextRun);
        if (left > 0) {
            waitFor(static_cast<int>(std::min<qint64>(left, longestWaitMs)), true);
            return;
        }
    }
    if (!run) {
        run = JobRun{draining ? now : nextRun, now, {}, 0, 0, 0, false, {}};
        before = totals;
    }
    busy = true;
    guard();
    answerTo(q, room->run([](RelaySession &pair) { return pair.beginRun(); }),
             [this](const Result<bool> &taken) {
                 busy = false;
                 watchdog.stop();
                 if (ending())
                     return finish();
                 if (!taken)
                     return waitAndRetry(taken.error());
                 backOff.reset();
                 mayWork = *taken;
                 if (*taken)
                     return goOn();
                 run->isElsewhere = true;
                 tellRun();
                 draining ? waitFor(elsewhereWaitMs, true) : goOn();
             });
}

void RelayDriver::Private::endRun()
{
    busy = true;
    guard();
    answerTo(q, room->run([](RelaySession &pair) { return pair.endRun(); }),
             [this](const Result<void> &released) {
                 busy = false;
                 watchdog.stop();
                 tellRun();
                 if (ending())
                     return finish();
                 released ? goOn() : waitAndRetry(released.error());
             });
}

/// Times that passed meanwhile are left out: the next run finds what they would have found.
void RelayDriver::Private::tellRun()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    run->ended = now;
    run->delivered = totals.delivered() - before.delivered();
    run->parked = totals.parked - before.parked;
    run->missed = settings.schedule->timesBetween(run->planned, now, mostMissedTold);
    nextRun = settings.schedule->nextAfter(now);
    run->next = nextRun;
    mayWork = false;
    emit q->runEnded(*std::exchange(run, std::nullopt));
}

} // namespace outbox
