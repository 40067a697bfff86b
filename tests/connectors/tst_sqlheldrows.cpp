// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Claims whose rows are held first and taken then: what cannot go is found row by row, and spoils
// the claim of no other.
#include "tests/connectors/sqlfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <algorithm>

namespace tst_sqlheldrows {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSqlHeldRows : public QObject
{
    Q_OBJECT

    Databases m_databases;

    static DatabaseUrl::Dialect dialect()
    {
        QFETCH(int, dialect);
        return static_cast<DatabaseUrl::Dialect>(dialect);
    }

    DatabaseUrl table(int rows)
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable(u", done timestamp"_s));
        side.run(numbered(rows, u"n, 'mail', 'x', NULL"_s, u"outbox"_s));
        return url;
    }

    static OutboxShape shape(bool deleted = true)
    {
        OutboxShape shape = classicShape();
        if (!deleted) {
            shape.processedHow = OutboxShape::ProcessedHow::Time;
            shape.processedColumn = u"done"_s;
        }
        return shape;
    }

    static Result<Claim> hold(OutboxStore &store, int rows)
    {
        ClaimRequest request;
        request.rows = rows;
        request.held = true;
        if (auto sent = store.sendClaim(request); !sent)
            return passOn(sent);
        return store.takeClaim();
    }

    static QList<MessageId> idsUpTo(int last)
    {
        QList<MessageId> ids;
        for (int id = 1; id <= last; ++id)
            ids += MessageId{QString::number(id)};
        return ids;
    }

    /// Rows for which `condition` holds may neither be deleted nor marked.
    static void refuse(SideSession &side, const QString &condition)
    {
        for (const QString &verb : {u"DELETE"_s, u"UPDATE"_s}) {
            side.all(testWords(dialect()).refusing(u"refuse_"_s + verb, verb, condition,
                                                   u"this row may not go"_s));
        }
    }

    static QStringList textsOf(const QList<RefusedRow> &rows)
    {
        QStringList texts;
        for (const RefusedRow &row : rows)
            texts += row.first.text;
        return texts;
    }

