// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demodocuments.h"
#include "app/demo/demoparts.h"
#include "app/demo/demowriter.h"
#include "connectors/answer.h"

#include <QFile>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace breakage;

namespace {

constexpr int writePaceMs = 250;
constexpr int fewestAtOnce = 2;
constexpr int mostAtOnce = 8; ///< five on average: some 20 messages a second
constexpr int rowsPerDocument = 3; ///< a handler writes more than a row
constexpr int settlePaceMs = 700;
constexpr int workPaceMs = 20;
constexpr int troublePaceMs = 500;
constexpr int burstChunk = 1'000;

/// Waits for a room's answer; only while the demo starts, when there is nothing else to do.
template <typename T> Result<T> awaited(QFuture<Result<T>> future)
{
    future.waitForFinished();
    takeOver();
    return future.result();
}

} // namespace

Demo::Demo(QObject *parent) : QObject(parent), d(std::make_unique<Private>(this))
{
    for (QTimer *timer :
         {&d->writeTimer, &d->workTimer, &d->settleTimer, &d->damageTimer, &d->redisTimer})
        timer->setSingleShot(true);
    d->redisTimer.setTimerType(Qt::PreciseTimer); // "5 s" is what the menu says
    connect(&d->writeTimer, &QTimer::timeout, this, [this] { d->writeSome(); });
    connect(&d->workTimer, &QTimer::timeout, this, [this] { d->workSome(); });
    connect(&d->settleTimer, &QTimer::timeout, this, [this] { d->settleSome(); });
    connect(&d->damageTimer, &QTimer::timeout, this, [this] { d->lookAfterDamage(); });
    connect(&d->redisTimer, &QTimer::timeout, this, [this] { d->bringRedisBack(); });
}

Demo::~Demo()
{
    d->redis.thaw(); // a room that waits for a frozen Redis would keep us
}

Result<void> Demo::start(Kind kind, DemoDesign design)
{
    d->kind = kind;
    d->design = design;
    if (auto started = d->redis.start(demoparts::redisOptions()); !started)
        return started;
    auto endpoint = RedisEndpoint::fromUrl(d->redis.url());
    if (!endpoint)
        return passOn(endpoint);
    d->endpoint = *endpoint;
    if (auto started = d->startDatabase(); !started)
        return started;

    if (auto opened = d->openShop(); !opened)
        return opened;
    d->worker = std::make_unique<Room<DemoWorkerLoop>>(u"demo worker"_s);
    auto working = awaited(d->worker->run(
        [at = d->endpoint](DemoWorkerLoop &shift) { return shift.open(at, u"default"_s); }));
    if (!working)
        return working;
    if (const auto shape = profile().shape) {
        d->damage = std::make_unique<Room<DemoDamage>>(u"demo mishaps"_s);
        (void)d->damage->run([store = d->store, shape = *shape, at = d->endpoint](DemoDamage &one) {
            one.setPlace(store, shape, at);
            return true;
        });
    }
    d->writeTimer.start(0);
    d->workTimer.start(0);
    if (documentDesign(design))
        d->settleTimer.start(settlePaceMs);
    return {};
}

Result<void> Demo::Private::openShop()
{
    writer = std::make_unique<Room<DemoShopRoom>>(u"demo writer"_s);
    StoreSettings writing = store;
    writing.applicationName = u"demo shop"_s;
    return awaited(writer->run(
        [writing, design = design, profile = q->profile()](DemoShopRoom &room) -> Result<void> {
            if (documentDesign(design)) {
                auto shop = std::make_unique<DemoDocuments>();
                auto opened = shop->open(profile);
                room.shop = std::move(shop);
                return opened;
            }
            auto shop = std::make_unique<DemoWriter>();
            auto opened = shop->open(writing, design);
            room.shop = std::move(shop);
            return opened;
        }));
}

Demo::Kind Demo::kind() const
{
    return d->kind;
}

DemoDesign Demo::design() const
{
    return d->design;
}

