// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several stores over one session: each sees its own table by its own mapping, whatever became of
// the session or of the others meanwhile.
#include "connectors/sql/outbox/parkedtable.h"
#include "connectors/sql/session/databasesession.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/testprogram.h"

#include <memory>

namespace tst_sharedsession {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSharedSession : public QObject
{
    Q_OBJECT

    Databases m_databases;

    /// Of a table with other columns.
    static OutboxShape lettersShape()
    {
        OutboxShape shape = classicShape(u"letters"_s);
        shape.keyColumn = u"number"_s;
        shape.typeColumn = u"kind"_s;
        shape.payloadColumn = u"body"_s;
        shape.order = QStringList{u"number"_s};
        return shape;
    }

    /// Of the same table, a part of its rows.
    static OutboxShape urgentShape()
    {
        OutboxShape shape = lettersShape();
        shape.where += ShapeTest{u"kind"_s, ShapeTest::Is::Equal, {u"urgent"_s}};
        return shape;
    }

    /// Three rows in one table, seven in the other, four of them urgent.
    DatabaseUrl twoTables(DatabaseUrl::Dialect kind)
    {
        const DatabaseUrl url = m_databases.fresh(kind);
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(3, u"n, 'mail', 'x'"_s, u"outbox"_s));
        side.run(u"CREATE TABLE letters (number integer PRIMARY KEY, kind varchar(20) NOT NULL,"
                 " body text NOT NULL)"_s);
        side.run(
            numbered(7, u"n, CASE WHEN n <= 4 THEN 'urgent' ELSE 'slow' END, 'x'"_s, u"letters"_s));
        return url;
    }

    static qint64 pendingOf(OutboxStore &store)
    {
        const auto seen = store.snapshot();
        return seen ? seen->pending.value_or(-1) : -1;
    }

    static bool hasRow(OutboxStore &store, const QString &id)
    {
        const auto row = store.find({id});
        return row && row->has_value();
    }

    static QString sessionsAt(SideSession &side)
    {
        return side.one(u"SELECT count(*) FROM pg_stat_activity WHERE application_name = 'look'"
                        " AND datname = current_database()"_s);
    }

