// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay's step against real databases and a real Redis: order, exactness, conflicts, rollback.
#include "app/demo/answerdroppingqueue.h"
#include "app/relay/relaysession.h"
#include "app/settings/opening.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "tests/support/onelanerelay.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testkinds.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_relay {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestRelay : public QObject
{
    Q_OBJECT

    TestPostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    /// One relay over a fixture, opened as the console opens it.
    struct Pair
    {
        OutboxStore store;
        AsynqQueue queue;
        std::unique_ptr<OneLaneRelay> relay;

        [[nodiscard]] Result<void> open(TestOutbox &fixture)
        {
            if (auto opened = store.open(fixture.settings(StoreAccess::Relay)); !opened)
                return opened;
            Profile profile;
            profile.table = fixture.table();
            if (auto shape = takeShape(store, profile); !shape)
                return passOn(shape);
            if (auto opened = queue.open(fixture.redis(), u"fixture"_s); !opened)
                return opened;
            relay = std::make_unique<OneLaneRelay>(store, queue, RelayRules{{u"default"_s}});
            return {};
        }

        /// Steps until nothing is left; the sums of it.
        [[nodiscard]] RelayTotals drain(int batch)
        {
            RelayTotals totals;
            for (int steps = 0; steps < 10'000; ++steps) {
                const RelayStep step = relay->step(batch);
                totals.add(step);
                if (step.error)
                    qWarning() << oneLine(*step.error);
                if (step.error || step.claimed == 0)
                    break;
            }
            return totals;
        }
    };

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        if (!isDatabasePooled())
            OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void movesEveryRowOnceAndByteForByte_data() { addKindsAndShapes(allBenchShapes()); }
    void movesEveryRowOnceAndByteForByte()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        TestOutbox fixture(kind, shape, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(250));
        Pair pair;
        QVERIFY_RESULT(pair.open(fixture));
        const RelayTotals totals = pair.drain(40);
        QCOMPARE(totals.enqueued, 250);
        QCOMPARE(totals.batches, 7);
        QCOMPARE(totals.rollbacks, 0);
        QCOMPARE(fixture.unprocessed(), 0);

        QStringList expected;
        for (const QString &id : fixture.insertedIds())
            expected += fixture.taskId(pair.store.shape(), id);
        const QStringList pending = fixture.pendingIds();
        if (pair.store.shape().orderIs == OutboxShape::OrderIs::None)
            QCOMPARE(QSet<QString>(pending.begin(), pending.end()),
                     QSet<QString>(expected.begin(), expected.end()));
        else
            QCOMPARE(pending, expected);
        QCOMPARE(pending.size(), expected.size());

        for (const QString &id : fixture.insertedIds()) {
            const QByteArray key
                = "asynq:{default}:t:" + fixture.taskId(pair.store.shape(), id).toUtf8();
            const auto msg = fixture.plainRedis().command({"HGET", key, "msg"}, u"reading"_s);
            QVERIFY_RESULT(msg);
            const auto task = asynq::decode(msg->bytes);
            QVERIFY_RESULT(task);
            QCOMPARE(task->payload, fixture.expectedPayload(id));
            QCOMPARE(task->type, fixture.expectedType(id));
            QCOMPARE(task->retentionSeconds, 24 * 3600);
        }

        // A rerun and a second relay add nothing.
        Pair second;
        QVERIFY_RESULT(second.open(fixture));
        QCOMPARE(second.drain(40).delivered(), 0);
        QCOMPARE(pair.drain(40).delivered(), 0);
        QCOMPARE(fixture.pendingIds().size(), 250);
    }

    /// Two sessions claim by turns, and the rows of one claim must not come before those of the
    /// claim before it, however busy the database is.
    void aRelayKeepsTheOrderOfItsTable_data() { addKindsAndShapes({BenchShape::CompletedAt}); }
    void aRelayKeepsTheOrderOfItsTable()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        TestOutbox fixture(kind, shape, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(2000));
        const auto taken = fixture.takenShape();
        QVERIFY_RESULT(taken);
        QVERIFY(taken->orderIs != OutboxShape::OrderIs::None);
        const QTemporaryDir state;
        RelayTarget target;
        target.store = fixture.settings(StoreAccess::Relay);
        target.shape = *taken;
        target.redis = fixture.redis();
        target.rules.queue.text = u"default"_s;
        target.clientName = u"relay"_s;
        target.stateFolder = state.path();
        RelaySession session;
        QVERIFY_RESULT(session.open(target));
        const RelayBurst burst
            = session.work(20, 1'000'000, patient(20'000), 5, RelayAim::Drained, {});
        QVERIFY2(burst.end == RelayBurst::End::Drained, qPrintable(oneLine(burst.error())));
        QStringList expected;
        for (const QString &id : fixture.insertedIds())
            expected += fixture.taskId(*taken, id);
        QCOMPARE(fixture.pendingIds(), expected);
    }

    /// As where the master of Redis fails over: what it took may be lost with it.
    void aBatchThatMayNotBeCommittedIsGivenBack()
    {
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::Payload, nullptr, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(20));
        Pair pair;
        QVERIFY_RESULT(pair.open(fixture));
        MemoryParking parking;
        bool isHeld = true;
        const auto mayCommit = [&isHeld]() -> Result<void> {
            if (!isHeld)
                return {};
            return fail(Error::Kind::Unreachable, u"committing rows"_s, u"it is held"_s);
        };
        Relay relay({{&pair.store}, nullptr, &pair.queue, &parking, nullptr, mayCommit},
                    RelayRules{{u"default"_s}});
        const auto step = [&relay] {
            QList<RelayStep> ended;
            while (ended.isEmpty())
                ended = relay.turn(20, true);
            return ended.last();
        };
        const RelayStep held = step();
        QVERIFY(held.error && !held.committed);
        QCOMPARE(held.error->text, u"it is held"_s);
        QVERIFY(held.failed.isEmpty() && held.parked.isEmpty());
        QCOMPARE(fixture.unprocessed(), 20);
        QCOMPARE(fixture.pendingIds().size(), 20); // it was asked after the queue had them

        isHeld = false;
        const RelayStep gone = step();
        QVERIFY(gone.committed && !gone.error);
        QCOMPARE(gone.delivered(), 20);
        QCOMPARE(fixture.unprocessed(), 0);
        QCOMPARE(fixture.pendingIds().size(), 20);
    }

    void aLostAnswerIsSentAgainAndAcceptedOnce_data() { addKindsAndShapes(allBenchShapes()); }
    void aLostAnswerIsSentAgainAndAcceptedOnce()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        TestOutbox fixture(kind, shape, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(20));
        Pair pair;
        QVERIFY_RESULT(pair.open(fixture));
        AnswerDroppingQueue front;
        front.setQueue(pair.queue);
        OneLaneRelay relay(pair.store, front, {{u"default"_s}});
        front.dropNextAnswer();
        const RelayStep lost = relay.step(20);
        QVERIFY(lost.error && !lost.committed);
        QCOMPARE(fixture.unprocessed(), 20);
        QCOMPARE(fixture.pendingIds().size(), 20);

        const RelayTotals totals = pair.drain(20);
        QCOMPARE(totals.enqueued, 0);
        QCOMPARE(totals.alreadyQueued, 20);
        QCOMPARE(fixture.unprocessed(), 0);
        QCOMPARE(fixture.pendingIds().size(), 20);
    }

    void redisGoneRollsTheBatchBack_data() { addKindsAndShapes(allBenchShapes()); }
    void redisGoneRollsTheBatchBack()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        PrivateRedis own;
        OUTBOX_START_SERVER(own);
        TestOutbox fixture(kind, shape, &m_postgres, own, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(20));
        Pair pair;
        QVERIFY_RESULT(pair.open(fixture));
        own.kill();
        const RelayStep step = pair.relay->step(10);
        QVERIFY(step.error && !step.committed);
        QCOMPARE(step.error->kind, Error::Kind::Unreachable);
        QCOMPARE(fixture.unprocessed(), 20);
        QVERIFY_RESULT(own.start());
        QVERIFY_RESULT(pair.queue.connection().ensureOpen());
        QCOMPARE(pair.drain(10).enqueued, 20);
        QCOMPARE(fixture.unprocessed(), 0);
    }

    void aStrangerUnderTheIdParksTheRowAndDelaysNoOther_data()
    {
        addKindsAndShapes(allBenchShapes());
    }
    void aStrangerUnderTheIdParksTheRowAndDelaysNoOther()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        TestOutbox fixture(kind, shape, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(30));
        Pair pair;
        QVERIFY_RESULT(pair.open(fixture));
        EnqueueRequest stranger;
        stranger.id.text = fixture.taskId(pair.store.shape(), fixture.insertedIds().at(7));
        stranger.queue.text = u"default"_s;
        stranger.type = u"somebody:else"_s;
        stranger.retentionSeconds = 60;
        QVERIFY_RESULT(pair.queue.enqueue({stranger}));
        // A stub under another id: a hash without a message.
        const QString stub = fixture.taskId(pair.store.shape(), fixture.insertedIds().at(3));
        QVERIFY_RESULT(fixture.plainRedis().command(
            {"HSET", "asynq:{default}:t:" + stub.toUtf8(), "state", "active"}, u"planting"_s));

        const RelayTotals totals = pair.drain(10);
        QCOMPARE(totals.parked, 2);
        QCOMPARE(totals.enqueued, 28);
        QCOMPARE(totals.alreadyQueued, 0); // siblings of a parked row are counted once, as enqueued
        QCOMPARE(fixture.unprocessed(), 2);
        QCOMPARE(pair.relay->relay().parked().size(), 2);
        for (const ParkedRow &row : pair.relay->relay().parked())
            QVERIFY(!row.reason.isEmpty());
        const auto drained = pair.relay->relay().isDrained();
        QVERIFY_RESULT(drained);
        QVERIFY(*drained);
    }

    void rowsThatOthersHoldAreLeftAlsoWhenAParkedRowIsGone()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(1));
        Pair pair;
        QVERIFY_RESULT(pair.open(fixture));
        QVERIFY_RESULT(fixture.plainRedis().command(
            {"SET", "asynq:{default}:t:" + fixture.insertedIds().first().toUtf8(), "x"},
            u"planting"_s));
        QCOMPARE(pair.drain(10).parked, 1);
        QVERIFY(fixture.exec(u"delete from outbox"_s)); // the operator took the parked row away
        QVERIFY(fixture.insertRows(1));
        QVERIFY(fixture.exec(u"begin"_s));
        QVERIFY(fixture.exec(u"select 1 from outbox for update"_s));
        QCOMPARE(pair.relay->step(10).claimed, 0);
        QVERIFY(!pair.relay->relay().isDrained().value_or(true));
        QVERIFY(fixture.exec(u"rollback"_s));
        QCOMPARE(pair.drain(10).enqueued, 1);
        QVERIFY(pair.relay->relay().isDrained().value_or(false));
    }

    void aReferencedRowThatItsWorkerWroteToIsTheSameMessage_data() { addKinds(); }
    void aReferencedRowThatItsWorkerWroteToIsTheSameMessage()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::Reference, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(20));
        Pair pair;
        QVERIFY_RESULT(pair.open(fixture));
        AnswerDroppingQueue front;
        front.setQueue(pair.queue);
        OneLaneRelay first(pair.store, front, RelayRules{{u"default"_s}});
        front.dropNextAnswer();
        QVERIFY(first.step(20).error);
        QCOMPARE(fixture.unprocessed(), 20);
        QCOMPARE(fixture.pendingIds().size(), 20);

        // The worker was quick, and notes it in the row that it was sent. One of the tasks is of
        // another row: somebody else's, under the same id.
        QVERIFY(fixture.exec(u"update mail_deliveries set subject = 'sent'"_s));
        QVERIFY(fixture.exec(u"update outbox set table_id = 18 where table_id = 19"_s));
        RelayTarget target;
        target.store = fixture.settings(StoreAccess::Relay);
        target.shape = pair.store.shape();
        target.redis = fixture.redis();
        target.rules.queue.text = u"default"_s;
        QTemporaryDir state;
        target.stateFolder = state.path();
        RelaySession next;
        QVERIFY_RESULT(next.open(target));
        const std::stop_source stop;
        const RelayBurst burst
            = next.work(20, 1000, 20'000, 5, RelayAim::Drained, stop.get_token());
        RelayTotals totals;
        for (const RelayStep &step : burst.steps)
            totals.add(step);
        QCOMPARE(totals.parked, 1);
        QCOMPARE(totals.alreadyQueued, 19);
        QCOMPARE(totals.enqueued, 0);
        QCOMPARE(fixture.unprocessedIds(), QStringList{fixture.insertedIds().at(19)});
    }

    void aDanglingReferenceIsParked()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Reference, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(10));
        QVERIFY(fixture.exec(u"delete from mail_deliveries where id = 4"_s));
        Pair pair;
        QVERIFY_RESULT(pair.open(fixture));
        const RelayTotals totals = pair.drain(5);
        QCOMPARE(totals.parked, 1);
        QCOMPARE(totals.enqueued, 9);
        QCOMPARE(fixture.unprocessed(), 1);
    }
};

} // namespace tst_relay

OUTBOX_TEST(tst_relay::TestRelay)
#include "tst_relay.moc"
