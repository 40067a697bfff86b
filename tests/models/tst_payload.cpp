// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Payloads are looked at, never rewritten: digits, order and bytes stay as they came.
#include "models/payload/guess.h"
#include "models/payload/jsontokens.h"
#include "models/trees/jsontreemodel.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

namespace tst_payload {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestPayload : public QObject
{
    Q_OBJECT

private slots:
    void keepsNumbersAndOrder()
    {
        const QByteArray source = R"({"z":9007199254740993,"a":1e400,"b":-0.10,"z":[1.0,{}]})";
        const auto tree = readJson(source);
        QVERIFY_RESULT(tree);
        const auto &nodes = tree->nodes;
        const QList<int> members = nodes.first().children;
        QCOMPARE(members.size(), 4);
        QCOMPARE(tree->key(nodes.at(members.at(0))), u"z"_s);
        QCOMPARE(tree->text(nodes.at(members.at(0))), u"9007199254740993"_s);
        QCOMPARE(tree->text(nodes.at(members.at(1))), u"1e400"_s);
        QCOMPARE(tree->text(nodes.at(members.at(2))), u"-0.10"_s);
        QCOMPARE(tree->key(nodes.at(members.at(3))), u"z"_s);
        QCOMPARE(tree->raw(nodes.at(members.at(3))).toByteArray(), QByteArray("[1.0,{}]"));
        QCOMPARE(tree->raw(nodes.first()).toByteArray(), source);
    }

    void undoesEscapesOfStrings()
    {
        // Not a raw string: moc loses its way in one that holds an escaped quote.
        const auto tree = readJson("[\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\","
                                   "\"\\u00e4\\ud83d\\ude80\",\"\\ud83d x\",\"\"]");
        QVERIFY_RESULT(tree);
        QCOMPARE(tree->text(tree->nodes.at(1)), u"a\"\\/\b\f\n\r\t"_s);
        QCOMPARE(tree->text(tree->nodes.at(2)), u"ä🚀"_s);
        QCOMPARE(tree->text(tree->nodes.at(3)), QChar(0xd83d) + u" x"_s);
        QCOMPARE(tree->text(tree->nodes.at(4)), QString());
    }

    void readsEveryKindOfRoot_data()
    {
        QTest::addColumn<QByteArray>("source");
        for (const char *one : {"{}", "[]", " [ ] ", "null", "true", "false", "0", "-1.5E+9",
                                "\"\"", "\n{\"a\":[[],{}]}\r\n"})
            QTest::newRow(one) << QByteArray(one);
    }

    void readsEveryKindOfRoot()
    {
        QFETCH(QByteArray, source);
        QVERIFY_RESULT(readJson(source));
    }

    void saysWhereItIsWrong_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QString>("place");
        QTest::newRow("nothing") << QByteArray() << u"line 1, column 1"_s;
        QTest::newRow("open object") << QByteArray("{\"a\":1") << u"column 7"_s;
        QTest::newRow("comma at the end") << QByteArray("[1,]") << u"column 4"_s;
        QTest::newRow("comma in an object") << QByteArray("{\"a\":1,}") << u"column 8"_s;
        QTest::newRow("no colon") << QByteArray("{\"a\" 1}") << u"column 6"_s;
        QTest::newRow("second line") << QByteArray("{\n  a: 1}") << u"line 2, column 3"_s;
        QTest::newRow("leading zero") << QByteArray("[01]") << u"column 3"_s;
        QTest::newRow("no digits") << QByteArray("[1.]") << u"column 4"_s;
        QTest::newRow("bad escape") << QByteArray("[\"\\x\"]") << u"column 4"_s;
        QTest::newRow("short escape") << QByteArray("[\"\\u12\"]") << u"line 1"_s;
        QTest::newRow("control") << QByteArray("[\"a\nb\"]") << u"line 1, column 4"_s;
        QTest::newRow("open string") << QByteArray("\"abc") << u"end of a string"_s;
        QTest::newRow("backslash at the end") << QByteArray("\"abc\\") << u"end of a string"_s;
        QTest::newRow("two documents") << QByteArray("{} {}") << u"column 4"_s;
        QTest::newRow("wrong bracket") << QByteArray("[1}") << u"column 3"_s;
        QTest::newRow("NaN") << QByteArray("[NaN]") << u"column 2"_s;
    }

    void saysWhereItIsWrong()
    {
        QFETCH(QByteArray, source);
        QFETCH(QString, place);
        const auto tree = readJson(source);
        QVERIFY(!tree.has_value());
        QCOMPARE(tree.error().kind, Error::Kind::Invalid);
        QVERIFY2(tree.error().text.contains(place), qPrintable(tree.error().text));
    }

