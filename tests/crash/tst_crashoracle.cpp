// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The count of losses and duplicates bites: a relay without a dedup window and seven relays with a
// bug are each caught, in cells where the right one is clean.
#include "app/settings/opening.h"
#include "connectors/asynq/asynqqueue.h"
#include "tests/crash/cells.h"
#include "tests/crash/seededbugs.h"
#include "tests/support/onelanerelay.h"
#include "tests/support/refusingline.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QTest>

#include <csignal>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

class TestCrashOracle : public QObject
{
    Q_OBJECT

    Ground m_ground;

    /// A row under whose task id stands a hash without a message, as an eviction leaves it.
    [[nodiscard]] Result<Tally> relayMeetsStub(Bug bug)
    {
        Cells cells(m_ground, TestOutbox::Kind::Postgres, BenchShape::Payload, {1, 3600, bug});
        if (auto opened = cells.open(); !opened)
            return passOn(opened);
        if (!cells.fixture().insertRows(rowsOfBatch))
            return fail(Error::Kind::Protocol, u"inserting"_s, u"no rows"_s);
        const QString &id = cells.fixture().insertedIds().at(4);
        const QByteArray key = "asynq:{default}:t:" + cells.taskOf(id).toUtf8();
        const auto planted = cells.fixture().plainRedis().command(
            {"HSET", key, "state", "pending", "pending_since", "1"}, u"planting"_s);
        if (!planted)
            return passOn(planted);
        return cells.finish(cells.fixture().insertedIds());
    }

