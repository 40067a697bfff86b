// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Redis that is emptied, or comes back with older data, under relays at work: each of them stops
// before its next COMMIT. OUTBOX_LIFE_MOMENTS says how many moments are tried for each line.
#include "app/relay/relaysession.h"
#include "tests/crash/ground.h"
#include "tests/support/freeport.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"

#include <QDirIterator>
#include <QFile>
#include <QRandomGenerator>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace tst_queuelives {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

enum class Event { Emptied, OldSnapshot, LaggingReplica, RestoredBackup, TornLog };

const QStringList logging{u"--appendonly"_s, u"yes"_s, u"--appendfsync"_s, u"everysec"_s};

/// Waits without a deadline's worth of processor time; true when `holds` held in time.
template <typename Condition> bool await(const Condition &holds, int milliseconds = 30'000)
{
    std::mutex mutex;
    std::condition_variable never;
    std::unique_lock lock(mutex);
    const QDeadlineTimer deadline(milliseconds);
    while (!holds()) {
        if (deadline.hasExpired())
            return false;
        never.wait_for(lock, std::chrono::milliseconds(2));
    }
    return true;
}

Result<RedisConnection *> openedHand(RedisConnection &hand, const QString &url)
{
    const auto opened
        = hand.open(RedisEndpoint::fromUrl(url).value(), RedisConnection::Access::Act, u"hand"_s);
    return opened ? Result<RedisConnection *>(&hand) : passOn(opened);
}

/// What the events of this test strike.
class Relaying
{
public:
    virtual ~Relaying() = default;
    /// Batches committed so far.
    [[nodiscard]] virtual int commits() = 0;
    /// It saw the loss and stopped by itself.
    [[nodiscard]] virtual bool hasStopped() = 0;
    [[nodiscard]] virtual QString why() = 0;
    /// Batches committed although they were sent after the event.
    [[nodiscard]] virtual int lateCommits() = 0;
};

/// A relay in a thread of its own.
class WorkingRelay : public Relaying
{
public:
    WorkingRelay(RelayTarget target, const std::atomic_bool &happened)
        : m_happened(happened), m_thread([this, target = std::move(target)](
                                             const std::stop_token &stop) { work(target, stop); })
    { }
    void at(RelayStage moment, const QList<MessageId> &ids)
    {
        if (moment == RelayStage::Enqueueing && m_happened && !ids.isEmpty())
            m_late.insert(ids.first());
        if (moment != RelayStage::Committed || ids.isEmpty())
            return;
        m_commits++;
        if (m_late.contains(ids.first()))
            m_lateCommits++;
    }
    [[nodiscard]] int commits() override { return m_commits; }
    [[nodiscard]] int lateCommits() override { return m_lateCommits; }
    [[nodiscard]] bool hasStopped() override { return m_hasStopped; }
    [[nodiscard]] QString why() override
    {
        m_thread = {}; // what it said is read behind its end
        return m_why;
    }

private:
    void work(RelayTarget target, const std::stop_token &stop)
    {
        target.observer
            = [this](RelayStage moment, const QList<MessageId> &ids) { at(moment, ids); };
        RelaySession pair;
        if (const auto opened = pair.open(target); !opened) {
            m_why = u"not opened: "_s + oneLine(opened.error());
            return;
        }
        while (!stop.stop_requested() && !pair.mustStop()) {
            const RelayBurst burst = pair.work(100, 1'000'000, 50, 2, RelayAim::Always, stop);
            if (burst.end != RelayBurst::End::Failed)
                continue;
            m_why = oneLine(burst.error());
            const auto open = pair.ensureOpen();
            if (!open)
                m_why = oneLine(open.error());
        }
        m_hasStopped = pair.mustStop();
        pair.close();
    }

    const std::atomic_bool &m_happened;
    QSet<MessageId> m_late;
    std::atomic_int m_commits = 0;
    std::atomic_int m_lateCommits = 0;
    std::atomic_bool m_hasStopped = false;
    QString m_why;
    std::jthread m_thread; ///< last: it ends before the rest goes
};

/// `outboxctl relay --workers 4`, seen from outside.
class ShippedRelay : public Relaying
{
public:
    ShippedRelay(TestOutbox &fixture, const QString &redisUrl, const QString &state,
                 const std::atomic_bool &happened)
        : m_fixture(fixture), m_redisUrl(redisUrl), m_happened(happened)
    {
        qputenv("XDG_STATE_HOME", QFile::encodeName(state));
        const auto started
            = m_process.startCtl(fixture,
                                 {u"--redis"_s, redisUrl, u"--workers"_s, QString::number(workers),
                                  u"--batch"_s, QString::number(rows), u"--poll"_s, u"2ms"_s});
        if (!started)
            m_why = oneLine(started.error());
    }
    /// So many that each worker may have had one; none before each has met Redis.
    [[nodiscard]] int commits() override
    {
        m_process.listen();
        // Of each relay there are its number and who it is, beside the life.
        const qint64 fields = countOf({"HLEN", "asynq:{default}:outboxdeck"}) - 1;
        if (fields < 2 * workers)
            return 0;
        return static_cast<int>(countOf({"LLEN", "asynq:{default}:pending"}) / rows / workers);
    }
    [[nodiscard]] bool hasStopped() override
    {
        m_process.listen();
        if (m_happened && m_present.isEmpty())
            m_present = m_fixture.scalar(presentSql).toString().split(u',');
        return !m_process.isRunning();
    }
    [[nodiscard]] QString why() override
    {
        return m_why + QString::fromUtf8(m_process.complaints());
    }
    /// Of the rows that stood in the outbox behind the event, those may have gone without a task
    /// that were under way: two batches of each worker.
    [[nodiscard]] int lateCommits() override
    {
        const QString left = m_fixture.scalar(presentSql).toString();
        const QStringList remaining = left.split(u',');
        const QSet<QString> still(remaining.begin(), remaining.end());
        int gone = 0;
        for (const QString &row : std::as_const(m_present)) {
            if (!still.contains(row))
                gone += countOf({"EXISTS", "asynq:{default}:t:" + row.toUtf8()}) == 1 ? 0 : 1;
        }
        return std::max(0, gone - 2 * workers * rows);
    }

private:
    static constexpr int workers = 4;
    static constexpr int rows = 50;
    static inline const QString presentSql = u"SELECT string_agg(id::text, ',') FROM outbox"_s;

    [[nodiscard]] qint64 countOf(const RedisCommand &command) const
    {
        RedisConnection hand;
        if (!openedHand(hand, m_redisUrl))
            return 0;
        const auto reply = hand.command(command, u"counting"_s);
        return reply ? reply->integer : 0;
    }

    TestOutbox &m_fixture;
    QString m_redisUrl;
    const std::atomic_bool &m_happened;
    crash::RelayProcess m_process;
    QStringList m_present;
    QString m_why;
};

/// Inserts about 5,000 rows a second.
class Writer
{
public:
    explicit Writer(const DatabaseUrl &url)
        : m_thread([url](const std::stop_token &stop) { write(url, stop); })
    { }

private:
    static void write(const DatabaseUrl &url, const std::stop_token &stop)
    {
        const QString name = u"writer"_s;
        {
            QSqlDatabase db = QSqlDatabase::addDatabase(u"QPSQL"_s, name);
            db.setHostName(url.hostOrSocket());
            db.setUserName(url.user);
            db.setDatabaseName(url.database);
            if (!db.open())
                return;
            std::mutex mutex;
            std::condition_variable_any never;
            std::unique_lock lock(mutex);
            while (!stop.stop_requested()) {
                QSqlQuery(u"INSERT INTO outbox SELECT gen_random_uuid(), 'mail', 'x' FROM"
                          " generate_series(1, 50)"_s,
                          db);
                never.wait_for(lock, stop, std::chrono::milliseconds(10), [] { return false; });
            }
        }
        QSqlDatabase::removeDatabase(name);
    }

    std::jthread m_thread;
};

} // namespace

