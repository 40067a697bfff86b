// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A row that cannot be delivered, and nothing else to deliver: it is parked with its reason after
// three tries, unless it is the server that refuses.
#include "tests/app/relayground.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_lonerow {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestLoneRow : public QObject, protected RelayGround
{
    Q_OBJECT

    struct Round
    {
        QList<ParkedRow> parked;
        int errors = 0; ///< told
        bool isDrained = false;
    };

    [[nodiscard]] RelayTarget target(const DatabaseUrl &url) const
    {
        RelayTarget target = relayTarget(url, queuesShape());
        target.rules.retryAfterMs = 5;
        return target;
    }

    static Round worked(RelaySession &pair, int mostBursts)
    {
        Round round;
        const std::stop_source stop;
        for (int bursts = 0; bursts < mostBursts && !round.isDrained; ++bursts) {
            const RelayBurst burst
                = pair.work(100, 1'000'000, 100, 5, RelayAim::Drained, stop.get_token());
            for (const RelayStep &step : burst.steps) {
                round.parked += step.parked;
                round.errors += step.error ? 1 : 0;
            }
            round.isDrained = burst.end == RelayBurst::End::Drained;
            if (burst.end == RelayBurst::End::Failed && !pair.ensureOpen())
                continue;
        }
        return round;
    }

    void letAll()
    {
        command({"ACL", "SETUSER", "default", "allkeys"});
        command({"CONFIG", "SET", "maxmemory", "0"});
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_DATABASES(m_databases, {}, true);
        OUTBOX_START_SERVER(m_redis);
    }

    void init()
    {
        letAll();
        emptyRedis();
    }

    void oneThatTheDatabaseRefusesIsParked_data() { addDialects(); }
    void oneThatTheDatabaseRefusesIsParked()
    {
        QFETCH(int, dialect);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        side.run(numbered(1, u"n, 'a', 'x', ''"_s, u"outbox"_s));
        side.all({u"CREATE TABLE child (parent integer NOT NULL REFERENCES outbox (id))"_s,
                  u"INSERT INTO child VALUES (1)"_s});
        if (url.dialect != DatabaseUrl::Dialect::PostgreSql) { // there the child is enough
            side.all(testWords(url.dialect)
                         .refusing(u"refuse"_s, u"DELETE"_s, u"1 = 1"_s, u"it may not go"_s));
        }
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url)));
        const Round round = worked(pair, 200);
        QVERIFY(round.isDrained);
        QCOMPARE(round.parked.size(), 1);
        QVERIFY(!round.parked.first().reason.isEmpty());
        QVERIFY(round.parked.first().attempts <= 3);
    }

    void oneThatFailsAtTheCommitIsParked()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        side.run(numbered(1, u"n, 'a', 'x', ''"_s, u"outbox"_s));
        side.all({u"CREATE TABLE child (parent integer NOT NULL REFERENCES outbox (id)"
                  " DEFERRABLE INITIALLY DEFERRED)"_s,
                  u"INSERT INTO child VALUES (1)"_s});
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url)));
        const Round round = worked(pair, 200);
        QVERIFY(round.isDrained);
        QCOMPARE(round.parked.size(), 1);
        QVERIFY(round.parked.first().attempts <= 3);
    }

    void oneThatRedisRefusesIsParked()
    {
        command({"ACL", "SETUSER", "default", "resetkeys", "~asynq:queues", "~asynq:{default}:*"});
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        side.run(numbered(1, u"n, 'a', 'x', 'bad'"_s, u"outbox"_s));
        RelaySession pair;
        QVERIFY_RESULT(pair.open(target(url)));
        const Round round = worked(pair, 200);
        QVERIFY(round.isDrained);
        QCOMPARE(round.parked.size(), 1);
        QVERIFY(round.parked.first().reason.contains(u"NOPERM"_s));
        QVERIFY(round.parked.first().attempts <= 3);
    }

    void oneThatMakesRedisHangUpIsParked()
    {
        PrivateRedis narrow;
        OUTBOX_START_SERVER(narrow, {u"--proto-max-bulk-len"_s, u"1mb"_s});
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        side.run(u"INSERT INTO outbox VALUES (1, 'a', repeat('x', 2000000), '')"_s);
        RelayTarget relay = target(url);
        relay.redis = RedisEndpoint::fromUrl(narrow.url()).value();
        RelaySession pair;
        QVERIFY_RESULT(pair.open(relay));
        const Round round = worked(pair, 200);
        QVERIFY(round.isDrained);
        QCOMPARE(round.parked.size(), 1);
        QVERIFY(!round.parked.first().reason.isEmpty());
        QVERIFY(round.parked.first().attempts <= 3);
    }

    void aServerThatRefusesEverythingParksNone_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<QString>("how");
        for (const int rows : {1, 2, 7}) {
            for (const char *how : {"memory", "queue", "keys"})
                QTest::addRow("%s, %d", how, rows) << rows << QString::fromLatin1(how);
        }
    }
    void aServerThatRefusesEverythingParksNone()
    {
        QFETCH(int, rows);
        QFETCH(QString, how);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        RelayTarget relay = target(url);
        RelaySession pair;
        QVERIFY_RESULT(pair.open(relay));
        side.run(numbered(rows, u"n, 'a', 'x', ''"_s, u"outbox"_s));
        if (how == u"memory")
            command({"CONFIG", "SET", "maxmemory", "1"});
        else if (how == u"queue")
            command({"ACL", "SETUSER", "default", "resetkeys", "~asynq:queues"});
        else if (how == u"keys")
            command({"ACL", "SETUSER", "default", "resetkeys"});
        const Round round = worked(pair, 60);
        QCOMPARE(round.parked.size(), 0);
        QVERIFY(round.errors > 0);
        letAll();
        worked(pair, 2000);
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"0"_s);
    }
};

} // namespace tst_lonerow

OUTBOX_TEST(tst_lonerow::TestLoneRow)
#include "tst_lonerow.moc"
