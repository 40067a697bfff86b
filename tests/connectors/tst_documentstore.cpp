// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table of business documents in real databases: counts without reading documents, pages, and
// writes that happen only where nobody wrote in between.
#include "connectors/sql/documents/documentstore.h"
#include "models/designs/outboxstate.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/testprogram.h"

namespace tst_documentstore {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

Databases databases;

DocumentShape shapeOf(const QString &table = u"customers"_s)
{
    DocumentShape shape;
    shape.table = TableName::fromText(table);
    return shape;
}

struct Kind
{
    const char *name;
    DatabaseUrl::Dialect dialect;
    const char *id;
    const char *version;
    const char *document;
};

const QList<Kind> kinds{
    {"PostgreSQL jsonb", DatabaseUrl::Dialect::PostgreSql, "text", "bigint", "jsonb"},
    {"PostgreSQL json", DatabaseUrl::Dialect::PostgreSql, "bigint", "text", "json"},
    {"PostgreSQL text", DatabaseUrl::Dialect::PostgreSql, "text", "integer", "text"},
    {"SQLite", DatabaseUrl::Dialect::Sqlite, "TEXT", "INTEGER", "TEXT"},
    {"SQLite, number as id", DatabaseUrl::Dialect::Sqlite, "INTEGER", "TEXT", "TEXT"},
    {"MariaDB json", DatabaseUrl::Dialect::MariaDb, "varchar(60)", "bigint", "json"},
    {"MariaDB text", DatabaseUrl::Dialect::MariaDb, "bigint", "varchar(60)", "longtext"},
};

DatabaseUrl tableOf(const Kind &kind)
{
    const DatabaseUrl url = databases.fresh(kind.dialect);
    const bool isPostgres = kind.dialect == DatabaseUrl::Dialect::PostgreSql;
    SideSession(url).run(
        u"CREATE TABLE customers (id %1 PRIMARY KEY, version %2 NOT NULL, document %3 NOT NULL,"
        u" seen_at %4 NULL, local_at %5 NULL)"_s.arg(
            QLatin1String(kind.id), QLatin1String(kind.version), QLatin1String(kind.document),
            isPostgres ? u"timestamptz"_s : u"timestamp(6)"_s,
            isPostgres ? u"timestamp"_s : u"datetime"_s));
    return url;
}

} // namespace

