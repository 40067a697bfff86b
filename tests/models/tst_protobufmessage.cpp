// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Messages of protobuf by a descriptor set: exact values under their names, and nothing that does
// not fit is shown as if it did. Files that lie are refused and take neither memory nor time.
#include "models/payload/decode.h"
#include "models/payload/protobufmessage.h"
#include "models/profile/profile.h"
#include "tests/models/orderschema.h"
#include "tests/models/payloadencoders.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_protobufmessage {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString orderName = u"shop.v1.Order"_s;

QByteArray hex(const char *text)
{
    return QByteArray::fromHex(text);
}

/// `type: value` under a path; empty where there is nothing.
QString at(const PayloadTree &tree, const QString &path)
{
    for (int node = 0; node < tree.nodes.size(); ++node) {
        if (tree.path(node) == path)
            return tree.nodes.at(node).type + u": "_s + tree.nodes.at(node).value;
    }
    return {};
}

/// Field `number` with `bytes`.
QByteArray sized(int number, const QByteArray &bytes)
{
    return varint(static_cast<quint64>(number) * 8 + 2) + varint(static_cast<quint64>(bytes.size()))
        + bytes;
}

QByteArray counted(int number, quint64 value)
{
    return varint(static_cast<quint64>(number) * 8) + varint(value);
}

/// A file with one message `M` that has these parts more.
QByteArray setOf(const QByteArray &parts)
{
    return sized(1, sized(1, "x.proto") + sized(4, sized(1, "M") + parts));
}

MessageType orders(const ProtobufSchema &schema)
{
    return {std::make_shared<const ProtobufSchema>(schema), orderName, {}};
}

} // namespace

class TestProtobufMessage : public QObject
{
    Q_OBJECT

    ProtobufSchema m_schema;

    [[nodiscard]] Result<ProtobufReading> read(const QByteArray &bytes) const
    {
        return readProtobufMessage(m_schema, orderName, bytes);
    }
    /// An order with the id 1 and these fields more.
    [[nodiscard]] Result<ProtobufReading> readMore(const QByteArray &fields) const
    {
        return read(QByteArray(hex("0801") + fields));
    }

private slots:
    void initTestCase()
    {
        const auto schema = readDescriptorSet(sample::orderSet());
        QVERIFY_RESULT(schema);
        m_schema = *schema;
    }

    void namesAreThoseOfTheSet()
    {
        QCOMPARE(m_schema.messageNames(),
                 (QStringList{orderName, u"shop.v1.Order.Line"_s, u"shop.v1.Order.Note"_s}));
    }

    void everyValueIsExact()
    {
        const auto order = read(sample::order());
        QVERIFY_RESULT(order);
        QCOMPARE(order->unknownFields, 0);
        const PayloadTree &tree = order->tree;
        QCOMPARE(at(tree, u"$"_s), u"shop.v1.Order: "_s);
        QCOMPARE(at(tree, u"$.id"_s), u"int32: -7"_s);
        QCOMPARE(at(tree, u"$.status"_s), u"enum shop.v1.Status, 2: PAID"_s);
        QCOMPARE(at(tree, u"$.lines"_s), u"repeated shop.v1.Order.Line: "_s);
        QCOMPARE(at(tree, u"$.lines[0].sku"_s), u"string: a"_s);
        QCOMPARE(at(tree, u"$.lines[0].cents"_s), u"sint64: -9007199254740993"_s);
        QCOMPARE(at(tree, u"$.lines[1].sku"_s), u"string: b"_s);
        QCOMPARE(at(tree, u"$.labels"_s), u"map<string, uint64>: "_s);
        QCOMPARE(at(tree, u"$.labels[\"a b\"]"_s), u"uint64: 18446744073709551615"_s);
        QCOMPARE(at(tree, u"$.voucher"_s), u"fixed64: 5"_s);
        QCOMPARE(at(tree, u"$.scores[0]"_s), u"int32: 1"_s);
        QCOMPARE(at(tree, u"$.scores[1]"_s), u"int32: -2"_s);
        QCOMPARE(at(tree, u"$.seal"_s), u"bytes: 00ff"_s);
        QCOMPARE(at(tree, u"$.note.loud"_s), u"bool: true"_s);
        QCOMPARE(at(tree, u"$.weight"_s), u"double: 0.1"_s);
    }

