// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Payloads that are packed or binary: what was encoded is read equal, what was cut or lies is never
// told as whole, and what is doubtful is offered.
#include "models/payload/cborreader.h"
#include "models/payload/decode.h"
#include "models/payload/messagepack.h"
#include "models/payload/protobufwire.h"
#include "models/payload/unpack.h"
#include "models/phrases.h"
#include "models/trees/payloadtreemodel.h"
#include "tests/models/payloadencoders.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QAbstractItemModelTester>
#include <QCborStreamWriter>
#include <QRandomGenerator>
#include <QTest>

#include <algorithm>

namespace tst_decode {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

QStringList formats(const QList<PayloadLayer> &layers)
{
    QStringList words;
    for (const PayloadLayer &layer : layers)
        words += word(layer.format);
    return words;
}

QStringList formats(const QList<PayloadFormat> &offers)
{
    QStringList words;
    for (const PayloadFormat format : offers)
        words += word(format);
    return words;
}

/// The value under a path; empty where there is none. Of a text that was decoded, the text.
QString valueAt(const PayloadTree &tree, const QString &path)
{
    QString found;
    for (int node = 0; node < tree.nodes.size(); ++node) {
        if (tree.path(node) == path && !tree.nodes.at(node).value.isEmpty())
            found = tree.nodes.at(node).value;
    }
    return found;
}

constexpr int turns = 200;
const QByteArray order = R"({"id":9007199254740993,"card":{"number":"4111"},"a b":[1.10]})";

} // namespace

class TestDecode : public QObject
{
    Q_OBJECT

    QRandomGenerator m_random{1}; ///< the same documents in each run

private slots:
    void cborIsReadEqualOrNotAtAll()
    {
        for (int turn = 0; turn < turns; ++turn) {
            CborEncoder encoder(m_random);
            const QByteArray bytes = encoder.encode();
            const auto read = readCbor(bytes);
            QVERIFY_RESULT(read);
            QVERIFY2(*read == encoder.tree(), bytes.toHex().constData());
            for (qsizetype cut = 0; cut < bytes.size(); ++cut)
                QVERIFY2(!readCbor(bytes.first(cut)), bytes.first(cut).toHex().constData());
            QVERIFY(!readCbor(QByteArray(bytes + '\0')));
        }
    }

    void messagePackIsReadEqualOrNotAtAll()
    {
        for (int turn = 0; turn < turns; ++turn) {
            MessagePackEncoder encoder(m_random);
            const QByteArray bytes = encoder.encode();
            const auto read = readMessagePack(bytes);
            QVERIFY_RESULT(read);
            QVERIFY2(*read == encoder.tree(), bytes.toHex().constData());
            for (qsizetype cut = 0; cut < bytes.size(); ++cut)
                QVERIFY2(!readMessagePack(bytes.first(cut)), bytes.first(cut).toHex().constData());
            QVERIFY(!readMessagePack(QByteArray(bytes + '\0')));
        }
    }

    /// A message that ends between two fields is one: what was read then is less, and not other.
    void protobufIsReadEqualOrInPart()
    {
        for (int turn = 0; turn < turns; ++turn) {
            ProtobufEncoder encoder(m_random);
            const QByteArray bytes = encoder.encode();
            const auto read = readProtobufWire(bytes);
            QVERIFY_RESULT(read);
            QVERIFY2(*read == encoder.tree(), bytes.toHex().constData());
            for (qsizetype cut = 0; cut < bytes.size(); ++cut) {
                const auto part = readProtobufWire(bytes.first(cut));
                if (!part)
                    continue;
                QVERIFY(part->nodes.size() < read->nodes.size());
                for (qsizetype node = 1; node < part->nodes.size(); ++node)
                    QVERIFY(part->nodes.at(node) == read->nodes.at(node));
            }
        }
    }

