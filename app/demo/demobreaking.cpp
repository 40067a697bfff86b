// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the demo breaks what it shows, and how that heals.
#include "app/demo/demomessages.h"
#include "app/demo/demoparts.h"
#include "connectors/answer.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace breakage;

namespace {

constexpr int redisDownMs = 10'000;
constexpr int redisFrozenMs = 5'000;
constexpr int redisLookMs = 20; ///< while it comes up again
constexpr int damageLookMs = 500;
constexpr int burstRows = 50'000;
constexpr qint64 shortRetention = 10;

} // namespace

void Demo::Private::setBroken(const QString &id, bool isBroken)
{
    if (broken.contains(id) == isBroken)
        return;
    if (isBroken)
        broken.insert(id);
    else
        broken.remove(id);
    emit q->brokenChanged(id, isBroken);
}

void Demo::Private::bringRedisBack()
{
    redis.thaw();
    if (!redis.isRunning()) {
        const bool endedAtOnce = std::exchange(redisComesUp, true);
        const auto begun = redis.begin(demoparts::redisOptions());
        if (!begun)
            emit q->troubled(begun.error());
        if (!begun || endedAtOnce) {
            redisTimer.start(redisDownMs);
            return;
        }
    }
    if (!redis.answers()) { // looked for again and again: nobody may wait in this thread
        redisTimer.start(redisLookMs);
        return;
    }
    redisComesUp = false;
    setBroken(killRedis, false);
    setBroken(freezeRedis, false);
}

void Demo::Private::setFailing(const QString &type)
{
    (void)worker->run([type](DemoWorkerLoop &shift) {
        shift.setFailing(type);
        return true;
    });
}

void Demo::Private::damageSomething(const QString &id)
{
    setBroken(id, true); // at once: a second click heals, and does not do it twice
    const auto done = damage->run([id](DemoDamage &one) { return one.make(id); });
    answerTo(q, done, [this, id](const Result<void> &made) {
        if (!made) {
            setBroken(id, false);
            emit q->troubled(made.error());
        } else if (!damageTimer.isActive()) {
            damageTimer.start(damageLookMs);
        }
    });
}

void Demo::Private::undoDamage(const QString &id)
{
    const auto done = damage->run([id](DemoDamage &one) { return one.undo(id); });
    answerTo(q, done, [this, id](const Result<void> &undone) {
        if (undone)
            setBroken(id, false);
        else
            emit q->troubled(undone.error());
    });
}

void Demo::Private::lookAfterDamage()
{
    bool isAny = false;
    for (const QString &id : std::as_const(broken)) {
        if (!DemoDamage::knows(id))
            continue;
        isAny = true;
        const auto look = damage->run([id](DemoDamage &one) { return one.isThere(id); });
        answerTo(q, look, [this, id](const Result<bool> &isThere) {
            if (isThere && !*isThere)
                setBroken(id, false);
        });
    }
    if (isAny)
        damageTimer.start(damageLookMs);
}

void Demo::breakThing(const QString &id)
{
    if (isBroken(id))
        return;
    if (id == stopRelay) {
        d->setBroken(id, true);
        emit relayStopAsked();
    } else if (id == killRelay) {
        d->setBroken(id, true);
        emit relayKillAsked();
    } else if (id == loseAnswer) {
        d->setBroken(id, true);
        emit loseAnswerAsked();
    } else if (id == shrinkRetention) {
        d->setBroken(id, true);
        emit retentionAsked(shortRetention);
    } else if (DemoDamage::knows(id) && d->damage) {
        d->damageSomething(id);
    } else if (id == killRedis) {
        d->redis.kill();
        d->setBroken(freezeRedis, false); // the dead are not frozen
        d->setBroken(killRedis, true);
        d->redisTimer.start(redisDownMs);
    } else if (id == freezeRedis && d->redis.isRunning()) {
        d->redis.freeze();
        d->setBroken(freezeRedis, true);
        d->redisTimer.start(redisFrozenMs);
    } else if (id == failType) {
        d->setFailing(DemoMessages::types().first());
        d->setBroken(failType, true);
    } else if (id == burst) {
        d->burstLeft = burstRows;
        d->setBroken(burst, true);
        if (d->writeTimer.isActive())
            d->writeTimer.start(0);
    }
}

void Demo::healThing(const QString &id)
{
    if (!isBroken(id))
        return;
    if (id == killRedis || id == freezeRedis) {
        d->redisTimer.stop();
        d->bringRedisBack();
    } else if (id == failType) {
        d->setFailing({});
        d->setBroken(failType, false);
    } else if (id == stopRelay && documentDesign(d->design)) {
        d->setBroken(id, false);
    } else if (id == stopRelay || id == killRelay) {
        emit relayStartAsked(); // `noteRelay` ends it
    } else if (id == shrinkRetention) {
        emit retentionAsked(RelaySettings().retentionSeconds);
    } else if (DemoDamage::knows(id)) {
        d->undoDamage(id);
    } else if (id == burst) {
        d->burstLeft = 0;
        d->setBroken(burst, false);
    }
}

void Demo::noteRelay(bool isRunning, qint64 retentionSeconds)
{
    if (!isRunning)
        return;
    if (!documentDesign(d->design))
        d->setBroken(stopRelay, false);
    d->setBroken(killRelay, false);
    if (retentionSeconds > shortRetention)
        d->setBroken(shrinkRetention, false);
}

void Demo::noteDelivery()
{
    d->setBroken(loseAnswer, false);
}

} // namespace outbox