private slots:
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void refusedRowsAreNamedAndTheOthersGo_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::addColumn<bool>("deleted");
        QTest::addColumn<bool>("areSuspect");
        for (const bool deleted : {true, false}) {
            for (const bool areSuspect : {true, false}) {
                const char *how = deleted ? "deleted" : "marked";
                const char *sure = areSuspect ? "suspect" : "not suspect";
                QTest::addRow("PostgreSQL, %s, %s", how, sure)
                    << int(DatabaseUrl::Dialect::PostgreSql) << deleted << areSuspect;
                QTest::addRow("SQLite, %s, %s", how, sure)
                    << int(DatabaseUrl::Dialect::Sqlite) << deleted << areSuspect;
            }
        }
    }
    void refusedRowsAreNamedAndTheOthersGo()
    {
        QFETCH(bool, deleted);
        QFETCH(bool, areSuspect);
        const DatabaseUrl url = table(300);
        SideSession side(url);
        refuse(side, u"OLD.id IN (1, 77, 78, 200, 300)"_s);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape(deleted)));
        const auto held = hold(store, 300);
        QVERIFY_RESULT(held);
        QCOMPARE(idsOf(held->rows).size(), 300);
        QCOMPARE(held->last, QStringList{u"300"_s});
        auto refused = store.consumeLocked(idsUpTo(300), areSuspect);
        QVERIFY_RESULT(refused);
        QStringList texts = textsOf(*refused);
        std::sort(texts.begin(), texts.end());
        QCOMPARE(texts, (QStringList{u"1"_s, u"200"_s, u"300"_s, u"77"_s, u"78"_s}));
        for (const RefusedRow &row : std::as_const(*refused))
            QVERIFY2(row.second.text.contains(u"may not go"_s), qPrintable(row.second.text));
        QVERIFY_RESULT(store.verifyClaim());
        QVERIFY_RESULT(commitTaken(store));
        const QString left
            = u"SELECT id FROM outbox WHERE done IS NULL ORDER BY cast(id AS integer)"_s;
        QCOMPARE(side.run(left), (QStringList{u"1"_s, u"77"_s, u"78"_s, u"200"_s, u"300"_s}));
        QVERIFY_RESULT(store.claim(1, idsUpTo(300))); // the session is as good as before
    }

    void rowsThatAreGivenUpStay_data() { addDialects(); }
    void rowsThatAreGivenUpStay()
    {
        const DatabaseUrl url = table(10);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape()));
        QVERIFY_RESULT(hold(store, 10));
        const auto refused = store.consumeLocked(idsUpTo(10), false);
        QVERIFY_RESULT(refused);
        QVERIFY(refused->isEmpty());
        QVERIFY_RESULT(store.sendCommit(asDelivered(idsUpTo(7))));
        QVERIFY_RESULT(store.takeCommit());
        SideSession side(url);
        QCOMPARE(side.run(u"SELECT id FROM outbox ORDER BY id"_s),
                 (QStringList{u"8"_s, u"9"_s, u"10"_s}));
        const auto next = store.claim(10, {});
        QVERIFY_RESULT(next);
        QCOMPARE(idsOf(*next), (QStringList{u"8"_s, u"9"_s, u"10"_s}));
    }

    void whatIsOnlyHeldIsNotCommitted_data() { addDialects(); }
    void whatIsOnlyHeldIsNotCommitted()
    {
        const DatabaseUrl url = table(3);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape()));
        QVERIFY_RESULT(hold(store, 3));
        QCOMPARE(store.sendCommit(asDelivered(store.taken())).error().kind, Error::Kind::Conflict);
        QCOMPARE(store.sendCommit(asDelivered(idsUpTo(3))).error().kind, Error::Kind::Conflict);
        QVERIFY_RESULT(store.rollback());
        QVERIFY_RESULT(store.claim(3, {}));
        QCOMPARE(store.consumeLocked(idsUpTo(3), false).error().kind, Error::Kind::Conflict);
        QVERIFY_RESULT(store.rollback());
        QCOMPARE(SideSession(url).one(u"SELECT count(*) FROM outbox"_s), u"3"_s);
    }

    void aSessionThatEndsInTheMiddleLosesNothing_data() { addDialects(); }
    void aSessionThatEndsInTheMiddleLosesNothing()
    {
        const DatabaseUrl url = table(50);
        SideSession side(url);
        refuse(side, u"OLD.id = 20"_s);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape()));
        QVERIFY_RESULT(hold(store, 50));
        QVERIFY_RESULT(store.consumeLocked(idsUpTo(50), true));
        store.close();
        QTRY_COMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"50"_s);
        QVERIFY_RESULT(store.ensureOpen());
        const auto again = hold(store, 50);
        QVERIFY_RESULT(again);
        QCOMPARE(again->rows.size(), 50);
    }

    void anotherRelayPassesHeldRowsOver_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::newRow("PostgreSQL") << int(DatabaseUrl::Dialect::PostgreSql);
    }
    void anotherRelayPassesHeldRowsOver()
    {
        const DatabaseUrl url = table(30);
        SideSession side(url);
        refuse(side, u"OLD.id = 3"_s);
        OutboxStore careful;
        QVERIFY_RESULT(openOutbox(careful, settingsFor(url, StoreAccess::Relay), shape()));
        OutboxStore other;
        QVERIFY_RESULT(openOutbox(other, settingsFor(url, StoreAccess::Relay), shape()));
        QVERIFY_RESULT(hold(careful, 10));
        const auto beside = other.claim(10, {});
        QVERIFY_RESULT(beside);
        QCOMPARE(beside->constFirst().id.text, u"11"_s);
        const auto refused = careful.consumeLocked(idsUpTo(10), true);
        QVERIFY_RESULT(refused);
        QCOMPARE(textsOf(*refused), QStringList{u"3"_s});
        QVERIFY_RESULT(commitTaken(other));
        const auto late = other.claim(30, {}); // what was refused or given up is held until the end
        QVERIFY_RESULT(late);
        QCOMPARE(late->constFirst().id.text, u"21"_s);
        QVERIFY_RESULT(commitTaken(other));
        QVERIFY_RESULT(careful.sendCommit(asDelivered(idsUpTo(2))));
        QVERIFY_RESULT(careful.takeCommit());
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"8"_s);
    }

    void aRowThatTheDatabaseKeepsInSilenceIsNamed_data() { anotherRelayPassesHeldRowsOver_data(); }
    void aRowThatTheDatabaseKeepsInSilenceIsNamed()
    {
        const DatabaseUrl url = table(5);
        SideSession side(url);
        side.all({u"CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS"
                  " $$ BEGIN RETURN NULL; END $$"_s,
                  u"CREATE TRIGGER keep BEFORE DELETE OR UPDATE ON outbox FOR EACH ROW"
                  " WHEN (OLD.id = 4) EXECUTE FUNCTION keep()"_s});
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape()));
        QVERIFY_RESULT(hold(store, 5));
        const auto refused = store.consumeLocked(idsUpTo(5), false);
        QVERIFY_RESULT(refused);
        QCOMPARE(textsOf(*refused), QStringList{u"4"_s});
        QVERIFY(refused->constFirst().second.text.contains(u"kept the row"_s));
        QVERIFY_RESULT(commitTaken(store));
        QCOMPARE(side.run(u"SELECT id FROM outbox"_s), QStringList{u"4"_s});
    }

    void aTwinIsNotTakenAlong_data() { addDialects(); }
    void aTwinIsNotTakenAlong()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.all({u"CREATE TABLE outbox (id integer NOT NULL, type text, payload text)"_s,
                  u"CREATE UNIQUE INDEX one_of_each ON outbox (id)"_s,
                  u"INSERT INTO outbox VALUES (1, 'mail', 'a'), (2, 'mail', 'b')"_s});
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape()));
        side.all({u"DROP INDEX one_of_each"_s, u"INSERT INTO outbox VALUES (2, 'mail', 'c')"_s});
        QVERIFY_RESULT(hold(store, 2)); // the twin is not among them
        const auto refused = store.consumeLocked(idsUpTo(2), false);
        if (dialect() == DatabaseUrl::Dialect::MariaDb) { // which deletes nothing without an index
            QVERIFY_RESULT(refused);
            QCOMPARE(textsOf(*refused), (QStringList{u"1"_s, u"2"_s}));
        } else {
            QVERIFY(!refused.has_value());
            QCOMPARE(refused.error().kind, Error::Kind::Conflict);
        }
        QVERIFY_RESULT(store.rollback());
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"3"_s);
    }

    void aTwinThatCameLaterIsNotTakenAlong_data() { anotherRelayPassesHeldRowsOver_data(); }
    void aTwinThatCameLaterIsNotTakenAlong()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.all({u"CREATE TABLE outbox (id integer NOT NULL, type text, payload text)"_s,
                  u"CREATE UNIQUE INDEX one_of_each ON outbox (id)"_s,
                  u"INSERT INTO outbox VALUES (1, 'mail', 'a'), (2, 'mail', 'b')"_s});
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape()));
        side.run(u"DROP INDEX one_of_each"_s);
        QVERIFY_RESULT(hold(store, 2));
        QVERIFY_RESULT(store.consumeLocked(idsUpTo(2), false));
        side.run(u"INSERT INTO outbox VALUES (1, 'mail', 'c')"_s);
        QVERIFY_RESULT(store.sendCommit(asDelivered(idsUpTo(1))));
        QVERIFY(!store.takeCommit());
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"3"_s);
        const auto next = store.claim(1, {{u"1"_s}});
        QVERIFY_RESULT(next);
        QCOMPARE(idsOf(*next), QStringList{u"2"_s});
    }

    void aTriggerThatEndsTheTransactionEndsTheClaim()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(5, u"n, 'mail', 'x'"_s, u"outbox"_s));
        side.run(u"CREATE TRIGGER refuse BEFORE DELETE ON outbox WHEN OLD.id = 3 BEGIN"
                 " SELECT RAISE(ROLLBACK, 'all or nothing'); END"_s);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape()));
        QVERIFY_RESULT(hold(store, 5));
        const auto refused = store.consumeLocked(idsUpTo(5), true);
        QVERIFY(!refused);
        QVERIFY2(refused.error().text.contains(u"all or nothing"_s),
                 qPrintable(refused.error().text));
        QVERIFY(!store.sendCommit(asDelivered(store.taken())));
        static_cast<void>(store.rollback()); // there is nothing left to roll back
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"5"_s);
    }

    void aStatementThatTheServerForgotNamesNoRow()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(40, u"n, 'mail', 'x'"_s, u"outbox"_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape()));
        QVERIFY_RESULT(hold(store, 20)); // its statements are prepared from now on
        QVERIFY_RESULT(store.consumeLocked(idsUpTo(20), true));
        QVERIFY_RESULT(commitTaken(store));
        // As behind a pooler, where the next transaction may be another session's.
        side.all({u"CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                  " EXECUTE 'DEALLOCATE ALL'; RETURN OLD; END $$"_s,
                  u"CREATE TRIGGER forget BEFORE DELETE ON outbox FOR EACH ROW WHEN (OLD.id = 25)"
                  " EXECUTE FUNCTION forget()"_s});
        const auto held = hold(store, 20);
        QVERIFY_RESULT(held);
        QList<MessageId> ids;
        for (const ClaimedMessage &row : held->rows)
            ids += row.id;
        const auto refused = store.consumeLocked(ids, true);
        QVERIFY_RESULT(refused);
        QVERIFY(refused->isEmpty());
        QVERIFY_RESULT(commitTaken(store));
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"0"_s);
    }
};

} // namespace tst_sqlheldrows

OUTBOX_TEST(tst_sqlheldrows::TestSqlHeldRows)
#include "tst_sqlheldrows.moc"
