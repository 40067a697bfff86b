// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A planned failover by sentinels in the middle of an act: what the old master took is not told as
// done, and no entry of a document is given up for it.
#include "app/designs/designoperations.h"
#include "tests/app/teststores.h"
#include "tests/support/patience.h"
#include "tests/support/redisqueue.h"
#include "tests/support/sentinelworld.h"
#include "tests/support/testoperator.h"
#include "tests/support/testprogram.h"

namespace tst_sentinelverbs {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSentinelVerbs : public QObject
{
    Q_OBJECT

    static constexpr int longMs = 60'000;

    /// Once, behind `point`: a failover begins, and the act goes on when `isNoticed`.
    static OperationControl failingOverAt(SentinelWorld &world, const QByteArray &point,
                                          std::function<bool()> isNoticed, bool &hasFailedOver)
    {
        OperationControl control;
        control.passed = [&world, &hasFailedOver, point, isNoticed](const char *passed) {
            if (hasFailedOver || passed != point)
                return;
            hasFailedOver = QTest::qWaitFor([&world] { return world.failOver(); }, patient(longMs))
                && QTest::qWaitFor(isNoticed, patient(longMs));
        };
        return control;
    }
    static bool isWhole(const SentinelWorld &world)
    {
        return QTest::qWaitFor([&world] { return world.isWhole(); }, patient(longMs));
    }
    /// What the master of that moment answers.
    static qint64 atMaster(const SentinelWorld &world, const RedisCommand &command)
    {
        RedisConnection hand;
        const auto opened
            = hand.open(world.endpoint(), RedisConnection::Access::ReadOnly, u"hand"_s);
        return opened ? numberOf(hand, command) : -1;
    }

private slots:
    void aVerbThatMetAFailoverIsInDoubt()
    {
        SentinelWorld world;
        OUTBOX_START_SERVER(world, 1);
        RedisConnection hand;
        QVERIFY_RESULT(hand.open(world.endpoint(), RedisConnection::Access::Act, u"hand"_s));
        QVERIFY_RESULT(placeTask(hand, sampleRequest(u"a"_s), TaskState::Retry));
        QTRY_COMPARE(numberOf(hand, {"WAIT", "1", "500"}), 1);
        TestOperator person;
        OperatorSessionSettings settings; // a queue is enough
        settings.profile.name = u"sentinels"_s;
        settings.profile.environment = Environment::Demo;
        settings.profile.redisUrl = world.url();
        settings.act = ProfilePasswords();
        settings.stateFolder = person.stateFolder();
        settings.face = u"outboxctl"_s;
        OperatorSession &session = person.session();
        QVERIFY_RESULT(session.open(settings));
        const auto plan = person.plan(Verb::Run, TestOperator::tasks({u"a"_s}));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.first().expected, Outcome::Done);

        bool hasFailedOver = false;
        const auto receipt = person.carryOut(
            *plan,
            failingOverAt(
                world, "written", [&session] { return session.isQueueInDoubt(); }, hasFailedOver));
        QVERIFY(hasFailedOver);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.first().outcome, Outcome::InDoubt);
        QVERIFY2(receipt->items.first().reason.contains(u"failed over"_s),
                 qPrintable(receipt->items.first().reason));

        // The next one goes to the new master.
        QVERIFY(isWhole(world));
        session.beginChunk();
        QTRY_VERIFY_WITH_TIMEOUT(session.taskEditor().has_value(), patient(longMs));
        QVERIFY_RESULT((*session.taskEditor())->pause({u"default"_s}));
        QCOMPARE(atMaster(world, {"EXISTS", "asynq:{default}:paused"}), 1);
    }

    void anEntryWhoseMessageMayBeLostStays()
    {
        SentinelWorld world;
        OUTBOX_START_SERVER(world, 1);
        Databases databases;
        const DatabaseUrl url = databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.all({u"CREATE TABLE entities (id text PRIMARY KEY, version bigint NOT NULL,"
                  u" document text)"_s,
                  u"INSERT INTO entities VALUES ('a', 1, '{\"OutboxState\": {\"m\": {"
                  u"\"OutgoingMessages\": [{\"id\": \"o\", \"type\": \"t\"}]}}}')"_s});
        DesignPlace place;
        place.shape.table = TableName::fromText(u"entities"_s);
        place.rules.queue.text = u"default"_s;
        place.look = settingsFor(url, StoreAccess::ReadOnly);
        place.act = settingsFor(url, StoreAccess::Act);
        place.sessionName = u"sentinels"_s;
        place.lookRedis = world.endpoint();
        place.actRedis = world.endpoint();
        TestStores stores(databases.addressOf(url));
        Selection all;
        all.meant = DocumentPart::Undispatched;
        const auto settle = makeSettleEntries(place, false);
        const auto plan = settle->plan(stores.session(), all);
        QVERIFY_RESULT(plan);

        bool hasFailedOver = false;
        const auto receipt = stores.carryOut(
            *settle, *plan, true,
            failingOverAt(
                world, "dispatched", [&world] { return world.master() == std::size_t{1}; },
                hasFailedOver));
        QVERIFY(hasFailedOver);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.first().outcome, Outcome::InDoubt);
        QVERIFY2(receipt->items.first().reason.contains(u"fails over"_s),
                 qPrintable(receipt->items.first().reason));
        QCOMPARE(side.one(u"SELECT version FROM entities"_s), u"1"_s);

        QVERIFY(isWhole(world));
        const auto repeat = makeSettleEntries(place, false);
        const auto again = repeat->plan(stores.session(), all);
        QVERIFY_RESULT(again);
        const auto done = stores.carryOut(*repeat, *again);
        QVERIFY_RESULT(done);
        QCOMPARE(done->items.first().outcome, Outcome::Done);
        QCOMPARE(side.one(u"SELECT version FROM entities"_s), u"2"_s);
        QCOMPARE(atMaster(world, {"EXISTS", "asynq:{default}:t:o"}), 1);
    }
};

} // namespace tst_sentinelverbs

OUTBOX_TEST(tst_sentinelverbs::TestSentinelVerbs)
#include "tst_sentinelverbs.moc"
