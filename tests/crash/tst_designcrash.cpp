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

bool allCells()
{
    return qEnvironmentVariable("OUTBOX_CRASH_CELLS") == u"all";
}

/// Which cells are run: all, or others in each line, so that the lines of one design together
/// have every point.
struct Sample
{
    int line = 0;
    int lines = 1;
    bool isWhole = allCells();

    [[nodiscard]] bool has(int number, int stride) const
    {
        return isWhole || (number + line) % stride == 0;
    }
};

/// Killed at each point; killed twice, at each pair of points; overtaken at each point by a copy,
/// and then going on or killed. Ends early once `wanted` was found broken.
CrashTally everyCrash(TestDesign &fixture, const QStringList &points, Sample sample,
                      const QString &wanted = {})
{
    CrashTally tally;
    const int count = int(points.size());
    const auto ended = [&] { return !allCells() && tally.broken.contains(wanted); };
    const auto at = [&points](int point) { return points.at(point); };
    for (int k = 0; k < count && !ended(); ++k) {
        if (sample.has(k, sample.lines))
            tally.add(u"killed at "_s + at(k), fixture.broken({{k}, {}}));
        if (sample.has(k + 1, sample.lines))
            tally.add(u"overtaken at "_s + at(k), fixture.broken({{k, false, true}, {}}));
    }
    for (int k = 0; k < count; ++k) {
        for (int j = 0; j < count && !ended(); ++j) {
            if (!sample.has(k * count + j, 67))
                continue;
            tally.add(u"killed at %1, then at %2"_s.arg(at(k), at(j)),
                      fixture.broken({{k}, {j}, {}}));
            tally.add(u"overtaken at %1 by one killed at %2"_s.arg(at(k), at(j)),
                      fixture.broken({{k, false, true}, {j}, {}}));
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
        OUTBOX_START_DATABASES(databases);
        OUTBOX_START_SERVER(redis);
    }

    void theOrderThatHoldsKeepsItsPromises_data() { addDesigns(); }
    void theOrderThatHoldsKeepsItsPromises()
    {
        TestDesign fixture(databases, redis, designCase());
        const QStringList points = fixture.points();
        QVERIFY2(points.size() >= 8, qPrintable(points.join(u", "_s)));
        const CrashTally tally = everyCrash(fixture, points, sample());
        qInfo("%d points, %d cells, %d garbage tokens", int(points.size()), tally.cells,
              fixture.garbage());
        QVERIFY2(tally.broken.isEmpty(), qPrintable(tally.first));
    }

    /// No copy of the message ever comes again: the relay alone finishes what was begun.
    void theRelayFinishesWhatAReceiverLeft_data() { addDesigns(); }
    void theRelayFinishesWhatAReceiverLeft()
    {
        const Sample sample = TestDesignCrash::sample();
        TestDesign fixture(databases, redis, designCase());
        const QStringList points = fixture.points();
        const int persisted = int(points.indexOf(u"persisted"_s));
        QVERIFY(persisted > 0);
        CrashTally tally;
        for (int k = persisted; k < points.size(); ++k) {
            if (!sample.has(k, sample.lines))
                continue;
            tally.add(u"relay behind "_s + points.at(k), fixture.broken({{k}, {-1, true}}, false));
            const QStringList passed = fixture.points(true, k);
            for (int j = 0; j < passed.size(); ++j) {
                if (!sample.has(k + j, int(passed.size())))
                    continue;
                const QString cell = u"relay behind %1, at %2"_s.arg(points.at(k), passed.at(j));
                tally.add(cell, fixture.broken({{k}, {j, true}, {-1, true}}, false));
                tally.add(cell + u" overtaken by a relay"_s,
                          fixture.broken({{k}, {j, true, true}, {-1, true}}, false));
                tally.add(cell + u" overtaken by a copy"_s,
                          fixture.broken({{k}, {j, true, true}, {}, {-1, true}}, true));
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
        TestDesign right(databases, redis, {what.design, what.dialect, {}, what.done});
        what.stale = stale;
        what.ttlMs = ttlMs;
        TestDesign wrong(databases, redis, what);
        const CrashTally tally = everyCrash(wrong, right.points(), {0, 1, true}, breaks);
        QVERIFY2(tally.broken.value(breaks) > 0, qPrintable(tally.first));
        qInfo("%d of %d cells: %s", tally.broken.value(breaks), tally.cells, qPrintable(breaks));
    }

private:
    static void addDesigns()
    {
        QTest::addColumn<int>("design");
        QTest::addColumn<int>("dialect");
        QTest::addColumn<QString>("done");
        QTest::addColumn<int>("line");
        using enum DatabaseUrl::Dialect;
        int line = 0;
        const auto add = [&line](const char *name, Design design, DatabaseUrl::Dialect dialect,
                                 const QString &done) {
            QTest::newRow(name) << int(design) << int(dialect) << done << line++;
        };
        add("entity, PostgreSQL", Design::EntityState, PostgreSql, {});
        add("entity, SQLite", Design::EntityState, Sqlite, {});
        add("entity, MariaDB", Design::EntityState, MariaDb, {});
        add("dedup store, PostgreSQL, table", Design::DedupStore, PostgreSql, u"table"_s);
        add("dedup store, PostgreSQL, Redis keys", Design::DedupStore, PostgreSql, u"keys"_s);
        add("dedup store, SQLite, table", Design::DedupStore, Sqlite, u"table"_s);
        add("dedup store, MariaDB, table", Design::DedupStore, MariaDb, u"table"_s);
        add("tokens, PostgreSQL, table", Design::Tokens, PostgreSql, u"tokens table"_s);
        add("tokens, PostgreSQL, Redis set", Design::Tokens, PostgreSql, u"tokens set"_s);
        add("tokens, SQLite, table", Design::Tokens, Sqlite, u"tokens table"_s);
        add("tokens, MariaDB, table", Design::Tokens, MariaDb, u"tokens table"_s);
    }
    static Sample sample()
    {
        QFETCH(const int, design);
        QFETCH(const int, line);
        return {line, static_cast<Design>(design) == Design::EntityState ? 3 : 4};
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
