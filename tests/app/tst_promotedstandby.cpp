// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A standby of PostgreSQL that lags is promoted: deletes of the relay are undone, rows whose tasks
// are out are gone, the sequence steps back. What was delivered is delivered once, and so is what
// is written on the new primary, under keys that were given before.
#include "app/relay/relaysession.h"
#include "app/settings/opening.h"
#include "tests/crash/effects.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/privatestandby.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <numeric>

namespace tst_promotedstandby {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rows = 60; ///< of each part

int promotions()
{
    bool isSet = false;
    const int wanted = qEnvironmentVariableIntValue("OUTBOX_PROMOTIONS", &isSet);
    return isSet ? wanted : 3;
}

} // namespace

class TestPromotedStandby : public QObject
{
    Q_OBJECT

    PrivateRedis m_redis;
    QTemporaryDir m_state;
    std::unique_ptr<PrivatePostgres> m_primary;
    qint64 m_repeated = 0; ///< answered "already there"

    [[nodiscard]] Result<void> write(int count)
    {
        PlainPostgres side;
        if (auto opened = side.open(*m_primary); !opened)
            return opened;
        const auto done = side.run("insert into outbox (type, payload) select 'mail', 'the same'"
                                   " from generate_series(1, "
                                   + QByteArray::number(count) + ")");
        return done ? Result<void>() : passOn(done);
    }
    [[nodiscard]] Result<void> relay()
    {
        const auto url = DatabaseUrl::fromUrl(m_primary->url());
        if (!url)
            return passOn(url);
        RelayTarget target;
        target.store.url = *url;
        OutboxStore store;
        if (auto opened = store.open(target.store); !opened)
            return opened;
        const auto shape = takeShape(store, Profile());
        if (!shape)
            return passOn(shape);
        target.store.access = StoreAccess::Relay;
        target.shape = *shape;
        target.redis = RedisEndpoint::fromUrl(m_redis.url()).value();
        target.rules.queue.text = u"default"_s;
        target.rules.retentionSeconds = 3600;
        target.stateFolder = m_state.path();
        RelaySession pair;
        if (auto opened = pair.open(target); !opened)
            return opened;
        const std::stop_source stop;
        const RelayBurst burst
            = pair.work(25, 1'000'000, 30'000, 1, RelayAim::Drained, stop.get_token());
        if (burst.end != RelayBurst::End::Drained)
            return tl::unexpected(burst.error());
        RelayTotals totals;
        for (const RelayStep &step : burst.steps)
            totals.add(step);
        m_repeated += totals.alreadyDone + totals.alreadyQueued;
        return totals.parked == 0
            ? Result<void>()
            : fail(Error::Kind::Conflict, u"relaying"_s, u"rows were parked"_s);
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_redis); }

    void nothingIsLostOrSentTwice_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::newRow("numbers") << QByteArray("bigint generated always as identity primary key");
        QTest::newRow("uuids") << QByteArray("uuid default gen_random_uuid() primary key");
    }
    void nothingIsLostOrSentTwice()
    {
        QFETCH(QByteArray, key);
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(RedisEndpoint::fromUrl(m_redis.url()).value(),
                                  RedisConnection::Access::Act, u"test"_s));
        QVERIFY_RESULT(redis.command({"FLUSHALL"}, u"emptying"_s));
        m_repeated = 0;
        QVERIFY(QDir(m_state.path()).removeRecursively() && QDir().mkpath(m_state.path()));
        m_primary = std::make_unique<PrivatePostgres>();
        QVERIFY_RESULT(m_primary->start());
        {
            PlainPostgres side;
            QVERIFY_RESULT(side.open(*m_primary));
            QVERIFY_RESULT(side.run("create table outbox (id " + key
                                    + ", type text not null, payload bytea not null, created_at "
                                      "timestamptz not null default clock_timestamp())"));
        }
        crash::CountingWorker worker;
        QVERIFY_RESULT(worker.open(RedisEndpoint::fromUrl(m_redis.url()).value()));
        qint64 written = 0;
        for (int promotion = 0; promotion < promotions(); ++promotion) {
            auto standby = std::make_unique<PrivateStandby>();
            QVERIFY_RESULT(write(rows)); // known to both, delivered by the old primary
            QVERIFY_RESULT(standby->follow(*m_primary));
            QVERIFY_RESULT(standby->catchUp(*m_primary));
            QVERIFY_RESULT(standby->cutOff());
            QVERIFY_RESULT(write(rows)); // known to the old one alone, and delivered
            QVERIFY_RESULT(relay());
            if (promotion % 2 == 0)
                QVERIFY_RESULT(worker.consume());
            m_primary->kill();
            QVERIFY_RESULT(standby->promote());
            m_primary = std::move(standby);
            QVERIFY_RESULT(write(2 * rows)); // some of them under keys of rows that are gone
            QVERIFY_RESULT(relay());
            written += 4 * rows;
        }
        QVERIFY_RESULT(worker.consume());
        const QList<int> runs = worker.runs().values();
        QCOMPARE(std::accumulate(runs.begin(), runs.end(), qint64{0}), written);
        QCOMPARE(runs.size(), written);
        QCOMPARE(m_repeated, qint64{rows} * promotions()); // those that came back, each counted
    }
};

} // namespace tst_promotedstandby

OUTBOX_TEST(tst_promotedstandby::TestPromotedStandby)
#include "tst_promotedstandby.moc"
