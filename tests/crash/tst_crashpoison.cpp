// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A batch with rows that neither the database nor Redis lets go is struck in the middle: they stay,
// and of the others nothing is lost or doubled. OUTBOX_CRASH_CELLS=all runs every cell.
#include "tests/crash/cells.h"
#include "tests/crash/longmain.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testkinds.h"

#include <QTest>

#include <cstdio>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr ClaimOptions manner{1, 3600, Bug::None, true};
constexpr int rows = rowsOfBatch + poisonOfBatch;
constexpr int sent = rows - 1; ///< what the database refuses is known before anything is sent

/// The points that a poisoned batch comes to.
QList<int> pointsOfBatch()
{
    QList<int> points;
    for (int point = 0; point < stopPoints(rows); ++point) {
        if (point < beforeEnqueue(sent) || point >= beforeEnqueue(rows))
            points += point;
    }
    return points;
}

bool isWanted(int line, int fault, qsizetype point, qsizetype points)
{
    static const bool all = qEnvironmentVariable("OUTBOX_CRASH_CELLS") == u"all"_s;
    // Of a sample, one in two stands where rows were given back and COMMIT is near. It has five of
    // eight faults of a line.
    return all
        || (point == (fault % 2 == 0 ? points - 1 - (line + fault / 2) % 3 : 3 + 4 * fault)
            && (3 * line + fault) % 8 < 5);
}

} // namespace

class TestCrashPoison : public QObject
{
    Q_OBJECT

    Ground m_ground;
    int m_line = 0;

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_ground.postgres);
        OUTBOX_START_SERVER(m_ground.mariadb);
        OUTBOX_START_SERVER(m_ground.redis, Ground::redisArguments());
    }

    void badRowsStayAndTheOthersAreNeitherLostNorDoubled_data()
    {
        addKindsAndShapes({BenchShape::Payload, BenchShape::CompletedAt});
    }

    void badRowsStayAndTheOthersAreNeitherLostNorDoubled()
    {
        QFETCH(TestOutbox::Kind, kind);
        QFETCH(BenchShape, shape);
        const int line = m_line++;
        const QList<int> points = pointsOfBatch();
        const QList<Fault> faults
            = kind == TestOutbox::Kind::Sqlite ? faultsWithSqlite() : allFaults();
        Tally sum;
        int count = 0;
        for (int fault = 0; fault < faults.size(); ++fault) {
            for (qsizetype point = 0; point < points.size(); ++point) {
                if (!isWanted(line, fault, point, points.size()))
                    continue;
                Cells cells(m_ground, kind, shape, manner);
                QVERIFY_RESULT(cells.open());
                const auto tally = cells.run(points.at(point), faults.at(fault));
                const QString where
                    = word(faults.at(fault)) + u' ' + pointWords(points.at(point), rows) + u": "_s;
                QVERIFY2(tally, qPrintable(where + (tally ? QString() : oneLine(tally.error()))));
                QVERIFY2(tally->isClean(), qPrintable(where + words(*tally)));
                sum += *tally;
                ++count;
            }
        }
        std::printf("%s: %d cells, %s\n", QTest::currentDataTag(), count, qPrintable(words(sum)));
    }
};

OUTBOX_LONG_TEST_MAIN(TestCrashPoison)
#include "tst_crashpoison.moc"
