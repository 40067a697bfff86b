// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table outbox_fence: what a relay delivered is known when both Redis and the relay's host have
// forgotten it. Without it that is unknown, and said.
#include "app/relay/relaysession.h"
#include "connectors/sql/outbox/fencetable.h"
#include "connectors/traffic.h"
#include "tests/crash/ground.h"
#include "tests/crash/stoppoint.h"
#include "tests/support/delivered.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testkinds.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_fencetable {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QByteArray fenceKey = "asynq:{default}:outboxdeck";

} // namespace

class TestFenceTable : public QObject
{
    Q_OBJECT

    TestPostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    [[nodiscard]] static bool makeTable(TestOutbox &fixture)
    {
        return fixture.exec(FenceTableAccess::sql(fixture.dialect()).section(u';', 0, 0));
    }
    [[nodiscard]] static int linesOf(TestOutbox &fixture)
    {
        return fixture.scalar(u"select count(*) from outbox_fence"_s).toInt();
    }
    /// Into the queue "default".
    static void aim(RelayTarget &target, const TestOutbox &fixture, const QTemporaryDir &state)
    {
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        target.store = fixture.settings(StoreAccess::Relay);
        target.shape = *shape;
        target.redis = fixture.redis();
        target.rules.queue.text = u"default"_s;
        target.clientName = u"relay"_s;
        target.stateFolder = state.path();
    }
    [[nodiscard]] static RelayBurst drain(RelaySession &relay)
    {
        const std::stop_source stop;
        return relay.work(100, 1000, 20'000, 5, RelayAim::Drained, stop.get_token());
    }
    /// One relay until the outbox is empty; answers why it did not come to that.
    [[nodiscard]] static QString run(const RelayTarget &target)
    {
        RelaySession relay;
        if (const auto opened = relay.open(target); !opened)
            return oneLine(opened.error());
        const RelayBurst burst = drain(relay);
        relay.close();
        return burst.end == RelayBurst::End::Drained ? QString() : oneLine(burst.error());
    }
    static void emptyRedis(TestOutbox &fixture)
    {
        QVERIFY_RESULT(fixture.plainRedis().command({"FLUSHALL"}, u"striking"_s));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        if (!isDatabasePooled())
            OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void whereAllElseIsForgottenTheTableTellsTheLoss_data() { addKinds(); }
    void whereAllElseIsForgottenTheTableTellsTheLoss()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::Payload, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(makeTable(fixture));
        QVERIFY(fixture.insertRows(20));
        const QTemporaryDir hosts[3];
        RelayTarget targets[3];
        for (int i = 0; i < 3; ++i)
            aim(targets[i], fixture, hosts[i]);
        QCOMPARE(run(targets[0]), QString());

        // The line is what Redis itself says of that relay.
        QCOMPARE(linesOf(fixture), 1);
        const QByteArray relay
            = fixture.scalar(u"select relay from outbox_fence"_s).toString().toLatin1();
        const auto fence = hashAt(fixture.plainRedis(), fenceKey);
        QCOMPARE(fence.value("r:" + relay).toLongLong(),
                 fixture.scalar(u"select n from outbox_fence"_s).toLongLong());
        QCOMPARE(QString::fromLatin1(fence.value("life")),
                 fixture.scalar(u"select life from outbox_fence"_s).toString());

        emptyRedis(fixture);
        QVERIFY(fixture.insertRows(5));
        for (int host = 1; host < 3; ++host) { // each relay tells it once, as of its own loss
            const QString why = run(targets[host]);
            QVERIFY2(why.contains(u"queue default has lost what it was given"_s), qPrintable(why));
            QCOMPARE(fixture.unprocessed(), 5);
            QCOMPARE(numberOf(fixture.plainRedis(), {"DBSIZE"}), 0);
            QCOMPARE(linesOf(fixture), 1);
        }
        QCOMPARE(run(targets[1]), QString()); // whoever starts it once more has been told
        QCOMPARE(fixture.unprocessed(), 0);
        QCOMPARE(fixture.pendingIds().size(), 5);
        QCOMPARE(fixture
                     .scalar(u"select count(*) from outbox_fence where relay = '%1'"_s.arg(
                         QString::fromLatin1(relay)))
                     .toInt(),
                 0);
        QCOMPARE(run(targets[2]), QString());

        emptyRedis(fixture); // what was accepted is not accepted for ever
        const QString again = run(targets[1]);
        QVERIFY2(again.contains(u"has lost what it was given"_s), qPrintable(again));
    }

    void aRedisWithOlderDataIsTold_data() { addKinds(); }
    void aRedisWithOlderDataIsTold()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::Payload, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(makeTable(fixture));
        QVERIFY(fixture.insertRows(5));
        const QTemporaryDir hosts[3];
        RelayTarget targets[3];
        for (int i = 0; i < 3; ++i)
            aim(targets[i], fixture, hosts[i]);
        QCOMPARE(run(targets[0]), QString());
        const QByteArray field
            = "r:" + fixture.scalar(u"select relay from outbox_fence"_s).toString().toLatin1();
        const QByteArray number
            = QByteArray::number(fixture.scalar(u"select n from outbox_fence"_s).toLongLong());
        QVERIFY_RESULT(fixture.plainRedis().command({"HSET", fenceKey, field, "1"}, u"striking"_s));
        const QString why = run(targets[1]);
        QVERIFY2(why.contains(u"queue default has lost what it was given"_s), qPrintable(why));
        QVERIFY_RESULT(
            fixture.plainRedis().command({"HSET", fenceKey, field, number}, u"healing"_s));
        QCOMPARE(run(targets[2]), QString());
    }

