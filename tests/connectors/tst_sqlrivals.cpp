// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several relays on one table: no row twice, none lost, never more than asked for under any plan.
#include "models/filter/pagerequest.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QSet>

namespace tst_sqlrivals {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSqlRivals : public QObject
{
    Q_OBJECT

    Databases m_databases;

    DatabaseUrl uuidTable(int rows)
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.all(
            {u"CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), type text NOT NULL, payload bytea NOT NULL)"_s,
             u"INSERT INTO outbox (type, payload) SELECT 'mail', '\\x0102' FROM generate_series(1, %1)"_s
                 .arg(rows),
             u"ANALYZE outbox"_s});
        return url;
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_databases.postgres); }

    void neverMoreThanAskedForUnderAnyPlan_data()
    {
        QTest::addColumn<QStringList>("off");
        QTest::newRow("as planned") << QStringList();
        QTest::newRow("nested loops") << QStringList{u"enable_hashjoin"_s, u"enable_mergejoin"_s};
        QTest::newRow("no sequential scan")
            << QStringList{u"enable_seqscan"_s, u"enable_hashjoin"_s, u"enable_mergejoin"_s};
        QTest::newRow("no index") << QStringList{u"enable_indexscan"_s, u"enable_bitmapscan"_s,
                                                 u"enable_indexonlyscan"_s};
        QTest::newRow("no hash, no material")
            << QStringList{u"enable_hashjoin"_s, u"enable_hashagg"_s, u"enable_material"_s,
                           u"enable_memoize"_s, u"enable_mergejoin"_s};
    }

    void neverMoreThanAskedForUnderAnyPlan()
    {
        QFETCH(QStringList, off);
        DatabaseUrl url = uuidTable(2000);
        QStringList options;
        for (const QString &setting : off)
            options += u"-c "_s + setting + u"=off"_s;
        url.options[u"options"_s] = options.join(u' ');
        SideSession side(url);
        for (const bool deleted : {true, false}) {
            OutboxShape shape = uuidShape();
            if (!deleted) {
                side.run(u"ALTER TABLE outbox ADD COLUMN completed_at timestamptz"_s);
                shape.processedHow = OutboxShape::ProcessedHow::Time;
                shape.processedColumn = u"completed_at"_s;
            }
            OutboxStore store;
            QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));
            const QString left = deleted
                ? u"SELECT count(*) FROM outbox"_s
                : u"SELECT count(*) FROM outbox WHERE completed_at IS NULL"_s;
            QStringList after;
            for (int batch = 0; batch < 14; ++batch) { // as often as a plan may come to be kept
                const int before = side.one(left).toInt();
                QVERIFY_RESULT(store.sendClaim({10, {}, after, batch % 7 == 0}));
                const auto claim = store.takeClaim();
                QVERIFY_RESULT(claim);
                QCOMPARE(claim->rows.size(), 10);
                after = claim->last;
                QCOMPARE(after.size(), 1);
                if (!deleted) // random keys that go away are taken as they lie
                    QCOMPARE(after.constFirst(), claim->rows.constLast().id.text);
                QVERIFY_RESULT(commitTaken(store));
                QCOMPARE(side.one(left).toInt(), before - 10);
            }
        }
    }

    void twoRelaysNeverGetTheSameRow()
    {
        const DatabaseUrl url = uuidTable(320);
        OutboxStore stores[2];
        for (OutboxStore &store : stores) {
            QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), uuidShape()));
        }
        QStringList ids;
        for (int round = 0; round < 20; ++round) {
            for (OutboxStore &store : stores) { // both claims stand open at once
                const auto messages = store.claim(10, {});
                QVERIFY_RESULT(messages);
                if (round % 5 != 4)
                    ids += idsOf(*messages);
            }
            for (OutboxStore &store : stores) {
                if (round % 5 != 4)
                    QVERIFY_RESULT(commitTaken(store));
                else
                    QVERIFY_RESULT(store.rollback());
            }
        }
        QCOMPARE(ids.size(), 320);
        QCOMPARE(QSet<QString>(ids.cbegin(), ids.cend()).size(), 320);
        QCOMPARE(SideSession(url).one(u"SELECT count(*) FROM outbox"_s), u"0"_s);
    }

    void aRowHeldByAnotherIsPassedOver()
    {
        const DatabaseUrl url = uuidTable(5);
        SideSession side(url);
        side.all({u"BEGIN"_s, u"SELECT * FROM outbox ORDER BY id LIMIT 2 FOR UPDATE"_s});
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), uuidShape()));
        const auto messages = store.claim(10, {});
        QVERIFY_RESULT(messages);
        QCOMPARE(messages->size(), 3);
        QVERIFY_RESULT(store.rollback());
    }

    void anErrorInAClaimIsRolledBack()
    {
        const DatabaseUrl url = uuidTable(5);
        SideSession side(url);
        side.all(
            testWords(url.dialect).refusing(u"refuse"_s, u"DELETE"_s, u"true"_s, u"not today"_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), uuidShape()));
        const auto messages = store.claim(3, {});
        QVERIFY(!messages.has_value());
        QVERIFY(messages.error().text.contains(u"not today"_s));
        const QString open
            = u"SELECT count(*) FROM pg_stat_activity WHERE application_name = 'relay' AND state <> 'idle'"_s;
        QTRY_COMPARE(side.one(open), u"0"_s);
        side.run(u"DROP TRIGGER refuse ON outbox"_s);
        QVERIFY_RESULT(store.claim(3, {}));
    }

    void idPrefixesOfUuidsAreRanges()
    {
        const DatabaseUrl url = uuidTable(0);
        SideSession side(url);
        side.run(
            u"INSERT INTO outbox VALUES ('0000abcd-0000-0000-0000-000000000001', 'a', ''), ('0000abce-0000-0000-0000-000000000001', 'a', '')"_s);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), uuidShape()));
        PageRequest request;
        request.filter = filterOf(u"id:0000ABCD-0"_s);
        const auto page = store.page(request);
        QVERIFY_RESULT(page);
        QCOMPARE(page->rows.size(), 1);
        const auto found = store.find({u"0000ABCD-0000-0000-0000-000000000001"_s});
        QVERIFY_RESULT(found);
        QVERIFY(found->has_value());
    }

    void liveTablesAreProbed()
    {
        const DatabaseUrl url = uuidTable(1);
        SideSession side(url);
        side.all(
            {u"CREATE SCHEMA app"_s,
             u"CREATE TABLE app.\"OutboxMessages\" (\"Id\" uuid PRIMARY KEY, \"OccurredOn\" "
             u"timestamp NOT NULL,"
             " \"Type\" varchar(255) NOT NULL, \"Data\" text NOT NULL, \"ProcessedDate\" timestamp)"_s,
             u"CREATE TABLE mails (id uuid PRIMARY KEY, subject text)"_s,
             u"CREATE TABLE mail_outbox (id varchar(36) PRIMARY KEY, table_id uuid NOT NULL, table_name text NOT NULL)"_s,
             u"INSERT INTO mail_outbox SELECT gen_random_uuid(), gen_random_uuid(), 'mails'"_s,
             u"INSERT INTO mail_outbox SELECT gen_random_uuid(), gen_random_uuid(), 'nothing'"_s,
             u"CREATE TABLE users (id int PRIMARY KEY, name text, created_at timestamptz)"_s});
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly)));
        const auto found = store.probe();
        QVERIFY_RESULT(found);
        QStringList families;
        for (const ProbeFinding &one : *found) {
            families += one.shape.family;
            QVERIFY_RESULT(store.use(one.shape));
        }
        families.sort();
        QCOMPARE(families,
                 QStringList({u"classic"_s, u"classic by reference"_s, u"processed-date"_s}));
        const auto reference = store.probe(TableName{{}, u"mail_outbox"_s});
        QVERIFY_RESULT(reference);
        const ProbeFinding &one = reference->constFirst();
        QCOMPARE(one.shape.referenceTables, QStringList{u"mails"_s});
        QCOMPARE(one.shape.keyForm, OutboxShape::KeyForm::UuidText);
        QCOMPARE(one.shape.taskId, u"{id}"_s);
        QVERIFY(one.questions.join(u' ').contains(u"nothing"_s));
        QCOMPARE(store.probe(TableName{u"app"_s, u"OutboxMessages"_s})->constFirst().shape.use,
                 OutboxShape::Use::Relay);
    }
};

} // namespace tst_sqlrivals

OUTBOX_TEST(tst_sqlrivals::TestSqlRivals)
#include "tst_sqlrivals.moc"
