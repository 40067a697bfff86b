// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows on MariaDB: locks that are waited for or not, keys of 16 bytes and of text, rows set aside.
#include "connectors/sql/edit/outboxeditor.h"
#include "connectors/sql/outbox/parkedtable.h"
#include "models/filter/pagerequest.h"
#include "tests/connectors/mariadbfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>

namespace tst_mariadbrows {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestMariadbRows : public QObject
{
    Q_OBJECT

    MariadbGround m_ground;

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_ground.databases.mariadb); }

    void aLockThatIsWaitedForInVainUndoesAll()
    {
        const DatabaseUrl url = m_ground.fresh();
        SideSession side(url);
        makeKeptTable(side, url, 8);
        SideSession other(url);
        const auto rows = seenRows(url, keptShape(), {u"2"_s, u"4"_s, u"6"_s});
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(url), keptShape()));
        other.all({u"START TRANSACTION"_s, u"SELECT id FROM outbox WHERE id = 4 FOR UPDATE"_s});
        QVERIFY_RESULT(editor.begin());
        const auto held = editor.hold(rows); // waits for nobody
        QVERIFY_RESULT(held);
        QCOMPARE(idsOf(*held), QStringList({u"2"_s, u"6"_s}));
        const auto first = editor.reopen({rows.at(0)});
        QVERIFY_RESULT(first);
        QCOMPARE(first->size(), 1);
        const auto late = editor.reopen({rows.at(1)});
        QCOMPARE(late.error().kind, Error::Kind::Timeout);
        QCOMPARE(late.error().code, u"1205"_s);
        // The server kept the transaction and its first half; we did not.
        QCOMPARE(editor.commit().error().kind, Error::Kind::Conflict);
        other.run(u"ROLLBACK"_s);
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox WHERE completed_at IS NULL"_s), u"4"_s);
    }

    void aFailureIsNotedUnlessTheRowIsHeld()
    {
        const DatabaseUrl url = m_ground.fresh();
        SideSession side(url);
        side.run(classicTable(u", tries integer, why varchar(5)"_s));
        side.run(numbered(2, u"n, 'mail', 'x', NULL, NULL"_s, u"outbox"_s));
        OutboxShape shape = classicShape();
        shape.attemptsColumn = u"tries"_s;
        shape.errorColumn = u"why"_s;
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));
        QVERIFY_RESULT(store.noteFailure({u"1"_s}, u"too long for it"_s));
        QVERIFY_RESULT(store.noteFailure({u"1"_s}, u"again"_s));
        QVERIFY_RESULT(store.noteFailure({u"7"_s}, u"gone"_s));
        side.all({u"START TRANSACTION"_s, u"SELECT id FROM outbox WHERE id = 2 FOR UPDATE"_s});
        QElapsedTimer clock;
        clock.start();
        QVERIFY_RESULT(store.noteFailure({u"2"_s}, u"held"_s));
        side.run(u"ROLLBACK"_s);
        QCOMPARE(side.run(u"SELECT concat_ws('|', tries, why) FROM outbox ORDER BY id"_s),
                 QStringList({u"2|again"_s, QString()}));
    }

    void claimsInAnOrderWithoutIndexLockNoMoreThanTheyTake()
    {
        const DatabaseUrl url = m_ground.fresh();
        SideSession side(url);
        side.run(classicTable(u", created_at timestamp NOT NULL"_s));
        side.run(numbered(
            100, u"n, 'mail', 'x', timestamp '2026-01-01 00:00:00' + interval 100 - n second"_s,
            u"outbox"_s));
        OutboxShape shape = classicShape();
        shape.createdColumn = u"created_at"_s;
        shape.order = QStringList{u"created_at"_s, u"id"_s};
        OutboxStore one;
        OutboxStore two;
        QVERIFY_RESULT(openOutbox(one, settingsFor(url, StoreAccess::Relay), shape));
        QVERIFY_RESULT(openOutbox(two, settingsFor(url, StoreAccess::Relay), shape));
        const auto first = one.claim(3, {});
        QVERIFY_RESULT(first);
        QCOMPARE(idsOf(*first), QStringList({u"100"_s, u"99"_s, u"98"_s}));
        const auto second = two.claim(3, {});
        QVERIFY_RESULT(second);
        QCOMPARE(idsOf(*second), QStringList({u"97"_s, u"96"_s, u"95"_s}));
        QCOMPARE(side.one(u"SELECT max(trx_rows_locked) <= 6 FROM information_schema.innodb_trx"_s),
                 u"1"_s);
        const auto seen = two.snapshot();
        QVERIFY_RESULT(seen);
        QVERIFY(!seen->locked && !seen->lockVisible);
        QVERIFY2(seen->notes.value(u"locked"_s).contains(u"2 transactions"_s),
                 qPrintable(seen->notes.value(u"locked"_s)));
        QVERIFY_RESULT(commitTaken(one));
        QVERIFY_RESULT(two.rollback());
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"97"_s);
    }

    void nobodyWaitsForRowsThatAreNotMeant_data()
    {
        QTest::addColumn<bool>("keeps");
        QTest::newRow("rows are deleted") << false;
        QTest::newRow("rows are marked") << true;
    }
    void nobodyWaitsForRowsThatAreNotMeant()
    {
        // Of so small a table the server would rather read all than go by the key.
        QFETCH(bool, keeps);
        const DatabaseUrl url = m_ground.fresh();
        SideSession side(url);
        makeKeptTable(side, url, 40);
        OutboxShape shape = keptShape();
        if (!keeps) {
            side.run(u"ALTER TABLE outbox DROP COLUMN completed_at"_s);
            shape = classicShape();
        }
        OutboxStore one;
        OutboxStore two;
        QVERIFY_RESULT(openOutbox(one, settingsFor(url, StoreAccess::Relay), shape));
        QVERIFY_RESULT(openOutbox(two, settingsFor(url, StoreAccess::Relay), shape));
        const auto first = one.claim(10, {});
        QVERIFY_RESULT(first);
        const auto second = two.claim(10, {});
        QVERIFY_RESULT(second);
        QCOMPARE(second->size(), 10);
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(url), shape));
        const auto rows = seenRows(url, shape, {u"38"_s, u"40"_s, u"1"_s});
        QVERIFY_RESULT(editor.begin());
        const auto held = editor.hold(rows);
        QVERIFY_RESULT(held);
        QCOMPARE(idsOf(*held), QStringList({u"38"_s, u"40"_s}));
        const auto removed = editor.remove(rows.mid(1));
        QVERIFY_RESULT(removed);
        QCOMPARE(removed->size(), 2);
        QVERIFY_RESULT(editor.commit());
        QVERIFY_RESULT(commitTaken(two));
        QVERIFY_RESULT(commitTaken(one));
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), keeps ? u"38"_s : u"18"_s);
    }

    void theSameValueAgainIsAWrite()
    {
        const DatabaseUrl url = m_ground.tenRows();
        OutboxEditor editor;
        SideSession(url).all({u"CREATE TABLE mails (id integer PRIMARY KEY, status varchar(9))"_s,
                              u"INSERT INTO mails VALUES (1, 'sent')"_s});
        const StatusTable mails{{QString(), u"mails"_s}, u"id"_s, u"status"_s, u"sent"_s};
        QVERIFY_RESULT(editor.open(actSettings(url), classicShape()));
        QVERIFY_RESULT(editor.begin());
        QCOMPARE(editor.setStatus(mails, {u"1"_s}, u"sent"_s, u"sent"_s), Result<bool>(true));
        QCOMPARE(editor.setStatus(mails, {u"1"_s}, u"SENT"_s, u"sent"_s), Result<bool>(false));
        QVERIFY_RESULT(editor.commit());
    }

    void keysOfSixteenBytesAreUuids()
    {
        const DatabaseUrl url = m_ground.fresh();
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id binary(16) PRIMARY KEY, type text NOT NULL,"
                 " payload json NOT NULL)"_s);
        QStringList ids;
        for (int n = 1; n <= 5; ++n) {
            ids += u"0189c3a4-0000-7000-8000-00000000000%1"_s.arg(n);
            side.run(
                u"INSERT INTO outbox VALUES (unhex(replace('%1', '-', '')), 'mail', '{}')"_s.arg(
                    ids.constLast()));
        }
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::Relay)));
        const auto found = store.probe();
        QVERIFY_RESULT(found);
        QCOMPARE(found->size(), 1);
        const OutboxShape shape = found->constFirst().shape;
        QCOMPARE(shape.keyForm, OutboxShape::KeyForm::UuidBytes);
        QCOMPARE(shape.payloadForm, OutboxShape::PayloadForm::Json);
        QCOMPARE(shape.taskId, u"{id}"_s);
        QVERIFY(shape.canRelay());
        QCOMPARE(*OutboxShape::fromJson(shape.toJson()), shape);
        QVERIFY_RESULT(store.use(shape));
        PageRequest request;
        request.filter = filterOf(u"id:0189C3A4-0000-7000-8000-000000000003"_s);
        QCOMPARE(store.page(request)->rows.size(), 1);
        request.filter = filterOf(u"id:0189c3a4-00"_s);
        QCOMPARE(store.page(request)->rows.size(), 5);
        const auto row = store.find({ids.at(1).toUpper()});
        QVERIFY_RESULT(row);
        QCOMPARE((*row)->id.text, ids.at(1));
        const auto claimed = store.claim(9, {{ids.at(0)}, {ids.at(3)}});
        QVERIFY_RESULT(claimed);
        QCOMPARE(idsOf(*claimed), QStringList({ids.at(1), ids.at(2), ids.at(4)}));
        QVERIFY_RESULT(commitTaken(store));
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"2"_s);
    }

    void textKeysAreFoundByWhatTheyBeginWith()
    {
        const DatabaseUrl url = m_ground.fresh();
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id varchar(30) CHARACTER SET latin1 PRIMARY KEY, type text,"
                 " payload text)"_s);
        side.run(u"INSERT INTO outbox VALUES ('order_1', 'a', 'x'), ('order%2', 'a', 'x'),"
                 " ('ORDER-3', 'a', 'x'), ('orders', 'a', 'x'), ('é!', 'a', 'x')"_s);
        OutboxShape shape = classicShape();
        shape.keyForm = OutboxShape::KeyForm::Text;
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly), shape));
        const auto found = [&store](const QString &prefix) {
            PageRequest request;
            request.filter = filterOf(u"id:"_s + prefix);
            const auto page = store.page(request);
            if (!page)
                return oneLine(page.error());
            QStringList ids;
            for (const Message &row : page->rows)
                ids += row.id.text;
            ids.sort();
            return ids.join(u' ');
        };
        QCOMPARE(found(u"order"_s), u"order%2 order_1 orders"_s);
        QCOMPARE(found(u"order_"_s), u"order_1"_s);
        QCOMPARE(found(u"order%"_s), u"order%2"_s);
        QCOMPARE(found(u"ORDER"_s), u"ORDER-3"_s);
        QCOMPARE(found(u"é!"_s), u"é!"_s);
        QCOMPARE(found(u"€"_s), QString());
    }

    void statusesThatDifferInTheCaseOnlyAreOne()
    {
        const DatabaseUrl url = m_ground.fresh();
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id bigint PRIMARY KEY, type text, payload text,"
                 " status varchar(20) NOT NULL DEFAULT 'new', sent_at datetime NULL)"_s);
        const auto rows = [&side](int first, int last, const QString &status, const QString &sent) {
            side.run(u"INSERT INTO outbox SELECT seq, 'mail', 'x', '%1', %2 FROM seq_%3_to_%4"_s
                         .arg(status, sent)
                         .arg(first)
                         .arg(last));
        };
        rows(1, 40, u"Sent"_s, u"now()"_s);
        rows(41, 70, u"sent"_s, u"now()"_s);
        rows(71, 75, u"new"_s, u"NULL"_s);
        rows(76, 77, u"New"_s, u"NULL"_s);
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly)));
        const auto findings = store.probe();
        QVERIFY_RESULT(findings);
        QCOMPARE(findings->size(), 1);
        QVERIFY_RESULT(store.use(findings->constFirst().shape));
        const auto counts = store.snapshot(liveCaps); // the server compares, and tells no case
        QVERIFY_RESULT(counts);
        QCOMPARE(counts->pending.value_or(-1), qint64(7));
        QCOMPARE(counts->processed.value_or(-1), qint64(70));
        QCOMPARE(counts->unknown.value_or(0), qint64(0));
    }

    void parkedRowsAreKeptInTheDatabase()
    {
        const DatabaseUrl url = m_ground.tenRows();
        SideSession side(url);
        for (const QString &statement :
             ParkedTableAccess::sql(MariadbGround::dialect).split(u';')) {
            if (statement.contains(u"CREATE"_s))
                side.run(statement);
        }
        ParkedTable table;
        QVERIFY_RESULT(table.open(settingsFor(url, StoreAccess::Relay), classicShape()));
        QVERIFY(table.access().isWritable());
        const auto parked = [](const QString &id, const QString &reason) {
            ParkedRow row;
            row.id.text = id;
            row.reason = reason;
            row.attempts = 3;
            return row;
        };
        QVERIFY_RESULT(table.put({parked(u"1"_s, u"old"_s), parked(u"a"_s, u"x"_s),
                                  parked(u"A"_s, u"y"_s), parked(u"a "_s, u"z"_s)}));
        QVERIFY_RESULT(table.put({parked(u"1"_s, u"new € 😀"_s)}));
        const auto rows = table.rows(10);
        QVERIFY_RESULT(rows);
        QCOMPARE(rows->size(), 4);
        QCOMPARE(rows->constLast().reason, u"new € 😀"_s);
        QVERIFY(qAbs(rows->constLast().at.secsTo(QDateTime::currentDateTimeUtc())) < 60);
        QVERIFY_RESULT(table.release({{u"A"_s}, {u"none"_s}}));
        QCOMPARE(table.rows(10)->size(), 3);

        const DatabaseUrl looker
            = MariadbGround::as(url, u"looker"_s, u"SELECT ON %1.*"_s.arg(url.database));
        QVERIFY_RESULT(table.open(settingsFor(looker, StoreAccess::ReadOnly), classicShape()));
        QVERIFY(table.access().isReadable() && !table.access().isWritable());
        QVERIFY(table.access().obstacle().contains(u"write"_s));
    }
};

} // namespace tst_mariadbrows

OUTBOX_TEST(tst_mariadbrows::TestMariadbRows)
#include "tst_mariadbrows.moc"
