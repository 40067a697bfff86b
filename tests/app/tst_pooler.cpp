// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What works through a pool of transactions and what is refused there, command by command
// (running.md 2); and after each of them the sessions of the pool are as they were, for those who
// write through them.
#include "tests/support/ctlworld.h"
#include "tests/support/patience.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/privatepgbouncer.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QProcess>
#include <QTest>

#include <memory>
#include <vector>

namespace tst_pooler {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QByteArray noNotifications
    = "a pooler stands before the server, and passes no notifications on";
const QByteArray noJobLock = "a pooler stands before the server";

/// An application that writes through all sessions of a pool, and looks at what they are set to.
class PoolSessions
{
public:
    [[nodiscard]] Result<void> open(const QString &url, int count)
    {
        m_clients.resize(static_cast<size_t>(count));
        for (PlainPostgres &client : m_clients) {
            TRY(client.open(url + u"&application_name=app"_s));
        }
        const QByteArrayList fresh = TRY(states());
        m_before = fresh.constFirst().split('\n');
        return {};
    }
    /// What is otherwise than it was at first; empty where nothing is.
    [[nodiscard]] Result<QByteArray> changes()
    {
        const QByteArrayList now = TRY(states());
        QByteArray changed;
        for (const QByteArray &state : now) {
            for (const QByteArray &line : state.split('\n')) {
                if (!m_before.contains(line))
                    changed += line + ' ';
            }
        }
        return changed;
    }
    [[nodiscard]] qint64 writes() const { return m_writes; }

private:
    /// Of each session, which is the client's own while a transaction is open in all of them. Each
    /// is written through.
    [[nodiscard]] Result<QByteArrayList> states()
    {
        QByteArrayList told;
        for (PlainPostgres &client : m_clients) {
            TRY(run(client, "BEGIN"));
        }
        for (PlainPostgres &client : m_clients) {
            told += TRY(stateOf(client));
            TRY(run(client, "INSERT INTO business (note) VALUES ('x')"));
            ++m_writes;
        }
        for (PlainPostgres &client : m_clients) {
            TRY(run(client, "COMMIT"));
        }
        return told;
    }
    [[nodiscard]] static Result<void> run(PlainPostgres &client, const QByteArray &sql)
    {
        const auto done = client.run(sql);
        return done ? Result<void>() : passOn(done);
    }
    [[nodiscard]] static Result<QByteArray> stateOf(PlainPostgres &client)
    {
        const auto settings = client.run("SHOW ALL");
        if (!settings)
            return passOn(settings);
        const PGresult *all = settings->get();
        QByteArray state;
        for (int row = 0; row < PQntuples(all); ++row) {
            state += PQgetvalue(all, row, 0);
            state += '=';
            state += PQgetvalue(all, row, 1);
            state += '\n';
        }
        for (const char *left : {"SELECT count(*) FROM pg_prepared_statements",
                                 "SELECT count(*) FROM pg_listening_channels()",
                                 "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'",
                                 "SELECT count(*) FROM pg_class WHERE relpersistence = 't'"}) {
            const qint64 count = TRY(client.number(left));
            state += QByteArray(left) + ": " + QByteArray::number(count) + '\n';
        }
        return state;
    }

    std::vector<PlainPostgres> m_clients;
    QByteArrayList m_before;
    qint64 m_writes = 0;
};

/// One line of the table.
struct Capability
{
    QStringList arguments;
    int leastPool = 1; ///< so many sessions of the server it needs
    QList<int> exitCodes{0};
    QByteArray refusal{}; ///< in its words; empty: it works
};

const QList<Capability> &capabilities()
{
    const QStringList relay{u"relay"_s, u"--drain"_s, u"--batch"_s, u"20"_s,
                            u"--ids-never-return"_s};
    static const QList<Capability> all{
        {.arguments = {u"probe"_s}},
        {.arguments = {u"status"_s, u"--json"_s}},
        {.arguments = {u"status"_s, u"--exact"_s}},
        {.arguments = {u"list"_s, u"--filter"_s, u"type:*"_s}},
        {.arguments = {u"show"_s, u"5"_s}},
        {.arguments = {u"check"_s}, .exitCodes = {0, 1}}, // how it goes, not whether it was seen
        {.arguments = {u"export"_s, u"1"_s}},
        {.arguments = {u"reconcile"_s}},
        {.arguments = {u"replay"_s, u"1"_s, u"--allow-second-execution"_s, u"--yes"_s}},
        {.arguments = {u"purge"_s, u"2"_s, u"--yes"_s}},
        {.arguments = {u"park"_s, u"5"_s, u"--yes"_s}, .leastPool = 2},
        {.arguments = {u"unpark"_s, u"5"_s, u"--yes"_s}, .leastPool = 2},
        {.arguments = relay + QStringList{u"--notify"_s, u"outbox"_s},
         .exitCodes = {5},
         .refusal = noNotifications},
        {.arguments = relay},
        {.arguments = relay + QStringList{u"--barrier"_s}, .leastPool = 2},
    };
    return all;
}

} // namespace