    static void killSessionsAt(SideSession &side)
    {
        side.run(u"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                 " WHERE application_name = 'look' AND datname = current_database()"_s);
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void eachStoreSeesItsOwnTable()
    {
        const StoreSettings settings = settingsFor(twoTables(dialect()), StoreAccess::ReadOnly);
        const auto shared = std::make_shared<SharedSession>();
        OutboxStore mails(shared);
        OutboxStore letters(shared);
        OutboxStore urgent(shared);
        QVERIFY_RESULT(openOutbox(mails, settings));
        QVERIFY_RESULT(openOutbox(letters, settings, lettersShape()));
        QVERIFY_RESULT(openOutbox(urgent, settings, urgentShape()));
        for (int round = 0; round < 3; ++round) {
            QCOMPARE(pendingOf(mails), 3);
            QCOMPARE(pendingOf(letters), 7);
            QCOMPARE(pendingOf(urgent), 4);
            QVERIFY(!hasRow(mails, u"7"_s) && hasRow(letters, u"7"_s));
        }
        QCOMPARE(shared->timesOpened, 1);
    }

    void whoLeavesTakesNothingFromTheOthers()
    {
        const StoreSettings settings = settingsFor(twoTables(dialect()), StoreAccess::ReadOnly);
        const auto shared = std::make_shared<SharedSession>();
        OutboxStore letters(shared);
        QVERIFY_RESULT(openOutbox(letters, settings, lettersShape()));
        {
            OutboxStore mails(shared);
            QVERIFY_RESULT(openOutbox(mails, settings));
            mails.close();
            QVERIFY(!mails.isOpen());
            QVERIFY(letters.isOpen());
            QVERIFY_RESULT(mails.ensureOpen()); // with its shape
            QCOMPARE(pendingOf(mails), 3);
            QVERIFY(!openOutbox(mails, settings, classicShape(u"nothing"_s)).has_value());
        }
        QCOMPARE(pendingOf(letters), 7);
        QCOMPARE(shared->timesOpened, 1);
    }

    /// Who did not open the session that stands now looks at nothing before it is made sure that
    /// its table is what it was; where that is not so, the others go on.
    void aNewSessionIsMadeSureOfByEachStore()
    {
        if (dialect() != DatabaseUrl::Dialect::PostgreSql)
            QSKIP("sessions are killed on PostgreSQL");
        const DatabaseUrl url = twoTables(dialect());
        SideSession side(url);
        const StoreSettings settings = settingsFor(url, StoreAccess::ReadOnly);
        const auto shared = std::make_shared<SharedSession>();
        OutboxStore mails(shared);
        OutboxStore letters(shared);
        QVERIFY_RESULT(openOutbox(mails, settings));
        QVERIFY_RESULT(openOutbox(letters, settings, lettersShape()));
        killSessionsAt(side);
        side.run(u"DROP TABLE outbox"_s);
        QCOMPARE(letters.snapshot().error().kind, Error::Kind::Unreachable);
        QVERIFY_RESULT(letters.ensureOpen());
        QCOMPARE(pendingOf(letters), 7);
        QVERIFY(!mails.isOpen());
        QCOMPARE(mails.snapshot().error().kind, Error::Kind::Unreachable);
        QCOMPARE(mails.ensureOpen().error().kind, Error::Kind::Invalid);
        QVERIFY(!mails.isOpen());
        QCOMPARE(pendingOf(letters), 7);
        side.run(classicTable(u", note text"_s));
        side.run(numbered(5, u"n, 'mail', 'x', 'new'"_s, u"outbox"_s));
        QVERIFY_RESULT(mails.ensureOpen());
        QCOMPARE(pendingOf(mails), 5);
        QCOMPARE(pendingOf(letters), 7);
        QCOMPARE(shared->timesOpened, 2);
        QCOMPARE(sessionsAt(side), u"1"_s);
    }

    void otherSettingsAreAnotherSession()
    {
        const DatabaseUrl here = twoTables(dialect());
        const DatabaseUrl there = m_databases.fresh(dialect());
        SideSession side(there);
        side.run(classicTable());
        side.run(numbered(9, u"n, 'mail', 'x'"_s, u"outbox"_s));
        const auto shared = std::make_shared<SharedSession>();
        OutboxStore one(shared);
        OutboxStore other(shared);
        for (int round = 0; round < 2; ++round) {
            QVERIFY_RESULT(openOutbox(one, settingsFor(here, StoreAccess::ReadOnly)));
            QCOMPARE(pendingOf(one), 3);
            QVERIFY(!other.isOpen());
            QVERIFY_RESULT(openOutbox(other, settingsFor(there, StoreAccess::ReadOnly)));
            QCOMPARE(pendingOf(other), 9);
            QVERIFY(!one.isOpen());
            QCOMPARE(pendingOf(one), -1);
            QVERIFY_RESULT(one.ensureOpen());
            QCOMPARE(pendingOf(one), 3);
        }
    }

    void whatMakesItAnotherSession()
    {
        const StoreSettings settings
            = settingsFor(m_databases.fresh(dialect()), StoreAccess::ReadOnly);
        StoreSettings same = settings;
        same.servers = std::make_shared<ServerMemory>();
        QVERIFY(same.opensSameAs(settings));
        const auto differs = [&settings](auto change) {
            StoreSettings other = settings;
            change(other);
            return !other.opensSameAs(settings);
        };
        QVERIFY(differs([](StoreSettings &other) { other.url.user = u"another"_s; }));
        QVERIFY(differs([](StoreSettings &other) { other.url.password = u"another"_s; }));
        QVERIFY(differs([](StoreSettings &other) { other.url.database += u'2'; }));
        QVERIFY(differs(
            [](StoreSettings &other) { other.url.options[u"sslrootcert"_s] = u"/another.pem"_s; }));
        QVERIFY(differs([](StoreSettings &other) { other.access = StoreAccess::Relay; }));
        QVERIFY(differs([](StoreSettings &other) { other.statementTimeoutMs += 1; }));
    }

    void parkedRowsAreReadByTheSameSession()
    {
        if (dialect() != DatabaseUrl::Dialect::PostgreSql)
            QSKIP("sessions are counted on PostgreSQL");
        const DatabaseUrl url = twoTables(dialect());
        SideSession side(url);
        side.run(ParkedTableAccess::sql(dialect()));
        side.run(u"INSERT INTO outbox_parked VALUES"
                 " ('public.outbox', '2', 'broken', 1, now(), 'a test')"_s);
        const StoreSettings settings = settingsFor(url, StoreAccess::ReadOnly);
        const auto shared = std::make_shared<SharedSession>();
        OutboxStore store(shared);
        QVERIFY_RESULT(openOutbox(store, settings));
        ParkedTable parked(shared);
        QVERIFY_RESULT(parked.open(settings, store.shape()));
        ParkedTable none(shared); // of an outbox without such rows
        QVERIFY_RESULT(none.open(settings, lettersShape()));
        for (int round = 0; round < 2; ++round) {
            const auto rows = parked.rows(10);
            QVERIFY_RESULT(rows);
            QCOMPARE(rows->size(), 1);
            QCOMPARE(rows->constFirst().id.text, u"2"_s);
            QCOMPARE(pendingOf(store), 3);
            QCOMPARE(none.rows(10)->size(), 0);
            QCOMPARE(sessionsAt(side), u"1"_s);
            killSessionsAt(side);
            QCOMPARE(pendingOf(store), -1);
            QVERIFY_RESULT(store.ensureOpen());
        }
        QCOMPARE(shared->timesOpened, 3);
    }
};

} // namespace tst_sharedsession

OUTBOX_TEST(tst_sharedsession::TestSharedSession)
#include "tst_sharedsession.moc"