Result<void> Demo::Private::startDatabase()
{
    QString url;
    if (kind == Kind::Postgres) {
        if (auto started = postgres.start(); !started)
            return started;
        url = postgres.url();
    } else {
        const QString path = redis.folder() + u"/outbox.db"_s;
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) {
            return fail(Error::Kind::Refused, u"making the demo's database %1"_s.arg(path),
                        file.errorString());
        }
        url = u"sqlite://"_s + path;
    }
    auto parsed = DatabaseUrl::fromUrl(url);
    if (!parsed)
        return passOn(parsed);
    store.url = *parsed;
    store.access = StoreAccess::Relay;
    store.applicationName = u"demo relay"_s;
    return {};
}

Profile Demo::profile() const
{
    Profile profile;
    profile.name = d->kind == Kind::Sqlite ? u"embedded"_s : u"embedded PostgreSQL"_s;
    if (d->design != DemoDesign::RedisRelay)
        profile.name = label(d->design);
    profile.environment = Environment::Demo;
    profile.databaseUrl
        = d->kind == Kind::Sqlite ? u"sqlite://"_s + d->store.url.database : d->postgres.url();
    if (const auto documents = documentDesign(d->design)) {
        profile.design = DemoDocuments::designProfile(*documents);
        profile.table = profile.design->documents.table.text();
    } else {
        profile.shape = DemoWriter::shape(d->store.url.dialect, d->design);
        profile.table = profile.shape->table.table;
    }
    profile.redisUrl = d->redis.url();
    profile.readOnly = false;
    return profile;
}

StoreSettings Demo::relayStore() const
{
    return d->store;
}

QString Demo::stateFolder() const
{
    return d->redis.folder();
}

RedisEndpoint Demo::redis() const
{
    return d->endpoint;
}

RelaySettings Demo::relaySettings() const
{
    RelaySettings settings;
    if (d->kind == Kind::Postgres) // SQLite tells of changes by itself
        settings.notifyChannel = DemoWriter::notifyChannel();
    return settings;
}

qint64 Demo::written() const
{
    return d->written;
}

qint64 Demo::workedOff() const
{
    return d->workedOff;
}

void Demo::Private::writeSome()
{
    const bool inBurst = burstLeft > 0;
    int count = inBurst ? std::min(burstLeft, burstChunk)
                        : QRandomGenerator::global()->bounded(fewestAtOnce, mostAtOnce + 1);
    if (documentDesign(design))
        count = std::max(1, count / rowsPerDocument);
    const auto future
        = writer->run([count](DemoShopRoom &room) { return room.shop->write(count); });
    answerTo(q, future, [this, inBurst](const Result<int> &answer) {
        if (!answer) {
            writeTimer.start(troublePaceMs);
            emit q->troubled(answer.error());
            return;
        }
        written += *answer;
        if (inBurst) {
            burstLeft = std::max(0, burstLeft - *answer);
            if (burstLeft == 0)
                setBroken(burst, false);
        }
        writeTimer.start(burstLeft > 0 ? 0 : writePaceMs);
    });
}

void Demo::Private::workSome()
{
    const auto future = worker->run([](DemoWorkerLoop &shift) { return shift.step(); });
    answerTo(q, future, [this](const Result<int> &answer) {
        if (!answer) {
            workTimer.start(troublePaceMs);
            emit q->troubled(answer.error());
            return;
        }
        workedOff += *answer;
        workTimer.start(workPaceMs);
    });
}

void Demo::Private::settleSome()
{
    if (broken.contains(stopRelay)) {
        settleTimer.start(settlePaceMs);
        return;
    }
    const auto future = writer->run([](DemoShopRoom &room) { return room.shop->settle(); });
    answerTo(q, future, [this](const Result<void> &answer) {
        if (!answer)
            emit q->troubled(answer.error());
        settleTimer.start(settlePaceMs);
    });
}

void Demo::rest()
{
    for (QTimer *timer : {&d->writeTimer, &d->workTimer, &d->settleTimer})
        timer->blockSignals(true); // who is at a step starts its timer again when it ends
}

bool Demo::isBroken(const QString &id) const
{
    return d->broken.contains(id);
}

} // namespace outbox
