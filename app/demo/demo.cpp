// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo.h"

#include "app/demo/demodamage.h"
#include "app/demo/demomessages.h"
#include "app/demo/demoshop.h"
#include "app/demo/demoworkerloop.h"
#include "app/demo/privateserver.h"
#include "connectors/answer.h"
#include "connectors/room.h"

#include <QFile>
#include <QRandomGenerator>
#include <QSet>
#include <QTimer>

#include <utility>

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
constexpr int redisDownMs = 10'000;
constexpr int redisFrozenMs = 5'000;
constexpr int redisLookMs = 20; ///< while it comes up again
constexpr int damageLookMs = 500;
constexpr int burstRows = 50'000;
constexpr qint64 shortRetention = 10;

/// What an enqueue was answered must survive a killed Redis.
QStringList redisOptions()
{
    return {QStringLiteral("--appendonly"), QStringLiteral("yes"),
            QStringLiteral("--maxmemory-policy"), QStringLiteral("noeviction")};
}

/// Waits for a room's answer; only while the demo starts, when there is nothing else to do.
template <typename T> Result<T> awaited(QFuture<Result<T>> future)
{
    future.waitForFinished();
    takeOver();
    return future.result();
}

} // namespace

/// Errors: Unsupported for a server that is not installed, Unreachable for one that does not
/// start.
struct Demo::Private
{
    explicit Private(Demo *demo) : q(demo) { }

    Demo *q;
    Kind kind = Kind::Sqlite;
    DemoDesign design = DemoDesign::RedisRelay;
    PrivateRedis redis;
    PrivatePostgres postgres;
    StoreSettings store;
    RedisEndpoint endpoint;
    // After the servers: rooms close before they end.
    std::unique_ptr<Room<std::unique_ptr<DemoShop>>> writer;
    std::unique_ptr<Room<DemoWorkerLoop>> worker;
    std::unique_ptr<Room<DemoDamage>> damage; ///< where messages are rows
    QTimer writeTimer;
    QTimer workTimer;
    QTimer settleTimer; ///< documents alone
    QTimer damageTimer; ///< asks whether somebody has put right what was damaged
    QTimer redisTimer; ///< brings Redis back from the dead or from the ice
    bool redisComesUp = false; ///< it was started again and has not answered yet
    QSet<QString> broken;
    qint64 written = 0;
    qint64 workedOff = 0;
    int burstLeft = 0;

    [[nodiscard]] Result<void> startDatabase();
    [[nodiscard]] Result<void> openShop();
    void writeSome();
    void workSome();
    void settleSome();
    void setBroken(const QString &id, bool isBroken);
    void bringRedisBack();
    void setFailing(const QString &type);
    void damageSomething(const QString &id);
    void undoDamage(const QString &id);
    void lookAfterDamage();
};

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
    TRY(d->redis.start(redisOptions()));
    d->endpoint = TRY(RedisEndpoint::fromUrl(d->redis.url()));
    TRY(d->startDatabase());

    TRY(d->openShop());
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
    writer = std::make_unique<Room<std::unique_ptr<DemoShop>>>(u"demo writer"_s);
    StoreSettings writing = store;
    writing.applicationName = u"demo shop"_s;
    return awaited(writer->run([writing, design = design, profile = q->profile()](
                                   std::unique_ptr<DemoShop> &shop) -> Result<void> {
        shop = TRY(documentDesign(design) ? openDocumentShop(profile)
                                          : openRowShop(writing, design));
        return {};
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
        TRY(postgres.start());
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
    store.url = TRY(DatabaseUrl::fromUrl(url));
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
        profile.design = documentShopDesign(*documents);
        profile.table = profile.design->documents.table.text();
    } else {
        profile.shape = rowShopShape(d->store.url.dialect, d->design);
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
        settings.notifyChannel = rowShopChannel();
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
        = writer->run([count](std::unique_ptr<DemoShop> &shop) { return shop->write(count); });
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
    const auto future = writer->run([](std::unique_ptr<DemoShop> &shop) { return shop->settle(); });
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

// How the demo breaks what it shows, and how that heals.

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
        const auto begun = redis.begin(redisOptions());
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
