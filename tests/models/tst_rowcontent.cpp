// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What of a row may be changed, what a part takes, and how the changes are shown.
#include "models/content/difference.h"
#include "models/content/rowcontent.h"
#include "models/payload/jsontokens.h"
#include "tests/support/everybyte.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_rowcontent {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

CatalogColumn columnOf(const QString &name, const QString &type, TypeClass typeClass)
{
    CatalogColumn column;
    column.name = name;
    column.type = type;
    column.typeClass = typeClass;
    return column;
}

OutboxShape sampleShape()
{
    OutboxShape shape;
    shape.keyColumn = u"id"_s;
    shape.typeColumn = u"type"_s;
    shape.payloadColumn = u"payload"_s;
    shape.payloadForm = OutboxShape::PayloadForm::Json;
    shape.headersColumn = u"headers"_s;
    shape.createdColumn = u"created_at"_s;
    shape.queueColumn = u"queue"_s;
    shape.dueColumn = u"due_at"_s;
    shape.leaseColumn = u"lease_until"_s;
    return shape;
}

CatalogTable sampleTable()
{
    CatalogTable table;
    const QString time = u"timestamp with time zone"_s;
    table.columns = {columnOf(u"id"_s, u"bigint"_s, TypeClass::Integer),
                     columnOf(u"type"_s, u"text"_s, TypeClass::Text),
                     columnOf(u"payload"_s, u"jsonb"_s, TypeClass::Json),
                     columnOf(u"headers"_s, u"jsonb"_s, TypeClass::Json),
                     columnOf(u"created_at"_s, time, TypeClass::Time),
                     columnOf(u"queue"_s, u"text"_s, TypeClass::Text),
                     columnOf(u"due_at"_s, time, TypeClass::Time),
                     columnOf(u"lease_until"_s, time, TypeClass::Time)};
    return table;
}

EditedCell edited(const char *before, const char *after)
{
    return {
        RowPart::Payload, u"payload"_s, {Cell::Kind::Text, before}, Cell{Cell::Kind::Text, after}};
}

} // namespace

class TestRowContent : public QObject
{
    Q_OBJECT

private slots:
    void onlyWhatIsSentMayBeChanged()
    {
        OutboxShape shape = sampleShape();
        CatalogTable table = sampleTable();
        QCOMPARE(editableColumns(shape, table),
                 (QStringList{u"type"_s, u"queue"_s, u"due_at"_s, u"payload"_s}));
        const QList<RowPartContent> parts = partsOf(shape, table);
        QCOMPARE(parts.size(), 7);
        for (const RowPartContent &part : parts) {
            QCOMPARE(part.mayChange(), part.part >= RowPart::Type);
            QVERIFY(part.mayChange() || !part.locked.isEmpty());
        }
        QVERIFY(parts.last().isRewritten);

        shape.where = {ShapeTest{u"type"_s, ShapeTest::Is::Set, {}}}; // it may leave the outbox
        shape.dueColumn = u"lease_until"_s; // it says who holds the row
        table.columns[5].generated = true;
        QCOMPARE(editableColumns(shape, table), QStringList{u"payload"_s});
        shape.payloadForm = OutboxShape::PayloadForm::Many;
        QVERIFY(editableColumns(shape, table).isEmpty());
        shape = sampleShape();
        shape.queueColumn = u"type"_s; // one column, two parts
        QCOMPARE(editableColumns(shape, sampleTable()),
                 (QStringList{u"type"_s, u"due_at"_s, u"payload"_s}));
    }

    void whatAPartDoesNotTakeIsToldWithItsPlace()
    {
        RowPartContent part;
        part.form = PartForm::Json;
        QCOMPARE(whyNotHeld(part, "12345678901234567890"), QString());
        QCOMPARE(whyNotHeld(part, "{\"a\":1,\"a\":2}"), QString());
        QVERIFY(whyNotHeld(part, "{\n\"a\":\n}").contains(u"line 3, column 1"_s));
        QVERIFY(!whyNotHeld(part, "").isEmpty());
        QVERIFY(whyNotHeld(part, "\"\xc3\"").contains(u"UTF-8"_s));
        part.form = PartForm::JsonText; // the column takes it, the mapping does not mean it
        QCOMPARE(whyNotHeld(part, "{"), QString());
        QVERIFY(!whyNotSent(part, "{").isEmpty());
        part.form = PartForm::Text;
        part.mostCharacters = 2;
        QCOMPARE(whyNotHeld(part, "\xf0\x9f\x98\x80\xc3\xa4"), QString());
        QVERIFY(!whyNotHeld(part, "abc").isEmpty());
        part.form = PartForm::Bytes;
        part.mostBytes = 3;
        QCOMPARE(whyNotHeld(part, "\xff\xfe\xfd"), QString());
        QVERIFY(!whyNotHeld(part, "\xff\xfe\xfd\xfc").isEmpty());
        part.labels = QStringList{u"mail"_s, u"bill"_s};
        part.form = PartForm::Text;
        part.mostBytes = -1;
        part.mostCharacters = -1;
        QCOMPARE(whyNotHeld(part, "mail"), QString());
        QVERIFY(whyNotHeld(part, "post").contains(u"bill"_s));
    }