    void whatNobodyRemembersIsUnknown_data() { addKinds(); }
    void whatNobodyRemembersIsUnknown()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::Payload, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(5));
        const QTemporaryDir hosts[3];
        RelayTarget targets[3];
        for (int i = 0; i < 3; ++i)
            aim(targets[i], fixture, hosts[i]);
        QCOMPARE(run(targets[0]), QString());
        emptyRedis(fixture);
        {
            RelaySession relay;
            QVERIFY_RESULT(relay.open(targets[1]));
            QCOMPARE(relay.places().unknown, QStringList{u"default"_s});
            QVERIFY(relay.places().memory.contains(hosts[1].path()));
            QVERIFY(fixture.insertRows(5));
            QCOMPARE(drain(relay).end, RelayBurst::End::Drained);
            relay.close();
        }
        { // its own state folder remembers it
            RelaySession relay;
            QVERIFY_RESULT(relay.open(targets[1]));
            QCOMPARE(relay.places().unknown, QStringList());
            QVERIFY(makeTable(fixture));
            relay.close();
        }
        QVERIFY(fixture.insertRows(5));
        QCOMPARE(run(targets[1]), QString());
        RelaySession relay; // and so does the table
        QVERIFY_RESULT(relay.open(targets[2]));
        QCOMPARE(relay.places().unknown, QStringList());
        QVERIFY(relay.places().memory.contains(u"the table"_s));
    }

    void whatWasNotCommittedIsNotInTheTable_data() { addKinds(); }
    void whatWasNotCommittedIsNotInTheTable()
    {
        QFETCH(TestOutbox::Kind, kind);
        constexpr int rows = 5;
        TestOutbox fixture(kind, BenchShape::Payload, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(makeTable(fixture));
        QVERIFY(fixture.insertRows(rows));
        const QStringList batch{u"--batch"_s, QString::number(rows)};
        crash::RelayProcess first;
        QVERIFY_RESULT(first.start(fixture, batch));
        QCOMPARE(first.end(), 0);
        QCOMPARE(linesOf(fixture), 1);
        const qint64 known = fixture.scalar(u"select n from outbox_fence"_s).toLongLong();

        QVERIFY(fixture.insertRows(rows));
        const int beforeCommit = crash::pointOf(RelayStage::Committing, rows, false);
        crash::RelayProcess second;
        QVERIFY_RESULT(second.start(
            fixture, batch + QStringList{u"--stop-at"_s, QString::number(beforeCommit)}));
        QVERIFY2(second.heard("at\n"), second.complaints().constData());
        second.tell(SIGKILL);
        QCOMPARE(second.end(), -1);
        QCOMPARE(fixture.pendingIds().size(), 2 * rows); // Redis has what nobody committed
        QCOMPARE(fixture.unprocessed(), rows);
        QCOMPARE(linesOf(fixture), 1);
        QCOMPARE(fixture.scalar(u"select n from outbox_fence"_s).toLongLong(), known);
    }

    void aLineNeverGoesBack_data() { addKinds(); }
    void aLineNeverGoesBack()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::Payload, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(makeTable(fixture));
        QVERIFY(fixture.insertRows(3));
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        OutboxStore store;
        QVERIFY_RESULT(store.open(fixture.settings(StoreAccess::Relay)));
        QVERIFY_RESULT(store.use(*shape));
        QVERIFY(store.fence().isUsed());
        struct Step
        {
            qint64 number;
            const char *life;
            QString kept;
        };
        const Step steps[]{{5, "one", u"5 one"_s}, {3, "two", u"5 one"_s}, {7, "six", u"7 six"_s}};
        for (const auto &[number, life, kept] : steps) {
            QVERIFY_RESULT(store.claim(1, {}));
            QVERIFY_RESULT(store.sendCommit(
                asDelivered(store.taken()),
                {RelayLife{"a", {{u"mail"_s}, life, number}},
                 RelayLife{"a", {{QString(1, QChar::Null)}, "left out", number}}}));
            QVERIFY_RESULT(store.takeCommit());
            const auto lives = store.keptLives();
            QVERIFY_RESULT(lives);
            QCOMPARE(lives->size(), 1);
            const QueueLife &reached = lives->first().reached;
            QCOMPARE(u"%1 %2"_s.arg(QString::number(reached.committed),
                                    QString::fromLatin1(reached.life)),
                     kept);
        }
        QCOMPARE(fixture.unprocessed(), 0);
    }

    void aRoleThatMayNotWriteWorksWithoutAndSaysSo()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(makeTable(fixture));
        QVERIFY(fixture.exec(u"drop role if exists fence_reader"_s));
        QVERIFY(fixture.exec(u"create role fence_reader login"_s));
        QVERIFY(fixture.exec(u"grant select, update, delete on outbox to fence_reader"_s));
        QVERIFY(fixture.exec(u"grant select on outbox_fence to fence_reader"_s));
        QVERIFY(fixture.insertRows(5));
        const QTemporaryDir host;
        RelayTarget target;
        aim(target, fixture, host);
        target.store.url.user = u"fence_reader"_s;
        RelaySession relay;
        QVERIFY_RESULT(relay.open(target));
        QVERIFY2(relay.places().memory.contains(u"may not write"_s),
                 qPrintable(relay.places().memory));
        QCOMPARE(relay.places().unknown, QStringList{u"default"_s});
        QCOMPARE(drain(relay).end, RelayBurst::End::Drained);
        QCOMPARE(fixture.unprocessed(), 0);
        QCOMPARE(linesOf(fixture), 0);
    }

    void aTableThatIsDroppedUnderARelayStopsNoRow_data() { addKinds(); }
    void aTableThatIsDroppedUnderARelayStopsNoRow()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::Payload, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(makeTable(fixture));
        QVERIFY(fixture.insertRows(5));
        const QTemporaryDir host;
        RelayTarget target;
        aim(target, fixture, host);
        RelaySession relay;
        QVERIFY_RESULT(relay.open(target));
        QCOMPARE(drain(relay).end, RelayBurst::End::Drained);
        QVERIFY(fixture.exec(u"drop table outbox_fence"_s));
        QVERIFY(fixture.insertRows(3));
        const RelayBurst failed = drain(relay);
        QCOMPARE(failed.end, RelayBurst::End::Failed);
        QVERIFY2(oneLine(failed.error()).contains(u"outbox_fence"_s),
                 qPrintable(oneLine(failed.error())));
        QVERIFY2(failed.news.contains(u"is not written to any more"_s), qPrintable(failed.news));
        QCOMPARE(fixture.unprocessed(), 3);
        const RelayBurst rest = drain(relay);
        QVERIFY2(rest.end == RelayBurst::End::Drained, qPrintable(oneLine(rest.error())));
        QCOMPARE(fixture.unprocessed(), 0);
        QCOMPARE(fixture.pendingIds().size(), 8);
        QVERIFY(!relay.places().memory.contains(u"the table"_s));
    }

    void linesOfRelaysThatAreGoneLeaveTheTable_data() { addKinds(); }
    void linesOfRelaysThatAreGoneLeaveTheTable()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::Payload, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(makeTable(fixture));
        QVERIFY(fixture.insertRows(5));
        const QTemporaryDir hosts[2];
        RelayTarget targets[2];
        for (int i = 0; i < 2; ++i)
            aim(targets[i], fixture, hosts[i]);
        QCOMPARE(run(targets[0]), QString());
        const qint64 last = fixture.scalar(u"select n from outbox_fence"_s).toLongLong();
        constexpr qint64 dayUs = qint64{86'400} * 1'000'000;
        // Retention of a day and seven more; the third is one that only rests.
        const std::pair<const char *, qint64> others[]{{"gone", last - 9 * dayUs},
                                                       {"resting", last - 7 * dayUs}};
        for (const auto &[name, number] : others) {
            QVERIFY(fixture.exec(
                u"insert into outbox_fence select outbox, '%1', queue, life, %2,"
                " at from outbox_fence where n = %3"_s.arg(
                    QString::fromLatin1(name), QString::number(number), QString::number(last))));
            QVERIFY_RESULT(fixture.plainRedis().command(
                {"HSET", fenceKey, QByteArray("r:") + name, QByteArray::number(number)},
                u"preparing"_s));
        }
        QCOMPARE(linesOf(fixture), 3);
        QVERIFY(fixture.insertRows(5));
        QCOMPARE(run(targets[1]), QString());
        QCOMPARE(linesOf(fixture), 3); // without "gone", and with its own
        QCOMPARE(
            fixture.scalar(u"select count(*) from outbox_fence where relay = 'gone'"_s).toInt(), 0);
    }

    /// One statement for each line took as many round trips as there were relays.
    void manyLinesLeaveByFewStatements_data() { addKinds(); }
    void manyLinesLeaveByFewStatements()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::Payload, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(makeTable(fixture));
        QVERIFY(fixture.insertRows(1));
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        OutboxStore store;
        QVERIFY_RESULT(store.open(fixture.settings(StoreAccess::Relay)));
        QVERIFY_RESULT(store.use(*shape));
        QVERIFY_RESULT(store.claim(1, {}));
        QVERIFY_RESULT(store.sendCommit(asDelivered(store.taken()),
                                        {RelayLife{"own", {{u"mail"_s}, "word", 5}}}));
        QVERIFY_RESULT(store.takeCommit());
        constexpr int many = 401; // three statements, the last one for few
        QStringList names;
        for (int i = 0; i < many; ++i)
            names += u"select 'r%1' as name"_s.arg(i);
        QVERIFY(fixture.exec(u"insert into outbox_fence (outbox, relay, queue, life, n, at) select "
                             "t.outbox, v.name, t.queue, t.life, t.n, t.at from outbox_fence t, "
                             "(%1) v"_s.arg(names.join(u" union all "_s))));
        auto lives = store.keptLives();
        QVERIFY_RESULT(lives);
        QCOMPARE(lives->size(), many + 1);
        lives->removeIf([](const RelayLife &one) { return one.relay == "own"; });
        QVERIFY(fixture.exec(u"update outbox_fence set n = 6 where relay = 'r7'"_s));
        QVERIFY(fixture.exec(u"update outbox_fence set life = 'new' where relay = 'r400'"_s));
        const qint64 before = trafficOfThread().statements;
        QVERIFY_RESULT(store.forgetLives(*lives));
        QVERIFY(trafficOfThread().statements - before < 20);
        const auto left = store.keptLives();
        QVERIFY_RESULT(left);
        QStringList staying;
        for (const RelayLife &one : *left)
            staying += QString::fromLatin1(one.relay);
        staying.sort();
        QCOMPARE(staying, (QStringList{u"own"_s, u"r400"_s, u"r7"_s}));
        QVERIFY_RESULT(store.forgetLives({})); // no statement without an end
        QCOMPARE(linesOf(fixture), 3);
    }
};

} // namespace tst_fencetable

OUTBOX_TEST(tst_fencetable::TestFenceTable)
#include "tst_fencetable.moc"
