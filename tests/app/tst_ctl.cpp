// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The command line as scripts see it: JSON, exit codes, and that looking changes nothing.
#include "tests/support/ctl.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_ctl {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestCtl : public QObject
{
    Q_OBJECT

    TestPostgres m_postgres;
    PrivateRedis m_redis;

    [[nodiscard]] QStringList parts(const TestOutbox &fixture) const
    {
        return {u"--database"_s, fixture.url(), u"--table"_s,
                fixture.table(), u"--redis"_s,  m_redis.url()};
    }

    [[nodiscard]] CtlRun ctl(const QString &command, const TestOutbox &fixture,
                             const QStringList &more = {}) const
    {
        return runCtl(QStringList{command} + parts(fixture) + more);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres, {u"log_statement=all"_s, u"log_line_prefix=%a|"_s});
        OUTBOX_START_SERVER(m_redis);
    }

    void statusCountsWhatPlainSqlCounts()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                           m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(30));
        QVERIFY(fixture.exec(u"update outbox set completed_at = now() where id <= 10"_s));
        const CtlRun run = ctl(u"status"_s, fixture, {u"--json"_s});
        QCOMPARE(run.exitCode, 0);
        const QJsonObject outbox = run.last().value("outbox"_L1).toObject();
        QCOMPARE(outbox.value("pending"_L1).toInteger(-1), 20);
        QCOMPARE(outbox.value("locked"_L1).toInteger(-1), 0);
        QCOMPARE(outbox.value("processed"_L1).toInteger(-1), 10);
        QVERIFY(outbox.value("exact"_L1).toBool());
        QVERIFY(outbox.value("oldest_pending_s"_L1).isDouble());
        QCOMPARE(run.last().value("queue"_L1).toObject().value("pending"_L1).toInteger(-1), 0);
        QVERIFY(!run.last().value("durability"_L1).toString().isEmpty());
        QVERIFY(
            !run.last().value("health"_L1).toObject().value("sentence"_L1).toString().isEmpty());
    }

    void whatIsNotKnownIsNull()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        const QJsonObject outbox
            = ctl(u"status"_s, fixture, {u"--json"_s}).last().value("outbox"_L1).toObject();
        QVERIFY(outbox.value("processed"_L1).isNull()); // the relay deletes rows
        QVERIFY(outbox.value("oldest_pending_s"_L1).isNull()); // no time column
        QVERIFY(!outbox.value("notes"_L1).toObject().isEmpty());
    }

    void heldRowsAreCountedAndTheirHolderNamed()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(10));
        QVERIFY(fixture.exec(u"begin"_s));
        QVERIFY(fixture.exec(u"select 1 from outbox where id in (select id from outbox limit 4) "
                             u"for update"_s));
        const QJsonObject status = ctl(u"status"_s, fixture, {u"--json"_s}).last();
        QCOMPARE(status.value("outbox"_L1).toObject().value("pending"_L1).toInteger(-1), 6);
        QCOMPARE(status.value("outbox"_L1).toObject().value("locked"_L1).toInteger(-1), 4);
        const QJsonObject holder
            = status.value("relay"_L1).toObject().value("holders"_L1).toArray().at(0).toObject();
        QCOMPARE(holder.value("application"_L1).toString(), u"fixture-plain"_s);
        QCOMPARE(holder.value("rows"_L1).toInteger(-1), 4);
        const CtlRun locked = ctl(u"list"_s, fixture, {u"--json"_s, u"--state"_s, u"locked"_s});
        QCOMPARE(locked.exitCode, 0);
        QCOMPARE(locked.objects().size(), 4 + 1); // the cursor's line
        QCOMPARE(locked.objects()
                     .first()
                     .value("locked_by"_L1)
                     .toObject()
                     .value("application"_L1)
                     .toString(),
                 u"fixture-plain"_s);
        QVERIFY(fixture.exec(u"rollback"_s));
    }

    void lookingWritesNothingAndLocksNothing()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                           m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(50));
        const QString marks = u"select string_agg(xmax::text, ',' order by id) from outbox"_s;
        const QString before = fixture.scalar(marks).toString();
        const qsizetype logged = m_postgres.log().size();
        const auto keys = fixture.plainRedis().command({"DBSIZE"}, u"counting"_s);
        const QString id = fixture.insertedIds().first();
        for (const QStringList &more : QList<QStringList>{{u"status"_s},
                                                          {u"list"_s},
                                                          {u"probe"_s},
                                                          {u"check"_s},
                                                          {u"tasks"_s},
                                                          {u"show"_s, id}})
            (void)ctl(more.first(), fixture, more.mid(1));
        QCOMPARE(fixture.scalar(marks).toString(), before);
        QCOMPARE(fixture.plainRedis().command({"DBSIZE"}, u"counting"_s)->integer, keys->integer);
        int statements = 0;
        for (const QByteArray &line : m_postgres.log().mid(logged).split('\n')) {
            if (!line.startsWith("outboxctl/") || !line.contains("LOG:  "))
                continue;
            ++statements;
            const QByteArray lower = line.toLower();
            for (const char *word : {"insert ", "update ", "delete ", "for share", "for key share",
                                     "for no key", "lock table", "truncate ", "create ", "alter "})
                QVERIFY2(!lower.contains(word), line.constData());
        }
        QVERIFY(statements > 0);
        QCOMPARE(fixture
                     .scalar(u"select count(*) from pg_stat_activity where application_name like "
                             u"'outboxctl/%' and state like 'idle in transaction%'"_s)
                     .toInt(),
                 0);
    }

    void relayTotalsListAndShowAgree()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::ProcessedDate, &m_postgres,
                           m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(120));
        const QString id = fixture.insertedIds().at(5);
        QCOMPARE(ctl(u"show"_s, fixture, {id, u"--json"_s})
                     .last()
                     .value("replay"_L1)
                     .toString()
                     .isEmpty(),
                 false);
        const CtlRun relay
            = ctl(u"relay"_s, fixture, {u"--drain"_s, u"--json"_s, u"--batch"_s, u"50"_s});
        QCOMPARE(relay.exitCode, 0);
        QCOMPARE(relay.last().value("enqueued"_L1).toInteger(-1), 120);
        QCOMPARE(relay.last().value("stopped"_L1).toString(), u"drained"_s);
        const CtlRun again = ctl(u"relay"_s, fixture, {u"--drain"_s, u"--json"_s});
        QCOMPARE(again.last().value("enqueued"_L1).toInteger(-1), 0);

        const QJsonObject shown = ctl(u"show"_s, fixture, {id, u"--json"_s}).last();
        QCOMPARE(shown.value("row"_L1).toObject().value("state"_L1).toString(), u"processed"_s);
        QCOMPARE(shown.value("task"_L1).toObject().value("state"_L1).toString(), u"pending"_s);

        QSet<QString> seen;
        QString cursor;
        for (int page = 0; page < 10; ++page) {
            QStringList more{u"--json"_s, u"--limit"_s, u"25"_s};
            if (!cursor.isEmpty())
                more += {u"--after"_s, cursor};
            const auto objects = ctl(u"list"_s, fixture, more).objects();
            for (const QJsonObject &object : objects) {
                if (object.contains("id"_L1))
                    seen.insert(object.value("id"_L1).toString());
            }
            cursor = objects.isEmpty() ? QString() : objects.last().value("cursor"_L1).toString();
            if (cursor.isEmpty())
                break;
        }
        QCOMPARE(seen.size(), 120);
        const CtlRun tasks = ctl(u"tasks"_s, fixture, {u"--json"_s, u"--limit"_s, u"10"_s});
        QCOMPARE(tasks.exitCode, 0);
        QCOMPARE(tasks.objects().size(), 11);
    }

    void exitCodesAreThoseOfTheManual_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        const QStringList nowhere{u"--database"_s, u"postgresql://x@/y?host=/nonexistent"_s};
        QTest::newRow("no command") << QStringList{} << 2;
        QTest::newRow("unknown command") << QStringList{u"dance"_s} << 2;
        QTest::newRow("unknown option") << QStringList{u"status"_s, u"--fast"_s} << 2;
        QTest::newRow("a word too much")
            << (QStringList{u"status"_s, u"postgres"_s} + nowhere) << 2;
        QTest::newRow("two to show") << (QStringList{u"show"_s, u"1"_s, u"2"_s} + nowhere) << 2;
        QTest::newRow("no system") << QStringList{u"status"_s} << 78;
        QTest::newRow("bad URL") << QStringList{u"status"_s, u"--database"_s, u"nonsense"_s} << 78;
        QTest::newRow("no connection") << (QStringList{u"status"_s} + nowhere) << 4;
        QTest::newRow("no connection, check") << (QStringList{u"check"_s} + nowhere) << 4;
        QTest::newRow("no connection, nagios")
            << (QStringList{u"check"_s, u"--nagios"_s} + nowhere) << 3;
        QTest::newRow("no such profile") << QStringList{u"status"_s, u"--profile"_s, u"nope"_s,
                                                        u"--config-dir"_s, u"/nonexistent"_s}
                                         << 78;
        QTest::newRow("bad duration")
            << (QStringList{u"status"_s, u"--retention"_s, u"soon"_s} + nowhere) << 2;
        QTest::newRow("half a duration")
            << (QStringList{u"watch"_s, u"--interval"_s, u"1h30"_s} + nowhere) << 2;
        QTest::newRow("hours and minutes")
            << (QStringList{u"status"_s, u"--retention"_s, u"1h30m"_s} + nowhere) << 4;
        QTest::newRow("help") << QStringList{u"relay"_s, u"--help"_s} << 0;
    }

    void exitCodesAreThoseOfTheManual()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        const CtlRun run = runCtl(arguments);
        QVERIFY2(run.exitCode == code, run.err.constData());
        if (code != 0)
            QVERIFY(!run.err.isEmpty() || !run.out.isEmpty());
    }

    void aFirstLookKnowsWhenARowLastLeft_data()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::newRow("PostgreSQL") << TestOutbox::Kind::Postgres;
        if (!isDatabasePooled())
            QTest::newRow("SQLite") << TestOutbox::Kind::Sqlite;
    }
    void aFirstLookKnowsWhenARowLastLeft()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(3));
        const QString ago = kind == TestOutbox::Kind::Postgres
            ? u"now() - interval '%1 minutes'"_s
            : u"strftime('%Y-%m-%d %H:%M:%f', 'now', '-%1 minutes')"_s;
        QVERIFY(fixture.exec(u"update outbox set created_at = "_s + ago.arg(50)));
        QVERIFY(fixture.exec(u"update outbox set completed_at = "_s + ago.arg(40)
                             + u" where id = 1"_s));
        const QStringList zone{u"--time-zone"_s, u"UTC"_s}; // SQLite's times have none
        const CtlRun stalled = ctl(u"check"_s, fixture, zone);
        QCOMPARE(stalled.exitCode, 1);
        QVERIFY2(
            stalled.out.contains("STALLED: 2 rows wait and nothing has been delivered for 40 min"),
            stalled.out.constData());
        QVERIFY(
            fixture.exec(u"update outbox set completed_at = "_s + ago.arg(0) + u" where id = 1"_s));
        const CtlRun behind = ctl(u"check"_s, fixture, zone);
        QVERIFY2(behind.out.startsWith("WATCH: Behind"), behind.out.constData());
    }

    void everyRowIsCountedWhereThatIsAskedFor()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                           m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.exec(
            u"insert into outbox (type, payload, completed_at) select 't', 'x'::bytea, case "
            "when g > 100 then now() end from generate_series(1, 30000) g"_s));
        const QJsonObject quick = ctl(u"status"_s, fixture, {u"--json"_s}).last();
        QVERIFY(!quick.value("outbox"_L1).toObject().value("exact"_L1).toBool());
        const QJsonObject all = ctl(u"status"_s, fixture, {u"--json"_s, u"--exact"_s}).last();
        const QJsonObject counts = all.value("outbox"_L1).toObject();
        QVERIFY(counts.value("exact"_L1).toBool());
        QCOMPARE(counts.value("processed"_L1).toInteger(), 29'900);
        QCOMPARE(counts.value("pending"_L1).toInteger(), 100);
        QCOMPARE(counts.value("locked"_L1).toInteger(), 0);
    }

    /// A German desktop has 1.200 rows: among English words that is one and a fifth.
    void numbersAreAsTheWordsAroundThem()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                           m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(1200));
        QProcessEnvironment german = QProcessEnvironment::systemEnvironment();
        german.insert(u"LC_ALL"_s, u"de_DE.UTF-8"_s);
        const CtlRun run = runCtl(QStringList{u"status"_s} + parts(fixture), 60'000, {}, german);
        QVERIFY2(run.out.contains("pending 1,200,"), run.out.constData());
    }

    void aFailureIsAnObjectTooWithJson()
    {
        const CtlRun run = runCtl(
            {u"list"_s, u"--json"_s, u"--database"_s, u"postgresql://x@/y?host=/nonexistent"_s});
        const QJsonObject error = run.last().value("error"_L1).toObject();
        QCOMPARE(error.value("kind"_L1).toString(), u"unreachable"_s);
        QVERIFY(!error.value("doing"_L1).toString().isEmpty());
        QVERIFY(!error.value("text"_L1).toString().isEmpty());
        QCOMPARE(run.err.trimmed().count('\n'), 0);
    }

    void theRelayRefusesWhatIsUnsafe()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(3));
        QCOMPARE(ctl(u"relay"_s, fixture, {u"--drain"_s, u"--retention"_s, u"0"_s}).exitCode, 5);
        QVERIFY_RESULT(fixture.plainRedis().command(
            {"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"}, u"setting"_s));
        const CtlRun evicting = ctl(u"relay"_s, fixture, {u"--drain"_s});
        QVERIFY_RESULT(fixture.plainRedis().command(
            {"CONFIG", "SET", "maxmemory-policy", "noeviction"}, u"setting"_s));
        QCOMPARE(evicting.exitCode, 5);
        QVERIFY(evicting.err.contains("allkeys-lru"));
        QCOMPARE(fixture.unprocessed(), 3);
    }

    void aPasswordInAUrlIsWipedAndWarnedAbout()
    {
        const CtlRun run
            = runCtl({u"status"_s, u"--database"_s, u"postgresql://ana:tiger@localhost:1/x"_s});
        QVERIFY(!run.err.contains("tiger"));
        QVERIFY(!run.out.contains("tiger"));
        QVERIFY(run.err.contains("PGPASSWORD"));
    }

    void sigtermEndsTheRelayWithItsTotals()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(10));
        QProcess relay;
        relay.start(QStringLiteral(OUTBOXCTL),
                    QStringList{u"relay"_s, u"--json"_s} + parts(fixture));
        QVERIFY(relay.waitForStarted());
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, 20'000);
        relay.terminate();
        QVERIFY(relay.waitForFinished(10'000));
        QCOMPARE(relay.exitCode(), 0);
        const QByteArray out = relay.readAllStandardOutput().trimmed();
        const QJsonObject last = QJsonDocument::fromJson(out.split('\n').last()).object();
        QCOMPARE(last.value("stopped"_L1).toString(), u"stopped"_s);
        QCOMPARE(last.value("enqueued"_L1).toInteger(-1), 10);
    }
};

} // namespace tst_ctl

OUTBOX_TEST(tst_ctl::TestCtl)
#include "tst_ctl.moc"
