// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Receivers and relays of documents, killed at every step they take: the state changes once, the
// output goes out at least once and is the same each time. Orders that are wrong are caught by the
// same count.
#include "tests/crash/designcells.h"
#include "tests/crash/longmain.h"

#include <QTest>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

Databases databases;
PrivateRedis redis;

struct CrashTally
{
    int cells = 0;
    QMap<QString, int> broken; ///< by what is broken
    QString first; ///< the first cell that was

    void add(const QString &cell, const QStringList &found)
    {
        ++cells;
        for (const QString &one : found)
            ++broken[one];
        if (first.isEmpty() && !found.isEmpty())
            first = cell + u": "_s + found.join(u", "_s);
    }
};

/// One pair of points in some is enough for every day.
bool allCells()
{
    return qEnvironmentVariable("OUTBOX_CRASH_CELLS") == u"all";
}

/// Killed at each point; killed twice, at each pair of points; overtaken at each point by a copy,
/// and then going on or killed.
CrashTally everyCrash(DesignBench &bench, const QStringList &points, int stride)
{
    CrashTally tally;
    const auto at = [&points](int point) { return points.at(point); };
    for (int k = 0; k < points.size(); ++k) {
        tally.add(u"killed at "_s + at(k), bench.broken({{k}, {}}));
        tally.add(u"overtaken at "_s + at(k), bench.broken({{k, false, true}, {}}));
        for (int j = 0; j < points.size(); ++j) {
            if (!allCells() && (k + j) % stride != 0)
                continue;
            tally.add(u"killed at %1, then at %2"_s.arg(at(k), at(j)),
                      bench.broken({{k}, {j}, {}}));
            tally.add(u"overtaken at %1 by one killed at %2"_s.arg(at(k), at(j)),
                      bench.broken({{k, false, true}, {j}, {}}));
        }
    }
    return tally;
}

} // namespace

class TestDesignCrash : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(databases.postgres);
        OUTBOX_START_SERVER(databases.mariadb);
        OUTBOX_START_SERVER(redis);
    }

    void theOrderThatHoldsKeepsItsPromises_data() { addDesigns(); }
    void theOrderThatHoldsKeepsItsPromises()
    {
        DesignBench bench(databases, redis, designCase());
        const QStringList points = bench.points();
        QVERIFY2(points.size() >= 8, qPrintable(points.join(u", "_s)));
        const CrashTally tally = everyCrash(bench, points, 9);
        qInfo("%d points, %d cells, %d garbage tokens", int(points.size()), tally.cells,
              bench.garbage());
        QVERIFY2(tally.broken.isEmpty(), qPrintable(tally.first));
    }

    /// No copy of the message ever comes again: the relay alone finishes what was begun.
    void theRelayFinishesWhatAReceiverLeft_data() { addDesigns(); }
    void theRelayFinishesWhatAReceiverLeft()
    {
        DesignBench bench(databases, redis, designCase());
        const QStringList points = bench.points();
        const int persisted = int(points.indexOf(u"persisted"_s));
        QVERIFY(persisted > 0);
        CrashTally tally;
        for (int k = persisted; k < points.size(); ++k) {
            tally.add(u"relay behind "_s + points.at(k), bench.broken({{k}, {-1, true}}, false));
            const QStringList passed = bench.points(true, k);
            for (int j = 0; j < passed.size(); ++j) {
                if (!allCells() && (k + j) % 8 != 0)
                    continue;
                const QString cell = u"relay behind %1, at %2"_s.arg(points.at(k), passed.at(j));
                tally.add(cell, bench.broken({{k}, {j, true}, {-1, true}}, false));
                tally.add(cell + u" overtaken by a relay"_s,
                          bench.broken({{k}, {j, true, true}, {-1, true}}, false));
                tally.add(cell + u" overtaken by a copy"_s,
                          bench.broken({{k}, {j, true, true}, {}, {-1, true}}, true));
            }
        }
        qInfo("%d cells", tally.cells);
        QVERIFY2(tally.broken.isEmpty(), qPrintable(tally.first));
    }

    void anOrderThatFailsIsCaught_data()
    {
        using enum HandlerStep;
        QTest::addColumn<int>("design");
        QTest::addColumn<QList<int>>("steps");
        QTest::addColumn<QString>("breaks");
        QTest::addColumn<bool>("stale");
        QTest::addColumn<int>("ttlMs");
        QTest::newRow("entity: nulled before it is dispatched")
            << int(Design::EntityState) << numbers({Load, Persist, CleanUp, Dispatch})
            << u"output lost"_s << false << 0;
        QTest::newRow("dedup store: checked before the document is read")
            << int(Design::DedupStore)
            << numbers({Check, Load, Persist, Dispatch, MarkDone, CleanUp})
            << u"state changed twice"_s << false << 0;
        QTest::newRow("dedup store: added before the dispatch")
            << int(Design::DedupStore)
            << numbers({Load, Check, Persist, MarkDone, Dispatch, CleanUp}) << u"output lost"_s
            << false << 0;
        QTest::newRow("dedup store: removed before the id is added")
            << int(Design::DedupStore)
            << numbers({Load, Check, Persist, Dispatch, CleanUp, MarkDone})
            << u"state changed twice"_s << false << 0;
        QTest::newRow("dedup store: stale read")
            << int(Design::DedupStore) << QList<int>() << u"state changed twice"_s << true << 0;
        QTest::newRow("dedup store: the record expires while a copy is about")
            << int(Design::DedupStore) << QList<int>() << u"state changed twice"_s << false << 1;
        QTest::newRow("tokens: first draft, without a checkpoint")
            << int(Design::Tokens)
            << numbers({Load, Check, Persist, CreateTokens, Dispatch, MarkDone, CleanUp})
            << u"executed twice"_s << false << 0;
        QTest::newRow("tokens: checked before the document is read")
            << int(Design::Tokens)
            << numbers(
                   {Check, Load, Persist, CreateTokens, Checkpoint, Dispatch, MarkDone, CleanUp})
            << u"state changed twice"_s << false << 0;
        QTest::newRow("tokens: stale read")
            << int(Design::Tokens) << QList<int>() << u"state changed twice"_s << true << 0;
    }
    void anOrderThatFailsIsCaught()
    {
        QFETCH(const int, design);
        QFETCH(const QList<int>, steps);
        QFETCH(const QString, breaks);
        DesignCase what;
        what.design = static_cast<Design>(design);
        for (const int step : steps)
            what.steps += static_cast<HandlerStep>(step);
        QFETCH(const bool, stale);
        QFETCH(const int, ttlMs);
        QVERIFY(what.steps.isEmpty() || !faultOf(what.steps, what.design).isEmpty());
        if (what.design != Design::EntityState)
            what.done = what.design == Design::Tokens ? u"tokens set"_s : u"keys"_s;
        DesignBench right(databases, redis, {what.design, what.dialect, {}, what.done});
        what.stale = stale;
        what.ttlMs = ttlMs;
        DesignBench wrong(databases, redis, what);
        const CrashTally tally = everyCrash(wrong, right.points(), 7);
        QVERIFY2(tally.broken.value(breaks) > 0, qPrintable(tally.first));
        qInfo("%d of %d cells: %s", tally.broken.value(breaks), tally.cells, qPrintable(breaks));
    }

