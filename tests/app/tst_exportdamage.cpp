// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Exports that were damaged, cut or made up: none gets in, and each is told by its line.
#include "app/operations/transfer/exportfile.h"
#include "app/operations/transfer/jsonstreamreader.h"
#include "app/settings/privatefile.h"
#include "tests/support/filebytes.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace tst_exportdamage {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

WholeRow sample(const char *id, const QByteArray &payload)
{
    return {{QString::fromLatin1(id)},
            u"1234"_s,
            {u"id"_s, u"payload"_s},
            {{Cell::Kind::Text, id}, {Cell::Kind::Bytes, payload}}};
}

const StoredTask task{{u"t"_s},
                      {u"default"_s},
                      TaskState::Archived,
                      "1732197731.5",
                      {{"msg", QByteArray("\x00\xff", 2)}, {"\xff name", "value"}}};

/// A file with `lines` after the head and an end that fits them.
QByteArray madeUp(const QByteArray &lines, qsizetype count)
{
    const QByteArray text = R"({"outboxdeck_export":1,"operation":"o","profile":"p","target":"t",)"
                            R"("table":"outbox","queue":"","at":"2026-11-21T14:02:11.042Z",)"
                            R"("columns":[{"name":"id","type":"uuid"}]})"
                            "\n"
        + lines;
    return text + R"({"end":{"count":)" + QByteArray::number(count) + ",\"sha256\":\""
        + QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex() + "\"}}\n";
}

} // namespace

