// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two relay processes on one outbox, one of them killed in the middle, again and again: nothing is
// lost and nothing is in the queue twice.
#include "tests/support/ctl.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_tworelays {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestTwoRelays : public QObject
{
    Q_OBJECT

    TestPostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        if (!isDatabasePooled())
            OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void oneKilledInTheMiddleLosesAndDoublesNothing_data()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::addColumn<BenchShape>("shape");
        for (const BenchShape shape : allBenchShapes())
            QTest::addRow("PostgreSQL, %s", qPrintable(word(shape)))
                << TestOutbox::Kind::Postgres << shape;
        if (isDatabasePooled())
            return;
        for (const BenchShape shape : allBenchShapes()) {
            QTest::addRow("MariaDB, %s", qPrintable(word(shape)))
                << TestOutbox::Kind::MariaDb << shape;
        }
        QTest::newRow("SQLite, payload") << TestOutbox::Kind::Sqlite << BenchShape::Payload;
    }

    void oneKilledInTheMiddleLosesAndDoublesNothing()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        constexpr int rows = 4000;
        TestOutbox fixture(kind, shape, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(rows));
        const QStringList arguments{u"relay"_s,    u"--drain"_s, u"--json"_s,     u"--batch"_s,
                                    u"40"_s,       u"--rate"_s,  u"3000"_s,       u"--database"_s,
                                    fixture.url(), u"--table"_s, fixture.table(), u"--redis"_s,
                                    m_redis.url()};
        QProcess survivor;
        survivor.start(QStringLiteral(OUTBOXCTL), arguments);
        QVERIFY(survivor.waitForStarted());
        int killed = 0;
        for (int round = 1; round <= 5; ++round) {
            QProcess victim;
            victim.start(QStringLiteral(OUTBOXCTL), arguments);
            QVERIFY(victim.waitForStarted());
            // Kill when the work is about a sixth further: in the middle of somebody's batch.
            const qint64 mark = rows - rows * round / 7;
            QTRY_VERIFY_WITH_TIMEOUT(fixture.unprocessed() <= mark, 60'000);
            if (victim.state() == QProcess::NotRunning)
                continue; // it found the outbox empty already
            ++killed;
            victim.kill();
            QVERIFY(victim.waitForFinished(5000));
        }
        QVERIFY(survivor.waitForFinished(120'000));
        QVERIFY2(survivor.exitStatus() == QProcess::NormalExit && survivor.exitCode() == 0,
                 survivor.readAllStandardError().right(4000).constData());
        QVERIFY2(killed >= 3, "the relays were too fast for the test to kill them in the middle");
        QCOMPARE(fixture.unprocessed(), 0);
        const QStringList pending = fixture.pendingIds();
        QCOMPARE(pending.size(), rows);
        QCOMPARE(QSet<QString>(pending.begin(), pending.end()).size(), rows);
        const auto hashes = fixture.plainRedis().command({"DBSIZE"}, u"counting"_s);
        QCOMPARE(hashes->integer, rows + 3); // the tasks, pending, asynq:queues, the fence
    }
};

} // namespace tst_tworelays

OUTBOX_TEST(tst_tworelays::TestTwoRelays)
#include "tst_tworelays.moc"