private:
    static void addDesigns()
    {
        QTest::addColumn<int>("design");
        QTest::addColumn<int>("dialect");
        QTest::addColumn<QString>("done");
        constexpr int postgres = int(DatabaseUrl::Dialect::PostgreSql);
        constexpr int sqlite = int(DatabaseUrl::Dialect::Sqlite);
        constexpr int mariadb = int(DatabaseUrl::Dialect::MariaDb);
        QTest::newRow("entity, PostgreSQL") << int(Design::EntityState) << postgres << QString();
        QTest::newRow("entity, SQLite") << int(Design::EntityState) << sqlite << QString();
        QTest::newRow("entity, MariaDB") << int(Design::EntityState) << mariadb << QString();
        QTest::newRow("dedup store, PostgreSQL, table")
            << int(Design::DedupStore) << postgres << u"table"_s;
        QTest::newRow("dedup store, PostgreSQL, Redis keys")
            << int(Design::DedupStore) << postgres << u"keys"_s;
        QTest::newRow("dedup store, SQLite, table")
            << int(Design::DedupStore) << sqlite << u"table"_s;
        QTest::newRow("dedup store, MariaDB, table")
            << int(Design::DedupStore) << mariadb << u"table"_s;
        QTest::newRow("tokens, PostgreSQL, table")
            << int(Design::Tokens) << postgres << u"tokens table"_s;
        QTest::newRow("tokens, PostgreSQL, Redis set")
            << int(Design::Tokens) << postgres << u"tokens set"_s;
        QTest::newRow("tokens, SQLite, table")
            << int(Design::Tokens) << sqlite << u"tokens table"_s;
        QTest::newRow("tokens, MariaDB, table")
            << int(Design::Tokens) << mariadb << u"tokens table"_s;
    }
    static DesignCase designCase()
    {
        QFETCH(const int, design);
        QFETCH(const int, dialect);
        QFETCH(const QString, done);
        return {static_cast<Design>(design), static_cast<DatabaseUrl::Dialect>(dialect), {}, done};
    }
    static QList<int> numbers(const QList<HandlerStep> &steps)
    {
        QList<int> numbers;
        for (const HandlerStep step : steps)
            numbers += int(step);
        return numbers;
    }
};

OUTBOX_LONG_TEST_MAIN(TestDesignCrash)
#include "tst_designcrash.moc"
