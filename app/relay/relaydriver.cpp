// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relaydriverparts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

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
                 settings.deepestQueue,
                 settings.stateFolder,
                 nullptr};
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
    d->room->run([](RelaySession &pair) { // an idle relay has until its next poll otherwise
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
        d->room->run([](RelaySession &pair) {
            pair.forgetNextAnswer();
            return true;
        });
}

void RelayDriver::dieInNextBatch()
{
    if (d->room)
        d->room->run([](RelaySession &pair) {
            pair.dieInNextBatch();
            return true;
        });
}

} // namespace outbox
