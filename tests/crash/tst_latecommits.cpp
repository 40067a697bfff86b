// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows that commit behind the relay's back or are rolled back, while somebody holds a snapshot from
// before it all: none is lost, none comes that was taken back.
#include "tests/crash/ground.h"
#include "tests/crash/writers.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QTest>

#include <csignal>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

class TestLateCommits : public QObject
{
    Q_OBJECT

    Ground m_ground;

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_ground.postgres);
        OUTBOX_START_SERVER(m_ground.redis);
    }

    void noneIsLostUnderAnOldSnapshot_data()
    {
        QTest::addColumn<BenchShape>("shape");
        for (const BenchShape shape : allBenchShapes())
            QTest::newRow(qPrintable(word(shape))) << shape;
    }

    void noneIsLostUnderAnOldSnapshot()
    {
        constexpr int patienceMs = 60'000;
        constexpr int count = 6;
        constexpr int rowsAtOnce = 20;
        constexpr int rowsOfAStage = 400;
        QFETCH(BenchShape, shape);
        TestOutbox fixture(TestOutbox::Kind::Postgres, shape, &m_ground.postgres, m_ground.redis);
        QVERIFY(fixture.setUp());
        PlainPostgres old;
        QVERIFY_RESULT(old.open(fixture.url()));
        QVERIFY_RESULT(old.run("begin isolation level repeatable read read only"));
        QVERIFY_RESULT(old.run("select count(*) from pg_class"));
        Writers writers(fixture, shape, count + 1); // the last one commits at once
        QVERIFY(writers.open());
        for (int writer = 0; writer < count; ++writer) // before all others, and not seen yet
            QVERIFY(writers.insert(writer, rowsAtOnce));

        RelayProcess relay;
        QVERIFY_RESULT(relay.startCtl(
            fixture, {u"--batch"_s, u"20"_s, u"--poll"_s, u"5ms"_s, u"--rate"_s, u"2000"_s}));
        for (int writer = 0; writer < count; ++writer) {
            QVERIFY(writers.insert(count, rowsOfAStage) && writers.commit(count));
            QTRY_VERIFY_WITH_TIMEOUT(fixture.unprocessed() < rowsOfAStage / 2, patienceMs);
            QVERIFY(writer % 3 == 1 ? writers.rollback(writer) : writers.commit(writer));
            QVERIFY(writers.insert(writer, rowsAtOnce)); // open until all the others are gone
        }
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, patienceMs);
        for (int writer = 0; writer < count; ++writer)
            QVERIFY(writer % 3 == 1 ? writers.rollback(writer) : writers.commit(writer));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.unprocessed(), 0, patienceMs);
        relay.tell(SIGTERM);
        QCOMPARE(relay.end(), 0);
        QVERIFY_RESULT(old.run("commit")); // it was held all the time

        const auto found = fixture.takenShape();
        QVERIFY_RESULT(found);
        CountingWorker worker;
        QVERIFY_RESULT(worker.open(fixture.redis()));
        QVERIFY_RESULT(worker.consume());
        const Tally tally = tallyOf(writers.committed(), fixture.unprocessedIds(), worker,
                                    [&](const QString &id) { return fixture.taskId(*found, id); });
        QVERIFY2(tally.isClean(), qPrintable(words(tally)));
        QCOMPARE(tally.messages, count * rowsOfAStage + 8 * rowsAtOnce);
        QCOMPARE(writers.rolledBack(), 4 * rowsAtOnce);
    }
};

QTEST_GUILESS_MAIN(TestLateCommits)
#include "tst_latecommits.moc"