    /// Behind the required field; each row would be something else for a reader that guesses.
    void whatIsOddIsTold_data()
    {
        QTest::addColumn<QByteArray>("fields");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("told");
        const auto row
            = [](const char *name, const char *fields, const QString &path, const QString &told) {
                  QTest::newRow(name) << hex(fields) << path << told;
              };
        row("enum without a name", "1007", u"$.status"_s, u"enum shop.v1.Status, no name: 7"_s);
        row("unknown number", "9801ff01", u"$[\"19\"]"_s, u"unknown, varint: 255"_s);
        row("unknown text", "9a0103616263", u"$[\"19\"]"_s, u"unknown, perhaps text: abc"_s);
        row("unknown bytes", "9a0101ff", u"$[\"19\"]"_s, u"unknown, bytes: ff"_s);
        row("unknown group", "9b0108019c01", u"$[\"19\"]"_s, u"unknown, group: 0801"_s);
        row("cut integer", "0881808080a001", u"$.id"_s, u"int32, cut from 42949672961: 1"_s);
        row("replaced", "2a01612a0162", u"$.card"_s, u"string, replaced by a later one: a"_s);
        row("one of two", "2a0161310500000000000000", u"$.card"_s,
            u"string, replaced by voucher: a"_s);
        row("flag of many", "4b08054c", u"$.note.loud"_s, u"bool, stored as 5: true"_s);
        row("string that is none", "2a01ff", u"$.card"_s, u"string, not UTF-8: ff"_s);
        row("entry without value", "22030a0161", u"$.labels.a"_s, u"uint64, not stored: 0"_s);
        row("entry without key", "22021003", u"$.labels[\"\"]"_s, u"uint64: 3"_s);
        row("entry with more", "22050a01611803", u"$.labels[\"(entry)\"][\"3\"]"_s,
            u"unknown, varint: 3"_s);
        row("not packed", "3805", u"$.scores[0]"_s, u"int32: 5"_s);
    }
    void whatIsOddIsTold()
    {
        QFETCH(QByteArray, fields);
        QFETCH(QString, path);
        QFETCH(QString, told);
        // The cut integer stands in the id itself.
        const auto order = path == u"$.id"_s ? read(fields) : readMore(fields);
        QVERIFY_RESULT(order);
        QCOMPARE(at(order->tree, path), told);
    }