    void chainsAreTakenApart_data()
    {
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<QStringList>("chain");
        const QByteArray base64 = gzipped(order).toBase64();
        QTest::newRow("gzip") << gzipped(order) << QStringList{u"gzip"_s, u"json"_s};
        QTest::newRow("two members") << QByteArray(gzipped(order.first(9)) + gzipped(order.mid(9)))
                                     << QStringList{u"gzip"_s, u"json"_s};
        QTest::newRow("zlib") << deflated(order, MAX_WBITS) << QStringList{u"zlib"_s, u"json"_s};
        QTest::newRow("zstd") << zstdOf(order) << QStringList{u"zstd"_s, u"json"_s};
        QTest::newRow("base64, gzip") << base64 << QStringList{u"base64"_s, u"gzip"_s, u"json"_s};
        QTest::newRow("base64 in lines")
            << QByteArray(base64.first(20) + "\r\n" + base64.mid(20) + '\n')
            << QStringList{u"base64"_s, u"gzip"_s, u"json"_s};
        QTest::newRow("base64 for addresses, no end")
            << order.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals)
            << QStringList{u"base64"_s, u"json"_s};
        QTest::newRow("a text of JSON")
            << QByteArray('"' + base64 + '"')
            << QStringList{u"json"_s, u"base64"_s, u"gzip"_s, u"json"_s};
        QTest::newRow("gzip in zstd")
            << zstdOf(gzipped(order)) << QStringList{u"zstd"_s, u"gzip"_s, u"json"_s};
        QTest::newRow("JSON alone") << order << QStringList{u"json"_s};
    }

    void chainsAreTakenApart()
    {
        QFETCH(QByteArray, payload);
        QFETCH(QStringList, chain);
        const DecodedPayload decoded = decodePayload(payload);
        QCOMPARE(formats(decoded.layers), chain);
        QCOMPARE(decoded.notes, QStringList());
        QCOMPARE(decoded.saysMore(), chain.size() > 1);
        QCOMPARE(decoded.layers.constFirst().bytes, payload.size());
        QCOMPARE(decoded.layers.constLast().bytes, order.size());
        QCOMPARE(valueAt(decoded.tree, u"$.id"_s), u"9007199254740993"_s);
        QCOMPARE(valueAt(decoded.tree, u"$.card.number"_s), u"4111"_s);
        QCOMPARE(valueAt(decoded.tree, u"$[\"a b\"][0]"_s), u"1.10"_s);
    }

    void theChainIsOneLine()
    {
        const QString line = chainText({{PayloadFormat::Base64, 1234},
                                        {PayloadFormat::Gzip, 925},
                                        {PayloadFormat::Json, 14'336}});
        QCOMPARE(line,
                 u"base64 → gzip → JSON, "_s + bytesText(1234) + u" → "_s + bytesText(14'336));
        QCOMPARE(chainText({{PayloadFormat::Cbor, 20}}), u"CBOR, "_s + bytesText(20));
        QCOMPARE(chainText({}), QString());
    }

    void whatWasCutIsNotUnpacked_data()
    {
        QTest::addColumn<QByteArray>("payload");
        QTest::newRow("gzip") << gzipped(order);
        QTest::newRow("zlib") << deflated(order, MAX_WBITS);
        QTest::newRow("zstd") << zstdOf(order);
    }

    void whatWasCutIsNotUnpacked()
    {
        QFETCH(QByteArray, payload);
        QVERIFY(!payload.isEmpty());
        for (qsizetype cut = 0; cut <= payload.size(); ++cut) {
            const QByteArray bytes
                = cut < payload.size() ? payload.first(cut) : QByteArray(payload + 'x');
            const DecodedPayload decoded = decodePayload(bytes);
            QCOMPARE(formats(decoded.layers).size(), 1);
            QVERIFY(!formats(decoded.layers).contains(u"gzip"_s));
            QVERIFY(!formats(decoded.layers).contains(u"json"_s));
            const bool isAnnounced
                = bytes.startsWith("\x1f\x8b\x08") || bytes.startsWith("\x28\xb5\x2f\xfd");
            QVERIFY2(!isAnnounced || decoded.notes.size() == 1, bytes.toHex().constData());
        }
    }

    void bombsEndAtTheirBound_data()
    {
        QTest::addColumn<QByteArray>("payload");
        const QByteArray zeros(20 * 1024 * 1024, '\0');
        QTest::newRow("gzip") << gzipped(zeros);
        QTest::newRow("zlib") << deflated(zeros, MAX_WBITS);
        QTest::newRow("zstd") << zstdOf(zeros);
    }

    void bombsEndAtTheirBound()
    {
        QFETCH(QByteArray, payload);
        QVERIFY(payload.size() < 100'000);
        const DecodedPayload decoded = decodePayload(payload);
        QCOMPARE(formats(decoded.layers), QStringList{u"bytes"_s});
        QCOMPARE(decoded.notes.size(), 1);
        QVERIFY2(decoded.notes.constFirst().contains(bytesText(DecodeLimits().bytes)),
                 qPrintable(decoded.notes.constFirst()));
        // What hides it does not hide the note.
        const DecodedPayload hidden = decodePayload(payload.toBase64());
        QCOMPARE(hidden.notes.size(), 1);
        QCOMPARE(formats(hidden.layers), QStringList({u"base64"_s, u"bytes"_s}));
    }

    /// Each layer is within the bound, and all of them together are not.
    void layersShareOneBound()
    {
        const QByteArray zeros(8 * 1024 * 1024, '\0');
        const QByteArray noise = [this] {
            QByteArray bytes(5 * 1024 * 1024, '\0');
            for (char &byte : bytes)
                byte = static_cast<char>(m_random.bounded(256));
            return bytes;
        }();
        const DecodedPayload decoded = decodePayload(gzipped(gzipped(zeros + noise)));
        QCOMPARE(formats(decoded.layers), QStringList({u"gzip"_s, u"bytes"_s}));
        QCOMPARE(decoded.notes.size(), 1);
    }

    void nestingEnds()
    {
        QByteArray nested = order;
        for (int layer = 0; layer < 20; ++layer)
            nested = gzipped(nested);
        const DecodedPayload decoded = decodePayload(nested);
        QCOMPARE(decoded.layers.size(), DecodeLimits().layers + 1);
        QCOMPARE(decoded.layers.constLast().format, PayloadFormat::Bytes);
        QCOMPARE(decoded.notes.size(), 1);

        for (const char mark : {'\x81', '\x91'}) {
            const QByteArray deep(1'000'000, mark);
            QVERIFY(!readCbor(deep));
            QVERIFY(!readMessagePack(deep));
        }
        QCOMPARE(readCbor(QByteArray(1000, '\x81')).error().kind, Error::Kind::Unsupported);
        QCOMPARE(readMessagePack(QByteArray(1000, '\x91')).error().kind, Error::Kind::Unsupported);
        QVERIFY(!readProtobufWire(QByteArray(1'000'000, '\x0a')));
    }

    void lengthsThatLieAreRefused()
    {
        QVERIFY(!readMessagePack(QByteArray("\xdd\xff\xff\xff\xff", 5)));
        QVERIFY(!readMessagePack(QByteArray("\xdb\xff\xff\xff\xff", 5)));
        QVERIFY(!readCbor(QByteArray("\x9b\xff\xff\xff\xff\xff\xff\xff\xff", 9)));
        QVERIFY(!readCbor(QByteArray("\x5b\x7f\xff\xff\xff\xff\xff\xff\xff", 9)));
        QVERIFY(!readProtobufWire(QByteArray("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11)));
        DecodeLimits few;
        few.nodes = 10;
        const QByteArray zeros = QByteArray("\xdc\x00\x20", 3) + QByteArray(32, '\0');
        const auto wide = readMessagePack(zeros, few);
        QVERIFY(!wide);
        QCOMPARE(wide.error().kind, Error::Kind::Unsupported);
    }

    void numbersAreExact()
    {
        const auto least
            = readCbor(QByteArray("\xa1\x61\x6e\x3b\xff\xff\xff\xff\xff\xff\xff\xff", 12));
        QVERIFY_RESULT(least);
        QCOMPARE(valueAt(*least, u"$.n"_s), u"-18446744073709551616"_s);
        const auto negative
            = readProtobufWire(QByteArray("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11));
        QVERIFY_RESULT(negative);
        QCOMPARE(negative->nodes.at(1).value, u"18446744073709551615"_s);
        QCOMPARE(negative->nodes.at(1).type, u"varint, or -1"_s);
        const auto large
            = readMessagePack(QByteArray("\x81\xa1n\xcf\x00\x20\x00\x00\x00\x00\x00\x01", 12));
        QVERIFY_RESULT(large);
        QCOMPARE(valueAt(*large, u"$.n"_s), u"9007199254740993"_s);
    }

    void textThatIsNoneIsTold()
    {
        const auto pack = readMessagePack(QByteArray("\x81\xa1k\xa1\xff", 5));
        QVERIFY_RESULT(pack);
        QCOMPARE(pack->nodes.at(1).type, u"text, not UTF-8"_s);
        QCOMPARE(pack->nodes.at(1).value, u"ff"_s);
        const auto json = decodePayloadAs(PayloadFormat::Json, "{\"k\":\"\xff\"}");
        QVERIFY_RESULT(json);
        QCOMPARE(json->tree.nodes.at(1).type, u"text, not UTF-8"_s);
        QVERIFY(!readCbor(QByteArray("\xa1\x61k\x61\xff", 5)));
        QVERIFY(!decodePayloadAs(PayloadFormat::Text, "\xff"));
    }

    void binaryFormatsAreTaken()
    {
        for (int turn = 0; turn < 20; ++turn) {
            // What begins with a long name is no other format.
            QByteArray cbor;
            QCborStreamWriter writer(&cbor);
            writer.startMap(1);
            writer.append(u"customer"_s);
            writer.append(m_random.generate64());
            writer.endMap();
            const DecodedPayload one = decodePayload(cbor);
            QCOMPARE(formats(one.layers), QStringList{u"cbor"_s});
            QVERIFY(one.saysMore());
        }
        const QByteArray pack("\x81\xa8"
                              "customer\xcd\x01\x00",
                              13);
        QCOMPARE(formats(decodePayload(pack).layers), QStringList{u"messagepack"_s});
        const QByteArray wire("\x0a\x0cmail:deliver\x12\x02hi", 18);
        const DecodedPayload message = decodePayload(wire);
        QCOMPARE(formats(message.layers), QStringList{u"protobuf"_s});
        QCOMPARE(valueAt(message.tree, u"$[\"1\"]"_s), u"mail:deliver"_s);
    }

    void whatIsDoubtfulIsOffered()
    {
        const DecodedPayload password = decodePayload("password");
        QCOMPARE(formats(password.layers), QStringList{u"text"_s});
        QCOMPARE(formats(password.offers), QStringList{u"base64"_s});
        QVERIFY(!password.saysMore());
        const DecodedPayload plain = decodePayload("hello, world");
        QCOMPARE(formats(plain.layers), QStringList{u"text"_s});
        QCOMPARE(formats(plain.offers), QStringList());

        const QByteArray shortCbor("\x81\x01", 2);
        const DecodedPayload offered = decodePayload(shortCbor);
        QCOMPARE(formats(offered.layers), QStringList{u"bytes"_s});
        QCOMPARE(formats(offered.offers), QStringList{u"cbor"_s});
        const auto chosen = decodePayloadAs(PayloadFormat::Cbor, shortCbor);
        QVERIFY_RESULT(chosen);
        QCOMPARE(formats(chosen->layers), QStringList{u"cbor"_s});
        QCOMPARE(valueAt(chosen->tree, u"$[0]"_s), u"1"_s);
        QVERIFY(!decodePayloadAs(PayloadFormat::Gzip, shortCbor));
    }

    void textsInsideADocumentAreDecoded()
    {
        const QByteArray inner = QByteArray(R"({"n":9007199254740993,"of":"inside"})").toBase64();
        const QByteArray payload = "{\"type\":\"password\",\"data\":\"" + inner + "\",\"end\":1}";
        const DecodedPayload decoded = decodePayload(payload);
        QCOMPARE(formats(decoded.layers), QStringList{u"json"_s});
        QVERIFY(decoded.hasInner && decoded.saysMore());
        QCOMPARE(valueAt(decoded.tree, u"$.data.n"_s), u"9007199254740993"_s);
        QCOMPARE(valueAt(decoded.tree, u"$.end"_s), u"1"_s);
        QCOMPARE(valueAt(decoded.tree, u"$.type"_s), u"password"_s);
        QVERIFY(
            std::any_of(decoded.tree.nodes.cbegin(), decoded.tree.nodes.cend(),
                        [](const PayloadNode &node) { return node.name == u"(base64 → JSON)"; }));
    }

    /// A long name above many values would be written once for each of them.
    void pathsHaveABound()
    {
        const QByteArray name(2000, 'x');
        const DecodedPayload decoded = decodePayload("{\"" + name + "\":{\"a\":[1]}}");
        QCOMPARE(decoded.tree.nodes.size(), 4);
        QCOMPARE(decoded.tree.nodes.at(1).name, QString::fromLatin1(name));
        QCOMPARE(decoded.tree.path(1), u"…"_s);
        QCOMPARE(decoded.tree.path(3), u"….a[0]"_s);
    }

    void theModelShowsAnyTree()
    {
        PayloadTreeModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.show(decodePayload(gzipped(R"({"list":["<b>x",null],"id":9007199254740993})")).tree);
        QCOMPARE(model.rowCount(), 1);
        const QModelIndex root = model.index(0, 0);
        QCOMPARE(model.rowCount(root), 2);
        const QModelIndex text = model.index(0, PayloadTreeModel::Value, model.index(0, 0, root));
        QCOMPARE(text.data().toString(), u"<b>x"_s);
        QVERIFY(text.data(Qt::ToolTipRole).toString().contains(u"&lt;b&gt;x"_s));
        QCOMPARE(text.data(PayloadTreeModel::PathRole).toString(), u"$.list[0]"_s);
        const QModelIndex id = model.index(1, PayloadTreeModel::Value, root);
        QCOMPARE(id.data(PayloadTreeModel::ValueRole).toString(), u"9007199254740993"_s);
        model.show({});
        QCOMPARE(model.rowCount(), 0);
    }
};

} // namespace tst_decode

OUTBOX_TEST(tst_decode::TestDecode)
#include "tst_decode.moc"
