// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From four queues to eight while rows are written and tasks run, in the way that shapes.md 3.1
// says: no row is lost and none runs twice, though a relay is killed before it.
#include "tests/crash/ground.h"
#include "tests/support/ctl.h"
#include "tests/support/filebytes.h"
#include "tests/support/patience.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <functional>

namespace tst_shardschange {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int shardsBefore = 4;
constexpr int shardsAfter = 8;
constexpr int exitRefused = 5;
constexpr qint64 enough = 300; ///< runs in the queues of before, and later in those that are new

/// Five rows every 10 ms, until somebody says that it is enough. What was written is kept apart.
constexpr char writer[]
    = "create table written (id uuid primary key);"
      "create table stopped (at int);"
      "create procedure write_on() language plpgsql as $$"
      " begin"
      "  while not exists (select from stopped) loop"
      "   with fresh as (insert into written select gen_random_uuid() from generate_series(1, 5)"
      "    returning id) insert into outbox (id, type, payload)"
      "    select id, 'mail:deliver', '\\x00ff' from fresh;"
      "   commit;"
      "   perform pg_sleep(0.01);"
      "  end loop;"
      " end $$";

QString queueOf(int shard)
{
    return u"mail-%1"_s.arg(shard);
}

} // namespace

class TestShardsChange : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    QTemporaryDir m_folder;
    DemoWorker m_worker;
    QHash<QString, int> m_runs;
    QHash<int, qint64> m_ran; ///< tasks by shard

    /// The file of the mapping, which puts rows into so many queues.
    [[nodiscard]] QString mapping(OutboxShape shape, int shards)
    {
        shape.name = u"changing"_s;
        shape.confirmed = u"by the test"_s;
        shape.queueShards = QueueShards::fromText(u"mail-{shard:%1}"_s.arg(shards)).value();
        const QString file = m_folder.filePath(u"shape-%1.json"_s.arg(shards));
        return writeFile(file, QJsonDocument(shape.toJson()).toJson()) ? file : QString();
    }
    [[nodiscard]] QStringList arguments(const TestOutbox &fixture, const QString &shape) const
    {
        return {u"--database"_s, fixture.url(), u"--redis"_s,     m_redis.url(),
                u"--shape"_s,    shape,         u"--state-dir"_s, m_folder.filePath(u"state"_s),
                u"--poll"_s,     u"5ms"_s,      u"--batch"_s,     u"20"_s};
    }
    [[nodiscard]] Result<void> workOnce()
    {
        for (int shard = 0; shard < shardsAfter; ++shard) {
            while (true) {
                const auto task = m_worker.dequeue(QueueName{queueOf(shard)});
                if (!task)
                    return passOn(task);
                if (!*task)
                    break;
                ++m_runs[(*task)->id.text];
                ++m_ran[shard];
                if (auto done = m_worker.complete(**task); !done)
                    return done;
            }
        }
        return {};
    }
    /// Tasks run, and relays are listened to, until `isSo`.
    [[nodiscard]] bool workUntil(const QList<crash::RelayProcess *> &relays,
                                 const std::function<bool()> &isSo)
    {
        return QTest::qWaitFor(
            [&] {
                for (crash::RelayProcess *relay : relays)
                    relay->listen();
                const auto worked = workOnce();
                if (!worked)
                    qWarning() << oneLine(worked.error());
                return worked && isSo();
            },
            patient(60'000));
    }
    [[nodiscard]] qint64 ranIn(int from, int to) const
    {
        qint64 sum = 0;
        for (int shard = from; shard < to; ++shard)
            sum += m_ran.value(shard);
        return sum;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }

    void underLoadNothingIsLostAndNothingRunsTwice()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        const QString four = mapping(*shape, shardsBefore);
        const QString eight = mapping(*shape, shardsAfter);
        QVERIFY(!four.isEmpty() && !eight.isEmpty());
        QMap<QString, int> queues;
        for (int shard = 0; shard < shardsAfter; ++shard)
            queues.insert(queueOf(shard), 1);
        QVERIFY_RESULT(m_worker.open(fixture.redis(), queues));
        PlainPostgres hand;
        QVERIFY_RESULT(hand.open(fixture.url()));
        QVERIFY_RESULT(hand.run(writer));
        PlainPostgres writing;
        QVERIFY_RESULT(writing.open(fixture.url()));
        QVERIFY_RESULT(writing.send("call write_on()"));

        {
            crash::RelayProcess told;
            crash::RelayProcess killed;
            QVERIFY_RESULT(told.startCtl(arguments(fixture, four)));
            QVERIFY_RESULT(killed.startCtl(arguments(fixture, four)));
            QVERIFY2(
                workUntil({&told, &killed}, [this] { return ranIn(0, shardsBefore) >= enough; }),
                told.complaints().constData());
            killed.tell(SIGKILL); // what it has in hand may have tasks, and is in the outbox
            QCOMPARE(killed.end(), -1);
            told.tell(SIGTERM);
            QCOMPARE(told.end(), 0);
        }
        QCOMPARE(ranIn(shardsBefore, shardsAfter), 0);

        // Whoever forgets the way is refused, and moves nothing.
        const CtlRun refused
            = runCtl(QStringList{u"relay"_s, u"--drain"_s} + arguments(fixture, eight));
        QCOMPARE(refused.exitCode, exitRefused);
        QVERIFY2(refused.err.contains("--shards-changed"), refused.err.constData());

        const CtlRun drained
            = runCtl(QStringList{u"relay"_s, u"--drain"_s, u"--json"_s} + arguments(fixture, four));
        QVERIFY2(drained.exitCode == 0, drained.err.constData());
        QCOMPARE(drained.last().value("in_doubt"_L1).toInt(-1), 0);
        crash::RelayProcess first;
        crash::RelayProcess second;
        QVERIFY_RESULT(
            first.startCtl(arguments(fixture, eight) + QStringList{u"--shards-changed"_s}));
        QVERIFY2(workUntil({&first}, [this] { return ranIn(shardsBefore, shardsAfter) > 0; }),
                 first.complaints().constData());
        QVERIFY_RESULT(second.startCtl(arguments(fixture, eight))); // it was said once
        QVERIFY2(workUntil({&first, &second},
                           [this] { return ranIn(shardsBefore, shardsAfter) >= enough; }),
                 second.complaints().constData());
        QVERIFY_RESULT(hand.run("insert into stopped values (1)"));
        QVERIFY_RESULT(writing.take());
        QVERIFY(workUntil({&first, &second}, [&fixture] { return fixture.unprocessed() == 0; }));
        for (crash::RelayProcess *relay : {&first, &second}) {
            relay->tell(SIGTERM);
            QCOMPARE(relay->end(), 0);
        }
        QVERIFY_RESULT(workOnce());

        const auto rows = hand.run("select id from written");
        QVERIFY_RESULT(rows);
        int lost = 0;
        int doubled = 0;
        const int written = PQntuples(rows->get());
        for (int row = 0; row < written; ++row) {
            const int runs = m_runs.take(QString::fromUtf8(PQgetvalue(rows->get(), row, 0)));
            lost += runs == 0 ? 1 : 0;
            doubled += std::max(0, runs - 1);
        }
        QCOMPARE(lost, 0);
        QCOMPARE(doubled, 0);
        QVERIFY(m_runs.isEmpty()); // nothing ran that nobody wrote
        QVERIFY(written >= 2 * enough);
    }
};

} // namespace tst_shardschange

OUTBOX_TEST(tst_shardschange::TestShardsChange)
#include "tst_shardschange.moc"
