// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay as it is shipped, killed at each of its commands to Redis, before it and behind it, and
// in the midst of its COMMIT: what it left is delivered by the next one, once.
// OUTBOX_CRASH_CELLS=all runs every cell.
#include "connectors/sql/outbox/parkedtable.h"
#include "tests/crash/ground.h"
#include "tests/crash/longmain.h"
#include "tests/support/ctl.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/struckrelay.h"
#include "tests/support/testkinds.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <csignal>
#include <cstdio>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

using Kind = TestOutbox::Kind;
using Blow = StruckRelay::Blow;

constexpr int rows = 12;
constexpr int patienceMs = 30'000;
const QStringList manner{u"--drain"_s, u"--batch"_s,     u"4"_s,    u"--poll"_s,
                         u"5ms"_s,     u"--retention"_s, u"3600s"_s};

bool runsAll()
{
    return qEnvironmentVariable("OUTBOX_CRASH_CELLS") == u"all"_s;
}

} // namespace

class TestShippedRelay : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    static void addBenches(bool withSqlite)
    {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<BenchShape>("shape");
        for (const BenchShape shape :
             {BenchShape::Payload, BenchShape::CompletedAt, BenchShape::ProcessedDate}) {
            QTest::addRow("PostgreSQL, %s", qPrintable(word(shape))) << Kind::Postgres << shape;
            QTest::addRow("MariaDB, %s", qPrintable(word(shape))) << Kind::MariaDb << shape;
            if (withSqlite)
                QTest::addRow("SQLite, %s", qPrintable(word(shape))) << Kind::Sqlite << shape;
        }
    }
    [[nodiscard]] CtlRun drain(const TestOutbox &fixture) const
    {
        return runCtl(QStringList{u"relay"_s, u"--json"_s, u"--database"_s, fixture.url(),
                                  u"--table"_s, fixture.table(), u"--redis"_s, m_redis.url()}
                      + manner);
    }
    /// Rows that must be parked, and where: in the table, or in a file.
    [[nodiscard]] static bool addPoison(TestOutbox &fixture, bool hasTable)
    {
        if (hasTable) {
            const QString made = ParkedTableAccess::sql(fixture.dialect()).section(u';', 0, 0);
            if (!fixture.exec(made))
                return false;
        }
        return fixture.exec(u"update outbox set type = '' where %1 = '%2'"_s.arg(
            fixture.keyText(u"id"_s), fixture.insertedIds().at(2)));
    }
    /// It dies by its blow; one that only stands is killed then.
    static void letDie(StruckRelay &relay, Blow blow)
    {
        if (blow == Blow::Stand)
            QTRY_VERIFY_WITH_TIMEOUT(
                relay.wasStruck() || relay.process().state() == QProcess::NotRunning, patienceMs);
        else
            static_cast<void>(relay.end());
        relay.kill();
    }
    /// Nothing of `expected` is lost or doubled.
    void judge(TestOutbox &fixture, CountingWorker &worker, const QStringList &expected)
    {
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        QVERIFY_RESULT(worker.consume());
        QStringList left = fixture.unprocessedIds();
        for (const QString &id : fixture.insertedIds()) {
            if (!expected.contains(id))
                left.removeOne(id);
        }
        const Tally tally = tallyOf(expected, left, worker,
                                    [&](const QString &id) { return fixture.taskId(*shape, id); });
        QVERIFY2(tally.isClean(), qPrintable(words(tally)));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void killedAtACommand_data() { addBenches(true); }
    void killedAtACommand()
    {
        QFETCH(Kind, kind);
        QFETCH(BenchShape, shape);
        int cells = 0;
        for (int number = 1;; number += runsAll() ? 1 : 3) {
            bool wasStruck = false;
            for (const Blow blow : {Blow::Kill, Blow::Stand}) {
                TestOutbox fixture(kind, shape, &m_postgres, m_redis, &m_mariadb);
                QVERIFY(fixture.setUp());
                QVERIFY(fixture.insertRows(rows));
                QStringList expected = fixture.insertedIds();
                const bool isPoisoned = shape == BenchShape::CompletedAt;
                if (isPoisoned) {
                    QVERIFY(addPoison(fixture, number % 2 == 0));
                    expected.removeAt(2);
                }
                CountingWorker worker;
                QVERIFY_RESULT(worker.open(fixture.redis()));
                StruckRelay relay(fixture, m_redis);
                QVERIFY(relay.start({blow, {}, number}, manner));
                letDie(relay, blow);
                if (QTest::currentTestFailed())
                    return;
                wasStruck = wasStruck || relay.wasStruck();
                QVERIFY_RESULT(worker.consume()); // as fast as can be: the worst case
                const CtlRun next = drain(fixture);
                const QByteArray where = "command " + QByteArray::number(number) + ": " + next.err;
                // 6 where it is this one that sets a row aside
                QVERIFY2(next.exitCode == 0 || (isPoisoned && next.exitCode == 6),
                         where.constData());
                judge(fixture, worker, expected);
                if (QTest::currentTestFailed())
                    qInfo("%s", where.constData());
                ++cells;
            }
            if (QTest::currentTestFailed() || !wasStruck)
                break;
        }
        std::printf("%s: %d cells\n", QTest::currentDataTag(), cells);
        QVERIFY(cells > 2);
    }

    void killedInsideItsCommit_data() { addBenches(false); }
    /// Somebody keeps the COMMIT from coming to its end: the server has it, and nobody the answer.
    void killedInsideItsCommit()
    {
        QFETCH(Kind, kind);
        QFETCH(BenchShape, shape);
        for (const bool serverDies : {false, true}) {
            if (serverDies && kind == Kind::MariaDb)
                continue; // its private server has no second life
            TestOutbox fixture(kind, shape, &m_postgres, m_redis, &m_mariadb);
            QVERIFY(fixture.setUp());
            const bool isPostgres = kind == Kind::Postgres;
            if (isPostgres) {
                QVERIFY(
                    fixture.exec(u"create function hold() returns trigger language plpgsql as "
                                 "$$ begin perform pg_advisory_xact_lock_shared(7); return null; "
                                 "end $$"_s));
                QVERIFY(fixture.exec(
                    u"create constraint trigger held after update or delete on %1 deferrable "
                    "initially deferred for each row execute function hold()"_s.arg(
                        fixture.table() == u"app.OutboxMessages" ? u"app.\"OutboxMessages\""_s
                                                                 : fixture.table())));
            }
            QVERIFY(fixture.insertRows(rows));
            const QStringList holding = isPostgres
                ? QStringList{u"select pg_advisory_lock(7)"_s}
                : QStringList{u"backup stage start"_s, u"backup stage flush"_s,
                              u"backup stage block_ddl"_s, u"backup stage block_commit"_s};
            for (const QString &sql : holding)
                QVERIFY(fixture.exec(sql));
            CountingWorker worker;
            QVERIFY_RESULT(worker.open(fixture.redis()));
            {
                StruckRelay relay(fixture, m_redis);
                QVERIFY(relay.start({}, manner));
                const QString inCommit = isPostgres
                    ? u"select count(*) from pg_stat_activity where wait_event = 'advisory'"_s
                    : u"select count(*) from information_schema.processlist where state like "
                      "'%backup lock%'"_s;
                QTRY_VERIFY_WITH_TIMEOUT(fixture.scalar(inCommit).toInt() > 0, patienceMs);
                QVERIFY_RESULT(worker.consume());
                if (serverDies) {
                    m_postgres.stopAtOnce();
                    QVERIFY_RESULT(m_postgres.restart());
                    QVERIFY(fixture.reopen());
                }
                relay.kill();
            }
            if (!serverDies) {
                QVERIFY(fixture.exec(isPostgres ? u"select pg_advisory_unlock(7)"_s
                                                : u"backup stage end"_s));
            }
            const CtlRun next = drain(fixture);
            QVERIFY2(next.exitCode == 0, next.err.constData());
            judge(fixture, worker, fixture.insertedIds());
        }
    }

    /// Each worker meets it.
    void aParkedRowCountsOnce()
    {
        TestOutbox fixture(Kind::Postgres, BenchShape::CompletedAt, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        RelayProcess relay;
        QVERIFY_RESULT(relay.startCtl(fixture,
                                      {u"--json"_s, u"--workers"_s, u"4"_s, u"--batch"_s, u"4"_s,
                                       u"--poll"_s, u"5ms"_s, u"--retention"_s, u"3600s"_s}));
        constexpr int many = 200; // enough for each of the workers, which know of no parked row
        QVERIFY(fixture.insertRows(many));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, patienceMs);
        QVERIFY(fixture.exec(u"insert into outbox (type, payload) values ('', 'x')"_s));
        QVERIFY(fixture.insertRows(many)); // and each of them meets it
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 1, patienceMs);
        relay.tell(SIGTERM);
        QVERIFY(relay.end() >= 0);
        QJsonObject last;
        const QByteArrayList lines = relay.complaints().split('\n');
        for (const QByteArray &line : lines) {
            const QJsonObject json = QJsonDocument::fromJson(line).object();
            if (json.contains("stopped"_L1))
                last = json;
        }
        QCOMPARE(last.value("enqueued"_L1).toInt(-1), 2 * many);
        QCOMPARE(last.value("parked"_L1).toInt(-1), 1);
    }

    void severalQueuesInABatch_data() { addKinds(); }
    void severalQueuesInABatch()
    {
        QFETCH(Kind, kind);
        constexpr int queues = 3;
        for (int number = 1; number <= queues * 3; ++number) {
            for (const Blow blow : {Blow::Kill, Blow::Stand}) {
                TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
                QVERIFY(fixture.setUp());
                QVERIFY(fixture.exec(u"alter table outbox add queue varchar(50)"_s));
                QVERIFY(fixture.insertRows(rows));
                QVERIFY(fixture.exec(u"update outbox set queue = case id % 3 when 0 then 'mail' "
                                     "when 1 then 'sms' else 'push' end"_s));
                StruckRelay relay(fixture, m_redis);
                QVERIFY(relay.start({blow, "EVALSHA", number}, manner));
                letDie(relay, blow);
                if (QTest::currentTestFailed())
                    return;
                const CtlRun next = drain(fixture);
                QVERIFY2(next.exitCode == 0, next.err.constData());
                QCOMPARE(fixture.unprocessed(), 0);
                for (const char *queue : {"mail", "sms", "push"}) {
                    const auto length = fixture.plainRedis().command(
                        {"LLEN", "asynq:{" + QByteArray(queue) + "}:pending"}, u"counting"_s);
                    QVERIFY_RESULT(length);
                    QCOMPARE(length->integer, rows / queues);
                }
            }
        }
    }
};

OUTBOX_LONG_TEST_MAIN(TestShippedRelay)
#include "tst_shippedrelay.moc"
