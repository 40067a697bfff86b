// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values on MariaDB that are easily spoilt: every type, wide rows, rows larger than a packet.
#include "connectors/sql/edit/outboxeditor.h"
#include "tests/connectors/mariadbfixture.h"
#include "tests/support/testprogram.h"

namespace tst_mariadbvalues {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Every kind of column that a table may have, each with values that are easily spoilt.
const QStringList everyType{
    uR"(CREATE TABLE outbox (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, type text, payload longblob,
 t1 tinyint, t1f tinyint(1), i2 smallint, i3 mediumint, i8 bigint, u8 bigint unsigned, z int(5) zerofill,
 n decimal(38,10), f4 float, f42 float(7,2), f8 double, b3 bit(3), b64 bit(64), v varchar(10), c char(5),
 l varchar(10) CHARACTER SET latin1, u2 varchar(10) CHARACTER SET ucs2, tt tinytext, mt mediumtext,
 bi binary(4), vb varbinary(10), tb tinyblob, b16 binary(16), d date, t time(6), dt datetime(6), dt0 datetime,
 ts timestamp(6) NULL, y year, e enum('so, so', 'it''s "fine"'), s set('a', 'b c'), j json, p point,
 ip inet6, "we""ird, na%1me ?:x" text, g bigint GENERATED ALWAYS AS (i2 * 2) STORED,
 gv int GENERATED ALWAYS AS (i2 + 1) VIRTUAL, un uuid UNIQUE DEFAULT (uuid())) CHARACTER SET utf8mb4)"_s,
    uR"(INSERT INTO outbox (type, payload, t1, t1f, i2, i3, i8, u8, z, n, f4, f42, f8, b3, b64, v, c, l, u2, tt,
 mt, bi, vb, tb, b16, d, t, dt, dt0, ts, y, e, s, j, p, ip, "we""ird, na%1me ?:x") VALUES
 ('it''s\n \\x "q" ü€😀', x'00ff80c328270a', -128, 7, -32768, -8388608, -9223372036854775808,
 18446744073709551615, 42, 1234567890123456789012345678.0987654321, 0.1e0 + 0.2e0, 12345.67, 0.1e0 + 0.2e0,
 b'101', x'8000000000000001', 'abc  ', 'ab', 'ü', '€', '', 'm', x'0061', x'00ff', x'', x'00112233445566778899aabbccddeeff',
 '9999-12-31', '-838:59:59.999999', '2026-03-29 02:30:00.123456', '1000-01-01 00:00:00',
 '2026-10-25 01:30:00.654321', 2155, 'it''s "fine"', 'a,b c', '{"a":  1.00, "a":2}', point(0.1, -1e-300),
 '::1', ' '),
 ('', '', 0, 0, 0, 0, 0, 0, 0, 0, 3.4028234e38, 0, 1.7976931348623157e308, b'0', b'0', '', '', '', '', '', '',
 '', '', '', '', '1000-01-01', '00:00:00', '1000-01-01 00:00:00.000001', '9999-12-31 23:59:59',
 '1970-01-01 00:00:01', 1901, 'so, so', '', 'null', point(0, 0), '::ffff:10.0.0.1', ''),
 ('short', NULL, NULL, 1, NULL, NULL, 1, 1, NULL, -0.0000000001, 1.17549e-38, NULL, 5e-324, NULL, NULL, NULL, NULL,
 NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
 NULL))"_s,
    u"INSERT INTO outbox (type) VALUES (NULL)"_s};

} // namespace

class TestMariadbValues : public QObject
{
    Q_OBJECT

