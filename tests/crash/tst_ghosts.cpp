// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// PostgreSQL killed at random moments under writers whose COMMIT does not wait for the disk: with
// the barrier no task is without its business row afterwards, without it some are ghosts.
// OUTBOX_GHOST_KILLS=100 OUTBOX_GHOST_SEED=7.
#include "tests/crash/ground.h"
#include "tests/crash/longmain.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QSet>
#include <QSqlQuery>
#include <QTest>

#include <array>
#include <csignal>
#include <cstdio>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int patienceMs = 60'000;
/// From the first task of a life to its end. A relay that never gets through a burst of a quarter
/// of a second backs off longer and longer.
constexpr double leastSecondsBefore = 0.3;
constexpr double mostSecondsMore = 0.3;
constexpr int mostKillsUntilAGhost = 100;

/// One business row and its message in each transaction, about every fifteen milliseconds: it
/// stands in the server's memory until something has the log written.
constexpr char writeOn[] = "create table business (id uuid primary key);"
                           "create procedure write_on() language plpgsql as $$"
                           " declare fresh uuid;"
                           " begin"
                           "  loop"
                           "   fresh := gen_random_uuid();"
                           "   insert into business values (fresh);"
                           "   insert into outbox values (fresh, 'email:deliver', '\\x00ff');"
                           "   commit;"
                           "   perform pg_sleep(random() * 0.03);"
                           "  end loop;"
                           " end $$;"
                           // A COMMIT of the relay that takes its time, so that the moment between
                           // Redis and the disk is not too short to be hit.
                           "create function rest() returns trigger language plpgsql as $$"
                           " begin perform pg_sleep(0.003); return null; end $$;"
                           "create constraint trigger rest after delete on outbox deferrable "
                           "initially deferred for each row execute function rest()";

int kills()
{
    return qEnvironmentVariable("OUTBOX_GHOST_KILLS", u"12"_s).toInt();
}

quint32 seed()
{
    return qEnvironmentVariable("OUTBOX_GHOST_SEED", u"1"_s).toUInt();
}

/// What the servers hold.
struct Sides
{
    QSet<QString> business;
    QSet<QString> tasks;

    [[nodiscard]] qint64 ghosts() const { return (tasks - business).size(); }
    [[nodiscard]] qint64 lost() const { return (business - tasks).size(); }
};

} // namespace

class TestGhosts : public QObject
{
    Q_OBJECT

    Ground m_ground;
    std::array<PlainPostgres, 3> m_writers;

    [[nodiscard]] Result<void> beginWriting(const QString &url)
    {
        for (PlainPostgres &writer : m_writers) {
            if (auto opened = writer.open(url); !opened)
                return opened;
            if (auto set = writer.run("set synchronous_commit = off"); !set)
                return passOn(set);
            if (auto sent = writer.send("call write_on()"); !sent)
                return sent;
        }
        return {};
    }

    static qint64 tasksIn(TestOutbox &fixture)
    {
        const auto length = fixture.plainRedis().command({"LLEN", "asynq:{default}:pending"},
                                                         u"counting tasks"_s);
        return length ? length->integer : -1;
    }

    /// A random moment of a life in which the relay works.
    [[nodiscard]] static Result<void> awaitMoment(TestOutbox &fixture, PlainPostgres &hand,
                                                  QRandomGenerator &random)
    {
        const qint64 before = tasksIn(fixture);
        if (!QTest::qWaitFor([&] { return tasksIn(fixture) > before; }, patienceMs))
            return fail(Error::Kind::Timeout, u"waiting for the relay"_s, u"it sent nothing"_s);
        const double seconds = leastSecondsBefore + random.bounded(mostSecondsMore);
        const auto slept = hand.run("select pg_sleep(" + QByteArray::number(seconds) + ')');
        return slept ? Result<void>() : passOn(slept);
    }

