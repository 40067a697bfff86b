// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every stop point of a batch of ten × every fault × shapes × databases: lost 0, duplicates 0.
// A sample of cells by default; OUTBOX_CRASH_CELLS=all runs every one.
#include "tests/crash/cells.h"
#include "tests/crash/longmain.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QElapsedTimer>
#include <QTest>

#include <cstdio>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int points = stopPoints(rowsOfBatch);

bool isWanted(int line, int fault, int point)
{
    // One cell for each fault of a line, another point for each of them; but for two of seven.
    static const bool all = qEnvironmentVariable("OUTBOX_CRASH_CELLS") == u"all"_s;
    return all || (point == (5 * fault + 7 * line) % points && (3 * line + fault) % 7 < 5);
}

} // namespace

class TestCrashMatrix : public QObject
{
    Q_OBJECT

    Ground m_ground;
    Tally m_sum;
    int m_cells = 0;
    int m_line = 0;

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_ground.postgres);
        OUTBOX_START_SERVER(m_ground.mariadb);
        OUTBOX_START_SERVER(m_ground.redis, Ground::redisArguments());
    }

    void nothingIsLostOrDoubledAtAnyStopPoint_data()
    {
        QTest::addColumn<TestOutbox::Kind>("kind");
        QTest::addColumn<BenchShape>("shape");
        QTest::addColumn<int>("lanes");
        for (const BenchShape shape : allBenchShapes()) {
            QTest::addRow("PostgreSQL, %s, two lanes", qPrintable(word(shape)))
                << TestOutbox::Kind::Postgres << shape << 2;
        }
        for (const BenchShape shape : {BenchShape::Payload, BenchShape::CompletedAt}) {
            QTest::addRow("PostgreSQL, %s, one lane", qPrintable(word(shape)))
                << TestOutbox::Kind::Postgres << shape << 1;
            QTest::addRow("SQLite, %s", qPrintable(word(shape)))
                << TestOutbox::Kind::Sqlite << shape << 1;
            QTest::addRow("MariaDB, %s, one lane", qPrintable(word(shape)))
                << TestOutbox::Kind::MariaDb << shape << 1;
        }
        for (const BenchShape shape : allBenchShapes()) {
            QTest::addRow("MariaDB, %s, two lanes", qPrintable(word(shape)))
                << TestOutbox::Kind::MariaDb << shape << 2;
        }
        for (const BenchShape shape : {BenchShape::Due, BenchShape::Leased}) {
            QTest::addRow("PostgreSQL, %s, two lanes", qPrintable(word(shape)))
                << TestOutbox::Kind::Postgres << shape << 2;
            QTest::addRow("SQLite, %s", qPrintable(word(shape)))
                << TestOutbox::Kind::Sqlite << shape << 1;
            QTest::addRow("MariaDB, %s, two lanes", qPrintable(word(shape)))
                << TestOutbox::Kind::MariaDb << shape << 2;
        }
    }

    void nothingIsLostOrDoubledAtAnyStopPoint()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        QFETCH(int, lanes);
        const bool isSqlite = kind == TestOutbox::Kind::Sqlite;
        Cells cells(m_ground, kind, shape, {lanes, 3600, Bug::None});
        QVERIFY_RESULT(cells.open());
        const int line = m_line++;
        std::printf("%s\n", QTest::currentDataTag());
        const QList<Fault> faults = isSqlite ? faultsWithSqlite() : allFaults();
        for (int fault = 0; fault < faults.size(); ++fault) {
            Tally sum;
            int count = 0;
            QElapsedTimer clock;
            clock.start();
            for (int point = 0; point < points; ++point) {
                if (!isWanted(line, fault, point))
                    continue;
                const auto tally = cells.run(point, faults.at(fault));
                const QString where
                    = word(faults.at(fault)) + u' ' + pointWords(point, rowsOfBatch) + u": "_s;
                QVERIFY2(tally, qPrintable(where + (tally ? QString() : oneLine(tally.error()))));
                QVERIFY2(tally->isClean(), qPrintable(where + words(*tally)));
                sum += *tally;
                ++count;
            }
            std::printf("  %-26s %3d cells,  %s  (%.1f s)\n", qPrintable(word(faults.at(fault))),
                        count, qPrintable(words(sum)), double(clock.elapsed()) / 1000.0);
            std::fflush(stdout);
            m_sum += sum;
            m_cells += count;
        }
    }

    void cleanupTestCase() { std::printf("%d cells, %s\n", m_cells, qPrintable(words(m_sum))); }
};

OUTBOX_LONG_TEST_MAIN(TestCrashMatrix)
#include "tst_crashmatrix.moc"