class TestDocumentStore : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { OUTBOX_START_DATABASES(databases); }

    void entriesAreCounted_data() { addKinds(); }
    void entriesAreCounted()
    {
        const Kind kind = this->kind();
        const DatabaseUrl url = tableOf(kind);
        SideSession(url).all(
            {u"INSERT INTO customers (id, version, document) VALUES ('1', '1',"
             u" '{\"OutboxState\":{\"a\":[{\"id\":\"o\",\"type\":\"t\"}],\"b\":null,"
             u"\"c\":{\"OutgoingMessages\":null,\"at\":\"2026-01-01T00:00:00Z\"},"
             u"\"d\":{\"OutgoingMessages\":[],\"at\":\"2026-01-02T00:00:00Z\"},"
             u"\"e\":{\"OutgoingMessages\":[],\"at\":\"2026-01-03T00:00:00Z\"},\"f\":3,"
             u"\"g\":{}}}')"_s,
             u"INSERT INTO customers (id, version, document) VALUES ('2', '7', '{\"a\":1}')"_s,
             u"INSERT INTO customers (id, version, document) VALUES ('3', '1',"
             u" '{\"OutboxState\":[1]}')"_s,
             u"INSERT INTO customers (id, version, document, seen_at, local_at) VALUES ('4', '1',"
             u" '{\"OutboxState\":{}}', '2026-01-01 00:00:00%1', '2026-01-01 00:00:00')"_s.arg(
                 kind.dialect == DatabaseUrl::Dialect::MariaDb ? u""_s : u"Z"_s)});
        DocumentShape shape = shapeOf();
        shape.timeMember = u"at"_s;
        shape.changedColumn = u"seen_at"_s;
        DocumentStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly), shape));
        const auto page = store.page({});
        QVERIFY_RESULT(page);
        QCOMPARE(page->documents.size(), 4);
        const DocumentFacts one = page->documents.at(0);
        QCOMPARE(one.undispatched, std::optional<qint64>(3));
        QCOMPARE(one.dispatched, std::optional<qint64>(2));
        QCOMPARE(one.malformed, std::optional<qint64>(2));
        QVERIFY(one.oldestUndispatchedSeconds && one.oldestDispatchedSeconds);
        QCOMPARE(qRound64(*one.oldestDispatchedSeconds - *one.oldestUndispatchedSeconds), 86'400);
        QVERIFY(one.bytes > 200);
        QVERIFY(!one.changedSeconds);
        const DocumentFacts two = page->documents.at(1);
        QCOMPARE(two.version, u"7"_s);
        QCOMPARE(two.undispatched, std::optional<qint64>(0));
        QVERIFY(two.problem.isEmpty());
        QVERIFY(!page->documents.at(2).undispatched);
        QVERIFY(!page->documents.at(2).problem.isEmpty());
        QCOMPARE(page->documents.at(3).undispatched, std::optional<qint64>(0));
        QVERIFY(page->documents.at(3).changedSeconds > 86'400);
        QVERIFY(page->next.isEmpty());
        shape.changedColumn = u"local_at"_s; // nobody says in which zone it is
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly), shape));
        const auto local = store.page({});
        QVERIFY_RESULT(local);
        QVERIFY(!local->documents.at(3).changedSeconds);
        shape.changedColumn = u"seen_at"_s;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly), shape));

        const auto open = store.page({}, 100, true);
        QVERIFY_RESULT(open);
        QCOMPARE(open->documents.size(), 2);
    }

    void aTextThatIsNoJsonFailsNoPage_data() { addKinds(); }
    void aTextThatIsNoJsonFailsNoPage()
    {
        const Kind kind = this->kind();
        if (QByteArray(kind.document).startsWith("json"))
            return;
        const DatabaseUrl url = tableOf(kind);
        SideSession(url).all({u"INSERT INTO customers VALUES ('1', '1', '{oh', NULL, NULL)"_s,
                              u"INSERT INTO customers VALUES ('2', '1', '{}', NULL, NULL)"_s});
        DocumentStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly), shapeOf()));
        const auto page = store.page({});
        QVERIFY_RESULT(page);
        QVERIFY(!page->documents.at(0).problem.isEmpty());
        QVERIFY(!page->documents.at(0).undispatched);
        QVERIFY(page->documents.at(1).problem.isEmpty());
    }

    void pagesGoOnBehindTheLastId_data() { addKinds(); }
    void pagesGoOnBehindTheLastId()
    {
        const DatabaseUrl url = tableOf(kind());
        QStringList expected;
        DocumentStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::Relay), shapeOf()));
        for (int i = 10; i < 37; ++i) {
            expected += QString::number(i);
            const auto made = store.insert(expected.last(), "{}");
            QVERIFY_RESULT(made);
            QVERIFY(*made);
        }
        QStringList ids;
        QString after;
        do {
            const auto page = store.page(after, 5);
            QVERIFY_RESULT(page);
            for (const DocumentFacts &facts : page->documents)
                ids += facts.id;
            after = page->next;
        } while (!after.isEmpty());
        QCOMPARE(ids, expected);
    }

    void onlyTheFirstOfTwoWritersWrites_data() { addKinds(); }
    void onlyTheFirstOfTwoWritersWrites()
    {
        const DatabaseUrl url = tableOf(kind());
        DocumentStore first;
        DocumentStore second;
        QVERIFY_RESULT(first.open(settingsFor(url, StoreAccess::Relay), shapeOf()));
        QVERIFY_RESULT(second.open(settingsFor(url, StoreAccess::Act), shapeOf()));
        QVERIFY(*first.insert(u"5"_s, R"({"n":1})"));
        QVERIFY(!*second.insert(u"5"_s, R"({"n":9})"));
        const auto seen = first.find(u"5"_s);
        QVERIFY_RESULT(seen);
        const auto seenToo = second.find(u"5"_s);
        QVERIFY_RESULT(seenToo);
        QCOMPARE(**seen, **seenToo);
        QVERIFY(*first.write(**seen, R"({"n":2})"));
        const auto late = second.write(**seenToo, R"({"n":3})");
        QVERIFY_RESULT(late);
        QVERIFY(!*late);
        const auto now = second.find(u"5"_s);
        QVERIFY((*now)->version != (*seen)->version);
        QCOMPARE(OutboxState::read((*now)->json, {}).has_value(), true);
        QVERIFY((*now)->json.contains('2'));
        QVERIFY(*second.write(**now, R"({"n":4})"));
        QVERIFY(!*second.write({u"6"_s, u"1"_s, {}}, "{}"));
        QVERIFY_RESULT(second.makeDurable());
        QCOMPARE(second.find(u"no such id"_s).value(), std::nullopt);
    }

    /// Words of our own statements, and what quoting is for.
    void namesMayBeAnything_data() { addKinds(); }
    void namesMayBeAnything()
    {
        const Kind kind = this->kind();
        const DatabaseUrl url = databases.fresh(kind.dialect);
        SideSession(url).run(
            u"CREATE TABLE \"TABLE %1 DOC\" (\"KEY ID\" %1 PRIMARY KEY, \"VERSION 'MAP'\" %2"_s.arg(
                QLatin1String(kind.id), QLatin1String(kind.version))
            + u" NOT NULL, \"DOC TIME\" %1 NOT NULL, \"CHANGED %2\" timestamp)"_s.arg(
                QLatin1String(kind.document)));
        DocumentShape shape;
        shape.table.table = u"TABLE %1 DOC"_s.arg(QLatin1String(kind.id));
        shape.idColumn = u"KEY ID"_s;
        shape.versionColumn = u"VERSION 'MAP'"_s;
        shape.documentColumn = u"DOC TIME"_s;
        shape.changedColumn = u"CHANGED %2"_s;
        shape.mapPath = QStringList{u"it's"_s, u"DOC MAP %1"_s};
        shape.messagesMember = u"MESSAGES %2 'PATH'"_s;
        shape.timeMember = u"TIME KEY"_s;
        DocumentStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::Relay), shape));
        const auto state = OutboxState::read("{}", shape);
        const auto json = state->withNew(u"m"_s, "{\"MESSAGES %2 'PATH'\":[]}");
        QVERIFY_RESULT(json);
        QVERIFY(store.insert(u"7"_s, *json).value());
        const auto page = store.page({});
        QVERIFY_RESULT(page);
        QCOMPARE(page->documents.first().undispatched, std::optional<qint64>(1));
        const auto seen = store.find(u"7"_s);
        QVERIFY_RESULT(seen);
        const auto sent = OutboxState::read((*seen)->json, shape)->withDispatched(u"m"_s);
        QVERIFY_RESULT(sent);
        QVERIFY(store.write(**seen, *sent).value());
        QCOMPARE(store.page({}).value().documents.first().dispatched, std::optional<qint64>(1));
    }

    void aLookingSessionWritesNothing_data() { addKinds(); }
    void aLookingSessionWritesNothing()
    {
        const DatabaseUrl url = tableOf(kind());
        DocumentStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly), shapeOf()));
        QCOMPARE(store.insert(u"1"_s, "{}").error().kind, Error::Kind::Refused);
        QCOMPARE(store.write({u"1"_s, u"1"_s, {}}, "{}").error().kind, Error::Kind::Refused);
    }

    /// What the server's JSON does not read to the end, or not as it is meant, is read here.
    void mariadbHandsOutWholeWhatItCannotTakeApart()
    {
        const DatabaseUrl url = tableOf(kinds.constLast());
        const QByteArray deep = QByteArray(40, '[') + QByteArray(40, ']');
        DocumentStore store;
        DocumentShape shape = shapeOf();
        shape.mapPath = QStringList{u"é/b"_s};
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::Relay), shape));
        QVERIFY(*store.insert(u"1"_s, R"({"é/b":{"m":[]},"x":)" + deep + '}'));
        QVERIFY(*store.insert(u"2"_s, R"({"\u00e9\/b":{"m":[],"n":null}})"));
        QVERIFY(*store.insert(u"3"_s, R"({"é/b":{"m":{"Outgoing\u004dessages":[]}}})"));
        const auto page = store.page({});
        QVERIFY_RESULT(page);
        for (int i = 0; i < 3; ++i) {
            const DocumentFacts facts = page->documents.at(i);
            QVERIFY2(facts.problem.isEmpty(), qPrintable(facts.problem));
            QCOMPARE(facts.undispatched, std::optional<qint64>(1));
            QCOMPARE(facts.dispatched, std::optional<qint64>(i == 1 ? 1 : 0));
            QCOMPARE(facts.malformed, std::optional<qint64>(0));
        }
    }

    /// The usual collation takes these ids for one; a document is never written by another's id.
    void mariadbTellsIdsApartByTheirCase()
    {
        const DatabaseUrl url = databases.fresh(DatabaseUrl::Dialect::MariaDb);
        SideSession(url).run(
            u"CREATE TABLE customers (id varchar(60) COLLATE utf8mb4_general_ci"
            " PRIMARY KEY, version varchar(60) NOT NULL, document json NOT NULL)"_s);
        DocumentStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::Relay), shapeOf()));
        QVERIFY(*store.insert(u"abc"_s, "{}"));
        QCOMPARE(store.find(u"ABC"_s).value(), std::nullopt);
        QCOMPARE(store.find(u"abc "_s).value(), std::nullopt);
        StoredDocument seen = *store.find(u"abc"_s).value();
        seen.id = u"ABC"_s;
        QVERIFY(!*store.write(seen, R"({"a":1})"));
        seen.id = u"abc"_s;
        seen.version = seen.version.toUpper() + u' ';
        QVERIFY(!*store.write(seen, R"({"a":1})"));
        const auto made = store.insert(u"ABC"_s, "{}"); // the key has no place for it
        QCOMPARE(made.error().kind, Error::Kind::Constraint);
        SideSession(url).run(u"ALTER TABLE customers ENGINE = Aria"_s);
        QCOMPARE(store.open(settingsFor(url, StoreAccess::Relay), shapeOf()).error().kind,
                 Error::Kind::Refused);
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::ReadOnly), shapeOf()));
    }

    /// A writer that waits for another one's row gives up at its deadline and holds nothing then.
    void mariadbHoldsNothingAfterADeadline()
    {
        const DatabaseUrl url = tableOf(kinds.at(kinds.size() - 2));
        DocumentStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::Relay), shapeOf()));
        QVERIFY(*store.insert(u"1"_s, "{}"));
        QVERIFY(*store.insert(u"2"_s, "{}"));
        SideSession other(url);
        other.run(u"START TRANSACTION"_s);
        other.run(u"UPDATE customers SET seen_at = NULL WHERE id = '1'"_s);
        const StoredDocument seen = *store.find(u"1"_s).value();
        const auto late = store.write(seen, R"({"a":1})");
        QCOMPARE(late.error().kind, Error::Kind::Timeout);
        QVERIFY(*store.write(*store.find(u"2"_s).value(), "{}")); // its neighbour is free
        other.run(u"COMMIT"_s);
        other.run(u"UPDATE customers SET seen_at = NULL WHERE id = '1'"_s);
        QVERIFY(*store.write(seen, R"({"a":1})")); // as it was: nothing of the first try is there
    }

    void wrongNamesAreRefusedWithTheNearestOne()
    {
        const DatabaseUrl url = tableOf(kinds.first());
        DocumentStore store;
        const StoreSettings settings = settingsFor(url, StoreAccess::ReadOnly);
        DocumentShape shape = shapeOf(u"customer"_s);
        QVERIFY(store.open(settings, shape).error().hint.contains(u"customers"_s));
        shape = shapeOf();
        shape.versionColumn = u"versoin"_s;
        const auto opened = store.open(settings, shape);
        QCOMPARE(opened.error().kind, Error::Kind::Invalid);
        QVERIFY(opened.error().hint.contains(u"version"_s));
        shape = shapeOf();
        shape.versionColumn = u"seen_at"_s;
        QCOMPARE(store.open(settings, shape).error().kind, Error::Kind::Unsupported);
        shape = shapeOf();
        shape.mapPath = QStringList{u"a\"b"_s};
        QCOMPARE(store.open(settings, shape).error().kind, Error::Kind::Invalid);
    }

private:
    static void addKinds()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < kinds.size(); ++i)
            QTest::newRow(kinds.at(i).name) << i;
    }
    static Kind kind()
    {
        QFETCH(const int, index);
        return kinds.at(index);
    }
};

} // namespace tst_documentstore

OUTBOX_TEST(tst_documentstore::TestDocumentStore)
#include "tst_documentstore.moc"
