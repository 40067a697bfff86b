// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a claim gives and what it takes are the same rows: none goes that was not given, and none
// that stays is passed over in silence.
#include "connectors/sql/catalog/catalogreader.h"
#include "connectors/sql/outbox/claimrows.h"
#include "connectors/sql/probe/shapecheck.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/testprogram.h"

#include <optional>

namespace tst_sqltakes {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// A session on which the time of a row comes right behind the statement that reads the rows: it
/// passes everything on, and runs `then` after the first answer with rows inside a transaction.
class SessionWhoseTimeGoesOn : public SqlSession
{
public:
    SessionWhoseTimeGoesOn(SqlSession &real, QString then) : m_real(real), m_then(std::move(then))
    { }

    Result<void> open(const StoreSettings &settings) override { return m_real.open(settings); }
    void close() override { m_real.close(); }
    bool isUp() const override { return m_real.isUp(); }
    Result<SqlRows> query(const SqlText &sql, const QString &doing) override
    {
        auto rows = m_real.query(sql, doing);
        if (m_isOpen && !m_then.isEmpty() && rows && rows->size() > 0) {
            if (const auto moved = m_real.query({std::exchange(m_then, {}), {}}, doing); !moved)
                return passOn(moved);
        }
        return rows;
    }
    Result<void> begin(const QString &doing) override
    {
        m_isOpen = true;
        return m_real.begin(doing);
    }
    Result<void> commit(const QString &doing) override { return m_real.commit(doing); }
    Result<void> rollback(const QString &doing) override { return m_real.rollback(doing); }
    Result<void> verifyTransaction(const QString &doing) override
    {
        return m_real.verifyTransaction(doing);
    }
    Result<void> listen(const QString &channel) override { return m_real.listen(channel); }
    Result<bool> waitForChange(int milliseconds) override
    {
        return m_real.waitForChange(milliseconds);
    }
    [[nodiscard]] bool hasMoved() const { return m_then.isEmpty(); }

private:
    SqlSession &m_real;
    QString m_then;
    bool m_isOpen = false;
};

} // namespace

class TestSqlTakes : public QObject
{
    Q_OBJECT

    Databases m_databases;

private slots:
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void aRowWhoseTimeComesBetweenReadingAndTakingStays_data()
    {
        QTest::addColumn<bool>("deleted");
        QTest::addColumn<bool>("alone");
        QTest::newRow("deleted") << true << false;
        QTest::newRow("marked") << false << false;
        QTest::newRow("deleted, alone") << true << true;
        QTest::newRow("marked, alone") << false << true;
    }
    void aRowWhoseTimeComesBetweenReadingAndTakingStays()
    {
        QFETCH(bool, deleted);
        QFETCH(bool, alone);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.run(classicTable(u", run_at timestamp NOT NULL, done timestamp"_s));
        side.run(numbered(12,
                          u"n, 'mail', 'x', CASE n WHEN 7 THEN '2999-01-01' ELSE '2001-01-01' END,"
                          " NULL"_s,
                          u"outbox"_s));
        OutboxShape shape = classicShape();
        shape.dueColumn = u"run_at"_s;
        if (!deleted) {
            shape.processedHow = OutboxShape::ProcessedHow::Time;
            shape.processedColumn = u"done"_s;
        }
        SocketBreaker breaker;
        const StoreSettings settings = settingsFor(url, StoreAccess::Relay);
        const auto real = makeSession(settings, breaker);
        QVERIFY_RESULT(real->open(settings));
        const auto catalog = readCatalog(*real, url.dialect);
        QVERIFY_RESULT(catalog);
        const auto table = checkShape(shape, *catalog, url.dialect);
        QVERIFY_RESULT(table);
        const auto dialect = makeDialect(url.dialect, shape, *table);
        const ReferenceReader references(shape, *catalog);
        // What one clock says to the first statement and what it says to the second are two times.
        SessionWhoseTimeGoesOn session(
            *real,
            alone ? u"UPDATE outbox SET run_at = '2999-01-01' WHERE id = 1"_s
                  : u"UPDATE outbox SET run_at = '2001-01-01' WHERE id = 7"_s);
        const ClaimContext tools{session, *dialect, references, u"claiming"_s};
        ClaimRequest request;
        request.rows = 10;
        QStringList given;
        if (alone) {
            QVERIFY_RESULT(session.begin(u"claiming"_s));
            const auto claim = takeOne(tools, u"1"_s, request.mostPayloadBytes);
            QVERIFY_RESULT(claim);
            given = idsOf(claim->rows);
            QCOMPARE(given, QStringList{u"1"_s});
        } else {
            const auto claim = takeAtOnce(tools, request);
            QVERIFY_RESULT(claim);
            given = idsOf(claim->rows);
            QCOMPARE(given.size(), 10);
        }
        QVERIFY(session.hasMoved());
        QVERIFY_RESULT(session.commit(u"committing"_s));
        QStringList expected;
        for (int id = 1; id <= 12; ++id) {
            if (!given.contains(QString::number(id)))
                expected += QString::number(id);
        }
        QCOMPARE(side.run(u"SELECT id FROM outbox WHERE done IS NULL ORDER BY id"_s), expected);
    }

