// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What our relay delivers, as somebody else reads it: a worker in Python that knows asynq's
// protocol from its description alone executes what the rows say, and our command line reads what
// it wrote.
#include "tests/support/ctl.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/worker/otherworker.h"

#include <QTest>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int retentionSeconds = 7200;
const QString relayed = u"email:deliver"_s; ///< every third row of a fixture

/// The row's own id, behind whatever a task id begins with.
QString rowOf(const QJsonObject &effect, const QStringList &ids)
{
    const QString task = effect.value("id"_L1).toString();
    for (const QString &id : ids) {
        if (task == id || task.section(u':', 1, 1) == id)
            return id;
    }
    return {};
}

QMap<QString, int> byRow(const QList<QJsonObject> &effects, const QStringList &ids)
{
    QMap<QString, int> runs;
    for (const QJsonObject &effect : effects)
        ++runs[rowOf(effect, ids)];
    return runs;
}

} // namespace

class TestOtherWorker : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;
    std::unique_ptr<OtherWorker> m_worker;

    /// An outbox with `rows` rows that the built relay has delivered.
    void deliver(TestOutbox::Kind kind, BenchShape shape, int rows)
    {
        m_fixture = std::make_unique<TestOutbox>(kind, shape, &m_postgres, m_redis, &m_mariadb);
        m_worker = std::make_unique<OtherWorker>(m_redis.socketPath());
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->insertRows(rows));
        relay(rows);
    }

    void relay(int rows)
    {
        const CtlRun run
            = runCtl({u"relay"_s, u"--drain"_s, u"--json"_s, u"--retention"_s,
                      u"%1s"_s.arg(retentionSeconds), u"--database"_s, m_fixture->url(),
                      u"--table"_s, m_fixture->table(), u"--redis"_s, m_redis.url()});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QCOMPARE(run.last().value("enqueued"_L1).toInteger(-1), rows);
        QCOMPARE(m_fixture->unprocessed(), 0);
    }

    [[nodiscard]] qint64 length(const QByteArray &command, const QByteArray &name)
    {
        const auto reply
            = m_fixture->plainRedis().command({command, "asynq:{default}:" + name}, u"counting"_s);
        return reply ? reply->integer : -1;
    }

    /// Tasks in a state, as our command line reads them.
    [[nodiscard]] QList<QJsonObject> tasks(const QString &state) const
    {
        QList<QJsonObject> found;
        for (const QJsonObject &line :
             runCtl({u"tasks"_s, u"--json"_s, u"--state"_s, state, u"--redis"_s, m_redis.url()})
                 .objects()) {
            if (line.contains("id"_L1))
                found += line;
        }
        return found;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
        OUTBOX_NEEDS_OTHER_WORKER();
    }

    void itExecutesWhatTheRowsSay_data()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::addColumn<BenchShape>("shape");
        using enum TestOutbox::Kind;
        for (const auto &[kind, name] :
             {std::pair(Postgres, "PostgreSQL"), std::pair(MariaDb, "MariaDB"),
              std::pair(Sqlite, "SQLite")}) {
            for (const BenchShape shape : allBenchShapes())
                QTest::addRow("%s, %s", name, qPrintable(word(shape))) << kind << shape;
        }
    }
    void itExecutesWhatTheRowsSay()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        constexpr int rows = 300;
        deliver(kind, shape, rows);
        if (QTest::currentTestFailed())
            return;
        const auto did = m_worker->run({u"work"_s});
        QVERIFY_RESULT(did);
        QCOMPARE(did->value("completed"_L1).toInt(), rows);
        const QStringList ids = m_fixture->insertedIds();
        const QList<QJsonObject> effects = m_worker->effects();
        QCOMPARE(effects.size(), rows);
        QSet<QString> seen;
        for (const QJsonObject &effect : effects) {
            const QString row = rowOf(effect, ids);
            QVERIFY2(!row.isEmpty(), qPrintable(effect.value("id"_L1).toString()));
            seen.insert(row);
            QCOMPARE(effect.value("key"_L1), effect.value("id"_L1)); // of its hash
            QCOMPARE(effect.value("type"_L1).toString(), m_fixture->expectedType(row));
            QCOMPARE(QByteArray::fromHex(effect.value("payload"_L1).toString().toLatin1()),
                     m_fixture->expectedPayload(row));
            QCOMPARE(effect.value("queue"_L1).toString(), u"default"_s);
            QCOMPARE(effect.value("retention"_L1).toInt(), retentionSeconds);
            QCOMPARE(effect.value("timeout"_L1).toInt(), 1800); // asynq's, where none is said
            QCOMPARE(effect.value("retry"_L1).toInt(), 25);
            for (const auto unset :
                 {"retried"_L1, "deadline"_L1, "last_failed_at"_L1, "completed_at"_L1})
                QCOMPARE(effect.value(unset).toInt(-1), 0);
            for (const auto unset : {"error_msg"_L1, "unique_key"_L1, "group_key"_L1})
                QCOMPARE(effect.value(unset).toString(u"?"_s), QString());
            QVERIFY(effect.value("headers"_L1).toObject().isEmpty());
            QVERIFY(effect.value("plain"_L1).toBool()); // the bytes are those that it would write
        }
        QCOMPARE(seen.size(), rows);
        QCOMPARE(length("LLEN", "pending"), 0);
        QCOMPARE(length("LLEN", "active"), 0);
        QCOMPARE(length("ZCARD", "lease"), 0);
        QCOMPARE(length("ZCARD", "completed"), rows);
        QCOMPARE(tasks(u"completed"_s).size(), 100); // a page of what it wrote can be read
    }

    void oddValuesArriveAsTheyAre()
    {
        m_fixture = std::make_unique<TestOutbox>(TestOutbox::Kind::Postgres, BenchShape::Payload,
                                                 &m_postgres, m_redis);
        m_worker = std::make_unique<OtherWorker>(m_redis.socketPath());
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->exec(
            u"insert into outbox select gen_random_uuid(), t, decode(p, 'hex') from (values"
            u" ('empty', ''), ('zero', '00'), ('höre 🎉', 'ff00fe0a0d'), ('long',"
            u" repeat('00ff', 600000))) v (t, p)"_s));
        relay(4);
        if (QTest::currentTestFailed())
            return;
        QVERIFY_RESULT(m_worker->run({u"work"_s}));
        QMap<QString, QByteArray> payloads;
        for (const QJsonObject &effect : m_worker->effects()) {
            payloads[effect.value("type"_L1).toString()]
                = effect.value("payload"_L1).toString().toLatin1();
        }
        QCOMPARE(payloads.value(u"empty"_s, "?"), QByteArray());
        QCOMPARE(payloads.value(u"zero"_s), "00");
        QCOMPARE(payloads.value(u"höre 🎉"_s), "ff00fe0a0d");
        QCOMPARE(payloads.value(u"long"_s), QByteArray("00ff").repeated(600'000));
    }

    void whatFailsIsTriedAgainAndThenArchived()
    {
        constexpr int rows = 30;
        deliver(TestOutbox::Kind::Postgres, BenchShape::Payload, rows);
        if (QTest::currentTestFailed())
            return;
        const QStringList failing{u"--fail-type"_s, relayed};
        QVERIFY_RESULT(m_worker->run({u"work"_s}, 0, failing));
        QCOMPARE(length("ZCARD", "completed"), 20);
        const QList<QJsonObject> waiting = tasks(u"retry"_s);
        QCOMPARE(waiting.size(), 10);
        for (const QJsonObject &task : waiting) {
            QCOMPARE(task.value("retried"_L1).toInt(-1), 1);
            QCOMPARE(task.value("error"_L1).toString(), u"the handler says no"_s);
        }
        // Nothing is forwarded before its time; then they are tried until all tries are over.
        QCOMPARE(m_worker->run({u"forward"_s})->value("forwarded"_L1).toInt(-1), 0);
        constexpr int tenDays = 10 * 86'400;
        QStringList tries;
        for (int attempt = 1; attempt <= 25; ++attempt)
            tries += {u"forward"_s, u"work"_s};
        const auto tried = m_worker->run(
            tries, tenDays, failing + QStringList{u"--step"_s, QString::number(tenDays)});
        QVERIFY_RESULT(tried);
        QCOMPARE(tried->value("failed"_L1).toInt(), 25 * 10);
        QCOMPARE(length("ZCARD", "retry"), 0);
        QCOMPARE(length("LLEN", "active"), 0);
        const QList<QJsonObject> dead = tasks(u"archived"_s);
        QCOMPARE(dead.size(), 10);
        for (const QJsonObject &task : dead)
            QCOMPARE(task.value("retried"_L1).toInt(-1), 25);
        // Somebody lets them run once more from here.
        QStringList ids;
        for (const QJsonObject &task : dead)
            ids += task.value("id"_L1).toString();
        const CtlRun run = runCtl(QStringList{u"run"_s} + ids
                                  + QStringList{u"--yes"_s, u"--redis"_s, m_redis.url()});
        QVERIFY2(run.exitCode == 0, QByteArray(run.err + run.out).constData());
        const auto did = m_worker->run({u"work"_s});
        QVERIFY_RESULT(did);
        QCOMPARE(did->value("completed"_L1).toInt(), 10);
        QCOMPARE(length("ZCARD", "completed"), 30);
    }

    void whatADeadWorkerHeldIsRecovered_data()
    {
        QTest::addColumn<QString>("step");
        QTest::addColumn<int>("runs");
        QTest::newRow("before it began") << u"popped"_s << 1;
        QTest::newRow("before it acknowledged") << u"executed"_s << 2; // asynq's own promise
    }
    void whatADeadWorkerHeldIsRecovered()
    {
        QFETCH(const QString, step);
        QFETCH(const int, runs);
        constexpr int rows = 12;
        deliver(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, rows);
        if (QTest::currentTestFailed())
            return;
        QVERIFY(m_worker->dies(step));
        QCOMPARE(length("LLEN", "active"), 1);
        QCOMPARE(tasks(u"active"_s).size(), 1);
        QVERIFY_RESULT(m_worker->run({u"recover"_s, u"work"_s}));
        QCOMPARE(length("LLEN", "active"), 1); // its lease is not over
        const auto did = m_worker->run({u"recover"_s}, 61);
        QVERIFY_RESULT(did);
        QCOMPARE(did->value("recovered"_L1).toInt(), 1);
        QCOMPARE(tasks(u"retry"_s).value(0).value("error"_L1).toString(), u"the lease is over"_s);
        QVERIFY_RESULT(m_worker->run({u"forward"_s, u"work"_s}, 200));
        const QMap<QString, int> counts = byRow(m_worker->effects(), m_fixture->insertedIds());
        QCOMPARE(counts.size(), rows);
        int most = 0;
        int sum = 0;
        for (const int count : counts) {
            most = std::max(most, count);
            sum += count;
        }
        QCOMPARE(most, runs);
        QCOMPARE(sum, rows + runs - 1);
        QCOMPARE(length("ZCARD", "completed"), rows);
    }

    void theQueueIsEmptyWhenRetentionEnds()
    {
        constexpr int rows = 20;
        deliver(TestOutbox::Kind::Sqlite, BenchShape::Payload, rows);
        if (QTest::currentTestFailed())
            return;
        QVERIFY_RESULT(m_worker->run({u"work"_s}));
        QCOMPARE(m_worker->run({u"expire"_s})->value("expired"_L1).toInt(-1), 0);
        const auto did = m_worker->run({u"expire"_s}, retentionSeconds + 1);
        QVERIFY_RESULT(did);
        QCOMPARE(did->value("expired"_L1).toInt(), rows);
        const auto left = m_fixture->plainRedis().command({"KEYS", "asynq:{default}:t:*"}, u"x"_s);
        QVERIFY_RESULT(left);
        QVERIFY(left->elements.empty());
    }
};

QTEST_GUILESS_MAIN(TestOtherWorker)
#include "tst_otherworker.moc"
