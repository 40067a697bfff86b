// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relaydriver.h"

#include "app/relay/backoff.h"
#include "app/relay/ratebucket.h"
#include "connectors/answer.h"
#include "connectors/room.h"

#include <QTimer>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int burstMs = 250; ///< so long a pause may take to be heard
constexpr int sliceMs = 250; ///< of a wait: after each the room is asked whether it answers still
constexpr int queueFullWaitMs = 100;

struct Opened
{
    RedisFacts facts;
    QString parkingPlace;
};

} // namespace

struct RelayDriver::Private
{
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
        answerTo(q, room->run([target = target](RelayPair &pair) -> Result<Opened> {
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
                         emit q->opened(answer->facts, answer->parkingPlace);
                         enter(standing());
                         return goOn();
                     }
                     emit q->failed(answer.error());
                     enter(RelayState::Failed);
                     how = u"failed"_s;
                     finish();
                 });
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

    void waitFor(int milliseconds)
    {
        waitLeftMs = milliseconds;
        pause.start(std::min(waitLeftMs, sliceMs));
    }

    /// A wait is heard of: whoever watches the relay must be able to tell it from one that hangs.
    void endSlice()
    {
        waitLeftMs -= sliceMs;
        if (waitLeftMs <= 0)
            return goOn();
        answerTo(q, room->run([](RelayPair &) { return true; }), [this](bool) {
            if (busy || closing)
                return;
            pause.start(std::min(waitLeftMs, sliceMs));
            emit q->answered(false);
        });
    }

    /// The one place that decides what the room does next.
    void goOn()
    {
        if (ending())
            return finish();
        if (busy)
            return;
        if (state == RelayState::Paused)
            return waitFor(2 * sliceMs);
        if (state == RelayState::BackingOff)
            return reopen();
        const qint64 rows = bucket.allowance();
        if (rows < 1) {
            waitFor(bucket.waitMs());
            return;
        }
        busy = true;
        guard();
        inHand = {};
        answerTo(q,
                 room->run([rows, batch = settings.batch, poll = settings.pollMs, drain = draining,
                            token = inHand.get_token()](RelayPair &pair) {
                     return pair.work(batch, rows, burstMs, poll, drain, token);
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
        if (!burst.steps.isEmpty())
            emit q->stepsTaken(burst.steps);
        switch (burst.end) {
        case RelayBurst::End::Drained:
            how = u"drained"_s;
            return finish();
        case RelayBurst::End::Stopped:
            return goOn();
        case RelayBurst::End::Failed:
            return ending() ? finish() : waitAndRetry(burst.error());
        case RelayBurst::End::BudgetSpent:
            backOff.reset();
            return goOn();
        case RelayBurst::End::QueueFull:
            backOff.reset();
            waitFor(queueFullWaitMs);
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
        answerTo(q, room->run([](RelayPair &pair) { return pair.ensureOpen(); }),
                 [this](const Result<void> &answer) {
                     busy = false;
                     watchdog.stop();
                     if (ending())
                         return finish();
                     if (answer) {
                         enter(standing());
                         goOn();
                     } else {
                         waitAndRetry(answer.error());
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
        answerTo(q, room->run([](RelayPair &pair) {
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
    QTimer grace;
    QTimer watchdog;
    QString how;
    bool paused = false;
    bool draining = false;
    bool busy = false; ///< a job is in the room
    bool closing = false;
    bool opened = false; ///< both connections stood once, so the room may be closed at any time
    std::unique_ptr<Room<RelayPair>> room; ///< last member: its thread ends before the rest goes
};

RelayDriver::RelayDriver(QObject *parent) : QObject(parent), d(std::make_unique<Private>(this))
{ }

RelayDriver::~RelayDriver()
{
    d->requestEnd();
}

RelayState RelayDriver::state() const
{
    return d->state;
}

const RelayTotals &RelayDriver::totals() const
{
    return d->totals;
}

const RelaySettings &RelayDriver::settings() const
{
    return d->settings;
}

void RelayDriver::start(StoreSettings store, const OutboxShape &shape, const RedisEndpoint &redis,
                        const RelaySettings &settings, bool drainOnly)
{
    if (d->room)
        return;
    d->settings = settings;
    d->totals = {};
    d->draining = drainOnly;
    d->paused = false;
    d->busy = false;
    d->opened = false;
    d->how = u"stopped"_s;
    d->stopper = {};
    d->backOff.reset();
    d->bucket.start(settings.ratePerSecond);

    if (const auto refusal = refusalOf(settings, store, shape)) {
        emit failed(*refusal);
        d->enter(RelayState::Failed);
        emit finished(u"failed"_s);
        return;
    }

    store.access = StoreAccess::Relay;
    d->target = {store,
                 shape,
                 redis,
                 rulesOf(settings),
                 store.applicationName,
                 settings.notifyChannel,
                 settings.anyEvictionPolicy,
                 settings.deepestQueue,
                 settings.stateFolder,
                 nullptr};
    d->room = std::make_unique<Room<RelayPair>>(u"relay"_s);
    d->enter(RelayState::Starting);
    d->open();
}

void RelayDriver::pause()
{
    if (!d->room || d->ending())
        return;
    d->paused = true;
    if (d->state != RelayState::Running && d->state != RelayState::Draining)
        return;
    d->inHand.request_stop();
    d->enter(RelayState::Paused);
}

void RelayDriver::resume()
{
    d->paused = false;
    if (d->state != RelayState::Paused)
        return;
    d->enter(d->standing());
    d->goOn();
}

void RelayDriver::drain()
{
    if (!d->room || d->ending())
        return;
    d->paused = false;
    d->draining = true;
    d->room->run([](RelayPair &pair) { // an idle relay has until its next poll otherwise
        pair.lookNow();
        return true;
    });
    if (d->state == RelayState::Running || d->state == RelayState::Paused) {
        d->enter(RelayState::Draining);
        d->goOn();
    }
}

void RelayDriver::stop()
{
    if (!d->room || d->ending())
        return;
    d->requestEnd();
    d->enter(RelayState::Stopping);
    d->grace.start(d->settings.graceMs);
    if (!d->busy && d->opened)
        d->finish();
}

void RelayDriver::abandon()
{
    if (!d->room)
        return;
    d->how = u"abandoned"_s;
    d->requestEnd();
    d->enter(RelayState::Stopping);
    d->room->interrupt();
    if (!d->busy && d->opened)
        d->finish();
}

void RelayDriver::loseNextAnswer()
{
    if (d->room)
        d->room->run([](RelayPair &pair) {
            pair.forgetNextAnswer();
            return true;
        });
}

} // namespace outbox
