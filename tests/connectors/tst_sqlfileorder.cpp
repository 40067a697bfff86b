// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys of no order: PostgreSQL's rows are claimed as they lie in the file, and none is passed over.
#include "tests/connectors/sqlfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/testprogram.h"

#include <QSet>

namespace tst_sqlfileorder {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString columns = u"(id uuid, type text NOT NULL, payload bytea NOT NULL"_s;
const QString timeOrdered = u"(lpad(to_hex(1795225841000 + n), 12, '0') || '7' || substr(replace("
                            "gen_random_uuid()::text, '-', ''), 14))::uuid"_s;

QString insert(int rows, const QString &id = u"gen_random_uuid()"_s)
{
    return u"INSERT INTO outbox SELECT %1, 'mail', '\\x01' FROM generate_series(1, %2) AS n"_s.arg(
        id, QString::number(rows));
}

} // namespace

class TestSqlFileOrder : public QObject
{
    Q_OBJECT

    Databases m_databases;

    static Claim taken(OutboxStore &store, const ClaimRequest &request)
    {
        Result<Claim> claim = Claim();
        if (auto sent = store.sendClaim(request); sent)
            claim = store.takeClaim();
        else
            claim = passOn(sent);
        if (!claim) {
            qWarning() << oneLine(claim.error());
            return {};
        }
        return *claim;
    }

    static void open(OutboxStore &store, const DatabaseUrl &url)
    {
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), uuidShape()));
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_databases.postgres); }

    void theyAreTakenAsTheyLie()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.all({u"CREATE TABLE outbox "_s + columns + u", PRIMARY KEY (id))"_s, insert(100)});
        OutboxStore store;
        open(store, url);
        QStringList after = taken(store, {10, {}, {}}).last;
        QVERIFY_RESULT(commitTaken(store));
        QCOMPARE(after, QStringList{u"(0,0)"_s}); // those came by their keys, from anywhere
        QSet<QString> seen;
        for (int batch = 0; batch < 9; ++batch) {
            const QStringList next
                = side.run(u"SELECT id FROM outbox ORDER BY ctid LIMIT 10"_s); // as they lie
            const Claim claim = taken(store, {10, {}, after});
            QStringList ids;
            for (const ClaimedMessage &row : claim.rows)
                ids += row.id.text;
            QCOMPARE(ids, next);
            QVERIFY(claim.last != after);
            after = claim.last;
            seen += QSet<QString>(ids.begin(), ids.end());
            QVERIFY_RESULT(commitTaken(store));
        }
        QCOMPARE(seen.size(), 90);
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"0"_s);
    }

    void aRowBehindIsFoundFromTheStartAndTheFrontStays()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.all({u"CREATE TABLE outbox "_s + columns + u", PRIMARY KEY (id))"_s, insert(40)});
        OutboxStore store;
        open(store, url);
        SideSession late(url); // its row lies behind all others when it is let go
        late.all({u"BEGIN"_s, u"SELECT FROM outbox ORDER BY ctid LIMIT 1 FOR UPDATE"_s});
        QStringList after{u"(0,0)"_s};
        after = taken(store, {20, {}, after}).last;
        QVERIFY_RESULT(commitTaken(store));
        late.run(u"ROLLBACK"_s);
        QCOMPARE(taken(store, {30, {}, after}).rows.size(), 19); // the rest, without that one
        QVERIFY_RESULT(store.rollback());
        const Claim behind = taken(store, {1, {}, after, true});
        QCOMPARE(behind.rows.size(), 1);
        QCOMPARE(behind.last, after);
        QVERIFY_RESULT(commitTaken(store));
        const Claim rest = taken(store, {30, {}, after, true}); // from the start to the end
        QCOMPARE(rest.rows.size(), 19);
        QCOMPARE(rest.last, QStringList{u"(0,40)"_s});
        QVERIFY_RESULT(commitTaken(store));
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"0"_s);
    }

    void allThatIsThereByItsKeysTellsWhereNewRowsAre()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.all({u"CREATE TABLE outbox "_s + columns + u", PRIMARY KEY (id))"_s, insert(12)});
        OutboxStore store;
        open(store, url);
        const Claim all = taken(store, {20, {}, {}});
        QCOMPARE(all.rows.size(), 12);
        QCOMPARE(all.last, QStringList{u"(0,12)"_s});
        QVERIFY_RESULT(commitTaken(store));
        side.run(insert(3));
        QCOMPARE(taken(store, {20, {}, all.last}).rows.size(), 3);
    }

    void keysOfTimeGoByTheirOrder()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.all({u"CREATE TABLE outbox "_s + columns + u", PRIMARY KEY (id))"_s,
                  insert(10, timeOrdered)});
        OutboxStore store;
        open(store, url);
        const Claim claim = taken(store, {5, {}, {}});
        QCOMPARE(claim.last, QStringList{claim.rows.constLast().id.text});
    }

    void placesOfOtherPartitionsAreNotMistaken()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(u"CREATE TABLE outbox "_s + columns
                 + u", PRIMARY KEY (id)) PARTITION BY HASH (id)"_s);
        for (int part = 0; part < 4; ++part) {
            side.run(
                u"CREATE TABLE part%1 PARTITION OF outbox FOR VALUES WITH (MODULUS 4, REMAINDER %1)"_s
                    .arg(part));
        }
        side.run(insert(200));
        OutboxStore store;
        open(store, url);
        QStringList after;
        for (int left = 200; left > 0; left -= 20) {
            QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), QString::number(left));
            const Claim claim = taken(store, {20, {}, after});
            QCOMPARE(claim.rows.size(), 20);
            after = claim.last;
            QCOMPARE(after, QStringList{claim.rows.constLast().id.text});
            QVERIFY_RESULT(commitTaken(store));
        }
    }

    void anHeirThatCameLaterKeepsItsRows()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.all({u"CREATE TABLE outbox "_s + columns + u", PRIMARY KEY (id))"_s, insert(30)});
        OutboxStore store;
        open(store, url);
        side.all({u"CREATE TABLE heir () INHERITS (outbox)"_s,
                  u"INSERT INTO heir SELECT * FROM ONLY outbox"_s});
        QCOMPARE(taken(store, {30, {}, {}}).rows.size(), 30);
        QVERIFY_RESULT(commitTaken(store));
        QCOMPARE(side.one(u"SELECT count(*) FROM heir"_s), u"30"_s);
        QCOMPARE(side.one(u"SELECT count(*) FROM ONLY outbox"_s), u"0"_s);
    }
};

} // namespace tst_sqlfileorder

OUTBOX_TEST(tst_sqlfileorder::TestSqlFileOrder)
#include "tst_sqlfileorder.moc"
