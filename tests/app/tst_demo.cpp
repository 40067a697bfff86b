// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The demo lives, breaks, heals, and leaves nothing behind.
#include "app/demo/demo.h"
#include "app/demo/demoworkerloop.h"
#include "app/demo/demomessages.h"
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/observe/inspector.h"
#include "tests/support/delivered.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/temporaryplace.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

namespace tst_demo {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QueueName defaultQueue{u"default"_s};

qint64 pendingRows(OutboxStore &store)
{
    const auto snapshot = store.snapshot();
    return snapshot ? snapshot->pending.value_or(-1) : -1;
}

QueueSnapshot queueNow(AsynqInspector &inspector)
{
    const auto snapshot = inspector.snapshot({defaultQueue});
    return snapshot && snapshot->size() == 1 ? snapshot->first() : QueueSnapshot();
}

/// Some rows into the queue, as a relay would; answers how many.
Result<int> relay(OutboxStore &store, AsynqQueue &queue, int rows)
{
    const auto claimed = store.claim(rows, {});
    if (!claimed)
        return passOn(claimed);
    if (claimed->isEmpty())
        return 0;
    QList<EnqueueRequest> requests;
    for (const ClaimedMessage &message : *claimed) {
        EnqueueRequest request;
        request.id.text = message.id.text;
        request.queue = defaultQueue;
        request.type = message.type;
        request.payload = message.payload;
        request.retentionSeconds = 3600;
        requests += request;
    }
    const auto answers = queue.enqueue(requests);
    if (!answers)
        return passOn(answers);
    if (const auto committed = commitTaken(store); !committed)
        return passOn(committed);
    return static_cast<int>(claimed->size());
}

} // namespace

class TestDemo : public QObject
{
    Q_OBJECT

    TemporaryPlace m_temporary; ///< ours alone, to see leftovers

private slots:
    void initTestCase() { m_temporary.use(); }

    void livesAndLeavesNothing_data()
    {
        QTest::addColumn<Demo::Kind>("kind");
        QTest::newRow("SQLite") << Demo::Kind::Sqlite;
        QTest::newRow("PostgreSQL") << Demo::Kind::Postgres;
    }