    void aSecondTakingThatFailsLeavesNothingOpen_data() { addDialects(); }
    void aSecondTakingThatFailsLeavesNothingOpen()
    {
        QFETCH(int, dialect);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(5, u"n, 'mail', 'x'"_s, u"outbox"_s));
        // Row 2 goes behind row 1, as it does at first, and never without it.
        side.all(testWords(url.dialect)
                     .refusing(u"not_alone"_s, u"DELETE"_s,
                               u"OLD.id = 2 AND EXISTS (SELECT 1 FROM outbox WHERE id = 1)"_s,
                               u"not yet"_s));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay)));
        ClaimRequest request;
        request.rows = 5;
        request.held = true;
        QVERIFY_RESULT(store.sendClaim(request));
        QVERIFY_RESULT(store.takeClaim());
        const auto refused
            = store.consumeLocked({{u"1"_s}, {u"2"_s}, {u"3"_s}, {u"4"_s}, {u"5"_s}}, false);
        QVERIFY_RESULT(refused);
        QVERIFY(refused->isEmpty());
        Result<void> committed = store.sendCommit(asDelivered({{u"2"_s}, {u"3"_s}}));
        if (committed)
            committed = store.takeCommit();
        QVERIFY(!committed);
        QVERIFY2(committed.error().text.contains(u"not yet"_s), qPrintable(committed.error().text));
        QVERIFY(!store.verifyClaim());
        const auto again = store.claim(5, {{u"1"_s}, {u"2"_s}});
        QVERIFY_RESULT(again);
        QCOMPARE(idsOf(*again), (QStringList{u"3"_s, u"4"_s, u"5"_s}));
        QVERIFY_RESULT(commitTaken(store));
        QCOMPARE(side.run(u"SELECT id FROM outbox ORDER BY id"_s), (QStringList{u"1"_s, u"2"_s}));
    }

    void aRowThatTheDatabaseKeepsInSilenceIsTold_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::addColumn<QString>("key");
        QTest::addColumn<bool>("deleted");
        QTest::addColumn<QString>("kept");
        for (const bool deleted : {true, false}) {
            for (const char *kept : {"id = 3", "id < 11"}) {
                const char *how = deleted ? "deleted" : "marked";
                QTest::addRow("PostgreSQL, %s, %s", how, kept)
                    << int(DatabaseUrl::Dialect::PostgreSql) << QString() << deleted
                    << QString::fromLatin1(kept);
                QTest::addRow("PostgreSQL, parts, %s, %s", how, kept)
                    << int(DatabaseUrl::Dialect::PostgreSql) << u") PARTITION BY RANGE (id"_s
                    << deleted << QString::fromLatin1(kept);
                QTest::addRow("SQLite, %s, %s", how, kept)
                    << int(DatabaseUrl::Dialect::Sqlite) << QString() << deleted
                    << QString::fromLatin1(kept);
            }
        }
    }
    void aRowThatTheDatabaseKeepsInSilenceIsTold()
    {
        QFETCH(int, dialect);
        QFETCH(QString, key);
        QFETCH(bool, deleted);
        QFETCH(QString, kept);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(classicTable(u", done timestamp"_s + key));
        if (!key.isEmpty())
            side.run(u"CREATE TABLE part PARTITION OF outbox DEFAULT"_s);
        side.run(numbered(20, u"n, 'mail', 'x', NULL"_s, u"outbox"_s));
        if (url.dialect == DatabaseUrl::Dialect::Sqlite) {
            for (const QString &verb : {u"DELETE"_s, u"UPDATE"_s}) {
                side.run(u"CREATE TRIGGER keep_%1 BEFORE %1 ON outbox WHEN OLD.%2 BEGIN"
                         " SELECT RAISE(IGNORE); END"_s.arg(verb, kept));
            }
        } else {
            side.all({u"CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS"
                      " $$ BEGIN RETURN NULL; END $$"_s,
                      u"CREATE TRIGGER keep BEFORE DELETE OR UPDATE ON outbox FOR EACH ROW"
                      " WHEN (OLD.%1) EXECUTE FUNCTION keep()"_s.arg(kept)});
        }
        OutboxShape shape = classicShape();
        if (!deleted) {
            shape.processedHow = OutboxShape::ProcessedHow::Time;
            shape.processedColumn = u"done"_s;
        }
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));
        const auto told = [](const Error &error) {
            return error.kind == Error::Kind::Constraint && !error.code.isEmpty()
                && error.text.contains(u"kept the row"_s);
        };
        const auto claimed = store.claim(10, {});
        QVERIFY(!claimed);
        QVERIFY2(told(claimed.error()), qPrintable(oneLine(claimed.error())));
        QVERIFY(!store.verifyClaim());
        const auto alone = store.claimSingle({u"3"_s}, {}, 0);
        QVERIFY_RESULT(alone);
        QVERIFY(!alone->row && alone->error);
        QVERIFY2(told(*alone->error), qPrintable(oneLine(*alone->error)));
        QList<MessageId> stay;
        for (const QString &id : side.run(u"SELECT id FROM outbox WHERE "_s + kept))
            stay += MessageId{id};
        const auto others = store.claim(20, stay);
        QVERIFY_RESULT(others);
        QCOMPARE(others->size(), 20 - stay.size());
        QVERIFY_RESULT(commitTaken(store));
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox WHERE done IS NULL"_s),
                 QString::number(stay.size()));
    }

    void aRowWithoutAKeyIsToldAndStopsNoOther()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.all({u"CREATE TABLE outbox (id text PRIMARY KEY, type text, payload text)"_s,
                  u"INSERT INTO outbox VALUES (NULL, 'mail', 'x'), ('a', 'mail', 'x'),"
                  " ('b', 'mail', 'x')"_s});
        OutboxShape shape = classicShape();
        shape.keyForm = OutboxShape::KeyForm::Text;
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));
        const auto claimed = store.claim(10, {{u"b"_s}});
        QVERIFY_RESULT(claimed);
        QCOMPARE(idsOf(*claimed), QStringList{u"a"_s});
        QVERIFY_RESULT(commitTaken(store));
        const auto keyless = [&store](const QList<MessageId> &parked) {
            if (const auto sent = store.sendClaim({10, parked, {}}); !sent)
                return false;
            const auto none = store.takeClaim();
            return none && none->rows.isEmpty() && none->hasNoKey;
        };
        QVERIFY(keyless({{u"b"_s}}));
        const auto left = store.anyLeft({{u"b"_s}});
        QVERIFY_RESULT(left);
        QVERIFY(!*left);
        QVERIFY_RESULT(store.claim(10, {}));
        QVERIFY_RESULT(commitTaken(store));
        QVERIFY(keyless({}));
        side.run(u"UPDATE outbox SET id = 'c' WHERE id IS NULL"_s);
        const auto named = store.claim(10, {});
        QVERIFY_RESULT(named);
        QCOMPARE(idsOf(*named), QStringList{u"c"_s});
    }

    void aPayloadThatBecomesBytesIsNotGivenAsTheirText_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("held");
        for (const char *type : {"text", "varchar(50)", "json"}) {
            QTest::addRow("%s", type) << QString::fromLatin1(type) << false;
            QTest::addRow("%s, held", type) << QString::fromLatin1(type) << true;
        }
    }
    void aPayloadThatBecomesBytesIsNotGivenAsTheirText()
    {
        QFETCH(QString, type);
        QFETCH(bool, held);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(
            u"CREATE TABLE outbox (id integer PRIMARY KEY, type text, payload %1)"_s.arg(type));
        side.run(numbered(4, u"n, 'mail', '\"abc\"'"_s, u"outbox"_s));
        side.run(u"INSERT INTO outbox VALUES (5, 'mail', '\"%1\"')"_s.arg(QString(40, u'x')));
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), bytesShape()));
        const auto payload = [&](int rows) -> Result<QByteArray> {
            ClaimRequest request;
            request.rows = rows;
            request.mostPayloadBytes = 20;
            request.held = held;
            if (auto sent = store.sendClaim(request); !sent)
                return passOn(sent);
            const auto claim = store.takeClaim();
            if (!claim)
                return passOn(claim);
            const ClaimedMessage &last = claim->rows.constLast();
            const QByteArray given = last.problem.isEmpty() ? last.payload : last.problem.toUtf8();
            if (auto undone = store.rollback(); !undone)
                return passOn(undone);
            return given;
        };
        QCOMPARE(payload(4).value_or("failed"), QByteArray("\"abc\""));
        QVERIFY(payload(5).value_or("failed").contains(" 42 bytes"));
        side.run(u"ALTER TABLE outbox ALTER payload TYPE bytea"
                 " USING convert_to(payload::text, 'UTF8')"_s);
        const auto changed = payload(4);
        QVERIFY(!changed);
        QCOMPARE(changed.error().kind, Error::Kind::Invalid);
        QCOMPARE(payload(4).value_or("failed"), QByteArray("\"abc\""));
        QVERIFY(payload(5).value_or("failed").contains(" 42 bytes"));
    }

    void aKeyThatIsNoNumberTakesNoNumber()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.all({u"CREATE TABLE outbox (id int PRIMARY KEY, type text, payload text, w integer)"_s,
                  u"INSERT INTO outbox VALUES (0, 'mail', 'later', 1), ('odd', 'mail', 'x', 0),"
                  " (5, 'mail', 'x', 0)"_s});
        OutboxShape shape = classicShape();
        shape.where = {{u"w"_s, ShapeTest::Is::Equal, {u"0"_s}}};
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay), shape));
        const auto claimed = store.claim(10, {});
        QVERIFY_RESULT(claimed);
        QCOMPARE(idsOf(*claimed), (QStringList{u"5"_s, u"odd"_s}));
        QVERIFY_RESULT(commitTaken(store));
        QCOMPARE(side.run(u"SELECT id FROM outbox"_s), QStringList{u"0"_s});
    }
};

} // namespace tst_sqltakes

OUTBOX_TEST(tst_sqltakes::TestSqlTakes)
#include "tst_sqltakes.moc"
