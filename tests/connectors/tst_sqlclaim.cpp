// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Claims on real databases: every shape, in order, each row once, and back again after a rollback.
#include "tests/connectors/sqlfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/testprogram.h"

namespace tst_sqlclaim {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSqlClaim : public QObject
{
    Q_OBJECT

    Databases m_databases;

    static bool sqlite() { return dialect() == DatabaseUrl::Dialect::Sqlite; }
    static bool mariadb() { return dialect() == DatabaseUrl::Dialect::MariaDb; }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void everyShapeIsClaimedInOrder_data()
    {
        QTest::addColumn<OutboxShape>("shape");
        QTest::addColumn<QStringList>("setup");
        QTest::addColumn<QStringList>("insert"); // table, select list with n
        QTest::addColumn<QString>("left"); // counts what is still due

        QTest::newRow("deleted") << classicShape() << QStringList{classicTable()}
                                 << QStringList{u"outbox"_s, u"n, 'mail', 'payload ' || n"_s}
                                 << u"SELECT count(*) FROM outbox"_s;

        OutboxShape completed = classicShape();
        completed.processedHow = OutboxShape::ProcessedHow::Time;
        completed.processedColumn = u"completed_at"_s;
        QTest::newRow("completed_at")
            << completed << QStringList{classicTable(u", completed_at timestamp with time zone"_s)}
            << QStringList{u"outbox (id, type, payload)"_s, u"n, 'mail', 'payload ' || n"_s}
            << u"SELECT count(*) FROM outbox WHERE completed_at IS NULL"_s;

        OutboxShape reference = classicShape();
        reference.payloadForm = OutboxShape::PayloadForm::Reference;
        reference.payloadColumn.clear();
        reference.typeColumn.clear();
        reference.fixedType = u"mail"_s;
        reference.referenceTableColumn = u"table_name"_s;
        reference.referenceIdColumn = u"table_id"_s;
        reference.referenceTables = QStringList{u"mails"_s};
        QTest::newRow("reference")
            << reference
            << QStringList{u"CREATE TABLE mails (no integer PRIMARY KEY, subject text)"_s,
                           numbered(25, u"n, 'subject ' || n"_s, u"mails"_s),
                           u"CREATE TABLE outbox (id integer PRIMARY KEY, table_name text, table_id text)"_s}
            << QStringList{u"outbox"_s, u"n, 'mails', CAST(n AS text)"_s}
            << u"SELECT count(*) FROM outbox"_s;

        OutboxShape dated;
        dated.use = OutboxShape::Use::Relay;
        dated.table.table = u"OutboxMessages"_s;
        dated.keyColumn = u"Id"_s;
        dated.typeColumn = u"Type"_s;
        dated.payloadColumn = u"Data"_s;
        dated.payloadForm = OutboxShape::PayloadForm::Text;
        dated.createdColumn = u"OccurredOn"_s;
        dated.processedHow = OutboxShape::ProcessedHow::Time;
        dated.processedColumn = u"ProcessedDate"_s;
        dated.order = QStringList{u"OccurredOn"_s};
        QTest::newRow("ProcessedDate")
            << dated
            << QStringList{u"CREATE TABLE \"OutboxMessages\" (\"Id\" varchar(40) PRIMARY KEY, "
                           "\"OccurredOn\" timestamp NOT NULL, \"Type\" text, \"Data\" text, "
                           "\"ProcessedDate\" timestamp)"_s}
            << QStringList{u"\"OutboxMessages\""_s, u"n, @time@, 'mail', 'payload ' || n, NULL"_s}
            << u"SELECT count(*) FROM \"OutboxMessages\" WHERE \"ProcessedDate\" IS NULL"_s;
    }

    void everyShapeIsClaimedInOrder()
    {
        QFETCH(OutboxShape, shape);
        QFETCH(QStringList, setup);
        QFETCH(QStringList, insert);
        QFETCH(QString, left);
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.all(setup);
        QString values = insert.at(1);
        values.replace(u"@time@"_s,
                       sqlite()        ? u"datetime('2026-01-01', n || ' seconds')"_s
                           : mariadb() ? u"timestamp '2026-01-01 00:00:00' + INTERVAL n SECOND"_s
                                       : u"timestamp '2026-01-01' + n * interval '1 second'"_s);
        side.run(numbered(25, values, insert.at(0)));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));

