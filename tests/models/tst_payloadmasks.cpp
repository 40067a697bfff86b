// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Secrets in payloads: no face prints a value under a mask, whatever it is packed in, and nothing
// else is lost; what cannot be read is hidden, never shown by accident.
#include "models/content/difference.h"
#include "models/payload/celltext.h"
#include "models/payload/payloadmasks.h"
#include "models/profile/profile.h"
#include "models/tables/outboxmodel.h"
#include "models/tables/taskmodel.h"
#include "tests/models/payloadencoders.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QByteArrayList>
#include <QCborMap>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QTest>

namespace tst_payloadmasks {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using How = ShownPayload::How;

/// A random document of JSON with secrets in it, and with values that nobody hides.
class SecretDocument
{
public:
    /// With `isAnchored` there are secrets under `$.card.number` and `$.items[*].iban`, too.
    SecretDocument(QRandomGenerator &random, bool isAnchored)
        : m_random(random), m_json(object(0, isAnchored))
    { }

    [[nodiscard]] const QByteArray &json() const { return m_json; }
    [[nodiscard]] const QByteArrayList &secrets() const { return m_secrets; }
    [[nodiscard]] const QByteArrayList &kept() const { return m_kept; }

private:
    int upTo(int most) { return m_random.bounded(most + 1); }
    QByteArray blanks() { return QByteArray(" \n\t ").first(upTo(2)); }
    QByteArray keep()
    {
        m_kept += "keep." + QByteArray::number(++m_number) + '.';
        return '"' + m_kept.constLast() + (upTo(1) == 0 ? "\\u00e4\\n" : "\xc3\xa4") + '"';
    }
    QByteArray secretText()
    {
        m_secrets += "s3cr3t." + QByteArray::number(++m_number) + '.';
        return '"' + m_secrets.constLast() + '"';
    }
    QByteArray secret()
    {
        switch (upTo(3)) {
        case 0:
            m_secrets += QByteArray::number(90'000'000'000LL + ++m_number);
            return m_secrets.constLast();
        case 1:
            return "{\"inside\":" + secretText() + '}';
        case 2:
            return '[' + secretText() + ',' + secretText() + ']';
        default:
            return secretText();
        }
    }
    /// One name in many spellings.
    QByteArray secretName()
    {
        const QByteArrayList names{"\"password\"", "\"PassWord\"", "\"pass\\u0077ord\"",
                                   "\"\\u0070ASSWORD\"", "\"pa\xc5\xbfsword\""};
        return names.at(upTo(4));
    }
    QByteArray value(int depth)
    {
        switch (upTo(depth > 4 ? 2 : 4)) {
        case 0:
        case 1:
            return keep();
        case 2:
            return "-1.50e3";
        case 3:
            return object(depth, false);
        default: {
            QByteArrayList values;
            for (int left = upTo(3); left > 0; --left)
                values += value(depth + 1);
            return '[' + values.join(',') + ']';
        }
        }
    }
    QByteArray object(int depth, bool isAnchored)
    {
        QByteArrayList members;
        for (int left = 1 + upTo(3); left > 0; --left)
            members += "\"name" + QByteArray::number(left) + "\":" + blanks() + value(depth + 1);
        for (int left = depth == 0 ? 1 + upTo(1) : upTo(1); left > 0; --left) // the same twice, too
            members.insert(upTo(1), secretName() + blanks() + ':' + secret());
        if (isAnchored) {
            members += "\"card\":{\"number\":" + secret() + ",\"bank\":" + keep() + '}';
            members += "\"items\":[{\"iban\":" + secret() + "}," + keep() + ",{\"name\":" + keep()
                + ",\"IBAN\":" + secret() + "}]";
        }
        return '{' + blanks() + members.join(QByteArray(blanks() + ',')) + '}';
    }

    QRandomGenerator &m_random;
    int m_number = 0;
    QByteArrayList m_secrets;
    QByteArrayList m_kept;
    QByteArray m_json; ///< last: it is made of the others
};

PayloadMasks masksOf(const QStringList &paths)
{
    return PayloadMasks::fromTexts(paths).value_or(PayloadMasks::none());
}

QString valuesOf(const PayloadTree &tree)
{
    QStringList values;
    for (const PayloadNode &node : tree.nodes)
        values += node.name + u'=' + node.value;
    return values.join(u'\n');
}

/// All that faces print of it, and what somebody could make of that.
QString printed(const ShownPayload &shown)
{
    QString text = payloadPreview(shown) + u'\n' + shown.why() + u'\n'
        + QString::fromUtf8(shown.bytes()) + u'\n' + valuesOf(shown.decoded().tree);
    if (!shown.bytes().isEmpty())
        text += u'\n' + valuesOf(decodePayload(shown.bytes()).tree);
    return text;
}

QByteArray asJsonText(const QByteArray &text)
{
    const QByteArray list
        = QJsonDocument(QJsonArray{QString::fromUtf8(text)}).toJson(QJsonDocument::Compact);
    return list.sliced(1, list.size() - 2);
}

constexpr int asCbor = 6;

/// One payload in the ways in which a sender may pack it.
QByteArray packed(const QByteArray &json, int way)
{
    switch (way) {
    case 0:
        return json;
    case 1:
        return gzipped(json);
    case 2:
        return zstdOf(json);
    case 3:
        return json.toBase64();
    case 4:
        return gzipped(json).toBase64();
    case 5:
        return asJsonText(json);
    case asCbor:
        return QCborValue::fromJsonValue(QJsonDocument::fromJson(json).object()).toCbor();
    case 7: // inside another document: only what is meant anywhere is found there
        return "{\"data\":\"" + json.toBase64() + "\"}";
    case 8:
        return "{\"data\":\"" + gzipped(json).toBase64() + "\"}";
    default:
        return "{\"data\":" + asJsonText(json) + '}';
    }
}

constexpr int ways = 10;
constexpr int firstInside = 7;

} // namespace

class TestPayloadMasks : public QObject
{
    Q_OBJECT

private slots:
    // Without the walk through one of the layers, or with names compared as bytes, it is red.
    void noSecretIsPrintedAndNothingElseIsLost()
    {
        QRandomGenerator random{7}; // the same documents in each run
        const PayloadMasks masks
            = masksOf({u"*.password"_s, u"$.card.number"_s, u"$.items[*].iban"_s});
        QCOMPARE(masks.texts().size(), 3);
        for (int turn = 0; turn < 2000; ++turn) {
            const int way = turn % ways;
            const SecretDocument document(random, way < firstInside);
            const QByteArray payload = packed(document.json(), way);
            const ShownPayload shown = masks.shown(payload);
            const QString text = printed(shown);
            for (const QByteArray &secret : document.secrets()) {
                QVERIFY2(!text.contains(QString::fromLatin1(secret)),
                         qPrintable(u"way %1, %2 in %3"_s.arg(way).arg(QString::fromLatin1(secret),
                                                                       text)));
            }
            if (shown.how() == How::Hidden) { // only what something else reads, too
                QCOMPARE(way, asCbor);
                QVERIFY2(!decodePayload(payload).offers.isEmpty(), document.json().constData());
                continue;
            }
            QCOMPARE(shown.how(), How::Masked);
            for (const QByteArray &kept : document.kept()) {
                QVERIFY2(text.contains(QString::fromLatin1(kept)),
                         qPrintable(u"way %1, no %2 in %3"_s.arg(way).arg(QString::fromLatin1(kept),
                                                                          text)));
            }
        }
    }

