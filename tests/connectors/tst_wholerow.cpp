// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whole rows leave a table and come back byte for byte, whatever their types and their session.
#include "tests/connectors/editfixture.h"
#include "tests/support/patience.h"
#include "tests/support/peakmemory.h"
#include "tests/support/testprogram.h"

namespace tst_wholerow {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 hundredMegabytes = qint64(100) * 1024 * 1024;

OutboxShape plainShape()
{
    OutboxShape shape = classicShape();
    shape.keyForm = OutboxShape::KeyForm::Text;
    return shape;
}

StoreSettings patientSettings(const DatabaseUrl &url)
{
    StoreSettings settings = actSettings(url);
    settings.statementTimeoutMs = 60'000;
    return settings;
}

/// Every kind of column that a table may have, each with values that are easily spoilt.
QStringList commonTypes()
{
    return {
        u"CREATE TYPE \"Odd mood\" AS ENUM ('so, so', 'it''s \"fine\"')"_s,
        u"CREATE TYPE pair AS (a integer, b text)"_s,
        u"CREATE DOMAIN short AS varchar(5) CHECK (length(VALUE) < 6)"_s,
        u"CREATE DOMAIN raw AS bytea"_s,
        uR"(CREATE TABLE outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, type text,
 payload bytea, i2 smallint, i8 bigint, n numeric, n2 numeric(30,10), f4 real, f8 double precision,
 m money, b boolean, v varchar(10), c char(5), c1 "char", nm name, d date, t time, tz timetz,
 ts timestamp, tsz timestamptz, ts3 timestamptz(3), iv interval, j json, jb jsonb, x xml, ip inet,
 net cidr, mac macaddr, b3 bit(3), vb varbit, p point, bx box, r int4range, rt tstzrange, ta text[],
 ba bytea[], ia integer[], e "Odd mood", pr pair, s short, rw raw, tv tsvector, oi oid, lsn pg_lsn,
 rc regclass, g bigint GENERATED ALWAYS AS (i2::bigint * 2) STORED, "we""ird, na%1me $2" text,
 u uuid UNIQUE DEFAULT gen_random_uuid()))"_s,
        uR"(INSERT INTO outbox (type, payload, i2, i8, n, n2, f4, f8, m, b, v, c, c1, nm, d, t, tz,
 ts, tsz, ts3, iv, j, jb, x, ip, net, mac, b3, vb, p, bx, r, rt, ta, ba, ia, e, pr, s, rw, tv, oi, lsn,
 rc, "we""ird, na%1me $2") VALUES
 (E'it''s\n\\x "q" ü€😀\t', '\x00ff80c328270a', -32768, 9223372036854775807,
 123456789012345678901234567890.0987654321, 0.0000000001, 0.1::real + 0.2::real, 0.1::float8 + 0.2,
 '-12.34', true, 'abc  ', 'ab', 'x', 'name', '0044-03-15 BC', '24:00:00', '01:02:03.000001+05:30',
 '2026-03-29 02:30:00.123456', '2026-10-25 01:30:00.654321+02', now(), '-1 year 2 days -03:04:05.678',
 '{"a":  1.00, "a":2}', '{"a": 1.00}', 'one <b/> two', '10.0.0.1/8', '10.0.0.0/8', '08:00:2b:01:02:03',
 '101', '10011', '(0.1,-1e-300)', '(1,2),(3,4)', '[1,5)', '[2026-01-01 00:00+00,)',
 ARRAY['a,b', NULL, 'NULL', '', 'q"\'], ARRAY['\x00ff'::bytea, ''], '[2:3]={1,2}', 'it''s "fine"',
 ROW(NULL, 'b,"c'), 'abc', '\xff00', 'a fat cat', 4294967295, 'FFFFFFFF/FFFFFFFF', 'pg_class', ' '),
 ('', '', 0, 0, 'NaN', -1, 'NaN', '-Infinity', '0', false, '', '', '', '', 'infinity', '00:00', '00:00+00',
 '-infinity', 'infinity', '-infinity', '0', 'null', 'null', '', '::1', '::/0', '00:00:00:00:00:00',
 '000', '', '(0,0)', '(0,0),(0,0)', 'empty', 'empty', '{}', '{}', '{}', 'so, so', ROW(NULL, NULL), '', '',
 '', 0, '0/0', '-', ''),
 ('short', NULL, NULL, 1, 'Infinity', 1e19, 3.4028235e38, 5e-324, NULL, NULL, NULL, NULL, NULL, NULL,
 '2026-01-01', '12:00', '23:59:59.999999-12', '294276-12-31 23:59:59.999999', '4713-01-01 00:00+00 BC',
 NULL, '178000000 years', '"\u00fc"', '[]', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
 NULL, NULL, NULL, NULL, ROW(1, ''), NULL, NULL, NULL, NULL, NULL, NULL, NULL))"_s,
        u"INSERT INTO outbox (type) VALUES (NULL)"_s};
}

} // namespace