class TestExportDamage : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString path() const { return m_folder->filePath(u"a.jsonl"_s); }

    [[nodiscard]] QByteArray bytes() const { return fileBytes(path()); }

    void put(const QByteArray &text) const { QVERIFY(writeFile(path(), text)); }

    void writeAll(const QList<ExportItem> &items) const
    {
        QFile::remove(path());
        ExportHead head;
        head.at = QDateTime(QDate(2026, 11, 21), QTime(14, 2), Qt::UTC);
        head.columns = sample("a", {}).columns;
        auto writer = ExportWriter::create(path(), head);
        QVERIFY_RESULT(writer);
        for (const ExportItem &item : items)
            QVERIFY_RESULT(std::visit([&](const auto &one) { return writer->add(one); }, item));
        QVERIFY_RESULT(writer->finish());
    }

    void expectInvalid(const QString &line) const
    {
        auto reader = ExportReader::open(path());
        Result<std::optional<ExportItem>> item = std::optional<ExportItem>();
        while (reader) {
            item = reader->next();
            if (!item || !*item)
                break;
        }
        const Error error = !reader ? reader.error() : item ? Error() : item.error();
        QVERIFY2(!reader || !item, "it was read to the end");
        QCOMPARE(error.kind, Error::Kind::Invalid);
        QVERIFY2(error.text.startsWith(line), qPrintable(oneLine(error)));
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void everyChangedByteIsFound()
    {
        writeAll({sample("a", "\xff\xfe"), task, sample("b", "text")});
        const QByteArray whole = bytes();
        for (qsizetype at = 0; at < whole.size(); ++at) {
            QByteArray changed = whole;
            changed[at] = static_cast<char>(changed.at(at) ^ 1);
            put(changed);
            const auto reader = ExportReader::open(path());
            QVERIFY2(!reader.has_value(), qPrintable(QString::number(at)));
            QVERIFY(reader.error().kind == Error::Kind::Invalid
                    || reader.error().kind == Error::Kind::Unsupported);
        }
    }

    void everyCutIsFound()
    {
        writeAll({sample("a", "\xff"), sample("b", {})});
        const QByteArray whole = bytes();
        for (qsizetype length = 0; length < whole.size(); ++length) {
            put(whole.left(length));
            const auto reader = ExportReader::open(path());
            QVERIFY(!reader.has_value());
            QCOMPARE(reader.error().kind, Error::Kind::Invalid);
            QVERIFY2(reader.error().text.startsWith(u"line "_s),
                     qPrintable(oneLine(reader.error())));
        }
        put(whole + "\n");
        expectInvalid(u"line 5"_s);
        put(whole + whole);
        expectInvalid(u"line 4: "_s);
    }

    void damageNamesItsLine();

    void foreignFilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("a line break") << QByteArray("\n");
        QTest::newRow("text") << QByteArray("hello\nworld\n");
        QTest::newRow("other JSON lines") << QByteArray("{\"id\":1}\n{\"id\":2}\n");
        QTest::newRow("bytes") << QByteArray("\x00\xff{", 3).repeated(100);
    }

    void foreignFilesAreRefused()
    {
        QFETCH(QByteArray, text);
        put(text);
        expectInvalid(u"line 1: "_s);
    }

    void anotherVersionIsSaidToBeOne()
    {
        put(madeUp({}, 0).replace("export\":1,", "export\":2,"));
        const auto reader = ExportReader::open(path());
        QVERIFY(!reader.has_value());
        QCOMPARE(reader.error().kind, Error::Kind::Unsupported);
    }

    void hostileLinesAreRefused_data();
    void hostileLinesAreRefused()
    {
        QFETCH(QByteArray, line);
        put(madeUp(line + '\n', 1));
        if (qstrcmp(QTest::currentDataTag(), "sound") == 0) {
            auto reader = ExportReader::open(path());
            QVERIFY_RESULT(reader);
            QVERIFY_RESULT(reader->next());
            return;
        }
        expectInvalid(u"line 2: "_s);
    }

    void aWrongCountIsFound()
    {
        put(madeUp("{\"row\":{\"id\":\"a\",\"version\":\"1\",\"cells\":[1]}}\n", 2));
        expectInvalid(u"line 3: "_s);
    }

    void endlessLinesAreRefused()
    {
        put('"' + QByteArray(1'000'000, 'x') + '"');
        const auto file = PrivateFile::open(path(), PrivateFile::Mode::Read);
        QVERIFY_RESULT(file);
        JsonStreamReader json(*file, 0, 1'000'002, 300'000);
        QByteArray text;
        QVERIFY(!json.string(text));
        QVERIFY2(json.fault().text.contains(u"longer than 300000"_s),
                 qPrintable(json.fault().text));
        QVERIFY(text.size() < 400'000);
    }
};

// Outside the class: moc counts the braces of raw strings.

void TestExportDamage::damageNamesItsLine()
{
    writeAll({sample("a", {}), sample("b", {}), sample("c", {})});
    const QByteArray whole = bytes();
    put(QByteArray(whole).replace(R"({"row":{"id":"b")", R"({"row":{"id":b)"));
    expectInvalid(u"line 3: "_s);
    put(QByteArray(whole).replace(R"("id":"b")", R"("id":"x")"));
    expectInvalid(u"line 5: its checksum"_s);
    const qsizetype third = whole.indexOf(R"({"row":{"id":"c")");
    put(whole.left(third + 4));
    expectInvalid(u"line 4: the file ends here"_s);
}

void TestExportDamage::hostileLinesAreRefused_data()
{
    QTest::addColumn<QByteArray>("line");
    const QList<std::pair<const char *, QByteArray>> lines{
        {"sound", R"({"row":{"id":"a","version":"1","cells":["x"]}})"},
        {"unknown member", R"({"row":{"id":"a","version":"1","cells":["x"],"sql":"DROP"}})"},
        {"unknown line", R"({"query":{}})"},
        {"two in one", R"({"row":{"id":"a","cells":[1]},"row":{"id":"b","cells":[1]}})"},
        {"nothing", "{}"},
        {"no id", R"({"row":{"cells":["x"]}})"},
        {"too few cells", R"({"row":{"id":"a","cells":[]}})"},
        {"too many cells", R"({"row":{"id":"a","cells":[1,2]}})"},
        {"deep", R"({"row":{"id":"a","cells":)" + QByteArray(100'000, '[')},
        {"deep object", R"({"row":{"id":"a","cells":[)" + QByteArray("{\"bytes\":").repeated(9)},
        {"true", R"({"row":{"id":"a","cells":[true]}})"},
        {"half a number", R"({"row":{"id":"a","cells":[-]}})"},
        {"octal", R"({"row":{"id":"a","cells":[007]}})"},
        {"endless number", R"({"row":{"id":"a","cells":[)" + QByteArray(5'000, '1') + "]}}"},
        {"blank", R"({"row":{"id":"a","cells":[ 1]}})"},
        {"bad base64", R"({"row":{"id":"a","cells":[{"bytes64":"!!!!"}]}})"},
        {"short base64", R"({"row":{"id":"a","cells":[{"bytes64":"QQ"}]}})"},
        {"padding within", R"({"row":{"id":"a","cells":[{"bytes64":"QQ==QUJD"}]}})"},
        {"escape in base64", R"({"row":{"id":"a","cells":[{"bytes64":"QUJ\u0044"}]}})"},
        {"no UTF-8", "{\"row\":{\"id\":\"a\",\"cells\":[\"\xff\"]}}"},
        {"foreign escape", R"({"row":{"id":"a","cells":["\u0041"]}})"},
        {"half an escape", R"({"row":{"id":"a","cells":["\u00"]}})"},
        {"raw control", "{\"row\":{\"id\":\"a\",\"cells\":[\"\x01\"]}}"},
        {"raw NUL", QByteArray("{\"row\":{\"id\":\"a\",\"cells\":[\"\0\"]}}", 32)},
        {"open text", R"({"row":{"id":"a","cells":["x)"},
        {"task without queue", R"({"task":{"id":"a","state":"pending","fields":[]}})"},
        {"unknown state", R"({"task":{"id":"a","queue":"q","state":"dance","fields":[]}})"},
        {"odd fields", R"({"task":{"id":"a","queue":"q","state":"pending","fields":[["a"]]}})"},
    };
    for (const auto &[name, line] : lines)
        QTest::newRow(name) << line;
}

} // namespace tst_exportdamage

OUTBOX_TEST(tst_exportdamage::TestExportDamage)
#include "tst_exportdamage.moc"