class TestPooler : public QObject, protected CtlWorld
{
    Q_OBJECT

    std::unique_ptr<PrivatePgbouncer> m_pool;

    /// The address of the world through the pool.
    [[nodiscard]] QString url() const
    {
        return m_fixture->url().replace(m_postgres.socketFolder(), m_pool->host());
    }
    /// The options that name the world, with that address.
    [[nodiscard]] QStringList pooledParts() const
    {
        QStringList named = parts();
        named[named.indexOf(u"--database"_s) + 1] = url();
        return named;
    }
    /// A world with a table that an application writes to, and a pool before it.
    void setUpPool(int size, const QString &ignored)
    {
        QVERIFY(setUpWorld());
        QVERIFY(m_fixture->exec(u"create table business (id bigserial, note text)"_s));
        QVERIFY_RESULT(m_fixture->plainRedis().command(
            {"ZREM", "asynq:{default}:archived", "t-archived"}, u"making an orphan"_s));
        m_pool = std::make_unique<PrivatePgbouncer>();
        QVERIFY_RESULT(m_pool->start(m_postgres, u"transaction"_s, size, ignored));
    }
    [[nodiscard]] qint64 written() const
    {
        return m_fixture->scalar(u"select count(*) from business"_s).toLongLong();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
        PrivatePgbouncer tried; // whether it is installed
        OUTBOX_START_SERVER(tried, m_postgres, u"transaction"_s, 2, u"options"_s);
    }
    void cleanup()
    {
        m_pool.reset();
        tearDownWorld();
    }

    void eachCommandWorksOrSaysWhyNot_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<QString>("ignored");
        for (const int size : {1, 2}) {
            QTest::addRow("%d, options are dropped", size) << size << u"options"_s;
            QTest::addRow("%d, options are refused", size) << size << u"extra_float_digits"_s;
        }
    }
    void eachCommandWorksOrSaysWhyNot()
    {
        QFETCH(int, size);
        QFETCH(QString, ignored);
        setUpPool(size, ignored);
        if (QTest::currentTestFailed())
            return;
        PoolSessions sessions;
        QVERIFY_RESULT(sessions.open(url(), size));
        for (const Capability &one : capabilities()) {
            if (one.leastPool > size)
                continue;
            const QByteArray name = one.arguments.join(u' ').toUtf8();
            const bool isRelay = one.arguments.first() == u"relay";
            QVERIFY(!isRelay || m_fixture->insertRows(60));
            const qint64 waiting = m_fixture->unprocessed();
            const CtlRun run = runCtl(one.arguments + pooledParts());
            const QByteArray said = name + ": " + run.err + run.out;
            QVERIFY2(one.exitCodes.contains(run.exitCode), said.constData());
            QVERIFY2(run.err.contains(one.refusal), said.constData());
            // Nothing of it waited for a session that it held itself.
            QVERIFY2(!run.err.contains("next try in"), said.constData());
            if (isRelay)
                QCOMPARE(m_fixture->unprocessed(), one.refusal.isEmpty() ? 0 : waiting);
            const auto changed = sessions.changes();
            QVERIFY_RESULT(changed);
            QVERIFY2(changed->isEmpty(), QByteArray(name + " leaves " + *changed).constData());
        }
        QCOMPARE(written(), sessions.writes());
    }

    /// Nothing would keep its runs apart from those of another host.
    void aScheduleIsRefusedOnEachHost()
    {
        setUpPool(2, u"options"_s);
        if (QTest::currentTestFailed())
            return;
        PoolSessions sessions;
        QVERIFY_RESULT(sessions.open(url(), 2));
        const qint64 waiting = m_fixture->unprocessed();
        QVERIFY(waiting > 0);
        QProcess hosts[2];
        QByteArray said[2];
        for (int host = 0; host < 2; ++host) {
            hosts[host].start(
                QStringLiteral(OUTBOXCTL),
                QStringList{u"relay"_s, u"--schedule"_s, u"every 1s"_s, u"--ids-never-return"_s}
                    + pooledParts());
            QVERIFY(hosts[host].waitForStarted());
        }
        for (int host = 0; host < 2; ++host) {
            QTRY_VERIFY2((said[host] += hosts[host].readAllStandardError()).contains(noJobLock),
                         said[host].constData());
            QVERIFY2(hosts[host].state() == QProcess::Running, said[host].constData());
        }
        QCOMPARE(m_fixture->unprocessed(), waiting);
        for (QProcess &host : hosts) {
            host.kill();
            QVERIFY(host.waitForFinished(10'000));
        }
        const auto changed = sessions.changes();
        QVERIFY_RESULT(changed);
        QVERIFY2(changed->isEmpty(), changed->constData());
        QCOMPARE(m_fixture->unprocessed(), waiting);
        QCOMPARE(written(), sessions.writes());
    }
};

} // namespace tst_pooler

OUTBOX_TEST(tst_pooler::TestPooler)
#include "tst_pooler.moc"
