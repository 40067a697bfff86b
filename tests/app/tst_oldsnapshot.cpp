// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A claim from the beginning takes too long again and again, as under an old snapshot that keeps
// dead rows: the relay goes on elsewhere, and finds the rest when the snapshot is gone.
#include "app/demo/answerdroppingqueue.h"
#include "tests/app/relayground.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_oldsnapshot {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rowCount = 1000; // their keys begin at 101

/// The keys 1 to 50 are as good as dead: nobody sees them, and to pass over each takes its time,
/// but for whoever reads the file, if that is quick.
QString deadRows(double secondsEach, bool isFileQuick = false)
{
    return u"CREATE OR REPLACE FUNCTION lives(n bigint) RETURNS boolean LANGUAGE plpgsql AS $$"
           " BEGIN IF n > 50 THEN RETURN true; END IF;"
           " IF %2 AND current_query() LIKE '%.ctid >%' THEN RETURN false; END IF;"
           " PERFORM pg_sleep(%1); RETURN false; END $$"_s.arg(
               QString::number(secondsEach), isFileQuick ? u"true"_s : u"false"_s);
}

} // namespace

class TestOldSnapshot : public QObject, protected RelayGround
{
    Q_OBJECT

    [[nodiscard]] RelayTarget target(DatabaseUrl url, bool isKept) const
    {
        url.user = u"plain"_s; // whom policies concern
        RelayTarget target = relayTarget(url, bytesShape());
        target.store.statementTimeoutMs = 400;
        if (isKept) {
            target.shape.processedHow = OutboxShape::ProcessedHow::Time;
            target.shape.processedColumn = u"done"_s;
        }
        target.rules.sweepEveryMs = 0;
        return target;
    }

    static void lay(SideSession &side, bool isPartitioned, double secondsEach)
    {
        side.run(u"CREATE TABLE outbox (id bigint PRIMARY KEY, type text NOT NULL, payload text"
                 " NOT NULL, done timestamptz)"_s
                 + (isPartitioned ? u" PARTITION BY RANGE (id)"_s : QString()));
        if (isPartitioned)
            side.run(u"CREATE TABLE part PARTITION OF outbox DEFAULT"_s);
        side.run(numbered(rowCount, u"n + 100, 'a', 'x', NULL"_s, u"outbox"_s));
        side.run(numbered(50, u"n, 'a', 'x', NULL"_s, u"outbox"_s)); // the last ones of the file
        side.all({deadRows(secondsEach), u"ALTER TABLE outbox ENABLE ROW LEVEL SECURITY"_s,
                  u"CREATE POLICY dead ON outbox USING (lives(id))"_s,
                  u"GRANT ALL ON ALL TABLES IN SCHEMA public TO plain"_s});
    }

    static QString left(SideSession &side)
    {
        return side.one(u"SELECT count(*) FROM outbox WHERE id > 50 AND done IS NULL"_s);
    }

    /// Until no more than `most` rows are left; false when that takes too many bursts.
    static bool work(RelaySession &pair, SideSession &side, int most, int mostBursts)
    {
        const std::stop_source stop;
        for (int bursts = 0; bursts < mostBursts; ++bursts) {
            const RelayBurst burst
                = pair.work(100, 1'000'000, 250, 5, RelayAim::Always, stop.get_token());
            if (left(side).toInt() <= most)
                return true;
            if (burst.end == RelayBurst::End::Failed && !pair.ensureOpen())
                return false;
        }
        return false;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_databases.postgres, {}, true);
        OUTBOX_START_SERVER(m_redis);
        SideSession(*DatabaseUrl::fromUrl(m_databases.postgres.url()))
            .run(u"CREATE ROLE plain LOGIN"_s);
    }

    void init() { emptyRedis(); }

    void aNewRelayGoesByTheFile_data()
    {
        QTest::addColumn<bool>("isKept");
        QTest::newRow("rows are deleted") << false;
        QTest::newRow("rows are marked") << true;
    }
    void aNewRelayGoesByTheFile()
    {
        QFETCH(bool, isKept);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        lay(side, false, 0.1);
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, isKept)));
        QVERIFY(work(pair, side, 0, 60));

        side.run(u"INSERT INTO outbox VALUES (60, 'a', 'x', NULL)"_s); // behind the relay's back
        side.run(deadRows(0)); // the snapshot is gone
        QVERIFY(work(pair, side, 0, 200));
    }

    void rowsThatCommitLateAreFoundInTheFile_data()
    {
        QTest::addColumn<bool>("isKept");
        QTest::newRow("rows are deleted") << false;
        QTest::newRow("rows are marked") << true;
    }
    void rowsThatCommitLateAreFoundInTheFile()
    {
        QFETCH(bool, isKept);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        lay(side, false, 0);
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url, isKept)));
        const std::stop_source stop;
        QCOMPARE(pair.work(100, 500, 60'000, 5, RelayAim::Always, stop.get_token()).end,
                 RelayBurst::End::BudgetSpent);
        QCOMPARE(left(side), u"500"_s);

        side.run(deadRows(0.1, true)); // somebody holds a snapshot from now on
        side.run(u"INSERT INTO outbox SELECT n, 'a', 'x', NULL FROM generate_series(51, 100) n"_s);
        QVERIFY(work(pair, side, 0, 100));
        // New ones are not kept waiting, though its sweeps go by the file.
        const std::stop_source again;
        side.run(u"INSERT INTO outbox VALUES (5000, 'a', 'x', NULL)"_s);
        QVERIFY(pair.work(100, 1'000'000, 1500, 500, RelayAim::Always, again.get_token()).end
                != RelayBurst::End::Failed);
        QCOMPARE(left(side), u"0"_s);
        // And one that commits when all of the file has been read.
        side.run(u"DELETE FROM outbox WHERE id = 51"_s);
        side.run(u"INSERT INTO outbox VALUES (51, 'a', 'x', NULL)"_s);
        QVERIFY(work(pair, side, 0, 100));
    }

    void oneThatWasUnderWayGoesOnWhereItWas()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        lay(side, true, 0); // of partitions no order of the file is known
        AnswerDroppingQueue front;
        RelayTarget aim = target(url, false);
        aim.around = [&front](TaskQueue &queue) -> TaskQueue & {
            front.setQueue(queue);
            return front;
        };
        RelaySession pair;
        QVERIFY_RESULT(pair.open(aim));
        const std::stop_source stop;
        QCOMPARE(pair.work(100, 200, 60'000, 5, RelayAim::Always, stop.get_token()).end,
                 RelayBurst::End::BudgetSpent);
        front.dropNextAnswer(); // a claim from the beginning is given back
        QCOMPARE(pair.work(100, 200, 60'000, 5, RelayAim::Always, stop.get_token()).end,
                 RelayBurst::End::Failed);
        QCOMPARE(left(side), u"800"_s);

        side.run(deadRows(0.1));
        QVERIFY(work(pair, side, 500, 60));
        side.run(deadRows(0));
        QVERIFY(work(pair, side, 0, 200));
    }
};

} // namespace tst_oldsnapshot

OUTBOX_TEST(tst_oldsnapshot::TestOldSnapshot)
#include "tst_oldsnapshot.moc"