    /// While nobody writes.
    [[nodiscard]] static Result<Sides> sides(TestOutbox &fixture, PlainPostgres &hand)
    {
        Sides sides;
        const QStringList tasks = fixture.pendingIds();
        sides.tasks = QSet<QString>(tasks.begin(), tasks.end());
        const auto rows = hand.run("select id from business");
        if (!rows)
            return passOn(rows);
        for (int row = 0; row < PQntuples(rows->get()); ++row)
            sides.business += QString::fromLatin1(PQgetvalue(rows->get(), row, 0));
        return sides;
    }

private slots:
    void initTestCase()
    {
        // What is written to the log survives a kill, synced or not. The server writes it by itself
        // when a page of it is full, or after this time.
        OUTBOX_START_SERVER(m_ground.postgres, {u"wal_writer_delay=10s"_s});
        OUTBOX_START_SERVER(m_ground.redis);
    }

    void aTaskWithoutItsRowComesOnlyWithoutTheBarrier_data()
    {
        QTest::addColumn<bool>("barrier");
        QTest::addColumn<bool>("everybody");
        QTest::newRow("barrier, writers asynchronous") << true << false;
        QTest::newRow("barrier, everybody asynchronous") << true << true;
        QTest::newRow("no barrier, writers asynchronous") << false << false;
        QTest::newRow("no barrier, everybody asynchronous") << false << true;
    }

    void aTaskWithoutItsRowComesOnlyWithoutTheBarrier()
    {
        QFETCH(bool, barrier);
        QFETCH(bool, everybody); // the relay's own sessions too
        QElapsedTimer clock;
        clock.start();
        QRandomGenerator random(seed());
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_ground.postgres,
                           m_ground.redis);
        QVERIFY(fixture.setUp());
        if (everybody) {
            QVERIFY(fixture.exec(u"do $$ begin execute format('alter database %I set "
                                 u"synchronous_commit = off', current_database()); end $$"_s));
        }
        PlainPostgres hand;
        QVERIFY_RESULT(hand.open(fixture.url()));
        QVERIFY_RESULT(hand.run(writeOn));
        RelayProcess relay;
        const QStringList options{u"--poll"_s, u"1ms"_s, u"--batch"_s, u"20"_s};
        QVERIFY_RESULT(
            relay.startCtl(fixture, barrier ? options + QStringList{u"--barrier"_s} : options));

        int killed = 0;
        int withGhosts = 0;
        qint64 ghosts = 0;
        while (killed < kills() || (!barrier && ghosts == 0 && killed < mostKillsUntilAGhost)) {
            QVERIFY_RESULT(beginWriting(fixture.url()));
            const auto moment = awaitMoment(fixture, hand, random);
            if (!moment)
                qWarning("%s", relay.complaints().right(2000).constData());
            QVERIFY_RESULT(moment);
            m_ground.postgres.kill();
            ++killed;
            QVERIFY_RESULT(m_ground.postgres.restart());
            QVERIFY_RESULT(hand.open(fixture.url()));
            const auto held = sides(fixture, hand);
            QVERIFY_RESULT(held);
            if (held->ghosts() > std::exchange(ghosts, held->ghosts()))
                ++withGhosts;
            relay.listen();
        }
        QVERIFY(fixture.reopen());
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, patienceMs);
        relay.tell(SIGTERM);
        QCOMPARE(relay.end(), 0);
        const auto held = sides(fixture, hand);
        QVERIFY_RESULT(held);
        std::printf("seed %u, %s: %d kills, %d of them left ghosts; %lld messages, ghosts %lld, "
                    "lost %lld; %.1f s\n",
                    seed(), QTest::currentDataTag(), killed, withGhosts,
                    static_cast<long long>(held->business.size()),
                    static_cast<long long>(held->ghosts()), static_cast<long long>(held->lost()),
                    double(clock.elapsed()) / 1000.0);
        std::fflush(stdout);
        QCOMPARE(held->lost(), 0);
        if (barrier)
            QCOMPARE(held->ghosts(), 0);
        else
            QVERIFY(held->ghosts() > 0);
    }
};

OUTBOX_LONG_TEST_MAIN(TestGhosts)
#include "tst_ghosts.moc"
