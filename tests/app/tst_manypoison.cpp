// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// More rows that cannot be delivered than a batch has: the others go all the same, and none is
// parked while the servers may be at fault.
#include "tests/app/relayground.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_manypoison {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestManyPoison : public QObject, protected RelayGround
{
    Q_OBJECT

    [[nodiscard]] RelayTarget target(const DatabaseUrl &url) const
    {
        RelayTarget target = relayTarget(url, queuesShape());
        target.rules.retryAfterMs = 50;
        return target;
    }

    /// Redis lets nobody touch the queue "bad".
    void spoilQueue() const
    {
        emptyRedis();
        command({"ACL", "SETUSER", "default", "resetkeys", "~asynq:queues", "~asynq:{default}:*"});
    }

    /// Rows delivered until nothing but parked rows is left, or after so many bursts.
    static RelayTotals worked(RelaySession &pair, int batch, int mostBursts)
    {
        RelayTotals totals;
        const std::stop_source stop;
        for (int bursts = 0; bursts < mostBursts; ++bursts) {
            const RelayBurst burst
                = pair.work(batch, 1'000'000, 60'000, 5, RelayAim::Drained, stop.get_token());
            for (const RelayStep &step : burst.steps)
                totals.add(step);
            if (burst.end == RelayBurst::End::Drained)
                break;
            if (burst.end == RelayBurst::End::Failed && !pair.ensureOpen())
                break;
        }
        return totals;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_DATABASES(m_databases, {}, true);
        OUTBOX_START_SERVER(m_redis);
    }

    void manyRefusedRowsStopNoOther_data()
    {
        QTest::addColumn<QString>("bad"); // which of a thousand
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("badCount");
        QTest::newRow("more than a batch, at the head") << u"n <= 150"_s << 100 << 150;
        QTest::newRow("much more, at the head") << u"n <= 450"_s << 100 << 450;
        QTest::newRow("in one batch with others") << u"n > 700 AND n <= 850"_s << 1000 << 150;
        QTest::newRow("three of ten") << u"n % 10 < 3"_s << 100 << 300;
    }
    void manyRefusedRowsStopNoOther()
    {
        QFETCH(QString, bad);
        QFETCH(int, batch);
        QFETCH(int, badCount);
        spoilQueue();
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        side.run(numbered(1000, u"n, 'a', 'x', CASE WHEN %1 THEN 'bad' ELSE '' END"_s.arg(bad),
                          u"outbox"_s));
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url)));
        const RelayTotals totals = worked(pair, batch, 400);
        QCOMPARE(totals.enqueued, 1000 - badCount);
        if (badCount <= 300) // where nothing else is left to go there is no proof for the last ones
            QCOMPARE(totals.parked, badCount);
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox WHERE queue <> 'bad'"_s), u"0"_s);
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), QString::number(badCount));
    }

    void manyRowsThatTheDatabaseRefusesStopNoOther_data() { addDialects(); }
    void manyRowsThatTheDatabaseRefusesStopNoOther()
    {
        QFETCH(int, dialect);
        const auto kind = static_cast<DatabaseUrl::Dialect>(dialect);
        spoilQueue();
        const DatabaseUrl url = m_databases.fresh(kind);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        side.run(numbered(400, u"n, 'a', 'x', ''"_s, u"outbox"_s));
        side.all(testWords(kind).refusing(u"refuse"_s, u"DELETE"_s, u"OLD.id <= 150"_s,
                                          u"it may not go"_s));
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url)));
        const RelayTotals totals = worked(pair, 100, 200);
        QCOMPARE(totals.enqueued, 250);
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"150"_s);
        QCOMPARE(side.one(u"SELECT max(id) FROM outbox"_s), u"150"_s);
    }

    void aRowThatALockKeepsStopsNoOther_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::newRow("PostgreSQL") << int(DatabaseUrl::Dialect::PostgreSql);
        QTest::newRow("MariaDB") << int(DatabaseUrl::Dialect::MariaDb);
    }
    void aRowThatALockKeepsStopsNoOther()
    {
        QFETCH(int, dialect);
        spoilQueue();
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        side.run(numbered(200, u"n, 'a', 'x', ''"_s, u"outbox"_s));
        side.all({u"CREATE TABLE child (id integer PRIMARY KEY, parent integer NOT NULL,"
                  " FOREIGN KEY (parent) REFERENCES outbox (id) ON DELETE CASCADE)"_s,
                  u"INSERT INTO child VALUES (1, 5)"_s});
        SideSession holder(url);
        holder.all({u"BEGIN"_s, u"SELECT id FROM child WHERE id = 1 FOR UPDATE"_s});

        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url)));
        RelayTotals totals;
        const std::stop_source stop;
        const auto work = [&](const QString &left) {
            for (int bursts = 0; bursts < 100; ++bursts) {
                const RelayBurst burst
                    = pair.work(100, 1'000'000, 250, 5, RelayAim::Always, stop.get_token());
                for (const RelayStep &step : burst.steps)
                    totals.add(step);
                if (side.run(u"SELECT id FROM outbox"_s) == QStringList{left}.filter(u"5"_s))
                    return true;
                if (burst.end == RelayBurst::End::Failed && !pair.ensureOpen())
                    return false;
            }
            return false;
        };
        QVERIFY(work(u"5"_s)); // all others go while it is held
        QCOMPARE(totals.enqueued, 199);
        QCOMPARE(totals.parked, 0);
        holder.run(u"ROLLBACK"_s);
        QVERIFY(work({}));
        QCOMPARE(totals.enqueued, 200);
    }

    void aQueueThatRefusesEveryRowParksNone_data()
    {
        QTest::addColumn<int>("rows");
        QTest::newRow("a few") << 40;
        QTest::newRow("many") << 350;
    }
    void aQueueThatRefusesEveryRowParksNone()
    {
        QFETCH(int, rows);
        spoilQueue();
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        side.run(numbered(rows, u"n, 'a', 'x', 'bad'"_s, u"outbox"_s));
        RelayTarget relay = target(url);
        relay.rules.retryAfterMs = 0;
        RelaySession pair;
        QVERIFY_RESULT(pair.open(relay));
        QCOMPARE(worked(pair, 100, 60).parked, 0);

        command({"ACL", "SETUSER", "default", "allkeys"});
        const RelayTotals totals = worked(pair, 100, 2000);
        QCOMPARE(totals.enqueued, rows);
        QCOMPARE(totals.parked, 0);
    }
};

} // namespace tst_manypoison

OUTBOX_TEST(tst_manypoison::TestManyPoison)
#include "tst_manypoison.moc"
