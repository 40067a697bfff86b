// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whatever error Redis gives, and wherever in the search for a bad row: no row leaves the outbox
// without its task. OUTBOX_REFUSED_CELLS=all runs every cell, not a sample;
// OUTBOX_FLUSHED_ROWS=1000000 sends so many while the server forgets its scripts without pause.
#include "app/relay/relaysession.h"
#include "tests/support/redishand.h"
#include "tests/support/refusingline.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testkinds.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <atomic>
#include <thread>

namespace tst_refusedbatches {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rowCount = 60;
constexpr int batchRows = 20;

/// Error replies of Redis 6 to 7.4 and of Cluster and Sentinel, and one that nobody knows.
const QByteArrayList words{
    "ERR something went wrong",
    "ERR unknown command 'EVALSHA', with args beginning with: 'x'",
    "ERR max number of clients reached",
    "ERR Error running script (call to f_1): @user_script:99: -OOM command not allowed",
    "ERR Error running script: @user_script: 99: @user_script:99: WRONGTYPE Operation",
    "ERR DISABLED You can't write against a read only replica.",
    "WRONGTYPE Operation against a key holding the wrong kind of value",
    "NOSCRIPT No matching script. Please use EVAL.",
    "LOADING Redis is loading the dataset in memory",
    "BUSY Redis is busy running a script",
    "MASTERDOWN Link with MASTER is down",
    "MISCONF Redis is configured to save RDB snapshots",
    "READONLY You can't write against a read only replica.",
    "NOAUTH Authentication required.",
    "WRONGPASS invalid username-password pair or user is disabled.",
    "NOPERM this user has no permissions to run the 'lpush' command",
    "NOPERM this user has no permissions to access one of the keys used as arguments",
    "OOM command not allowed when used memory > 'maxmemory'.",
    "EXECABORT Transaction discarded because of previous errors.",
    "NOREPLICAS Not enough good replicas to write.",
    "NOGOODSLAVE No suitable replica to promote",
    "NOMASTERLINK Can't SYNC while not connected with my master",
    "BUSYKEY Target key name already exists.",
    "BUSYGROUP Consumer Group name already exists",
    "NOGROUP No such key",
    "MOVED 5718 127.0.0.1:7001",
    "ASK 5718 127.0.0.1:7001",
    "CROSSSLOT Keys in request don't hash to the same slot",
    "CLUSTERDOWN The cluster is down",
    "TRYAGAIN Multiple keys request during rehashing of slot",
    "UNKILLABLE Sorry the script already executed write commands",
    "NOTBUSY No scripts in execution right now.",
    "NOPROTO unsupported protocol version",
    "INPROG Failover already in progress",
    "IOERR error or timeout",
    "UNBLOCKED client unblocked via CLIENT UNBLOCK",
    "DENIED Redis is running in protected mode",
    "XYZZY an error that nobody knows",
};

/// Which calls of the enqueue script are refused.
enum class Step {
    EveryCall,
    EveryIntroduction, ///< SADD instead
    CallsOfSeveral, ///< the search gets through with single rows
    CallsOfOne, ///< the search finds a row that is not at fault
    EverySecondCall,
    CallsWithOneRow, ///< the server names a row by refusing it, and only it
    AllButTheFirstCall, ///< the first batch was delivered
};
constexpr int stepCount = 7;
const char *const stepNames[]
    = {"every call",        "every introduction", "calls of several",      "calls of one",
       "every second call", "calls with one row", "all but the first call"};

bool isEnqueue(const QByteArrayList &command)
{
    return command.first() == "EVALSHA" || command.first() == "EVAL";
}

qsizetype tasksIn(const QByteArrayList &command)
{
    return std::count_if(command.begin() + 3, command.end(), [](const QByteArray &part) {
        return part.startsWith("asynq:{default}:t:");
    });
}

RefusingLine::Rule ruleFor(Step step, const QByteArray &error, const QByteArray &row)
{
    auto calls = std::make_shared<std::atomic_int>(0);
    return [=](const QByteArrayList &command) -> QByteArray {
        if (step == Step::EveryIntroduction)
            return command.first() == "SADD" ? error : QByteArray();
        if (!isEnqueue(command) || tasksIn(command) == 0)
            return {};
        const int number = (*calls)++;
        const bool isHit = step == Step::EveryCall
            || (step == Step::CallsOfSeveral && tasksIn(command) > 1)
            || (step == Step::CallsOfOne && tasksIn(command) == 1)
            || (step == Step::EverySecondCall && number % 2 == 0)
            || (step == Step::CallsWithOneRow && command.contains("asynq:{default}:t:" + row))
            || (step == Step::AllButTheFirstCall && number > 0);
        return isHit ? error : QByteArray();
    };
}

} // namespace

