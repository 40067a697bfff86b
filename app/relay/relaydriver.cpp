// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relaydriver.h"

#include "app/relay/backoff.h"
#include "connectors/answer.h"
#include "connectors/room.h"

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <limits>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int burstMs = 250; ///< so long a pause may take to be heard
constexpr int queueFullWaitMs = 100;
constexpr qint64 noLimit = std::numeric_limits<qint64>::max();

/// Rows that a rate permits by now: a bucket that holds one second, and one row at least.
class RateBucket
{
public:
    void start(double perSecond)
    {
        m_perSecond = perSecond;
        m_left = 0;
        m_clock.start();
    }
    [[nodiscard]] qint64 allowance()
    {
        if (m_perSecond <= 0)
            return noLimit;
        m_left = std::min(std::max(1.0, m_perSecond),
                          m_left + m_perSecond * double(m_clock.restart()) / 1000.0);
        return static_cast<qint64>(m_left);
    }
    void spend(qint64 rows) { m_left -= static_cast<double>(rows); }
    [[nodiscard]] int waitMs() const
    {
        return static_cast<int>(std::clamp((1.0 - m_left) * 1000.0 / m_perSecond, 1.0, 60'000.0));
    }

private:
    double m_perSecond = 0;
    double m_left = 0;
    QElapsedTimer m_clock;
};

} // namespace

struct RelayDriver::Private
{
    explicit Private(RelayDriver *driver) : q(driver)
    {
        pause.setSingleShot(true);
        grace.setSingleShot(true);
        watchdog.setSingleShot(true);
        connect(&pause, &QTimer::timeout, q, [this] { goOn(); });
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
        answerTo(q, room->run([target = target](RelayPair &pair) -> Result<QString> {
            const auto connected = pair.open(target);
            return connected ? Result<QString>(pair.parkingPlace()) : passOn(connected);
        }),
                 [this](const Result<QString> &answer) {
                     watchdog.stop();
                     if (ending())
                         return finish();
                     if (answer) {
                         backOff.reset();
                         opened = true;
                         emit q->opened(*answer);
                         enter(draining ? RelayState::Draining : RelayState::Running);
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

    /// The one place that decides what the room does next.
    void goOn()
    {
        if (ending())
            return finish();
        if (state == RelayState::Paused || busy)
            return;
        if (state == RelayState::BackingOff)
            return reopen();
        const qint64 rows = bucket.allowance();
        if (rows < 1) {
            pause.start(bucket.waitMs());
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
                 [this](const RelayBurst &burst) { took(burst); });
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
            return ending() ? finish() : waitAndRetry(*burst.steps.last().error);
        case RelayBurst::End::BudgetSpent:
            backOff.reset();
            return goOn();
        case RelayBurst::End::QueueFull:
            backOff.reset();
            pause.start(queueFullWaitMs);
            return;
        }
    }

    void waitAndRetry(const Error &error)
    {
        const int wait = backOff.next();
        if (state != RelayState::Paused)
            enter(RelayState::BackingOff);
        emit q->backingOff(error, wait);
        pause.start(wait);
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
                     if (!answer)
                         return waitAndRetry(answer.error());
                     enter(draining ? RelayState::Draining : RelayState::Running);
                     goOn();
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
    QTimer pause; ///< until the next thing to do: back-off or rate
    QTimer grace;
    QTimer watchdog;
    QString how;
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
    d->busy = false;
    d->opened = false;
    d->how = u"stopped"_s;
    d->stopper = {};
    d->backOff.reset();
    d->bucket.start(settings.ratePerSecond);

    const auto refuse = [this](const QString &text, const QString &hint) {
        emit failed(Error{Error::Kind::Refused, u"starting the relay"_s, text, {}, hint});
        d->enter(RelayState::Failed);
        emit finished(u"failed"_s);
    };
    const QString notOurs = shape.whyNotRelay();
    if (!notOurs.isEmpty())
        return refuse(notOurs, u"Give a shape that may be relayed (--shape)"_s);
    if (settings.retentionSeconds < 1 && !settings.allowDuplicates) {
        return refuse(u"a retention of 0 lets every retry through as a duplicate"_s,
                      u"Set a retention longer than the longest outage, or allow duplicates"_s);
    }

    store.access = StoreAccess::Relay;
    RelayRules rules;
    rules.queue.text = settings.queue;
    rules.retentionSeconds = settings.retentionSeconds;
    rules.mostPayloadBytes = settings.mostPayloadBytes;
    d->target = {store,
                 shape,
                 redis,
                 rules,
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
    if (d->state != RelayState::Running && d->state != RelayState::Draining)
        return;
    d->inHand.request_stop();
    d->enter(RelayState::Paused);
}

void RelayDriver::resume()
{
    if (d->state != RelayState::Paused)
        return;
    d->enter(d->draining ? RelayState::Draining : RelayState::Running);
    d->goOn();
}

void RelayDriver::drain()
{
    if (!d->room || d->ending())
        return;
    d->draining = true;
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