    void whatDoesNotFitIsRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("why");
        const auto row = [](const char *name, const char *bytes, const QString &why) {
            QTest::newRow(name) << hex(bytes) << why;
        };
        row("number as bytes", "0a0101", u"field 1 (id) is stored as bytes with a length"_s);
        row("bytes as number", "08014001", u"field 8 (seal) is stored as a varint"_s);
        row("group as message", "08014a00", u"field 9 (note)"_s);
        row("message as group", "08011b1c", u"field 3 (lines)"_s);
        row("entry as number", "08012001", u"field 4 (labels)"_s);
        row("key as number", "080122020801", u"field 1 (key)"_s);
        row("required is missing", "1002", u"the field id is required, and missing"_s);
        row("nothing but unknown", "9801ff01", u"none of its fields is one of this type"_s);
        row("field 0", "08010001", u"byte 2: no field"_s);
        row("another end of the group", "08014b080154", u"byte 2: no field"_s);
        row("packed number cut", "08013a0180", u"a value of scores is cut"_s);
        row("eleven bytes", "08ffffffffffffffffffff01", u"byte 0: no field"_s);
        row("length beyond the end", "08012aff01", u"byte 2: no field"_s);
        row("length beyond all", "08012affffffffffffffffff01", u"byte 2: no field"_s);
    }
    void whatDoesNotFitIsRefused()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, why);
        const auto order = read(bytes);
        QVERIFY(!order);
        QVERIFY2(order.error().text.contains(why), qPrintable(order.error().text));
        // In the window it is what it would be without a type, and says why.
        const DecodedPayload decoded = decodePayload(bytes, {}, orders(m_schema));
        for (const PayloadLayer &layer : decoded.layers)
            QVERIFY(layer.format != PayloadFormat::Message);
        QVERIFY2(decoded.notes.join(u' ').contains(order.error().text),
                 qPrintable(decoded.notes.join(u' ')));
    }

    /// What is left of a message is refused, or is a part of it.
    void aCutMessageSaysNothingElse()
    {
        const QByteArray whole = sample::order();
        const auto order = read(whole);
        QVERIFY_RESULT(order);
        int refused = 0;
        for (qsizetype cut = 0; cut < whole.size(); ++cut) {
            const auto part = read(whole.first(cut));
            if (!part) {
                ++refused;
                continue;
            }
            for (int node = 0; node < part->tree.nodes.size(); ++node) {
                const QString path = part->tree.path(node);
                QCOMPARE(at(part->tree, path), at(order->tree, path));
            }
        }
        QVERIFY2(refused > whole.size() / 2, qPrintable(QString::number(refused)));
    }

    void aCutSetIsRefused()
    {
        const QByteArray whole = sample::orderSet();
        for (qsizetype cut = 0; cut < whole.size(); ++cut)
            QVERIFY2(!readDescriptorSet(whole.first(cut)), qPrintable(QString::number(cut)));
        // Two sets in one file: what both import is there twice.
        QVERIFY_RESULT(readDescriptorSet(whole + whole));
    }

    void aSetThatLiesIsRefused_data()
    {
        QTest::addColumn<QByteArray>("set");
        QTest::addColumn<QString>("why");
        const QByteArray number = sized(1, "f") + counted(3, 1) + counted(5, 5);
        QTest::newRow("nothing") << QByteArray() << u"no message is described"_s;
        QTest::newRow("text") << QByteArray("hello, world") << u"it is"_s;
        QTest::newRow("message of its own") << sample::order() << u"it is something else"_s;
        QTest::newRow("number twice")
            << setOf(sized(2, number) + sized(2, number)) << u"have the number 1"_s;
        QTest::newRow("number 0") << setOf(sized(2, sized(1, "f") + counted(5, 5)))
                                  << u"no name, number or type"_s;
        QTest::newRow("number too large")
            << setOf(sized(2, sized(1, "f") + counted(3, quint64(1) << 29) + counted(5, 5)))
            << u"no name, number or type"_s;
        QTest::newRow("type 19") << setOf(sized(2, sized(1, "f") + counted(3, 1) + counted(5, 19)))
                                 << u"no name, number or type"_s;
        QTest::newRow("type elsewhere") << setOf(sized(
            2, sized(1, "f") + counted(3, 1) + counted(5, 11) + sized(6, ".google.protobuf.Any")))
                                        << u"google.protobuf.Any, which is not in the file"_s;
        QTest::newRow("type in part")
            << setOf(sized(2, sized(1, "f") + counted(3, 1) + counted(5, 11) + sized(6, "M")))
            << u"in part only"_s;
        QTest::newRow("hostile name")
            << setOf(sized(2, sized(1, "<b>\x1b[31m") + counted(3, 1) + counted(5, 5)))
            << u"none that protobuf allows"_s;
        QTest::newRow("one message twice")
            << QByteArray(setOf({}) + sized(1, sized(1, "y.proto") + sized(4, sized(1, "M"))))
            << u"M is there twice"_s;
        QTest::newRow("map of nothing")
            << setOf(sized(7, counted(7, 1))) << u"M is no entry of a map"_s;
        QTest::newRow("edition") << sized(
            1, sized(1, "x.proto") + sized(4, sized(1, "M")) + sized(12, "editions"))
                                 << u"neither proto2 nor proto3"_s;
    }
    void aSetThatLiesIsRefused()
    {
        QFETCH(QByteArray, set);
        QFETCH(QString, why);
        const auto schema = readDescriptorSet(set);
        QVERIFY(!schema);
        QVERIFY2(schema.error().text.contains(why), qPrintable(schema.error().text));
    }

    /// Sizes that would be multiplied: each is refused soon.
    void aLargeSetIsBounded()
    {
        QElapsedTimer clock;
        clock.start();
        QVERIFY(!readDescriptorSet(QByteArray(largestDescriptorSet + 1, '\x0a')));
        QByteArray nested = sized(1, "M");
        for (int depth = 0; depth < 1000; ++depth)
            nested = QByteArray(sized(1, "M") + sized(3, nested));
        QVERIFY(!readDescriptorSet(sized(1, sized(4, nested))));
        // A long name above many short ones.
        QByteArray many = sized(1, QByteArray(900, 'M'));
        for (int one = 0; one < 1000; ++one)
            many += sized(3, sized(1, QByteArray(200, 'N') + QByteArray::number(one)));
        QVERIFY(!readDescriptorSet(sized(1, sized(4, many))));
        // Few characters above very many.
        QByteArray wide = sized(1, QByteArray(900, 'M'));
        for (int one = 0; one < 50'000; ++one)
            wide += sized(3, sized(1, "N" + QByteArray::number(one)));
        const auto refused = readDescriptorSet(sized(1, sized(4, wide)));
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Error::Kind::Unsupported);
        // More things than are kept: one-of declarations without a name are two bytes each.
        QVERIFY(!readDescriptorSet(setOf(hex("4200").repeated(600'000))));
        QVERIFY2(clock.elapsed() < 10'000, qPrintable(QString::number(clock.elapsed())));
    }

    /// Messages inside each other, and groups without an end.
    void aDeepMessageIsRefused()
    {
        const QByteArray field
            = sized(1, "f") + counted(3, 1) + counted(5, 11) + sized(6, ".M") + counted(4, 1);
        const auto schema = readDescriptorSet(setOf(sized(2, field)));
        QVERIFY_RESULT(schema);
        QByteArray nested;
        for (int depth = 0; depth < 1000; ++depth)
            nested = sized(1, nested);
        const auto deep = readProtobufMessage(*schema, u"M"_s, nested);
        QVERIFY(!deep);
        QCOMPARE(deep.error().kind, Error::Kind::Unsupported);
        QVERIFY(!readMore(QByteArray(1'000'000, '\x4b')));
        QVERIFY(!readProtobufMessage(*schema, u"N"_s, nested));
    }

    /// It takes minutes where each message is asked for each field of its type.
    void aWideTypeIsReadSoon()
    {
        QByteArray fields = sized(
            2, sized(1, "f") + counted(3, 1) + counted(5, 11) + sized(6, ".M") + counted(4, 3));
        for (quint64 number = 2; number < 100'000; ++number)
            fields += sized(2, sized(1, "g") + counted(3, number) + counted(5, 5));
        const auto schema = readDescriptorSet(setOf(fields));
        QVERIFY_RESULT(schema);
        QElapsedTimer clock;
        clock.start();
        const auto message = readProtobufMessage(*schema, u"M"_s, sized(1, {}).repeated(100'000));
        QVERIFY_RESULT(message);
        QCOMPARE(message->tree.nodes.size(), 100'002);
        QVERIFY2(clock.elapsed() < 10'000, qPrintable(QString::number(clock.elapsed())));
    }

    void itIsReadInsideWhatItIsPackedIn()
    {
        const MessageType type = orders(m_schema);
        const DecodedPayload plain = decodePayload(sample::order(), {}, type);
        QCOMPARE(plain.layers.size(), 1);
        QCOMPARE(plain.layers.first().format, PayloadFormat::Message);
        QVERIFY(plain.notes.isEmpty() && plain.offers.isEmpty() && plain.saysMore());
        const DecodedPayload packed = decodePayload(sample::order().toBase64(), {}, type);
        QCOMPARE(packed.layers.size(), 2);
        QCOMPARE(packed.layers.last().format, PayloadFormat::Message);
        QVERIFY(packed.notes.isEmpty());
        QCOMPARE(at(packed.tree, u"$.id"_s), u"int32: -7"_s);
        // Nobody has said what these are: they stay what they were.
        QVERIFY(decodePayload(sample::order()).layers.first().format != PayloadFormat::Message);
        QVERIFY(!decodePayloadAs(PayloadFormat::Message, sample::order()));
        const auto misfit
            = decodePayloadAs(PayloadFormat::Base64, QByteArray(64, '\xff').toBase64(), {}, type);
        QVERIFY_RESULT(misfit);
        QVERIFY(misfit->notes.join(u' ').contains(u"It is not read as shop.v1.Order"_s));
        const QByteArray json = "{\"id\":1,\"sealed\":\"" + sample::order().toBase64() + "\"}";
        const DecodedPayload other = decodePayload(json, {}, type);
        QCOMPARE(other.layers.first().format, PayloadFormat::Json);
        QVERIFY(other.notes.join(u' ').contains(u"It is not read as shop.v1.Order"_s));
        QVERIFY(other.json.has_value() && other.json->nodes.size() == 3);
    }

    void theProfileSaysWhichTheyAre()
    {
        ProtobufMapping mapping{
            u"/x.desc"_s,
            {u"order.made = shop.v1.Order"_s, u"a=b=shop.v1.Order.Line"_s, u"*=shop.v1.Gone"_s}};
        QCOMPARE(mapping.problem(), QString());
        MessageTypes types;
        types.messages = mapping.byType();
        QVERIFY(!types.of(u"order.made"_s).isSaid()); // nobody has read the file yet
        types.schema = std::make_shared<const ProtobufSchema>(m_schema);
        QCOMPARE(types.of(u"order.made"_s).name, orderName);
        QVERIFY(types.of(u"order.made"_s).schema != nullptr);
        QCOMPARE(types.of(u"a=b"_s).name, u"shop.v1.Order.Line"_s);
        QVERIFY(types.of(u"other"_s).schema == nullptr);
        QVERIFY(types.of(u"other"_s).problem.contains(u"no message of this name"_s));

        Profile profile;
        profile.name = u"shop"_s;
        profile.protobuf = mapping;
        const auto again = Profile::fromJson(profile.toJson());
        QVERIFY_RESULT(again);
        QVERIFY(*again == profile);
        QVERIFY(!Profile().toJson().contains(u"protobuf"_s));
        for (const QStringList &lines :
             {QStringList{}, QStringList{u"a=1"_s}, QStringList{u"=shop.v1.Order"_s},
              QStringList{u"a=x..y"_s}, QStringList{u"a=A"_s, u"a=B"_s}}) {
            profile.protobuf.messages = lines;
            QVERIFY2(!profile.protobuf.problem().isEmpty(), qPrintable(lines.join(u' ')));
            QVERIFY(!Profile::fromJson(profile.toJson()));
        }
        profile.protobuf = ProtobufMapping{{}, {u"a=A"_s}};
        QVERIFY(!profile.protobuf.problem().isEmpty());
    }
};

} // namespace tst_protobufmessage

OUTBOX_TEST(tst_protobufmessage::TestProtobufMessage)
#include "tst_protobufmessage.moc"
