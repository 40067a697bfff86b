// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows in doubt, whose relay died between the enqueue and its COMMIT, meet their tasks again after
// the worker in Python has had its way with them: in each state, and when retention is over.
#include "tests/support/ctl.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/struckrelay.h"
#include "tests/worker/otherworker.h"

#include <QTest>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rows = 12;
constexpr int retentionSeconds = 3600;
constexpr int aDay = 86'400;
const QStringList failing{u"--fail-type"_s, u"email:deliver"_s, u"--fail-type"_s,
                          u"invoice:issue"_s};

/// What the tasks went through while nobody relayed.
enum class Fate { Waiting, Held, Retry, Archived, Completed, Expired, Freed };

} // namespace

class TestRowsInDoubt : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    [[nodiscard]] static QStringList options()
    {
        return {u"--drain"_s, u"--retention"_s, u"%1s"_s.arg(retentionSeconds)};
    }

    /// All rows are in the queue and in the outbox: the relay died in between.
    void leaveInDoubt(TestOutbox &fixture)
    {
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(rows));
        StruckRelay relay(fixture, m_redis);
        QVERIFY(relay.start({StruckRelay::Blow::Stand, "EVALSHA", 1}, options()));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.pendingIds().size(), rows, 20'000);
        relay.kill();
        QVERIFY(relay.wasStruck());
        QCOMPARE(fixture.unprocessed(), rows);
    }

    static void befall(const OtherWorker &worker, Fate fate)
    {
        const auto work
            = [&worker](const QStringList &passes, qint64 ahead = 0, const QStringList &more = {}) {
                  QVERIFY_RESULT(worker.run(passes, ahead, more));
              };
        QStringList tries;
        switch (fate) {
        case Fate::Waiting:
            return;
        case Fate::Held:
            QVERIFY(worker.dies(u"popped"_s));
            return;
        case Fate::Retry:
            return work({u"work"_s}, 0, failing);
        case Fate::Archived:
            for (int attempt = 0; attempt <= 25; ++attempt)
                tries += {u"forward"_s, u"work"_s};
            return work(tries, 0, failing + QStringList{u"--step"_s, QString::number(10 * aDay)});
        case Fate::Completed:
            return work({u"work"_s});
        case Fate::Expired:
            // retention was over long ago, and no worker's janitor has come by
            return work({u"work"_s}, -aDay);
        case Fate::Freed:
            return work({u"work"_s, u"expire"_s}, -aDay), work({u"expire"_s});
        }
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
        OUTBOX_NEEDS_OTHER_WORKER();
    }

    void theyAreDeliveredOnceWhileRetentionLasts_data()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::addColumn<BenchShape>("shape");
        QTest::addColumn<Fate>("fate");
        QTest::addColumn<QString>("counter"); ///< of the next relay
        QTest::addColumn<int>("runs"); ///< of each message, when all is done
        const QString queued = u"already_queued"_s;
        const QString done = u"already_done"_s;
        const std::tuple<Fate, const char *, QString, int> fates[]
            = {{Fate::Waiting, "waiting", queued, 1},
               {Fate::Held, "held by a dead worker", queued, 1},
               {Fate::Retry, "to be tried again", queued, 1},
               {Fate::Archived, "archived", u"dead_in_queue"_s, 0},
               {Fate::Completed, "completed", done, 1},
               {Fate::Expired, "completed, retention over, not removed", done, 1},
               // The only ones that go out twice: nobody knows their ids any more.
               {Fate::Freed, "completed, retention over, removed", u"enqueued"_s, 2}};
        using enum TestOutbox::Kind;
        const std::tuple<TestOutbox::Kind, const char *, BenchShape> outboxes[]
            = {{Postgres, "PostgreSQL", BenchShape::Payload},
               {MariaDb, "MariaDB", BenchShape::ProcessedDate},
               {Sqlite, "SQLite", BenchShape::Payload}};
        for (const auto &[kind, database, shape] : outboxes) {
            for (const auto &[fate, name, counter, runs] : fates) {
                QTest::addRow("%s, %s", database, name) << kind << shape << fate << counter << runs;
            }
        }
    }
    void theyAreDeliveredOnceWhileRetentionLasts()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        QFETCH(Fate, fate);
        QFETCH(QString, counter);
        QFETCH(int, runs);
        TestOutbox fixture(kind, shape, &m_postgres, m_redis, &m_mariadb);
        const OtherWorker worker(m_redis.socketPath());
        leaveInDoubt(fixture);
        if (!QTest::currentTestFailed())
            befall(worker, fate);
        if (QTest::currentTestFailed())
            return;

        const CtlRun next
            = runCtl(QStringList{u"relay"_s, u"--json"_s, u"--database"_s, fixture.url(),
                                 u"--table"_s, fixture.table(), u"--redis"_s, m_redis.url()}
                     + options());
        QVERIFY2(next.exitCode == 0, next.err.constData());
        QCOMPARE(fixture.unprocessed(), 0);
        for (const QString &name :
             {u"enqueued"_s, u"already_queued"_s, u"already_done"_s, u"dead_in_queue"_s}) {
            QVERIFY2(next.last().value(name).toInt(-1) == (name == counter ? rows : 0),
                     next.out.constData());
        }

        // What is still to be done comes to its end: leases are over, retries are due.
        QVERIFY_RESULT(worker.run({u"recover"_s, u"work"_s}, 2 * aDay));
        QVERIFY_RESULT(worker.run({u"forward"_s, u"work"_s}, 4 * aDay));
        QMap<QString, int> executed;
        for (const QJsonObject &effect : worker.effects()) {
            if (!effect.value("fails"_L1).toBool())
                ++executed[effect.value("id"_L1).toString()];
        }
        QCOMPARE(executed.size(), runs == 0 ? 0 : rows);
        for (const int times : executed)
            QCOMPARE(times, runs);
        const auto dead
            = fixture.plainRedis().command({"ZCARD", "asynq:{default}:archived"}, u"counting"_s);
        QVERIFY_RESULT(dead);
        QCOMPARE(dead->integer, fate == Fate::Archived ? rows : 0); // not lost: a person decides
    }
};

QTEST_GUILESS_MAIN(TestRowsInDoubt)
#include "tst_rowsindoubt.moc"