    void stopsAtItsLimits()
    {
        const auto deep = readJson(QByteArray(1000000, '['));
        QVERIFY(!deep.has_value());
        QCOMPARE(deep.error().kind, Error::Kind::Unsupported);
        const auto wide = readJson('[' + QByteArray("0,").repeated(300000) + "0]");
        QVERIFY(!wide.has_value());
        QCOMPARE(wide.error().kind, Error::Kind::Unsupported);
        const auto large = readJson('"' + QByteArray(9 * 1024 * 1024, 'x') + '"');
        QVERIFY(!large.has_value());
        QCOMPARE(large.error().kind, Error::Kind::Unsupported);
    }

    void survivesDamage()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        const QByteArray sound = R"({"a":[1,-2.5e3,true,null,"x\u00e4\n"],"b":{"c":{}}})";
        const QByteArray letters("{}[],:\"\\u0e-.tfn \x80\xff\x00", 20);
        for (int turn = 0; turn < 20000; ++turn) {
            QByteArray bytes = sound;
            for (int hit = random.bounded(1, 4); hit > 0; --hit)
                bytes[random.bounded(static_cast<int>(bytes.size()))]
                    = letters.at(random.bounded(static_cast<int>(letters.size())));
            bytes.truncate(random.bounded(static_cast<int>(bytes.size()) + 1));
            if (const auto tree = readJson(bytes)) {
                for (const JsonNode &node : tree->nodes)
                    (void)(tree->text(node) + tree->key(node));
            }
            (void)guessPayload(bytes);
        }
    }

    void guesses_data()
    {
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<PayloadKind>("kind");
        QTest::newRow("empty") << QByteArray() << PayloadKind::Empty;
        QTest::newRow("object") << QByteArray(" {\"a\":1}") << PayloadKind::Json;
        QTest::newRow("cut object") << QByteArray("{\"a\":\"\xc3") << PayloadKind::Json;
        QTest::newRow("quoted") << QByteArray("\"a\"") << PayloadKind::Json;
        QTest::newRow("number") << QByteArray("42") << PayloadKind::Text;
        QTest::newRow("text") << QByteArray("hello\tworld\n\xc3\xa4") << PayloadKind::Text;
        QTest::newRow("latin 1") << QByteArray("h\xe4llo") << PayloadKind::Binary;
        QTest::newRow("zero byte") << QByteArray("a\0b", 3) << PayloadKind::Binary;
        QTest::newRow("protobuf") << QByteArray("\x0a\x04test\x12\x01", 8) << PayloadKind::Binary;
    }

    void guesses()
    {
        QFETCH(QByteArray, payload);
        QFETCH(PayloadKind, kind);
        QCOMPARE(guessPayload(payload), kind);
    }

    void dumpsBytes()
    {
        QCOMPARE(hexDump(QByteArray("{\"to\":\"a@x\",\"n\":1}\x00\xff\x7f", 21)),
                 u"00000000  7b 22 74 6f 22 3a 22 61  40 78 22 2c 22 6e 22 3a  "
                 u"|{\"to\":\"a@x\",\"n\":|\n"
                 "00000010  31 7d 00 ff 7f                                    |1}...|\n"_s);
        QCOMPARE(hexDump({}), QString());
        const QString cut = hexDump(QByteArray(100, 'x'), 32);
        QCOMPARE(cut.count(u'\n'), 3);
        QVERIFY(cut.contains(u"68"_s));
    }

    void showsATree()
    {
        JsonTreeModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto tree = readJson(R"({"id":9007199254740993,"list":["<b>x",null],"e":{}})");
        QVERIFY_RESULT(tree);
        model.show(*tree);
        QCOMPARE(model.rowCount(), 1);
        const QModelIndex root = model.index(0, 0);
        QCOMPARE(model.rowCount(root), 3);
        QCOMPARE(model.index(0, JsonTreeModel::Value, root).data().toString(),
                 u"9007199254740993"_s);
        const QModelIndex list = model.index(1, 0, root);
        QCOMPARE(model.index(0, 0, list).data().toString(), u"[0]"_s);
        const QModelIndex text = model.index(0, JsonTreeModel::Value, list);
        QCOMPARE(text.data().toString(), u"<b>x"_s);
        QVERIFY(text.data(Qt::ToolTipRole).toString().contains(u"&lt;b&gt;x"_s));
        QCOMPARE(text.data(JsonTreeModel::SourceRole).toByteArray(), QByteArray("\"<b>x\""));
        QCOMPARE(model.parent(text), list);
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void readsEightMegabytesQuickly()
    {
        const QByteArray large = '"' + QByteArray(8 * 1024 * 1024 - 2, 'x') + '"';
        QElapsedTimer clock;
        clock.start();
        QVERIFY_RESULT(readJson(large));
        qInfo("8 MiB string: %lld ms", clock.elapsed());
        QVERIFY(clock.elapsed() < 2000);
    }
};

} // namespace tst_payload

OUTBOX_TEST(tst_payload::TestPayload)
#include "tst_payload.moc"
