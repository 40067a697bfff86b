// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relaydriver.h"

#include "connectors/answer.h"
#include "connectors/room.h"
#include "connectors/sql/driver/sqlerror.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTimer>

#include <algorithm>
#include <limits>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int longestRunWaitMs = 30'000; ///< then the clock is asked again, which may have been set
constexpr int elsewhereWaitMs = 1000; ///< of a drain, while another process runs
constexpr int mostMissedTold = 1000;

} // namespace

/// Holds one second of rows, and one row at least.
class RateBucket
{
public:
    /// `perSecond` 0 = no limit. Begins empty.
    void start(double perSecond)
    {
        m_perSecond = perSecond;
        m_left = 0;
        m_clock.start();
    }
    [[nodiscard]] qint64 allowance()
    {
        if (m_perSecond <= 0)
            return std::numeric_limits<qint64>::max();
        m_left = std::min(std::max(1.0, m_perSecond),
                          m_left + m_perSecond * double(m_clock.restart()) / 1000.0);
        return static_cast<qint64>(m_left);
    }
    void spend(qint64 rows) { m_left -= static_cast<double>(rows); }
    /// Until the next row is permitted.
    [[nodiscard]] int waitMs() const
    {
        return static_cast<int>(std::clamp((1.0 - m_left) * 1000.0 / m_perSecond, 1.0, 60'000.0));
    }

private:
    double m_perSecond = 0;
    double m_left = 0;
    QElapsedTimer m_clock;
};

/// How long to wait before the next try: doubling, with jitter, so that many clients do not knock
/// at once.
class BackOff
{
public:
    explicit BackOff(int firstMs = 100, int mostMs = 10'000)
        : m_firstMs(firstMs), m_mostMs(mostMs), m_nextMs(firstMs)
    { }

    /// Milliseconds to wait now: between half and the whole of the current step.
    [[nodiscard]] int next()
    {
        const int step = m_nextMs;
        m_nextMs = std::min(m_mostMs, m_nextMs * 2);
        return step / 2 + QRandomGenerator::global()->bounded(step / 2 + 1);
    }
    void reset() { m_nextMs = m_firstMs; }

private:
    int m_firstMs;
    int m_mostMs;
    int m_nextMs;
};

struct RelayDriver::Private
{
    static constexpr int burstMs = 250; ///< so long a pause may take to be heard
    static constexpr int sliceMs = 250; ///< of a wait: after each the room is asked if it answers
    static constexpr int noPrimaryWaitMs = 250;
    static constexpr int queueFullWaitMs = 100; ///< for a failover of Redis as well

    struct Opened
    {
        RedisFacts facts;
        RelayPlaces places;
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
        answerTo(q, room->run([target = target](RelaySession &session) -> Result<Opened> {
            TRY(session.open(target));
            return Opened{session.facts(), session.places()};
        }),
                 [this](const Result<Opened> &answer) {
                     watchdog.stop();
                     if (ending())
                         return finish();
                     if (answer) {
                         backOff.reset();
                         opened = true;
                         places = answer->places;
                         emit q->opened(answer->facts, places);
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
        how = u"failed"_s;
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
        pause.start(std::min(waitLeftMs, sliceMs));
    }

    /// A wait is heard of: whoever watches the relay must be able to tell it from one that hangs.
    void endSlice()
    {
        waitLeftMs -= sliceMs;
        if (waitLeftMs <= 0)
            return goOn();
        answerTo(q, room->run([](RelaySession &) { return true; }), [this](bool) {
            if (busy || closing)
                return;
            pause.start(std::min(waitLeftMs, sliceMs));
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
            return waitFor(2 * sliceMs);
        if (state == RelayState::BackingOff)
            return reopen();
        if (settings.schedule && !mayWork)
            return awaitRun();
        const qint64 rows = bucket.allowance();
        if (rows < 1)
            return waitFor(bucket.waitMs());
        busy = true;
        guard();
        inHand = {};
        answerTo(q,
                 room->run([rows, batch = settings.batch, poll = settings.pollMs, aim = aim(),
                            token = inHand.get_token()](RelaySession &session) {
                     return session.work(batch, rows, burstMs, poll, aim, token);
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
        if (burst.rowsWaiting || (burst.worksWell() && !burst.isQueueResting))
            rowsWaiting = burst.rowsWaiting;
        isQueueResting = burst.isQueueResting;
        emit q->queueRests(isQueueResting);
        if (burst.facts)
            emit q->opened(*burst.facts, places);
        if (!burst.news.isEmpty())
            emit q->serverChanged(burst.news);
        if (!burst.steps.isEmpty())
            emit q->stepsTaken(burst.steps);
        switch (burst.end) {
        case RelayBurst::End::Drained:
            if (run && !draining)
                return endRun();
            how = u"drained"_s;
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
        case RelayBurst::End::Held:
            backOff.reset();
            waitFor(queueFullWaitMs);
            return;
        }
    }

    void waitAndRetry(const Error &error)
    {
        int wait = backOff.next();
        if (error.code == noPrimaryCode) // a promotion is to be noticed at once
            wait = std::min(wait, noPrimaryWaitMs);
        if (state != RelayState::Paused)
            enter(RelayState::BackingOff);
        emit q->backingOff(error, wait);
        waitFor(wait);
    }

    void reopen()
    {
        busy = true;
        guard();
        answerTo(q, room->run([](RelaySession &session) {
            Reopened reopened{session.ensureOpen(), false, {}};
            reopened.mustStop = session.mustStop();
            reopened.facts = session.takeNewFacts();
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
                         emit q->opened(*answer.facts, places);
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
        answerTo(q, room->run([](RelaySession &session) {
            session.close();
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
    QueueAround around;
    RelayTarget target;
    RelaySettings settings;
    RelayTotals totals;
    std::optional<qint64> rowsWaiting;
    bool isQueueResting = false;
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
    RelayPlaces places;
    bool paused = false;
    bool draining = false;
    bool busy = false; ///< a job is in the room
    bool closing = false;
    bool opened = false; ///< both connections stood once, so the room may be closed at any time
    std::unique_ptr<Room<RelaySession>> room; ///< last member: its thread ends before the rest goes
};

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
            waitFor(static_cast<int>(std::min<qint64>(left, longestRunWaitMs)), true);
            return;
        }
    }
    if (!run) {
        run = JobRun{draining ? now : nextRun, now, {}, 0, 0, 0, false, {}};
        before = totals;
    }
    busy = true;
    guard();
    answerTo(q, room->run([](RelaySession &session) { return session.beginRun(); }),
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
    answerTo(q, room->run([](RelaySession &session) { return session.endRun(); }),
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

std::optional<qint64> RelayDriver::rowsWaiting() const
{
    return d->rowsWaiting;
}

bool RelayDriver::isQueueResting() const
{
    return d->isQueueResting;
}

void RelayDriver::start(StoreSettings store, const OutboxShape &shape, const RedisEndpoint &redis,
                        const RelaySettings &settings, bool drainOnly)
{
    if (d->room)
        return;
    d->settings = settings;
    d->totals = {};
    d->rowsWaiting.reset();
    d->isQueueResting = false;
    d->draining = drainOnly;
    d->paused = false;
    d->busy = false;
    d->opened = false;
    d->how = u"stopped"_s;
    d->nextRun = {};
    d->run.reset();
    d->mayWork = false;
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
                 settings.idsNeverReturn,
                 settings.shardsChanged,
                 settings.deepestQueue,
                 settings.stateFolder,
                 nullptr,
                 d->around,
                 {}};
    d->target.about.worker = settings.worker;
    d->target.about.batch = settings.batch;
    d->target.about.bySchedule = settings.schedule.has_value();
    d->room = std::make_unique<Room<RelaySession>>(u"relay"_s);
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
    d->room->run([](RelaySession &session) { // an idle relay has until its next poll otherwise
        session.lookNow();
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

void RelayDriver::setQueueAround(QueueAround around)
{
    d->around = std::move(around);
}

void RelayDriver::inRoom(std::function<void(RelaySession &)> act)
{
    if (d->room)
        d->room->run([act = std::move(act)](RelaySession &session) {
            act(session);
            return true;
        });
}

} // namespace outbox
