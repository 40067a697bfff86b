// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pages are complete and without duplicates, both ways, while rows come and go; filters; hostile
// names.
#include "models/filter/pagerequest.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/testprogram.h"

#include <QSet>

namespace tst_sqlpages {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSqlPages : public QObject
{
    Q_OBJECT

    Databases m_databases;

    static bool sqlite() { return dialect() == DatabaseUrl::Dialect::Sqlite; }

    static bool mariadb() { return dialect() == DatabaseUrl::Dialect::MariaDb; }
    static bool postgres() { return dialect() == DatabaseUrl::Dialect::PostgreSql; }

    static QString now(int secondsAgo) { return testWords().later.arg(-secondsAgo); }

    /// 30 rows with ties in time: three rows share each created_at.
    DatabaseUrl tableWithTies()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(
            classicTable(u", created_at %1 NOT NULL, completed_at %1"_s.arg(testWords().timeType)));
        const QString time = sqlite() ? u"datetime('2026-01-01', (n / 3) || ' seconds')"_s
            : mariadb() ? u"timestamp '2026-01-01 00:00:00' + interval n div 3 second"_s
                        : u"timestamptz '2026-01-01 00:00Z' + n / 3 * interval '1 second'"_s;
        side.run(numbered(
            30,
            u"n, CASE WHEN n > 20 THEN 'mail' ELSE 'sms_x' END, 'payload ' || n, %1, NULL"_s.arg(
                time),
            u"outbox"_s));
        return url;
    }

    static OutboxShape timeShape()
    {
        OutboxShape shape = classicShape();
        shape.createdColumn = u"created_at"_s;
        shape.order = QStringList{u"created_at"_s, u"-id"_s}; // two ways in one order
        shape.orderIs = OutboxShape::OrderIs::Time;
        shape.processedHow = OutboxShape::ProcessedHow::Time;
        shape.processedColumn = u"completed_at"_s;
        return shape;
    }