    // The mark of CBOR says what it is: nothing else may read it, so nothing may be hidden.
    void markedCborIsAlwaysShown()
    {
        QRandomGenerator random{13};
        const PayloadMasks masks = masksOf({u"*.password"_s});
        for (int turn = 0; turn < 200; ++turn) {
            const SecretDocument document(random, true);
            const QByteArray payload = "\xd9\xd9\xf7" + packed(document.json(), asCbor);
            const ShownPayload shown = masks.shown(payload);
            QVERIFY2(shown.how() == How::Masked, document.json().constData());
            QVERIFY(printed(shown).contains(u"keep."_s));
        }
    }

    // Cut anywhere it is hidden: were the beginning shown, so would be a secret in it.
    void whatIsCutIsHidden()
    {
        QRandomGenerator random{11};
        const PayloadMasks masks = masksOf({u"*.password"_s});
        const SecretDocument document(random, false);
        const QByteArray json = document.json();
        for (qsizetype cut = 0; cut < json.size(); ++cut) {
            for (const qint64 stored : {qint64(json.size()), qint64(cut)}) {
                const ShownPayload shown = masks.shown(json.first(cut), stored);
                if (cut == 0 && stored == 0)
                    continue; // nothing is stored
                QCOMPARE(shown.how(), How::Hidden);
                QVERIFY(shown.bytes().isEmpty());
                QVERIFY(payloadPreview(shown).contains(u"hidden: it cannot be read"_s));
            }
        }
    }