    void livesAndLeavesNothing()
    {
        QFETCH(Demo::Kind, kind);
        auto demo = std::make_unique<Demo>();
        OUTBOX_START_SERVER(*demo, kind);
        QVERIFY(!m_temporary.leftovers().isEmpty());

        const Profile profile = demo->profile();
        QCOMPARE(profile.environment, Environment::Demo);
        QVERIFY(!profile.readOnly);
        const auto url = DatabaseUrl::fromUrl(profile.databaseUrl);
        QVERIFY_RESULT(url);
        StoreSettings look;
        look.url = *url;
        OutboxStore store;
        QVERIFY_RESULT(store.open(look));
        QVERIFY(profile.shape.has_value());
        QVERIFY_RESULT(store.use(*profile.shape));
        QTRY_VERIFY(pendingRows(store) > 3);

        OutboxStore claiming;
        QVERIFY_RESULT(claiming.open(demo->relayStore()));
        QVERIFY_RESULT(claiming.use(*profile.shape));
        AsynqQueue queue;
        QVERIFY_RESULT(queue.open(demo->redis(), u"test relay"_s));
        const auto moved = relay(claiming, queue, 100);
        QVERIFY_RESULT(moved);
        QVERIFY(*moved > 3);
        QTRY_VERIFY(demo->workedOff() > 3);

        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(demo->redis(), u"test look"_s));
        QTRY_VERIFY(queueNow(inspector).completed > 3);
        const auto servers = inspector.servers();
        QVERIFY_RESULT(servers);
        QCOMPARE(servers->size(), 1);
        inspector.close();
        queue.close();
        store.close();
        claiming.close();
        demo.reset();
        QCOMPARE(m_temporary.leftovers(), QStringList());
    }

    void aKilledRedisComesBackWithItsTasks()
    {
        Demo demo;
        OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite);
        AsynqQueue queue;
        QVERIFY_RESULT(queue.open(demo.redis(), u"test relay"_s));
        EnqueueRequest request;
        request.id.text = u"7e57"_s;
        request.queue = defaultQueue;
        request.type = u"email:deliver"_s;
        request.payload = "{}";
        request.retentionSeconds = 3600;
        QVERIFY_RESULT(queue.enqueue({request}));
        QTRY_VERIFY(demo.workedOff() == 1);

        QSignalSpy changed(&demo, &Demo::brokenChanged);
        QSignalSpy troubled(&demo, &Demo::troubled);
        demo.breakThing(u"kill-redis"_s);
        QVERIFY(demo.isBroken(u"kill-redis"_s));
        QTRY_VERIFY(!troubled.isEmpty()); // the worker notices
        QVERIFY(!queue.enqueue({request}).has_value());
        const qint64 written = demo.written();
        QTRY_VERIFY(demo.written() > written); // the application does not
        demo.healThing(u"kill-redis"_s);
        QTRY_VERIFY(!demo.isBroken(u"kill-redis"_s)); // it comes up beside us
        QCOMPARE(changed.size(), 2);

        QVERIFY_RESULT(queue.connection().ensureOpen());
        auto again = queue.enqueue({request}); // it may still be reading its file
        QTRY_VERIFY(again || (again = queue.enqueue({request})));
        QCOMPARE(again->first().kind, EnqueueAnswer::Kind::Exists); // the append-only file kept it
        request.id.text = u"7e58"_s;
        QVERIFY_RESULT(queue.enqueue({request}));
        QTRY_VERIFY(demo.workedOff() >= 2);
    }

    void aFrozenRedisThawsByItself()
    {
        Demo demo;
        OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite);
        QSignalSpy changed(&demo, &Demo::brokenChanged);
        QElapsedTimer clock;
        clock.start();
        demo.breakThing(u"freeze-redis"_s);
        QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 2, 10'000);
        QVERIFY(clock.elapsed() >= 4'900);
        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(demo.redis(), u"test look"_s));
        QVERIFY_RESULT(inspector.facts());
    }

    void endsAtOnceWhileRedisIsFrozen()
    {
        QElapsedTimer clock;
        {
            Demo demo;
            OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite);
            demo.breakThing(u"freeze-redis"_s);
            clock.start();
        }
        QVERIFY2(clock.elapsed() < 2'000, qPrintable(QString::number(clock.elapsed())));
    }

    void aFailingTypeEndsDead()
    {
        Demo demo;
        OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite);
        demo.breakThing(u"fail-type"_s);
        AsynqQueue queue;
        QVERIFY_RESULT(queue.open(demo.redis(), u"test relay"_s));
        EnqueueRequest request;
        request.id.text = u"7e57"_s;
        request.queue = defaultQueue;
        request.type = u"email:deliver"_s;
        request.payload = "{}";
        request.retentionSeconds = 3600;
        QVERIFY_RESULT(queue.enqueue({request}));
        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(demo.redis(), u"test look"_s));
        QTRY_COMPARE(queueNow(inspector).retry, 1);
        QTRY_COMPARE_WITH_TIMEOUT(queueNow(inspector).archived, 1, 20'000);
        demo.healThing(u"fail-type"_s);
        QVERIFY(!demo.isBroken(u"fail-type"_s));
        request.id.text = u"7e58"_s;
        QVERIFY_RESULT(queue.enqueue({request}));
        QTRY_COMPARE_WITH_TIMEOUT(queueNow(inspector).completed, 1, 20'000);
    }

    void aBurstIsWrittenInChunks_data() { livesAndLeavesNothing_data(); }

    void aBurstIsWrittenInChunks()
    {
        QFETCH(Demo::Kind, kind);
        Demo demo;
        OUTBOX_START_SERVER(demo, kind);
        demo.breakThing(u"burst"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!demo.isBroken(u"burst"_s), 60'000);
        QVERIFY(demo.written() >= 50'000);
        OutboxStore store;
        StoreSettings look = demo.relayStore();
        look.access = StoreAccess::ReadOnly;
        QVERIFY_RESULT(store.open(look));
        QVERIFY_RESULT(store.use(demo.profile().shape.value()));
        QVERIFY(pendingRows(store) >= 50'000);
    }

    void asksTheRelayForItsPart()
    {
        Demo demo;
        QSignalSpy stop(&demo, &Demo::relayStopAsked);
        QSignalSpy lose(&demo, &Demo::loseAnswerAsked);
        demo.breakThing(u"stop-relay"_s);
        demo.breakThing(u"lose-answer"_s);
        QCOMPARE(stop.size(), 1);
        QCOMPARE(lose.size(), 1);
        QCOMPARE(breakages().size(), 12);
        QCOMPARE(breakages(DemoDesign::RedisRelay, true).size(), 13);
    }

    void idsSortByTime()
    {
        UuidSource source;
        QString last;
        for (int i = 0; i < 20'000; ++i) {
            const QUuid id = source.next();
            const QString text = id.toString(QUuid::WithoutBraces);
            QVERIFY2(text > last, qPrintable(last + u' ' + text));
            QCOMPARE(text.at(14), QChar(u'7'));
            QCOMPARE(id.variant(), QUuid::DCE);
            last = text;
        }
    }
};

} // namespace tst_demo

OUTBOX_TEST(tst_demo::TestDemo)
#include "tst_demo.moc"
