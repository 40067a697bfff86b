// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writers whose COMMIT does not wait for the standby, and a standby that is promoted without what
// they wrote: with the barrier no task is without its row, also where somebody cancels the wait for
// the standby; without it some are ghosts.
#include "tests/crash/ground.h"
#include "tests/support/patience.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/privatestandby.h"
#include "tests/support/redishand.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_standbyghosts {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int known = 20; ///< rows that the standby has, and whose tasks are out
constexpr int unknown = 30; ///< rows that it never gets
constexpr int later = 5; ///< rows that are written when it is the primary

constexpr char tables[]
    = "create table business (id uuid primary key);"
      "create table outbox (id uuid primary key, type text not null, payload bytea not null)";
/// An extension that warns at each statement. What it warns of concerns no row.
constexpr char warningOfOthers[]
    = "alter role current_user set session_preload_libraries = 'auto_explain';"
      "alter role current_user set auto_explain.log_min_duration = 0;"
      "alter role current_user set auto_explain.log_level = warning";
/// Sessions that wait for a standby under a barrier.
constexpr char waitingBarriers[] = "from pg_stat_activity where wait_event = 'SyncRep'"
                                   " and query like '%pg_logical_emit_message%'";

/// So many business rows, each with its message.
QByteArray writing(int rows)
{
    return "with fresh as (insert into business select gen_random_uuid() from generate_series(1, "
        + QByteArray::number(rows)
        + ") returning id) insert into outbox select id, 'mail:deliver', '\\x00ff' from fresh";
}

} // namespace

class TestStandbyGhosts : public QObject
{
    Q_OBJECT

    RedisConnection m_redis;

    [[nodiscard]] qint64 tasks() { return numberOf(m_redis, {"LLEN", "asynq:{default}:pending"}); }
    /// Ids of all tasks.
    [[nodiscard]] QSet<QString> taskIds()
    {
        QSet<QString> ids;
        const auto list
            = m_redis.command({"LRANGE", "asynq:{default}:pending", "0", "-1"}, u"reading"_s);
        if (list) {
            for (const RedisReply &one : list->elements)
                ids += QString::fromUtf8(one.bytes);
        }
        return ids;
    }
    [[nodiscard]] static QSet<QString> businessIds(PlainPostgres &server)
    {
        QSet<QString> ids;
        const auto rows = server.run("select id from business");
        for (int row = 0; rows && row < PQntuples(rows->get()); ++row)
            ids += QString::fromUtf8(PQgetvalue(rows->get(), row, 0));
        return ids;
    }

private slots:
    void aTaskWithoutItsRowComesOnlyWithoutTheBarrier_data()
    {
        QTest::addColumn<bool>("barrier");
        QTest::addColumn<bool>("isCancelled");
        QTest::newRow("barrier") << true << false;
        QTest::newRow("barrier, its wait is cancelled") << true << true;
        QTest::newRow("no barrier") << false << false;
    }
    void aTaskWithoutItsRowComesOnlyWithoutTheBarrier()
    {
        QFETCH(bool, barrier);
        QFETCH(bool, isCancelled);
        PrivateRedis redis;
        OUTBOX_START_SERVER(redis);
        QVERIFY_RESULT(openByHand(m_redis, redis));
        PrivatePostgres primary;
        OUTBOX_START_SERVER(primary);
        PlainPostgres hand;
        QVERIFY_RESULT(hand.open(primary));
        QVERIFY_RESULT(hand.run(tables));
        if (hand.run("load 'auto_explain'")) // which is not installed everywhere
            QVERIFY_RESULT(hand.run(warningOfOthers));
        QVERIFY_RESULT(hand.run("alter role current_user set client_min_messages = error"));
        PrivateStandby standby;
        QVERIFY_RESULT(standby.follow(primary));
        QVERIFY_RESULT(PrivateStandby::makeSynchronous(primary));
        QVERIFY_RESULT(hand.run(writing(known)));

        const QTemporaryDir state;
        const QString both = u"postgresql://%1@/postgres?host=%2,%3"_s.arg(
            primary.user(), primary.folder(), standby.folder());
        QStringList options{u"--database"_s,  both,        u"--table"_s, u"outbox"_s,
                            u"--redis"_s,     redis.url(), u"--poll"_s,  u"5ms"_s,
                            u"--state-dir"_s, state.path()};
        if (barrier)
            options += u"--barrier"_s;
        crash::RelayProcess relay;
        QVERIFY_RESULT(relay.startCtl(options));
        // A row is seen to be gone when the standby has its COMMIT.
        QTRY_COMPARE(hand.number("select count(*) from outbox").value_or(-1), 0);
        QCOMPARE(tasks(), known);

        QVERIFY_RESULT(standby.cutOff());
        PlainPostgres writer;
        QVERIFY_RESULT(writer.open(primary));
        QVERIFY_RESULT(writer.run("set synchronous_commit = local"));
        QVERIFY_RESULT(writer.run(writing(unknown)));
        const QByteArray waiting = QByteArray("select count(*) ") + waitingBarriers;
        if (barrier) {
            QTRY_VERIFY(hand.number(waiting).value_or(-1) > 0);
            if (isCancelled) {
                QVERIFY_RESULT(
                    hand.run(QByteArray("select pg_cancel_backend(pid) ") + waitingBarriers));
                QVERIFY2(relay.heard("the server warned", patient(20'000)),
                         relay.complaints().constData());
                QTRY_VERIFY(hand.number(waiting).value_or(-1) > 0); // it tries again
            }
            QCOMPARE(tasks(), known);
        } else {
            QTRY_COMPARE(tasks(), known + unknown);
        }

        primary.kill();
        QVERIFY_RESULT(standby.promote());
        PlainPostgres there;
        QVERIFY_RESULT(there.open(standby));
        QVERIFY_RESULT(there.run(writing(later)));
        QTRY_COMPARE_WITH_TIMEOUT(there.number("select count(*) from outbox").value_or(-1), 0,
                                  patient(60'000));
        relay.tell(SIGTERM);
        QCOMPARE(relay.end(), 0);
        const QSet<QString> sent = taskIds();
        const QSet<QString> business = businessIds(there);
        QCOMPARE(business.size(), known + later);
        QCOMPARE((business - sent).size(), 0); // lost
        QCOMPARE((sent - business).size(), barrier ? 0 : unknown); // ghosts
    }
};

} // namespace tst_standbyghosts

OUTBOX_TEST(tst_standbyghosts::TestStandbyGhosts)
#include "tst_standbyghosts.moc"