class TestRefusedBatches : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;
    RefusingLine m_line;
    QTemporaryDir m_state;
    qint64 m_cells = 0;
    qint64 m_refused = 0;

    [[nodiscard]] Result<RelayTarget> target(TestOutbox &fixture) const
    {
        RelayTarget target;
        target.store = fixture.settings(StoreAccess::Relay);
        target.redis = RedisEndpoint::fromUrl(m_line.url()).value();
        target.rules.queue.text = u"default"_s;
        target.rules.retryAfterMs = 1;
        target.rules.queueRestMs = 1;
        target.clientName = u"relay"_s;
        target.stateFolder = m_state.filePath(QString::number(m_cells));
        const auto shape = fixture.takenShape();
        if (!shape)
            return passOn(shape);
        target.shape = *shape;
        return target;
    }

    /// Rows that are no longer to be delivered and have no task, by plain SQL and plain Redis.
    static QStringList lost(TestOutbox &fixture, const OutboxShape &shape)
    {
        const QStringList left = fixture.unprocessedIds();
        QStringList lost;
        for (const QString &id : fixture.insertedIds()) {
            if (left.contains(id))
                continue;
            const QByteArray key = "asynq:{default}:t:" + fixture.taskId(shape, id).toUtf8();
            const auto is = fixture.plainRedis().command({"HEXISTS", key, "msg"}, u"looking"_s);
            if (!is || is->integer != 1)
                lost += id;
        }
        return lost;
    }

    /// Some bursts, whatever they say; true when one had an error.
    static bool work(RelaySession &pair, int bursts)
    {
        bool hadError = false;
        const std::stop_source stop;
        for (int i = 0; i < bursts; ++i) {
            const RelayBurst burst
                = pair.work(batchRows, 1000, 1000, 1, RelayAim::Drained, stop.get_token());
            hadError = hadError || burst.end == RelayBurst::End::Failed;
            if (burst.end == RelayBurst::End::Drained)
                break;
            if (burst.end == RelayBurst::End::Failed)
                static_cast<void>(pair.ensureOpen()); // the next burst tells
        }
        return hadError;
    }

    void runCell(TestOutbox::Kind kind, BenchShape shape, Step step, const QByteArray &error)
    {
        m_line.set({});
        TestOutbox fixture(kind, shape, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(rowCount, 20));
        ++m_cells;
        const auto with = target(fixture);
        QVERIFY_RESULT(with);
        RelaySession pair;
        QVERIFY_RESULT(pair.open(*with));
        const QString row = fixture.insertedIds().at(rowCount / 3);
        m_line.set(ruleFor(step, error, fixture.taskId(with->shape, row).toUtf8()));
        const bool hadError = work(pair, 12);
        const qint64 refused = m_line.refused();
        m_refused += refused;
        const QStringList during = lost(fixture, with->shape);
        QVERIFY2(during.isEmpty(), qPrintable(u"lost: "_s + during.join(u' ')));
        const bool mustBeMet = step != Step::CallsOfOne && step != Step::EveryIntroduction;
        QVERIFY2(refused > 0 || !mustBeMet, "nothing was refused: this cell tests nothing");
        QVERIFY(hadError || step != Step::EveryCall || error.startsWith("NOSCRIPT"));
        m_line.set({});
        static_cast<void>(work(pair, 40));
        const QStringList after = lost(fixture, with->shape);
        QVERIFY2(after.isEmpty(), qPrintable(u"lost behind it: "_s + after.join(u' ')));
        // No word of the server's sets a row aside by itself; a row that alone is refused may be.
        if (step == Step::EveryCall || step == Step::EveryIntroduction)
            QCOMPARE(fixture.unprocessed(), 0);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
        QVERIFY(m_line.start(m_redis.socketPath()));
    }

    void noRowGoesWithoutItsTask_data()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::addColumn<BenchShape>("shape");
        QTest::addColumn<int>("step");
        for (const auto &[name, kind] : allKinds()) {
            for (const BenchShape shape : {BenchShape::Payload, BenchShape::CompletedAt}) {
                for (int step = 0; step < stepCount; ++step)
                    QTest::addRow("%s, %s, %s", name, qPrintable(word(shape)), stepNames[step])
                        << kind << shape << step;
            }
        }
    }
    void noRowGoesWithoutItsTask()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        QFETCH(int, step);
        static int turn = 0;
        const bool all = qEnvironmentVariable("OUTBOX_REFUSED_CELLS") == "all"_L1;
        // The sample takes another word in each line, so that all words and all steps come.
        for (qsizetype i = 0; i < (all ? words.size() : 2); ++i) {
            const QByteArray error = words.at(all ? i : (turn++) % words.size());
            runCell(kind, shape, static_cast<Step>(step), error);
            if (QTest::currentTestFailed())
                QFAIL(qPrintable(u"at "_s + QString::fromUtf8(error)));
        }
    }

    void scriptsThatAreFlushedWithoutPauseLoseNothing()
    {
        bool isSet = false;
        const int wanted = qEnvironmentVariableIntValue("OUTBOX_FLUSHED_ROWS", &isSet);
        const int rows = isSet ? wanted : 5000;
        m_line.set({});
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(rows, 20));
        auto with = target(fixture);
        QVERIFY_RESULT(with);
        with->redis = fixture.redis(); // no line between
        const auto forgotten = [&fixture] {
            const auto info
                = fixture.plainRedis().command({"INFO", "errorstats"}, u"counting errors"_s);
            const QByteArray text = info ? info->bytes : QByteArray();
            const qsizetype at = text.indexOf("errorstat_NOSCRIPT:count=");
            return at < 0 ? 0LL : QByteArray(text.mid(at + 25).split('\r').first()).toLongLong();
        };
        std::atomic_llong flushes = 0;
        const std::jthread flusher([&](const std::stop_token &stop) {
            RedisConnection hand;
            if (!openByHand(hand, m_redis))
                return;
            while (!stop.stop_requested() && hand.command({"SCRIPT", "FLUSH"}, u"flushing"_s))
                ++flushes;
        });
        RelaySession pair;
        QVERIFY_RESULT(pair.open(*with));
        const std::stop_source stop;
        RelayBurst burst = pair.work(10, 10, 10'000, 1, RelayAim::Always, stop.get_token());
        QVERIFY(burst.hasDelivered()); // it has the script by now, if it is left there
        QTRY_VERIFY(flushes > 1);
        const qint64 before = forgotten();
        do {
            burst = pair.work(1000, rows, 10'000, 1, RelayAim::Drained, stop.get_token());
            QVERIFY2(burst.end != RelayBurst::End::Failed, qPrintable(oneLine(burst.error())));
        } while (burst.end != RelayBurst::End::Drained);
        const qint64 met = forgotten() - before;
        qInfo() << "rows" << rows << "flushes" << flushes << "calls that met no script" << met;
        QVERIFY(met > 0);
        QCOMPARE(fixture.unprocessed(), 0);
        const QStringList gone = lost(fixture, with->shape);
        QVERIFY2(gone.isEmpty(), qPrintable(u"lost: %1"_s.arg(gone.size())));
    }

    void cleanupTestCase() { qInfo() << "cells" << m_cells << "calls refused" << m_refused; }
};

} // namespace tst_refusedbatches

OUTBOX_TEST(tst_refusedbatches::TestRefusedBatches)
#include "tst_refusedbatches.moc"