    MariadbGround m_ground;

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_ground.databases.mariadb); }

    void everyTypeComesBack()
    {
        const DatabaseUrl url = m_ground.fresh();
        SideSession side(url);
        for (const QString &statement : everyType)
            side.run(statement);
        const QString columns = side.one(
            u"SELECT group_concat('coalesce(hex(\"' || replace(column_name, '\"', '\"\"') || '\"),"
            " ''-''), coalesce(\"' || replace(column_name, '\"', '\"\"') || '\" + 0e0, ''-'')') "
            "FROM"
            " information_schema.columns WHERE table_schema = database() AND column_name NOT IN"
            " ('p', 'ip', 'un')"_s);
        const QString digest = u"SELECT concat_ws('|', hex(p), hex(ip), un, "_s + columns
            + u") FROM outbox ORDER BY id"_s;
        const QStringList before = side.run(digest);
        QCOMPARE(before.size(), 4);
        const auto rows = seenRows(url, classicShape());
        QCOMPARE(rows.size(), 4);
        QList<MessageId> ids;
        for (const RowGuard &row : rows)
            ids += row.id;
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(url), classicShape()));
        const auto whole = editor.whole(ids);
        QVERIFY_RESULT(whole);
        QVERIFY_RESULT(editor.begin());
        const auto removed = editor.remove(rows);
        QVERIFY_RESULT(removed);
        QCOMPARE(removed->size(), 4);
        QVERIFY_RESULT(editor.insert(*whole));
        QVERIFY_RESULT(editor.commit());
        QCOMPARE(side.run(digest), before);
        QCOMPARE(seenRows(url, classicShape()), rows); // the same cells, the same version
        side.run(u"UPDATE outbox SET f4 = f4 * 1.0000002e0 WHERE id = 1"_s);
        QVERIFY(seenRows(url, classicShape()).constFirst() != rows.constFirst());
    }

    void theVersionOfAWideRow()
    {
        const DatabaseUrl url = m_ground.tenRows();
        SideSession side(url);
        QStringList columns;
        for (int i = 0; i < 900; ++i)
            columns += u"ADD COLUMN wide_%1 text"_s.arg(i);
        side.run(u"ALTER TABLE outbox "_s + columns.join(u", "_s));
        const auto before = seenRows(url, classicShape(), {u"2"_s, u"4"_s});
        side.run(u"UPDATE outbox SET wide_899 = 'x' WHERE id = 4"_s);
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(url), classicShape()));
        QVERIFY_RESULT(editor.begin());
        const auto removed = editor.remove(before);
        QVERIFY_RESULT(removed);
        QCOMPARE(idsOf(*removed), QStringList{u"2"_s});
        const auto whole = editor.whole({{u"4"_s}});
        QVERIFY_RESULT(whole);
        QCOMPARE(whole->constFirst().cells.size(), 903);
        QVERIFY_RESULT(editor.rollback());
    }

    void whatDoesNotFitIsAnErrorAndNoWarning()
    {
        const DatabaseUrl url = m_ground.tenRows();
        SideSession(url).run(u"ALTER TABLE outbox MODIFY type varchar(5)"_s);
        const auto insert = [&url](const QByteArray &type, Cell::Kind kind = Cell::Kind::Text) {
            OutboxEditor editor;
            const WholeRow row{{u"77"_s},
                               {},
                               {u"id"_s, u"type"_s, u"payload"_s},
                               {{Cell::Kind::Text, "77"}, {kind, type}, {Cell::Kind::Text, "p"}}};
            if (!editor.open(actSettings(url), classicShape()) || !editor.begin())
                return u"not open"_s;
            const auto done = editor.insert({row});
            return done ? QString::number(done->size()) : word(done.error().kind);
        };
        QCOMPARE(insert("mail"), u"1"_s);
        QCOMPARE(insert("longer"), word(Error::Kind::Invalid));
        QCOMPARE(insert("\xff\xfe"), word(Error::Kind::Invalid));
        QCOMPARE(insert("x", Cell::Kind::Bytes), word(Error::Kind::Invalid));
        QCOMPARE(SideSession(url).one(u"SELECT count(*) FROM outbox"_s), u"10"_s);
    }

    void aPayloadLargerThanAPacketIsNeverEmpty()
    {
        const DatabaseUrl url = m_ground.fresh();
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id integer PRIMARY KEY, type text, payload longblob)"_s);
        side.run(u"INSERT INTO outbox VALUES (1, 'mail', repeat('x', 3000000))"_s);
        const QString usual = side.one(u"SELECT @@global.max_allowed_packet"_s);
        side.run(u"SET GLOBAL max_allowed_packet = 1048576"_s);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay)));
        side.run(u"SET GLOBAL max_allowed_packet = "_s + usual);
        const auto before = store.find({u"1"_s});
        QVERIFY_RESULT(before);
        QCOMPARE((*before)->payloadBytes, 3'000'000);
        QCOMPARE((*before)->version.size(), 32);
        const auto claimed = store.claim(1, {});
        QVERIFY_RESULT(claimed);
        QCOMPARE(claimed->constFirst().payload.size(), 3'000'000);
        QVERIFY_RESULT(store.rollback());

        // A referenced row is put together by the server, which cannot make more than a packet.
        side.all(
            {u"CREATE TABLE mails (no integer PRIMARY KEY, body longtext)"_s,
             u"INSERT INTO mails VALUES (1, 'short'), (2, repeat('x', 3000000))"_s,
             u"CREATE TABLE pointers (id integer PRIMARY KEY, table_name text, table_id text)"_s,
             u"INSERT INTO pointers VALUES (1, 'mails', '1'), (2, 'mails', '2')"_s});
        OutboxShape shape = classicShape(u"pointers"_s);
        shape.payloadForm = OutboxShape::PayloadForm::Reference;
        shape.payloadColumn.clear();
        shape.typeColumn.clear();
        shape.fixedType = u"mail"_s;
        shape.referenceTableColumn = u"table_name"_s;
        shape.referenceIdColumn = u"table_id"_s;
        shape.referenceTables = QStringList{u"mails"_s};
        QVERIFY_RESULT(store.use(shape));
        const auto pointed = store.claim(5, {});
        QVERIFY_RESULT(pointed);
        QCOMPARE(pointed->at(0).payload, QByteArray("{\"no\":1,\"body\":\"short\"}"));
        QVERIFY(!pointed->at(1).problem.isEmpty());
        QVERIFY_RESULT(store.rollback());
    }
};

} // namespace tst_mariadbvalues

OUTBOX_TEST(tst_mariadbvalues::TestMariadbValues)
#include "tst_mariadbvalues.moc"