class TestQueueLives : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    QTemporaryDir m_folder;
    qint64 m_moments = 0;
    qint64 m_late = 0;
    qint64 m_tornAt = 0; ///< bytes of the append-only file

    [[nodiscard]] QString socket() const { return m_folder.filePath(u"redis.sock"_s); }
    [[nodiscard]] QString url() const { return u"redis+unix://"_s + socket(); }
    void turnTo(const PrivateRedis &redis)
    {
        QFile::remove(socket());
        QVERIFY(QFile::link(redis.socketPath(), socket()));
    }

    static void command(const QString &url, const RedisCommand &command)
    {
        RedisConnection hand;
        QVERIFY_RESULT(openedHand(hand, url));
        QVERIFY_RESULT(hand.command(command, u"striking"_s));
    }

    static QString logOf(const PrivateRedis &redis)
    {
        QDirIterator files(redis.folder(), {u"*.incr.aof"_s}, QDir::Files,
                           QDirIterator::Subdirectories);
        return files.hasNext() ? files.next() : QString();
    }

    /// Before the work goes on: what the event will go back to.
    void prepare(Event event, PrivateRedis &redis, PrivateRedis &replica)
    {
        const QString dump = redis.folder() + u"/dump.rdb"_s;
        if (event == Event::OldSnapshot || event == Event::RestoredBackup)
            command(redis.url(), {"SAVE"});
        if (event == Event::RestoredBackup) {
            QFile::remove(dump + u".backup"_s);
            QVERIFY(QFile::copy(dump, dump + u".backup"_s));
        }
        if (event == Event::LaggingReplica)
            command(replica.url(), {"REPLICAOF", "NO", "ONE"}); // what comes now it will not have
        if (event == Event::TornLog)
            m_tornAt = QFileInfo(logOf(redis)).size();
    }

    void strike(Event event, PrivateRedis &redis, PrivateRedis &replica, std::atomic_bool &happened)
    {
        const QString dump = redis.folder() + u"/dump.rdb"_s;
        switch (event) {
        case Event::Emptied: {
            RedisConnection hand;
            QVERIFY_RESULT(openedHand(hand, redis.url()));
            // A producer announces its queue right behind it, so that the list is not missed.
            QVERIFY_RESULT(hand.pipeline(
                {RedisCommand{"FLUSHALL"}, RedisCommand{"SADD", "asynq:queues", "default"}}));
            happened = true;
            return;
        }
        case Event::OldSnapshot:
        case Event::RestoredBackup:
            redis.kill();
            if (event == Event::RestoredBackup) {
                QFile::remove(dump);
                QVERIFY(QFile::copy(dump + u".backup"_s, dump));
            }
            happened = true;
            QVERIFY_RESULT(redis.start());
            return;
        case Event::TornLog: {
            redis.kill();
            QFile log(logOf(redis));
            constexpr qint64 ofACommand = 7; // in its midst, as a disk that was full leaves it
            QVERIFY(log.size() > m_tornAt + ofACommand && log.resize(m_tornAt + ofACommand));
            happened = true;
            QVERIFY_RESULT(redis.start(logging));
            return;
        }
        case Event::LaggingReplica:
            redis.kill();
            happened = true;
            turnTo(replica);
            return;
        }
    }

    /// `relays`: 0 stands for one process of four workers.
    void oneMoment(Event event, int relays, const RelayTarget &target, TestOutbox &fixture)
    {
        PrivateRedis redis;
        PrivateRedis replica;
        const QString port = QString::number(freePort());
        QVERIFY_RESULT(redis.start(QStringList{u"--port"_s, port}
                                   + (event == Event::TornLog ? logging : QStringList())));
        turnTo(redis);
        if (event == Event::LaggingReplica) {
            QVERIFY_RESULT(replica.start(
                {u"--replicaof"_s, u"127.0.0.1"_s, port, u"--repl-diskless-sync-delay"_s, u"0"_s}));
        }
        std::atomic_bool happened = false;
        std::vector<std::unique_ptr<Relaying>> working;
        for (int i = 0; i < relays; ++i)
            working.push_back(std::make_unique<WorkingRelay>(target, happened));
        if (relays == 0) {
            working.push_back(
                std::make_unique<ShippedRelay>(fixture, url(), target.stateFolder, happened));
        }
        const auto allCommitted = [&](int more) {
            std::vector<int> from;
            for (const auto &one : working)
                from.push_back(one->commits());
            return await([&] {
                for (size_t i = 0; i < working.size(); ++i) {
                    if (working[i]->commits() < from[i] + more)
                        return false;
                }
                return true;
            });
        };
        if (!allCommitted(1))
            QFAIL(qPrintable(working.front()->why()));
        if (event == Event::LaggingReplica) {
            QVERIFY(await([&] {
                RedisConnection hand;
                const auto info = openedHand(hand, replica.url())
                    ? hand.command({"INFO", "replication"}, u"looking"_s)
                    : Result<RedisReply>();
                return info && info->bytes.contains("master_link_status:up");
            }));
        }
        prepare(event, redis, replica);
        // Two may have been enqueued before; what went to the queue later is lost.
        if (!allCommitted(3 + QRandomGenerator::global()->bounded(4)))
            QFAIL(qPrintable(working.front()->why()));
        strike(event, redis, replica, happened);
        for (const auto &one : working) {
            const bool isOver = await([&one] { return one->hasStopped(); });
            QVERIFY2(isOver, qPrintable(u"a relay went on: "_s + one->why()));
            QVERIFY2(one->why().contains(u"has lost what it was given"_s), qPrintable(one->why()));
            m_late += one->lateCommits();
            QCOMPARE(one->lateCommits(), 0);
        }
        ++m_moments;
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_postgres); }

    void everyRelayStopsBeforeItsNextCommit_data()
    {
        QTest::addColumn<Event>("event");
        QTest::addColumn<int>("relays");
        const std::pair<Event, const char *> events[]
            = {{Event::Emptied, "emptied"},
               {Event::OldSnapshot, "an old snapshot"},
               {Event::LaggingReplica, "a lagging replica"},
               {Event::RestoredBackup, "a backup"},
               {Event::TornLog, "a torn append-only file"}};
        for (const auto &[event, name] : events) {
            for (const int relays : {1, 2, 4})
                QTest::addRow("%s, relays: %d", name, relays) << event << relays;
            QTest::addRow("%s, --workers 4", name) << event << 0;
        }
    }
    void everyRelayStopsBeforeItsNextCommit()
    {
        QFETCH(Event, event);
        QFETCH(int, relays);
        PrivateRedis unused;
        OUTBOX_START_SERVER(unused);
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, unused);
        QVERIFY(fixture.setUp());
        RelayTarget target;
        target.store = fixture.settings(StoreAccess::Relay);
        target.redis = RedisEndpoint::fromUrl(url()).value();
        target.rules.queue.text = u"default"_s;
        target.clientName = u"relay"_s;
        const auto shape = fixture.takenShape();
        QVERIFY_RESULT(shape);
        target.shape = *shape;
        const Writer writer(DatabaseUrl::fromUrl(fixture.url()).value());
        const int moments = qEnvironmentVariableIntValue("OUTBOX_LIFE_MOMENTS");
        for (int i = 0; i < std::max(1, moments); ++i) {
            QTemporaryDir state;
            target.stateFolder = state.path();
            oneMoment(event, relays, target, fixture);
            if (QTest::currentTestFailed())
                return;
        }
    }

    void aRelayThatIsStartedAgainKnowsItStill()
    {
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis);
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::Payload, nullptr, redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(20));
        RelayTarget target;
        target.store = fixture.settings(StoreAccess::Relay);
        target.redis = fixture.redis();
        target.rules.queue.text = u"default"_s;
        target.clientName = u"relay"_s;
        QTemporaryDir state;
        target.stateFolder = state.path();
        target.shape = fixture.takenShape().value();
        const std::stop_source stop;
        {
            RelaySession pair;
            QVERIFY_RESULT(pair.open(target));
            QCOMPARE(pair.work(100, 1000, 10'000, 5, RelayAim::Drained, stop.get_token()).end,
                     RelayBurst::End::Drained);
            pair.close();
        }
        command(redis.url(), {"FLUSHALL"});
        QVERIFY(fixture.insertRows(5));
        {
            RelaySession pair;
            const auto opened = pair.open(target);
            QVERIFY(!opened);
            QVERIFY(pair.mustStop());
            QVERIFY2(opened.error().text.contains(u"was emptied"_s),
                     qPrintable(opened.error().text));
            QCOMPARE(fixture.unprocessed(), 5);
        }
        // Whoever starts it once more has been told.
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target));
        QCOMPARE(pair.work(100, 1000, 10'000, 5, RelayAim::Drained, stop.get_token()).end,
                 RelayBurst::End::Drained);
        QCOMPARE(fixture.unprocessed(), 0);
    }

    void cleanupTestCase() { qInfo() << "moments" << m_moments << "commits too late" << m_late; }
};

} // namespace tst_queuelives

OUTBOX_TEST(tst_queuelives::TestQueueLives)
#include "tst_queuelives.moc"