    void whatCannotBeReadIsHidden_data()
    {
        QTest::addColumn<QByteArray>("payload");
        QTest::newRow("text") << QByteArray("password=hunter2");
        QTest::newRow("number") << QByteArray("4111");
        QTest::newRow("bytes") << QByteArray("\x00\xff\x01password", 11);
        QTest::newRow("protobuf, whose fields have no names")
            << QByteArray("\x0a\x07hunter2\x12\x05mails", 16);
        QTest::newRow("two documents") << QByteArray("{\"password\":1}\n{\"password\":2}");
        QTest::newRow("a mark of byte order") << QByteArray("\xef\xbb\xbf{\"password\":1}");
        QTest::newRow("damaged gzip") << gzipped("{\"password\":\"hunter2\"}").chopped(3);
        QTest::newRow("deeper than is read")
            << QByteArray(QByteArray("[").repeated(300) + "1" + QByteArray("]").repeated(300));
    }

    void whatCannotBeReadIsHidden()
    {
        QFETCH(QByteArray, payload);
        const ShownPayload shown = masksOf({u"*.password"_s}).shown(payload);
        QCOMPARE(shown.how(), How::Hidden);
        QVERIFY(!printed(shown).contains(u"hunter2"_s));
        // Without masks nothing is hidden.
        const ShownPayload plain = PayloadMasks::none().shown(payload);
        QVERIFY(plain.isClear());
        QCOMPARE(plain.bytes(), payload);
    }

    void onlyTheValueIsReplaced_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("expected");
        const auto add = [](const char *name, const QString &path, const QByteArray &json,
                            QByteArray expected) {
            QTest::newRow(name) << path << json << expected.replace("***", "\u2022\u2022\u2022");
        };
        add("digits and blanks stay", u"$.card.number"_s,
            "{ \"n\": 1.10,\"card\" : {\"number\": 4111 , \"x\":[ ]}}",
            "{ \"n\": 1.10,\"card\" : {\"number\": \"***\" , \"x\":[ ]}}");
        add("a whole object", u"$.card"_s, "{\"card\":{\"number\":1},\"b\":2}",
            "{\"card\":\"***\",\"b\":2}");
        add("elements", u"$.items[*].iban"_s, "{\"items\":[{\"iban\":1},2,{\"iban\":3}]}",
            "{\"items\":[{\"iban\":\"***\"},2,{\"iban\":\"***\"}]}");
        add("one element", u"$.items[1]"_s, "{\"items\":[1,2,3]}", "{\"items\":[1,\"***\",3]}");
        add("any member", u"$.card.*"_s, "{\"card\":{\"a\":1,\"b\":[2]}}",
            "{\"card\":{\"a\":\"***\",\"b\":\"***\"}}");
        add("a member is no element", u"$.items.iban"_s, "{\"items\":[{\"iban\":1}]}",
            "{\"items\":[{\"iban\":1}]}");
        add("a name in quotes", u"$[\"a b\"][\"c\\\"d\"]"_s, "{\"a b\":{\"c\\\"d\":1}}",
            "{\"a b\":{\"c\\\"d\":\"***\"}}");
        add("anywhere, the same name twice over", u"*.a.a"_s, "{\"a\":{\"a\":{\"a\":1}}}",
            "{\"a\":{\"a\":\"***\"}}");
        add("anywhere with an element", u"*.keys[0]"_s, "[{\"keys\":[1,2]}]",
            "[{\"keys\":[\"***\",2]}]");
        add("everything", u"$"_s, "[1]", "\"***\"");
        add("JSON as a text", u"$.d.password"_s,
            "{\"d\":\"{\\\"password\\\":\\\"x\\\",\\\"y\\\":1}\"}",
            "{\"d\":\"{\\\"password\\\":\\\"***\\\",\\\"y\\\":1}\"}");
        add("a text that is a document without its end", u"*.password"_s,
            "{\"d\":\"{\\\"password\\\":\\\"x\",\"e\":\"{x}\"}", "{\"d\":\"***\",\"e\":\"{x}\"}");
        add("short base64", u"*.pin"_s, "{\"d\":\"eyJwaW4iOjF9\",\"e\":\"password\"}",
            "{\"d\":\"***\",\"e\":\"password\"}");
        add("nothing", u"*.pin"_s, "{\"d\":1, \"password\":\"x\"}",
            "{\"d\":1, \"password\":\"x\"}");
    }