    void layingOutKeepsEveryToken()
    {
        const QByteArray source("{\"n\":12345678901234567890.10,\"a\":[],\"a\":[1,{ }],"
                                "\"s\":\"a,b:{\\\"\\u00e4\"}");
        const auto text = laidOutJson(source);
        QVERIFY(text.has_value());
        QCOMPARE(*text,
                 "{\n  \"n\": 12345678901234567890.10,\n  \"a\": [],\n  \"a\": [\n    1,\n    {}\n"
                 "  ],\n  \"s\": \"a,b:{\\\"\\u00e4\"\n}");
        QVERIFY(readJson(*text).has_value());
        QVERIFY(!laidOutJson("{\"a\":").has_value());
        QCOMPARE(laidOutJson(" 1e400 ").value_or(""), "1e400");
    }

    void aDifferenceIsUnified()
    {
        QStringList before;
        for (int i = 1; i <= 20; ++i)
            before += QString::number(i);
        QCOMPARE(unifiedDifference(before, before), QString());
        QStringList after = before;
        after[4] = u"five"_s;
        after.insert(17, u"new"_s);
        QCOMPARE(unifiedDifference(before, after),
                 u"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
                 "@@ -15,6 +15,7 @@\n 15\n 16\n 17\n+new\n 18\n 19\n 20"_s);
        QCOMPARE(unifiedDifference({}, {u"a"_s}), u"@@ -0,0 +1,1 @@\n+a"_s);
        QCOMPARE(unifiedDifference({u"a"_s}, {}), u"@@ -1,1 +0,0 @@\n-a"_s);
        // Far more lines than are compared one by one: still all of them, once.
        QStringList many;
        for (int i = 0; i < 3000; ++i)
            many += u"x"_s + QString::number(i);
        QStringList others;
        for (int i = 0; i < 3000; ++i)
            others += u"y"_s + QString::number(i);
        QCOMPARE(unifiedDifference(many, others).count(u'\n'), 6000);
    }

    void changesAreShownByWhatTheyAre()
    {
        const QString json = differenceOf({edited("{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":3}")},
                                          PayloadMasks::none());
        QVERIFY2(json.startsWith(u"--- payload (JSON"_s), qPrintable(json));
        QVERIFY2(json.contains(u"-  \"b\": 2\n+  \"b\": 3"_s), qPrintable(json));
        const QString blanks
            = differenceOf({edited("{\"a\":1}", "{\"a\": 1}")}, PayloadMasks::none());
        QVERIFY2(blanks.contains(u"+{\"a\": 1}"_s), qPrintable(blanks)); // else nothing were shown
        QCOMPARE(differenceOf({edited("same", "same")}, PayloadMasks::none()), QString());
        EditedCell bytes = edited("", "");
        bytes.seen = {Cell::Kind::Bytes, QByteArray("\x00\x01", 2)};
        bytes.now = Cell{Cell::Kind::Bytes, QByteArray("\x00\x02", 2)};
        const QString hex = differenceOf({bytes}, PayloadMasks::none());
        QVERIFY2(hex.contains(u"in hex"_s) && hex.contains(u"+00000000  00 02"_s), qPrintable(hex));
        bytes.seen = Cell();
        QVERIFY(differenceOf({bytes}, PayloadMasks::none()).startsWith(u"--- payload (NULL)"_s));
        EditedCell large = edited("", "");
        large.seen.bytes = QByteArray(2 * 1024 * 1024, 'x');
        large.now->bytes = QByteArray(2 * 1024 * 1024, 'y');
        const QString sizes = differenceOf({large}, PayloadMasks::none());
        QVERIFY(sizes.size() < 1000 && sizes.contains(u"2097152 bytes"_s));
    }

    void hexIsReadAsItIsWritten()
    {
        const QByteArray all = everyByte();
        QCOMPARE(hexText(all).count(u'\n'), 15);
        QCOMPARE(bytesOfHex(hexText(all)).value(), all);
        QCOMPARE(bytesOfHex(u" 0F f\n0 "_s).value(), QByteArray("\x0f\xf0"));
        QVERIFY(bytesOfHex({}).value().isEmpty());
        const auto wrong = bytesOfHex(u"00 01\n0g"_s);
        QVERIFY(!wrong);
        QVERIFY(wrong.error().text.contains(u"line 2, column 2"_s));
        QVERIFY(!bytesOfHex(u"00 1"_s));
        QVERIFY(!bytesOfHex(QString(QChar(0)))); // it would be a digit of every list
    }

    void aDigestNamesWhatIsToStandThere()
    {
        RowContent content{{u"1"_s}, u"v"_s, partsOf(sampleShape(), sampleTable())};
        QList<EditedCell> cells;
        for (RowPartContent &part : content.parts) {
            part.cell = {Cell::Kind::Text, "old"};
            if (part.mayChange())
                cells += EditedCell{part.part, part.column, part.cell, std::nullopt};
        }
        QCOMPARE(digestOf(cells), digestOf(content));
        cells.last().now = Cell{Cell::Kind::Text, "new"};
        QVERIFY(digestOf(cells) != digestOf(content));
        RowContent other = content;
        other.parts.last().cell.bytes = "new";
        QCOMPARE(digestOf(cells), digestOf(other));
        QVERIFY(!content.firstOther(content));
        QVERIFY(content.firstOther(other) == RowPart::Payload);
    }
};

} // namespace tst_rowcontent

OUTBOX_TEST(tst_rowcontent::TestRowContent)
#include "tst_rowcontent.moc"
