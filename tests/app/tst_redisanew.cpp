// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Redis that is started anew between two batches of one burst is judged before it is given more.
#include "app/relay/relaysession.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_redisanew {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Ends Redis before the second batch is sent, and starts it with these options.
class Restarter
{
public:
    Restarter(PrivateRedis &redis, QStringList options)
        : m_redis(redis), m_options(std::move(options))
    { }
    void at(RelayStage moment)
    {
        if (moment != RelayStage::Enqueueing || ++m_batches != 2)
            return;
        m_redis.kill();
        if (const auto started = m_redis.start(m_options); !started)
            qWarning() << oneLine(started.error());
        RedisConnection connection; // until it has read its file
        const QDeadlineTimer deadline(20'000);
        while (!deadline.hasExpired()) {
            if (connection.open(RedisEndpoint::fromUrl(m_redis.url()).value(),
                                RedisConnection::Access::ReadOnly, QStringLiteral("test"))
                && connection.command({"DBSIZE"}, QStringLiteral("waiting")))
                break;
        }
    }

private:
    PrivateRedis &m_redis;
    QStringList m_options;
    int m_batches = 0;
};

} // namespace

class TestRedisAnew : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_postgres); }

    void itIsJudgedWithinTheBurst_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("word");
        const QStringList kept{u"--appendonly"_s, u"yes"_s, u"--appendfsync"_s, u"always"_s};
        QTest::newRow("it lost what it had") << QStringList() << u"lost"_s;
        QTest::newRow("it may evict")
            << kept + QStringList{u"--maxmemory-policy"_s, u"allkeys-lru"_s} << u"allkeys-lru"_s;
    }
    void itIsJudgedWithinTheBurst()
    {
        QFETCH(QStringList, options);
        QFETCH(QString, word);
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis, options.mid(0, 4));
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::Payload, nullptr, redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(60));
        Restarter restarter(redis, options);
        RelayTarget target;
        target.store = fixture.settings(StoreAccess::Relay);
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        target.shape = *shape;
        target.redis = fixture.redis();
        target.rules.queue.text = u"default"_s;
        target.clientName = u"relay"_s;
        QTemporaryDir state;
        target.stateFolder = state.path();
        target.observer
            = [&restarter](RelayStage moment, const QList<MessageId> &) { restarter.at(moment); };
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target));
        const std::stop_source stop;
        const RelayBurst burst
            = pair.work(20, 1'000'000, 60'000, 5, RelayAim::Drained, stop.get_token());
        QCOMPARE(burst.end, RelayBurst::End::Failed);
        QVERIFY2(oneLine(burst.error()).contains(word), qPrintable(oneLine(burst.error())));
        QCOMPARE(fixture.unprocessed(), 40);
    }
};

} // namespace tst_redisanew

OUTBOX_TEST(tst_redisanew::TestRedisAnew)
#include "tst_redisanew.moc"