    void onlyTheValueIsReplaced()
    {
        QFETCH(QString, path);
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, expected);
        const auto masks = PayloadMasks::fromTexts({path});
        QVERIFY_RESULT(masks);
        const ShownPayload shown = masks->shown(json);
        QCOMPARE(shown.bytes(), expected);
        QCOMPARE(shown.how(), json == expected ? How::Clear : How::Masked);
    }

    void binaryDocumentsAreShownDecodedAlone()
    {
        const QByteArray cbor
            = QCborMap{{u"password"_s, u"hunter2"_s}, {u"blob"_s, QByteArray("\xff\x00\x80", 3)}}
                  .toCborValue()
                  .toCbor();
        const ShownPayload shown = masksOf({u"*.password"_s}).shown(cbor);
        QCOMPARE(shown.how(), How::Masked);
        QVERIFY(shown.bytes().isEmpty());
        const QString values = valuesOf(shown.decoded().tree);
        QVERIFY2(values.contains(QString(u"password="_s + maskedValue())), qPrintable(values));
        QVERIFY2(values.contains(u"blob=ff0080"_s), qPrintable(values));
        QVERIFY(shown.decoded().offers.isEmpty()); // read as something else it has other names
    }

    // Its fields have numbers, so no path of names tells which of them is the secret.
    void protobufInsideADocumentIsHidden()
    {
        const QByteArray message("\x0a\x07hunter2\x12\x0bsome mail..", 22);
        QCOMPARE(decodePayload(message).layers.constLast().format, PayloadFormat::Protobuf);
        const PayloadMasks masks = masksOf({u"*.password"_s});
        for (const QByteArray &inner : {message, gzipped(message)}) {
            const QByteArray base64 = inner.toBase64();
            const ShownPayload shown = masks.shown("{\"id\":1,\"data\":\"" + base64 + "\"}");
            QCOMPARE(shown.how(), How::Masked);
            const QString text = printed(shown);
            QVERIFY2(!text.contains(u"hunter2"_s), qPrintable(text));
            QVERIFY2(!text.contains(QString::fromLatin1(base64)), qPrintable(text));
            QVERIFY2(text.contains(u"id=1"_s), qPrintable(text));
        }
    }

    void hostileValuesEndInTime()
    {
        const PayloadMasks masks = masksOf({u"*.password"_s, u"*.*.*.*"_s});
        QByteArray text = "{\"password\":\"hunter2\"}";
        for (int layer = 0; layer < 12; ++layer) // deeper than is read
            text = "{\"d\":" + asJsonText(text) + '}';
        QVERIFY(!printed(masks.shown(text)).contains(u"hunter2"_s));
        QByteArray base64 = "{\"password\":\"hunter2\"}";
        for (int layer = 0; layer < 12; ++layer)
            base64 = "{\"d\":\"" + base64.toBase64() + "\"}";
        QVERIFY(!printed(masks.shown(base64)).contains(u"hunter2"_s));
        // Many values and many paths.
        QStringList paths;
        for (int path = 0; path < PayloadMasks::most; ++path)
            paths += u"*.a[%1]"_s.arg(path) + u".*.b"_s.repeated(10);
        const QByteArray many = '[' + QByteArray("{\"a\":[1]},").repeated(20'000) + "1]";
        QCOMPARE(masksOf(paths).shown(many).how(), How::Clear);
    }

    void pathsAreReadOrTheFaultIsFound_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("position"); ///< -1: it is a path
        const auto add = [](const QString &path, int position) {
            QTest::newRow(qPrintable(path.left(40))) << path << position;
        };
        for (const QString &path :
             {u"$"_s, u"$.a"_s, u"*.a"_s, u"*[0]"_s, u"$.*"_s, u"$[*]"_s, u"$[\"\"]"_s,
              u"$.größe"_s, u"$.a-b_c"_s, u"$[\"\\\\\\\"\"]"_s, u"$[999999999]"_s})
            add(path, -1);
        add(u"card"_s, 0);
        add(u"*"_s, 1);
        add(u"**"_s, 1);
        add(u"$."_s, 2);
        add(u"$..a"_s, 2);
        add(u"$.1a"_s, 2);
        add(u"$.a b"_s, 3);
        add(u"$.a["_s, 4);
        add(u"$.a[b]"_s, 4);
        add(u"$.a[-1]"_s, 4);
        add(u"$.a[01]"_s, 4);
        add(u"$.a[1"_s, 5);
        add(u"$.a[1000000000]"_s, 4);
        add(u"$[\"a]"_s, 5);
        add(u"$[\"\\n\"]"_s, 4);
        add(u"$.🚀"_s, 2);
        add(u"$.a\u202e"_s, 3);
        add(u"$.a$"_s, 3);
        add(u"$"_s + u".a"_s.repeated(MaskPath::mostSteps + 1), 1 + 2 * MaskPath::mostSteps);
        add(u"$."_s + u"a"_s.repeated(600), int(MaskPath::mostCharacters));
    }

    void pathsAreReadOrTheFaultIsFound()
    {
        QFETCH(QString, path);
        QFETCH(int, position);
        const auto read = MaskPath::fromText(path);
        QCOMPARE(read.has_value(), position < 0);
        if (read)
            QCOMPARE(read->text(), path);
        else
            QCOMPARE(read.error().position, position);
    }

    void aProfileKeepsItsMasksOrIsNotRead()
    {
        Profile profile;
        profile.name = u"orders"_s;
        QVERIFY(!profile.toJson().contains("masks"_L1));
        profile.masks = masksOf({u"*.password"_s, u"$.card.number"_s});
        const auto back = Profile::fromJson(profile.toJson());
        QVERIFY_RESULT(back);
        QCOMPARE(*back, profile);
        for (const QJsonValue &wrong :
             {QJsonValue(u"*.password"_s), QJsonValue(), QJsonValue(QJsonArray()),
              QJsonValue(QJsonArray{1}), QJsonValue(QJsonArray{u"$.a["_s}),
              QJsonValue(QJsonArray{QString()})}) {
            QJsonObject json = profile.toJson();
            json["masks"_L1] = wrong;
            QVERIFY2(!Profile::fromJson(json), QJsonDocument(json).toJson().constData());
        }
    }

    void tablesPrintAndCopyNoSecret()
    {
        OutboxModel rows(masksOf({u"*.password"_s}));
        TaskModel tasks(PayloadMasks::none());
        tasks.setMasks(masksOf({u"*.password"_s}));
        OutboxRow row;
        row.message.id = MessageId{u"1"_s};
        row.message.payload = "{\"user\":\"ana\",\"password\":\"hunter2\"}";
        row.message.payloadBytes = row.message.payload.size();
        rows.merge({row});
        Task task;
        task.id = TaskId{u"1"_s};
        task.payload = row.message.payload;
        task.payloadBytes = task.payload.size() + 1; // only its beginning is here
        tasks.merge({task});
        const QModelIndex cell = rows.index(0, OutboxModel::Payload);
        QVERIFY(cell.data().toString().contains(u"ana"_s));
        for (int role = 0; role < Qt::UserRole + 20; ++role) {
            for (int column = 0; column < rows.columnCount(); ++column)
                QVERIFY(!rows.index(0, column).data(role).toString().contains(u"hunter2"_s));
            for (int column = 0; column < tasks.columnCount(); ++column)
                QVERIFY(!tasks.index(0, column).data(role).toString().contains(u"hunter2"_s));
        }
        rows.setMasks(PayloadMasks::none());
        QVERIFY(cell.data().toString().contains(u"hunter2"_s));
    }

    void differencesPrintNoSecret()
    {
        const PayloadMasks masks = masksOf({u"*.password"_s});
        const auto difference = [&masks](const QByteArray &before, const QByteArray &after) {
            EditedCell cell;
            cell.seen = {Cell::Kind::Text, before};
            cell.now = Cell{Cell::Kind::Text, after};
            return differenceOf({cell}, masks);
        };
        const QString other = difference("{\"a\":1,\"password\":\"hunter2\"}",
                                         "{\"a\":2,\"password\":\"hunter3\"}");
        QVERIFY2(other.contains(u"-  \"a\": 1"_s) && !other.contains(u"hunter"_s),
                 qPrintable(other));
        const QString alike
            = difference("{\"password\":\"hunter2\"}", "{\"password\":\"hunter3\"}");
        QVERIFY2(alike.contains(u"under masks"_s) && !alike.contains(u"hunter"_s),
                 qPrintable(alike));
        const QString broken = difference("{\"password\":\"hunter2\"}", "{\"password\":\"hunter3");
        QVERIFY2(!broken.contains(u"hunter"_s), qPrintable(broken));
        const QByteArray large = "{\"password\":\"" + QByteArray(2 * 1024 * 1024, 'h') + "\"}";
        QVERIFY(!difference(large, "{}").contains(u"SHA-256"_s));
    }
};

} // namespace tst_payloadmasks

OUTBOX_TEST(tst_payloadmasks::TestPayloadMasks)
#include "tst_payloadmasks.moc"