    /// A Redis without the command that stores tasks; answers how many rows are gone without one.
    [[nodiscard]] Result<qint64> relayIsRefused(Bug bug)
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_ground.postgres,
                           m_ground.redis);
        RefusingLine line;
        if (!fixture.setUp() || !fixture.insertRows(rowsOfBatch)
            || !line.start(m_ground.redis.socketPath()))
            return fail(Error::Kind::Protocol, u"refusing"_s, u"no rows, or no line"_s);
        OutboxStore store;
        if (auto opened = store.open(fixture.settings(StoreAccess::Relay)); !opened)
            return passOn(opened);
        Profile profile;
        profile.table = fixture.table();
        if (const auto shape = takeShape(store, profile); !shape)
            return passOn(shape);
        AsynqQueue queue;
        if (auto opened = queue.open(*RedisEndpoint::fromUrl(line.url()), u"refused"_s); !opened)
            return passOn(opened);
        line.set([](const QByteArrayList &command) {
            return command.first().startsWith("EVAL") ? QByteArray("ERR unknown command")
                                                      : QByteArray();
        });
        WrongQueue wrong(queue, bug);
        OneLaneRelay relay(store, wrong, RelayRules{{u"default"_s}});
        for (int turn = 0; turn < 10; ++turn) {
            static_cast<void>(relay.step(rowsOfBatch));
            if (auto open = store.ensureOpen(); !open)
                return passOn(open);
        }
        return rowsOfBatch - fixture.unprocessed() - fixture.pendingIds().size();
    }

    /// A row with a small id becomes visible after larger ones were relayed.
    [[nodiscard]] Result<Tally> relayMeetsLateCommit(Bug bug)
    {
        Cells cells(m_ground, TestOutbox::Kind::Postgres, BenchShape::CompletedAt, {1, 3600, bug});
        if (auto opened = cells.open(); !opened)
            return passOn(opened);
        TestOutbox &fixture = cells.fixture();
        const auto unfit = [](const QString &why) {
            return fail(Error::Kind::Protocol, u"committing late"_s, why);
        };
        {
            // The number 1 is taken by a writer that has not committed while 2 to 11 are relayed.
            if (fixture.scalar(u"select nextval(pg_get_serial_sequence('outbox', 'id'))"_s) != 1
                || !fixture.insertRows(rowsOfBatch))
                return unfit(u"no rows"_s);
            RelayProcess relay;
            const QStringList manner{u"--keep-on"_s, u"--lanes"_s, u"1"_s, u"--bug"_s, word(bug)};
            if (auto started = relay.start(fixture, manner); !started)
                return passOn(started);
            if (!QTest::qWaitFor([&] { return fixture.unprocessed() == 0; }, 10'000))
                return unfit(u"the early rows were not relayed"_s);
            if (!fixture.exec(u"insert into outbox (id, type, payload) overriding system value "
                              u"values (1, 'late', '')"_s)
                || !fixture.insertRows(1))
                return unfit(u"no late row"_s);
            // The row behind it is relayed by either relay, the late one by the right one only.
            const auto left = [&] { return fixture.unprocessedIds(); };
            if (!QTest::qWaitFor([&] { return left().count(u"12"_s) == 0; }, 10'000))
                return unfit(u"the last row was not relayed"_s);
            (void)QTest::qWaitFor([&] { return left().isEmpty(); }, 3000);
            relay.tell(SIGTERM);
            if (relay.end() != 0)
                return unfit(QString::fromUtf8(relay.complaints()));
        }
        if (auto ran = cells.worker().consume(); !ran)
            return passOn(ran);
        return tallyOf(QStringList{u"1"_s} + fixture.insertedIds(), fixture.unprocessedIds(),
                       cells.worker(), [&](const QString &id) { return cells.taskOf(id); });
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_ground.postgres);
        OUTBOX_START_SERVER(m_ground.redis, Ground::redisArguments());
    }

    void aSeededFailureIsCounted_data()
    {
        QTest::addColumn<Bug>("bug");
        QTest::addColumn<int>("retention");
        QTest::addColumn<Fault>("fault");
        QTest::addColumn<int>("point");
        QTest::addColumn<int>("lost");
        QTest::addColumn<int>("duplicates");
        QTest::addColumn<int>("left");
        QTest::newRow("retention 0")
            << Bug::None << 0 << Fault::RelayKilled << afterEnqueue(6) << 0 << 7 << 0;
        QTest::newRow("commit before enqueue")
            << Bug::CommitFirst << 3600 << Fault::RelayKilled << beforeEnqueue(6) << 4 << 0 << 0;
        // The request that timed out arrives late; those after it were never sent.
        QTest::newRow("error swallowed")
            << Bug::ErrorSwallowed << 3600 << Fault::RedisFrozen << beforeEnqueue(6) << 3 << 0 << 0;
        QTest::newRow("conflict as failure")
            << Bug::ConflictFails << 3600 << Fault::RelayKilled << afterEnqueue(6) << 0 << 0 << 10;
        // What was sent stands in the outbox still, what was not is gone.
        QTest::newRow("half batch committed")
            << Bug::HalfCommitted << 3600 << Fault::RelayKilled << 0 << 5 << 0 << 5;
    }

    void aSeededFailureIsCounted()
    {
        QFETCH(Bug, bug);
        QFETCH(int, retention);
        QFETCH(Fault, fault);
        QFETCH(int, point);
        for (const bool isRight : {true, false}) {
            Cells cells(m_ground, TestOutbox::Kind::Postgres, BenchShape::Payload,
                        {1, isRight ? 3600 : retention, isRight ? Bug::None : bug});
            QVERIFY_RESULT(cells.open());
            const auto tally = cells.run(point, fault);
            QVERIFY_RESULT(tally);
            if (isRight) {
                QVERIFY2(tally->isClean(), qPrintable(words(*tally)));
                continue;
            }
            QVERIFY(!tally->isClean());
            QTEST(int(tally->lost), "lost");
            QTEST(int(tally->duplicates), "duplicates");
            QTEST(int(tally->left), "left");
        }
    }

    void anAcceptedStubIsCounted()
    {
        const auto right = relayMeetsStub(Bug::None);
        QVERIFY_RESULT(right);
        QCOMPARE(right->lost, 0);
        QCOMPARE(right->left, 1); // parked
        const auto wrong = relayMeetsStub(Bug::StubAccepted);
        QVERIFY_RESULT(wrong);
        QCOMPARE(wrong->lost, 1);
        QCOMPARE(wrong->left, 0);
    }

    void rowsOfARefusedBatchAreCounted()
    {
        const auto right = relayIsRefused(Bug::None);
        QVERIFY_RESULT(right);
        QCOMPARE(*right, 0);
        const auto wrong = relayIsRefused(Bug::RefusedParts);
        QVERIFY_RESULT(wrong);
        QVERIFY(*wrong > 0);
    }

    void aClaimBehindTheLastIdIsCounted()
    {
        const auto right = relayMeetsLateCommit(Bug::None);
        QVERIFY_RESULT(right);
        QVERIFY2(right->isClean(), qPrintable(words(*right)));
        const auto wrong = relayMeetsLateCommit(Bug::OnlyBehindLast);
        QVERIFY_RESULT(wrong);
        QCOMPARE(wrong->left, 1);
        QCOMPARE(wrong->lost, 0);
    }
};

QTEST_GUILESS_MAIN(TestCrashOracle)
#include "tst_crashoracle.moc"