        QStringList claimed;
        QByteArray firstPayload;
        for (int batch = 0; batch < 3; ++batch) {
            const auto messages = store.claim(10, {});
            QVERIFY_RESULT(messages);
            QCOMPARE(messages->size(), batch < 2 ? 10 : 5);
            for (const ClaimedMessage &message : *messages) {
                QCOMPARE(message.problem, QString());
                QCOMPARE(message.type, u"mail"_s);
            }
            if (batch == 0)
                firstPayload = messages->constFirst().payload;
            claimed += idsOf(*messages);
            QVERIFY_RESULT(store.verifyClaim());
            QVERIFY_RESULT(commitTaken(store));
        }
        QStringList expected;
        for (int n = 1; n <= 25; ++n)
            expected += QString::number(n);
        QCOMPARE(claimed, expected);
        const QByteArray referenced("{\"no\":1,\"subject\":\"subject 1\"}");
        QCOMPARE(firstPayload,
                 shape.payloadForm == OutboxShape::PayloadForm::Reference
                     ? referenced
                     : QByteArray("payload 1"));
        const auto none = store.claim(10, {});
        QVERIFY_RESULT(none);
        QVERIFY(none->isEmpty());
        QVERIFY(!store.verifyClaim().has_value()); // no transaction was left open
        QCOMPARE(side.one(left), u"0"_s);
    }

    void rollbackGivesTheRowsBack()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(5, u"n, 'mail', 'x'"_s, u"outbox"_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay)));
        const auto first = store.claim(3, {});
        QVERIFY_RESULT(first);
        QVERIFY_RESULT(store.rollback());
        QVERIFY_RESULT(store.rollback()); // twice does no harm
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"5"_s);
        const auto again = store.claim(3, {});
        QVERIFY_RESULT(again);
        QCOMPARE(*again, *first);
        QVERIFY_RESULT(commitTaken(store));
        QVERIFY(!commitTaken(store).has_value());
    }

    void parkedRowsStay()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(6, u"n, 'mail', 'x'"_s, u"outbox"_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay)));
        const auto messages = store.claim(10, {{u"2"_s}, {u"5"_s}, {u"no number"_s}});
        QVERIFY_RESULT(messages);
        QCOMPARE(idsOf(*messages), QStringList({u"1"_s, u"3"_s, u"4"_s, u"6"_s}));
        QVERIFY_RESULT(commitTaken(store));
        QCOMPARE(side.run(u"SELECT id FROM outbox ORDER BY id"_s), QStringList({u"2"_s, u"5"_s}));
    }

    /// Both conditions carry values, and each must get its own.
    void rowsAreLeftOutByIdAndByQueueAtOnce()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable(u", queue text"_s));
        side.run(numbered(6, u"n, 'mail', 'x', CASE n % 2 WHEN 0 THEN 'low' ELSE 'high' END"_s,
                          u"outbox"_s));
        OutboxShape shape = classicShape();
        shape.queueColumn = u"queue"_s;
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));
        ClaimRequest request;
        request.parked = {{u"1"_s}};
        request.queues = {u"low"_s};
        QVERIFY_RESULT(store.sendClaim(request));
        const auto claim = store.takeClaim();
        QVERIFY_RESULT(claim);
        QCOMPARE(idsOf(claim->rows), QStringList({u"3"_s, u"5"_s}));
        QVERIFY_RESULT(commitTaken(store));
    }

    void rowsThatOthersHoldAreLeftAndParkedOnesAreNot()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable(u", done_at timestamp"_s));
        side.run(numbered(3, u"n, 'mail', 'x', NULL"_s, u"outbox"_s));
        OutboxShape shape = classicShape();
        shape.processedHow = OutboxShape::ProcessedHow::Time;
        shape.processedColumn = u"done_at"_s;
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));
        const auto left = [&store](const QList<MessageId> &parked) {
            const auto any = store.anyLeft(parked);
            return any ? QString::number(*any) : oneLine(any.error());
        };
        QCOMPARE(left({}), u"1"_s);
        QCOMPARE(left({{u"1"_s}, {u"3"_s}}), u"1"_s);
        QCOMPARE(left({{u"1"_s}, {u"2"_s}, {u"3"_s}, {u"no number"_s}}), u"0"_s);

        OutboxStore other;
        QVERIFY_RESULT(openOutbox(other, settingsFor(url, StoreAccess::Relay), shape));
        const auto held = other.claim(10, {{u"3"_s}});
        QVERIFY_RESULT(held);
        QCOMPARE(left({{u"3"_s}}), u"1"_s); // another relay holds rows 1 and 2
        QVERIFY_RESULT(commitTaken(other));
        QCOMPARE(left({}), u"1"_s);
        QCOMPARE(left({{u"3"_s}}), u"0"_s);
        QVERIFY(!store.verifyClaim().has_value()); // and looking left no transaction open
    }

    void aKeyMustBeUniqueByTheCatalog_data()
    {
        QTest::addColumn<QString>("columns");
        QTest::addColumn<QString>("index");
        QTest::addColumn<bool>("serves");
        const QString plain
            = u"id integer NOT NULL, type text, payload text, number integer NOT NULL"_s;
        QTest::newRow("primary key")
            << u"id integer PRIMARY KEY, type text, payload text"_s << QString() << true;
        QTest::newRow("of its own") << plain << u"UNIQUE INDEX i ON outbox (id)"_s << true;
        QTest::newRow("beside a primary key")
            << plain + u", no integer PRIMARY KEY"_s << u"UNIQUE INDEX i ON outbox (id)"_s << true;
        QTest::newRow("none") << plain << QString() << false;
        QTest::newRow("plain index") << plain << u"INDEX i ON outbox (id)"_s << false;
        QTest::newRow("of two columns")
            << plain + u", PRIMARY KEY (id, number)"_s << QString() << false;
        QTest::newRow("first of two")
            << plain << u"UNIQUE INDEX i ON outbox (id, number)"_s << false;
        QTest::newRow("partial") << plain << u"UNIQUE INDEX i ON outbox (id) WHERE id > 3"_s
                                 << false;
        QTest::newRow("may be NULL")
            << u"id integer UNIQUE, type text, payload text"_s << QString() << false;
    }

    void aKeyMustBeUniqueByTheCatalog()
    {
        QFETCH(QString, columns);
        QFETCH(QString, index);
        QFETCH(bool, serves);
        if (mariadb() && index.contains(u"WHERE"_s))
            QSKIP("MariaDB has no index over some of the rows");
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (%1)"_s.arg(columns));
        if (!index.isEmpty())
            side.run(u"CREATE "_s + index);
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly)));
        const auto used = store.use(classicShape());
        if (serves) {
            QVERIFY_RESULT(used);
            return;
        }
        QVERIFY(!used.has_value());
        QCOMPARE(used.error().kind, Error::Kind::Unsupported);
        QVERIFY(used.error().text.contains(u"not unique"_s));
    }

    void aKeyThatIsUniqueNoMoreTakesNothing()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.all({u"CREATE TABLE outbox (id integer NOT NULL, type text, payload text)"_s,
                  u"CREATE UNIQUE INDEX one_of_each ON outbox (id)"_s});
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay)));
        side.all({u"DROP INDEX one_of_each"_s,
                  u"INSERT INTO outbox VALUES (1, 'mail', 'a'), (1, 'mail', 'b')"_s});
        if (dialect() == DatabaseUrl::Dialect::PostgreSql) { // the twin unasked for stays out
            const auto claimed = store.claim(1, {});
            QVERIFY_RESULT(claimed);
            QCOMPARE(claimed->size(), 1);
            QVERIFY_RESULT(store.rollback());
        } else {
            QVERIFY(!store.claim(1, {}).has_value());
        }
        for (const int rows : {2, 10}) { // both asked for
            const auto claimed = store.claim(rows, {});
            QVERIFY(!claimed.has_value());
            // MariaDB writes by the key, and misses it; then the catalog is asked again.
            const Error::Kind kind = !mariadb() ? Error::Kind::Conflict
                : rows == 1                     ? Error::Kind::Invalid
                                                : Error::Kind::Unsupported;
            QCOMPARE(claimed.error().kind, kind);
            QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"2"_s);
        }
        QVERIFY(!store.verifyClaim().has_value()); // rolled back
    }

    void numbersAreSortedAsNumbers()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable(u", place integer NOT NULL"_s));
        side.run(numbered(12, u"n, 'mail', 'x', 13 - n"_s, u"outbox"_s));
        OutboxShape shape = classicShape();
        shape.order = QStringList{u"place"_s};
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));
        QVERIFY_RESULT(store.sendClaim({11, {}, {}}));
        const auto claim = store.takeClaim();
        QVERIFY_RESULT(claim);
        QCOMPARE(claim->rows.size(), 11);
        for (int row = 0; row < 11; ++row)
            QCOMPARE(claim->rows.at(row).id.text, QString::number(12 - row));
        QCOMPARE(claim->last, (QStringList{u"11"_s, u"2"_s}));
    }

    void aClaimTwiceIsRefused()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(2, u"n, 'mail', 'x'"_s, u"outbox"_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay)));
        QVERIFY_RESULT(store.claim(1, {}));
        const auto second = store.claim(1, {});
        QVERIFY(!second.has_value());
        QCOMPARE(second.error().kind, Error::Kind::Conflict);
    }

    void aLookingSessionMayNotClaim()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly)));
        const auto claimed = store.claim(1, {});
        QVERIFY(!claimed.has_value());
        QCOMPARE(claimed.error().kind, Error::Kind::Refused);
    }

    void danglingAndUnlistedReferencesAreProblems()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.all({u"CREATE TABLE mails (no integer PRIMARY KEY, subject text, raw %1)"_s.arg(
                      testWords().bytesType),
                  u"CREATE TABLE secrets (no integer PRIMARY KEY, word text)"_s,
                  u"INSERT INTO mails VALUES (1, 'he said \"hi\"', NULL)"_s,
                  u"INSERT INTO secrets VALUES (1, 'hidden')"_s,
                  u"CREATE TABLE outbox (id integer PRIMARY KEY, table_name text, table_id text)"_s,
                  u"INSERT INTO outbox VALUES (1, 'mails', '1'), (2, 'mails', '77'), (3, "
                  u"'secrets', '1'),"
                  " (4, 'mails; drop table mails', '1'), (5, 'mails', 'x''y'), (6, NULL, NULL)"_s});
        OutboxShape shape = classicShape();
        shape.payloadForm = OutboxShape::PayloadForm::Reference;
        shape.payloadColumn.clear();
        shape.typeColumn.clear();
        shape.fixedType = u"mail"_s;
        shape.referenceTableColumn = u"table_name"_s;
        shape.referenceIdColumn = u"table_id"_s;
        shape.referenceTables = QStringList{u"mails"_s};
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));
        const auto messages = store.claim(10, {});
        QVERIFY_RESULT(messages);
        QCOMPARE(messages->size(), 6);
        const QByteArray json("{\"no\":1,\"subject\":\"he said \\\"hi\\\"\",\"raw\":null}");
        QCOMPARE(messages->at(0).payload, json);
        QCOMPARE(messages->at(0).problem, QString());
        for (int row = 1; row < 6; ++row) {
            QVERIFY2(!messages->at(row).problem.isEmpty(), qPrintable(messages->at(row).id.text));
            QVERIFY(messages->at(row).payload.isEmpty());
        }
        QVERIFY(messages->at(2).problem.contains(u"secrets"_s));
        QVERIFY_RESULT(store.rollback());
        QCOMPARE(side.one(u"SELECT count(*) FROM mails"_s), u"1"_s);

        const auto page = store.page({});
        QVERIFY_RESULT(page);
        QCOMPARE(page->rows.size(), 6);
        QCOMPARE(page->rows.at(5).payloadBytes, messages->at(0).payload.size());
        QCOMPARE(page->rows.at(4).payloadBytes, -1);
        QVERIFY(!page->rows.at(4).note.isEmpty());
    }
};

} // namespace tst_sqlclaim

OUTBOX_TEST(tst_sqlclaim::TestSqlClaim)
#include "tst_sqlclaim.moc"