    static QStringList idsOn(OutboxStore &store, PageRequest request)
    {
        const auto page = store.page(request);
        if (!page) {
            QTest::qFail(qPrintable(oneLine(page.error())), __FILE__, __LINE__);
            return {};
        }
        QStringList ids;
        for (const Message &row : page->rows)
            ids += row.id.text;
        return ids;
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void pagesAreCompleteWithoutDuplicates_data()
    {
        QTest::addColumn<QStringList>("order");
        QTest::addColumn<bool>("newestFirst");
        for (const bool newest : {true, false}) {
            const char *way = newest ? "newest" : "oldest";
            QTest::addRow("mixed %s", way) << QStringList{u"created_at"_s, u"-id"_s} << newest;
            QTest::addRow("one way %s", way) << QStringList{u"created_at"_s, u"id"_s} << newest;
            QTest::addRow("nullable left out %s", way) << QStringList{u"completed_at"_s} << newest;
        }
    }

    void pagesAreCompleteWithoutDuplicates()
    {
        QFETCH(QStringList, order);
        QFETCH(bool, newestFirst);
        const DatabaseUrl url = tableWithTies();
        SideSession side(url);
        OutboxStore store;
        OutboxShape shape = timeShape();
        shape.order = order;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), shape));
        PageRequest request;
        request.limit = 7;
        request.newestFirst = newestFirst;
        QStringList seen;
        int number = 1000;
        do {
            const auto page = store.page(request);
            QVERIFY_RESULT(page);
            QVERIFY(page->rows.size() <= 7);
            QCOMPARE(page->statements.size(), 1);
            for (const Message &row : page->rows)
                seen += row.id.text;
            request.after = page->next;
            // rows come and go at both ends meanwhile
            side.run(u"INSERT INTO outbox VALUES (%1, 'late', 'x', %2, NULL)"_s.arg(++number).arg(
                now(0)));
        } while (!request.after.isEmpty());
        QCOMPARE(QSet<QString>(seen.cbegin(), seen.cend()).size(), seen.size());
        for (int n = 1; n <= 30; ++n)
            QVERIFY2(seen.contains(QString::number(n)), qPrintable(QString::number(n)));
    }

    void numbersWithFractionsArePagedExactly_data()
    {
        QTest::addColumn<bool>("newestFirst");
        QTest::newRow("newest") << true;
        QTest::newRow("oldest") << false;
    }

    void numbersWithFractionsArePagedExactly()
    {
        QFETCH(bool, newestFirst);
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable(u", at double precision NOT NULL"_s));
        // alike in the first 15 digits, told apart by the last bits only
        side.run(
            numbered(40, u"n, 'mail', 'x', 1700000000.1e0 + n / 3 / 4194304.0e0"_s, u"outbox"_s));
        OutboxShape shape = classicShape();
        shape.order = QStringList{u"at"_s};
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), shape));
        PageRequest request;
        request.limit = 1;
        request.newestFirst = newestFirst;
        QStringList seen;
        QStringList expected;
        for (int n = 1; n <= 40; ++n)
            expected.insert(newestFirst ? 0 : expected.size(), QString::number(n));
        do {
            const auto page = store.page(request);
            QVERIFY_RESULT(page);
            for (const Message &row : page->rows)
                seen += row.id.text;
            request.after = page->next;
        } while (!request.after.isEmpty() && seen.size() <= expected.size());
        QCOMPARE(seen, expected);
    }

    void aCursorOfAnotherListIsRefused()
    {
        OutboxStore store;
        QVERIFY_RESULT(
            openOutbox(store, settingsFor(tableWithTies(), StoreAccess::ReadOnly), timeShape()));
        PageRequest request;
        request.limit = 3;
        const auto page = store.page(request);
        QVERIFY_RESULT(page);
        request.after = page->next;
        request.newestFirst = false;
        QCOMPARE(store.page(request).error().kind, Error::Kind::Invalid);
        request.after = u"rubbish"_s;
        QCOMPARE(store.page(request).error().kind, Error::Kind::Invalid);
    }

    void filtersWork()
    {
        const DatabaseUrl url = tableWithTies();
        SideSession side(url);
        side.run(u"UPDATE outbox SET completed_at = %1 WHERE id <= 4"_s.arg(now(0)));
        side.run(u"INSERT INTO outbox VALUES (100, 'fresh', 'x', %1, NULL)"_s.arg(now(5)));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), timeShape()));
        PageRequest request;
        request.filter = filterOf(u"type:sms_*"_s); // the underscore is no wildcard
        QCOMPARE(idsOn(store, request).size(), 20);
        request.filter = filterOf(u"type:sms?x"_s);
        QCOMPARE(idsOn(store, request).size(), 20);
        request.filter = filterOf(u"type:sms%"_s);
        QCOMPARE(idsOn(store, request).size(), 0);
        request.filter = filterOf(u"type:mail"_s);
        QCOMPARE(idsOn(store, request).size(), 10);
        request = {};
        request.filter = filterOf(u"id:1"_s); // 1, 10 … 19, 100
        QCOMPARE(idsOn(store, request).size(), 12);
        request.filter = filterOf(u"id:x'"_s);
        QCOMPARE(idsOn(store, request).size(), 0);
        request = {};
        request.states = {MessageState::Processed};
        QCOMPARE(idsOn(store, request).size(), 4);
        request.states = {MessageState::Pending};
        QCOMPARE(idsOn(store, request).size(), 27);
        request.states = {MessageState::Processed, MessageState::Pending, MessageState::Locked};
        QCOMPARE(idsOn(store, request).size(), 31);
        request.states = {MessageState::Failed};
        QCOMPARE(idsOn(store, request).size(), 0);
        request = {};
        request.filter = filterOf(u"age>60s"_s);
        QCOMPARE(idsOn(store, request).size(), 30);
        request = {};
        request.filter = filterOf(u"age<60s"_s);
        QCOMPARE(idsOn(store, request), QStringList{u"100"_s});
    }

    void countsAgeAndState()
    {
        const DatabaseUrl url = tableWithTies();
        SideSession side(url);
        side.run(u"UPDATE outbox SET completed_at = %1 WHERE id <= 4"_s.arg(now(0)));
        side.run(u"UPDATE outbox SET created_at = %1"_s.arg(now(30)));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), timeShape()));
        const auto seen = store.snapshot();
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->pending, 26);
        QCOMPARE(seen->processed, 4);
        QVERIFY(*seen->oldestPendingSeconds > 28 && *seen->oldestPendingSeconds < 60);
        QCOMPARE(seen->lockVisible, postgres());
        QCOMPARE(seen->locked.has_value(), postgres());
        const auto row = store.find({u"3"_s});
        QVERIFY_RESULT(row);
        QVERIFY(row->has_value());
        QCOMPARE((*row)->state, MessageState::Processed);
        QCOMPARE((*row)->payload, QByteArray("payload 3"));
        QVERIFY((*row)->processed
                && qAbs((*row)->processed->secsTo(QDateTime::currentDateTimeUtc())) < 60);
        QVERIFY(*(*row)->ageSeconds > 28 && *(*row)->ageSeconds < 60);
        const auto none = store.find({u"no such id"_s});
        QVERIFY_RESULT(none);
        QVERIFY(!none->has_value());
    }

    void aPageTellsTheWayBack()
    {
        OutboxStore store;
        QVERIFY_RESULT(
            openOutbox(store, settingsFor(tableWithTies(), StoreAccess::ReadOnly), timeShape()));
        PageRequest request;
        const QStringList all = idsOn(store, request);
        request.limit = 10;
        request.after = store.page(request)->next;
        const auto middle = store.page(request);
        QVERIFY_RESULT(middle);
        PageRequest back;
        back.newestFirst = false;
        back.after = middle->back;
        back.limit = 4;
        const auto above = store.page(back);
        QVERIFY_RESULT(above);
        QStringList ids;
        for (const Message &row : above->rows)
            ids.prepend(row.id.text);
        QCOMPARE(ids, all.mid(6, 4));
        PageRequest again;
        again.after = above->turn;
        again.limit = 3;
        QCOMPARE(idsOn(store, again).mid(0, 3), all.mid(7, 3));
    }

    void manyProcessedRowsAreEstimatedNotCounted()
    {
        const DatabaseUrl url = tableWithTies();
        SideSession side(url);
        side.run(u"UPDATE outbox SET completed_at = %1 WHERE id <= 25"_s.arg(now(0)));
        side.run(testWords().analyze);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), timeShape()));
        const auto few = store.snapshot({100, 25});
        QVERIFY_RESULT(few);
        QCOMPARE(few->processed, 25);
        QVERIFY(few->exact);
        const auto many = store.snapshot({10, 1});
        QVERIFY_RESULT(many);
        QCOMPARE(many->pending, 5);
        QVERIFY(!many->exact);
        QCOMPARE(many->processed, sqlite() ? 1 : 25); // it keeps no estimate
        QVERIFY(!many->notes.value(u"processed"_s).isEmpty());
        // Where rows go when they are sent, what was not counted waits.
        OutboxStore classic;
        QVERIFY_RESULT(openOutbox(classic, settingsFor(url, StoreAccess::ReadOnly)));
        const auto backlog = classic.snapshot({10, 10});
        QVERIFY_RESULT(backlog);
        QVERIFY(!backlog->exact);
        if (sqlite())
            QCOMPARE(backlog->pending, 11);
        else
            QCOMPARE(backlog->pending, 30);
    }

    void hostileNamesWork()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        const QString table = u"a\"b; drop table outbox--%1"_s;
        const QString quotedTable = u"\"a\"\"b; drop table outbox--%1\""_s;
        side.run(classicTable());
        side.run(
            u"CREATE TABLE "_s + quotedTable
            + u" (\"order\" integer PRIMARY KEY, \"it's\" text, \"se\"\"lect :x $1\" text, \"group\" timestamp)"_s);
        side.run(u"INSERT INTO "_s + quotedTable
                 + u" VALUES (1, 'ty''pe', 'pay\"load', NULL), (2, 'b', 'c', NULL)"_s);
        OutboxShape shape;
        shape.use = OutboxShape::Use::Relay;
        shape.table.table = table;
        shape.keyColumn = u"order"_s;
        shape.typeColumn = u"it's"_s;
        shape.payloadColumn = u"se\"lect :x $1"_s;
        shape.processedHow = OutboxShape::ProcessedHow::Time;
        shape.processedColumn = u"group"_s;
        shape.order = QStringList{u"order"_s};
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));
        PageRequest request;
        request.filter = filterOf(u"type:ty'*"_s);
        QCOMPARE(idsOn(store, request), QStringList{u"1"_s});
        const auto seen = store.snapshot();
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->pending, 2);
        const auto claimed = store.claim(5, {{u"2"_s}});
        QVERIFY_RESULT(claimed);
        QCOMPARE(claimed->constFirst().payload, QByteArray("pay\"load"));
        QCOMPARE(claimed->constFirst().type, u"ty'pe"_s);
        QVERIFY_RESULT(commitTaken(store));
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"0"_s);
    }

    void aWrongNameIsRefusedWithTheNearestOne()
    {
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(tableWithTies(), StoreAccess::ReadOnly)));
        OutboxShape shape = classicShape();
        shape.payloadColumn = u"payloda"_s;
        const auto column = store.use(shape);
        QCOMPARE(column.error().kind, Error::Kind::Invalid);
        QVERIFY(column.error().hint.contains(u"payload"_s));
        const auto table = store.use(classicShape(u"outbxo"_s));
        QCOMPARE(table.error().kind, Error::Kind::Invalid);
        QVERIFY(table.error().hint.contains(u"outbox"_s));
        QVERIFY(!store.probe(TableName{{}, u"outbxo"_s}).has_value());
    }

    void payloadsAreCutOnlyInLists()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id integer PRIMARY KEY, type text, payload %1)"_s.arg(
            testWords().bytesType));
        side.run(
            !postgres()
                ? u"INSERT INTO outbox VALUES (1, 'mail', x'00ff27225c'), (2, 'mail', NULL)"_s
                : u"INSERT INTO outbox VALUES (1, 'mail', '\\x00ff27225c'), (2, 'mail', NULL)"_s);
        const QByteArray bytes = QByteArray::fromHex("00ff27225c");
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly)));
        PageRequest request;
        request.payloadPrefixBytes = 2;
        request.newestFirst = false;
        const auto page = store.page(request);
        QVERIFY_RESULT(page);
        QCOMPARE(page->rows.at(0).payload, bytes.left(2));
        QCOMPARE(page->rows.at(0).payloadBytes, 5);
        const auto whole = store.find({u"1"_s});
        QVERIFY_RESULT(whole);
        QCOMPARE((*whole)->payload, bytes);
    }
};

} // namespace tst_sqlpages

OUTBOX_TEST(tst_sqlpages::TestSqlPages)
#include "tst_sqlpages.moc"