class TestWholeRow : public QObject
{
    Q_OBJECT

    Databases m_databases;

    /// Takes every row out and puts it back, through values only.
    static void roundTrip(const DatabaseUrl &url, const OutboxShape &shape)
    {
        const auto rows = seenRows(url, shape);
        QVERIFY(!rows.isEmpty());
        QList<MessageId> ids;
        for (const RowGuard &row : rows)
            ids += row.id;
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(patientSettings(url), shape));
        const auto whole = editor.whole(ids);
        QVERIFY_RESULT(whole);
        QCOMPARE(whole->size(), rows.size());
        QVERIFY_RESULT(editor.begin());
        const auto removed = editor.remove(rows);
        QVERIFY_RESULT(removed);
        QCOMPARE(removed->size(), rows.size());
        QVERIFY_RESULT(editor.commit());
        QCOMPARE(SideSession(url).one(u"SELECT count(*) FROM outbox"_s), u"0"_s);
        QVERIFY_RESULT(editor.begin());
        const auto inserted = editor.insert(*whole);
        QVERIFY_RESULT(inserted);
        QCOMPARE(idsOf(*inserted), idsOf(rows));
        QVERIFY_RESULT(editor.commit());
    }

private slots:
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void everyTypeOfPostgresComesBack_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::newRow("as usual") << QStringList();
        QTest::newRow("settings that spoil texts")
            << QStringList{u"datestyle = 'German, DMY'"_s,      u"timezone = 'Asia/Kolkata'"_s,
                           u"intervalstyle = 'sql_standard'"_s, u"extra_float_digits = -10"_s,
                           u"bytea_output = 'escape'"_s,        u"xmloption = 'document'"_s};
    }

    void everyTypeOfPostgresComesBack()
    {
        QFETCH(QStringList, settings);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.all(commonTypes());
        for (const QString &setting : settings)
            side.run(u"ALTER DATABASE %1 SET "_s.arg(url.database) + setting);
        // the binary form of every column, so that no setting hides a difference
        const QString digest
            = u"SELECT id || ' ' || encode(record_send(o), 'hex') FROM outbox o ORDER BY id"_s;
        const QStringList before = side.run(digest);
        QCOMPARE(before.size(), 4);
        roundTrip(url, plainShape());
        QCOMPARE(side.run(digest), before);
        side.run(u"INSERT INTO outbox (type) VALUES ('next')"_s); // the counter was left alone
        QCOMPARE(side.one(u"SELECT max(id) FROM outbox"_s), u"5"_s);
    }

    void bytesComeBackAsTheyWere()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.all(
            {u"CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), type text, payload bytea)"_s,
             u"INSERT INTO outbox (type, payload) SELECT 'mail', decode(string_agg("
             "lpad(to_hex((n * 7919 + b * b) % 256), 2, '0'), ''), 'hex')"
             " FROM generate_series(1, 1500) n, generate_series(1, 64) b GROUP BY n"_s});
        const QString digest
            = u"SELECT md5(string_agg(record_send(o), '' ORDER BY id)) FROM outbox o"_s;
        const QString before = side.one(digest);
        roundTrip(url, classicShape());
        QCOMPARE(side.one(digest), before);
    }

    void everyStorageClassOfSqliteComesBack_data()
    {
        QTest::addColumn<QString>("rest");
        QTest::newRow("with row ids") << QString();
        QTest::newRow("without") << u" WITHOUT ROWID"_s;
    }

    void everyStorageClassOfSqliteComesBack()
    {
        QFETCH(QString, rest);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.run(
            u"CREATE TABLE outbox (id TEXT PRIMARY KEY NOT NULL, type TEXT, payload,"
            " n INTEGER, r REAL, g INTEGER GENERATED ALWAYS AS (length(id)) STORED, v GENERATED"
            " ALWAYS AS (n + 1), \"a\"\"b :c\" NUMERIC)"_s
            + rest);
        const QStringList values{u"NULL"_s,
                                 u"5"_s,
                                 u"-9223372036854775808"_s,
                                 u"0.1"_s,
                                 u"1e308 * 10"_s,
                                 u"5e-324"_s,
                                 u"1.7976931348623157e308"_s,
                                 u"'12'"_s,
                                 u"'12.50'"_s,
                                 u"''"_s,
                                 u"x''"_s,
                                 u"x'00ff80'"_s,
                                 u"'ü€😀'"_s,
                                 u"CAST(x'610062' AS TEXT)"_s,
                                 u"CAST(x'c328ff00' AS TEXT)"_s};
        int number = 0;
        for (const QString &value : values) {
            ++number;
            side.run(u"INSERT INTO outbox (id, type, payload, n, r, \"a\"\"b :c\") VALUES"
                     " ('k%1', %2, %2, %2, %2, %2)"_s.arg(QString::number(number), value));
        }
        QStringList cells;
        for (const QString &name :
             {u"type"_s, u"payload"_s, u"n"_s, u"r"_s, u"\"a\"\"b :c\""_s, u"g"_s, u"v"_s})
            cells += u"typeof(%1) || ifnull(hex(CAST(%1 AS BLOB)), '') || quote(%1)"_s.arg(name);
        const QString digest
            = u"SELECT id || "_s + cells.join(u" || "_s) + u" FROM outbox ORDER BY id"_s;
        const QStringList before = side.run(digest);
        QCOMPARE(before.size(), values.size());
        roundTrip(url, plainShape());
        QCOMPARE(side.run(digest), before);
    }

    void aHugePayloadComesBack_data() { addDialects(); }
    void aHugePayloadComesBack()
    {
        QFETCH(int, dialect);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        QString digest = u"SELECT md5(payload) || length(payload) FROM outbox"_s;
        if (url.dialect == DatabaseUrl::Dialect::Sqlite) {
            side.all(
                {u"CREATE TABLE outbox (id integer PRIMARY KEY, type text, payload blob)"_s,
                 u"INSERT INTO outbox VALUES (1, 'mail', randomblob(%1))"_s.arg(hundredMegabytes),
                 u"CREATE TABLE copy AS SELECT * FROM outbox"_s});
            digest
                = u"SELECT length(o.payload) || (o.payload IS c.payload) FROM outbox o JOIN copy c"_s;
        } else if (url.dialect == DatabaseUrl::Dialect::MariaDb) {
            side.all(
                {u"CREATE TABLE outbox (id integer PRIMARY KEY, type text, payload longblob)"_s,
                 u"INSERT INTO outbox VALUES (1, 'mail', repeat(x'00ff80c3', %1))"_s.arg(
                     hundredMegabytes / 4)});
        } else {
            side.all(
                {u"CREATE TABLE outbox (id integer PRIMARY KEY, type text, payload bytea)"_s,
                 u"ALTER TABLE outbox ALTER payload SET STORAGE EXTERNAL"_s,
                 u"INSERT INTO outbox VALUES (1, 'mail', decode(repeat('00ff80c3', %1), 'hex'))"_s
                     .arg(hundredMegabytes / 4)});
        }
        const QString before = side.one(digest);
        QVERIFY(before.contains(QString::number(hundredMegabytes)));
        const qint64 start = peakMemory(true);
        roundTrip(url, classicShape());
        const double copies = static_cast<double>(peakMemory() - start) / hundredMegabytes;
        qInfo("peak: %.1f copies of the payload", copies);
        QVERIFY2(copies < patient(5), // a sanitizer keeps notes on each byte
                 qPrintable(QString::number(copies)));
        QCOMPARE(side.one(digest), before);
    }

    void rowsThatDoNotFitAreRefused_data()
    {
        using Kind = Cell::Kind;
        QTest::addColumn<QStringList>("columns");
        QTest::addColumn<QList<Cell>>("cells");
        QTest::addColumn<QString>("said");
        const Cell key{Kind::Text, "7"};
        const Cell text{Kind::Text, "x"};
        QTest::newRow("unknown column")
            << QStringList{u"id"_s, u"tipe"_s} << QList<Cell>{key, text} << u"no column \"tipe\""_s;
        QTest::newRow("generated")
            << QStringList{u"id"_s, u"g"_s} << QList<Cell>{key, key} << u"computed"_s;
        QTest::newRow("twice") << QStringList{u"id"_s, u"id"_s} << QList<Cell>{key, key}
                               << u"twice"_s;
        QTest::newRow("no key") << QStringList{u"type"_s} << QList<Cell>{text} << u"no key"_s;
        QTest::newRow("a value short")
            << QStringList{u"id"_s, u"type"_s} << QList<Cell>{key} << u"one value for each"_s;
        QTest::newRow("no number")
            << QStringList{u"id"_s} << QList<Cell>{{Kind::Integer, "seven"}} << u"number"_s;
        QTest::newRow("the key of another row")
            << QStringList{u"id"_s} << QList<Cell>{{Kind::Text, "8"}} << u"another one"_s;
        QTest::newRow("bytes in a text") << QStringList{u"id"_s, u"type"_s}
                                         << QList<Cell>{key, {Kind::Bytes, "x"}} << u"no bytes"_s;
        QTest::newRow("NUL in a text")
            << QStringList{u"id"_s, u"type"_s}
            << QList<Cell>{key, {Kind::Text, QByteArray("a\0b", 3)}} << u"no bytes"_s;
        QTest::newRow("too long") << QStringList{u"id"_s, u"type"_s}
                                  << QList<Cell>{key, {Kind::Text, "longer"}} << u"too long"_s;
    }

    void rowsThatDoNotFitAreRefused()
    {
        QFETCH(QStringList, columns);
        QFETCH(QList<Cell>, cells);
        QFETCH(QString, said);
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id integer PRIMARY KEY, type varchar(5), payload text,"
                 " g integer GENERATED ALWAYS AS (id + 1) STORED)"_s);
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(patientSettings(url), classicShape()));
        QVERIFY_RESULT(editor.begin());
        const WholeRow good{{u"1"_s}, {}, {u"id"_s}, {{Cell::Kind::Text, "1"}}};
        QVERIFY_RESULT(editor.insert({good}));
        const auto refused = editor.insert({{{u"7"_s}, {}, columns, cells}});
        QCOMPARE(refused.error().kind, Error::Kind::Invalid);
        QVERIFY2(refused.error().text.contains(said), qPrintable(refused.error().text));
        QCOMPARE(editor.commit().error().kind, Error::Kind::Conflict); // rolled back as a whole
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"0"_s);
    }

    void keysOfEveryFormAreKnownAgain_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("key");
        const auto row = [](const char *name, DatabaseUrl::Dialect dialect, const QString &type,
                            const QString &key) {
            QTest::newRow(name) << static_cast<int>(dialect) << type << key;
        };
        using enum DatabaseUrl::Dialect;
        row("padded", PostgreSql, u"char(8)"_s, u"'a'"_s);
        row("bytes", PostgreSql, u"bytea"_s, u"'\\x00415cff'"_s);
        row("uuid", PostgreSql, u"uuid"_s, u"'0189C3A4-0000-7000-8000-000000000001'"_s);
        row("number", PostgreSql, u"numeric(9, 2)"_s, u"7"_s);
        row("number in SQLite", Sqlite, u"integer"_s, u"7"_s);
        row("text in SQLite", Sqlite, u"text"_s, u"'a '"_s);
        row("fraction in SQLite", Sqlite, u"real"_s, u"0.1"_s);
        row("padded in MariaDB", MariaDb, u"char(8)"_s, u"'a'"_s);
        row("number in MariaDB", MariaDb, u"decimal(9, 2)"_s, u"7"_s);
        row("large number in MariaDB", MariaDb, u"bigint unsigned"_s, u"18446744073709551615"_s);
        row("uuid in MariaDB", MariaDb, u"uuid"_s, u"'0189C3A4-0000-7000-8000-000000000001'"_s);
        row("text in MariaDB", MariaDb, u"varchar(9) COLLATE utf8mb4_nopad_bin"_s, u"'aB '"_s);
        row("fraction in MariaDB", MariaDb, u"double"_s, u"0.1"_s);
    }
    void keysOfEveryFormAreKnownAgain()
    {
        QFETCH(int, dialect);
        QFETCH(QString, type);
        QFETCH(QString, key);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id %1 PRIMARY KEY, type text, payload text)"_s.arg(type));
        side.run(u"INSERT INTO outbox VALUES (%1, 't', 'p')"_s.arg(key));
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(patientSettings(url), classicShape()));
        const QString id = side.one(u"SELECT CAST(id AS text) FROM outbox"_s);
        const auto whole = editor.whole({{id}});
        QVERIFY_RESULT(whole);
        QCOMPARE(whole->size(), 1);
        side.run(u"DELETE FROM outbox"_s);
        QVERIFY_RESULT(editor.begin());
        QVERIFY_RESULT(editor.insert(*whole));
        QVERIFY_RESULT(editor.commit());
        QCOMPARE(side.one(u"SELECT CAST(id AS text) FROM outbox"_s), id);
    }

    void emptyIsNotNull_data() { addDialects(); }
    void emptyIsNotNull()
    {
        QFETCH(int, dialect);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id integer PRIMARY KEY, type text, payload %1)"_s.arg(
            testWords(url.dialect).bytesType));
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(patientSettings(url), classicShape()));
        QVERIFY_RESULT(editor.begin());
        QVERIFY_RESULT(editor.insert({{{u"1"_s},
                                       {},
                                       {u"id"_s, u"type"_s, u"payload"_s},
                                       {{Cell::Kind::Text, "1"},
                                        {Cell::Kind::Text, QByteArray()},
                                        {Cell::Kind::Bytes, QByteArray()}}}}));
        QVERIFY_RESULT(editor.commit());
        QCOMPARE(side.one(u"SELECT length(type) + length(payload) FROM outbox"_s), u"0"_s);
    }

    void aPlaceholderInANameIsRefused()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        side.run(
            u"CREATE TABLE outbox (id integer PRIMARY KEY, type text, payload text, \"why?\" text)"_s);
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(patientSettings(url), classicShape()));
        QCOMPARE(editor.whole({{u"1"_s}}).error().kind, Error::Kind::Unsupported);
    }
};

} // namespace tst_wholerow

OUTBOX_TEST(tst_wholerow::TestWholeRow)
#include "tst_wholerow.moc"
