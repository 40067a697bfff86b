// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Exports: what comes back is byte for byte what went in, and what could not be written is not
// there. This program is also the child that runs out of room.
#include "app/operations/transfer/exportfile.h"
#include "tests/support/everybyte.h"
#include "tests/support/resultmacros.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <memory>
#include <sys/resource.h>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

ExportHead head()
{
    ExportHead one;
    one.operation = u"0b0f6a1e-0000-4000-8000-000000000001"_s;
    one.verb = Verb::Purge;
    one.profile = u"orders \"new\"\n"_s;
    one.target = u"orders @ pg-1/outbox \u2192 redis-1/0"_s;
    one.table = u"public.outbox"_s;
    one.queue = u"default"_s;
    one.at = QDateTime(QDate(2026, 11, 21), QTime(14, 2, 11, 42), Qt::UTC);
    one.columns = {u"id"_s, u"payload"_s, u"count"_s};
    one.types = {u"uuid"_s, u"bytea"_s, u"bigint"_s};
    return one;
}

WholeRow row(const QString &id, const Cell &payload, const Cell &count = {})
{
    return {{id}, u"1234"_s, head().columns, {{Cell::Kind::Text, id.toUtf8()}, payload, count}};
}

QList<Cell> hardCells()
{
    using Kind = Cell::Kind;
    return {{Kind::Null, {}},
            {Kind::Text, {}},
            {Kind::Text, "plain"},
            {Kind::Text, QByteArray("with\0nul", 8)},
            {Kind::Text, "\"quotes\\ and \n\r\t\x01\x1f\x7f"},
            {Kind::Text, "\xc3\xa9\xf0\x9f\x93\xa6\xe2\x80\xae"},
            {Kind::Text, "broken \xff\xfe"},
            {Kind::Text, "surrogate \xed\xa0\x80"},
            {Kind::Text, everyByte()},
            {Kind::Bytes, {}},
            {Kind::Bytes, R"({"to":"ana@example.org"})"},
            {Kind::Bytes, QByteArray("\0\0\0", 3)},
            {Kind::Bytes, "\xff"},
            {Kind::Bytes, "\xff\xfe"},
            {Kind::Bytes, everyByte()},
            {Kind::Integer, "0"},
            {Kind::Integer, "-9223372036854775808"},
            {Kind::Integer, "18446744073709551616000"},
            {Kind::Integer, "007"},
            {Kind::Integer, "1.0"},
            {Kind::Real, "1.5"},
            {Kind::Real, "-1e-300"},
            {Kind::Real, "5"},
            {Kind::Real, "NaN"},
            {Kind::Real, "-Infinity"},
            {Kind::Real, {}}};
}

StoredTask task(const QString &id, qsizetype bytes = 70'000)
{
    return {{id},
            {u"default"_s},
            TaskState::Archived,
            "1732197731.5",
            {{"msg", everyByte()},
             {"state", "archived"},
             {"\xff name", QByteArray(bytes, '\xfe')},
             {"empty", {}}},
            "1795225841000"};
}

/// Child: writes an export that needs more room than a file may have.
int writeLimited(const QString &file)
{
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, RLIM_INFINITY};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 2;
    auto writer = ExportWriter::create(file, head());
    if (!writer)
        return 3;
    for (int number = 0; number < 100; ++number) {
        const auto added = writer->add(
            row(QString::number(number), {Cell::Kind::Bytes, QByteArray(5'000, '\xff')}));
        if (!added) {
            std::fprintf(stderr, "%s\n", qPrintable(oneLine(added.error())));
            return 1;
        }
    }
    return 0;
}

} // namespace

class TestExportFile : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString path() const { return m_folder->filePath(u"exports/a.jsonl"_s); }

    void writeAll(const QList<ExportItem> &items, const ExportHead &first = head()) const
    {
        auto writer = ExportWriter::create(path(), first);
        QVERIFY_RESULT(writer);
        for (const ExportItem &item : items) {
            QVERIFY_RESULT(std::visit([&](const auto &one) { return writer->add(one); }, item));
        }
        QCOMPARE(writer->count(), items.size());
        QVERIFY_RESULT(writer->finish());
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void comesBackByteForByte()
    {
        QList<ExportItem> items;
        for (const Cell &cell : hardCells())
            items.append(row(u"id %1 \u2192"_s.arg(items.size()), cell, cell));
        items.append(task(u"task-1"_s));
        items.append(row(u"last"_s, {Cell::Kind::Text, "x"}));
        writeAll(items);
        QVERIFY(!QFile::exists(path() + u".partial"_s));
        auto reader = ExportReader::open(path());
        QVERIFY_RESULT(reader);
        QCOMPARE(reader->head(), head());
        QCOMPARE(reader->count(), items.size());
        for (const ExportItem &item : items) {
            const auto next = reader->next();
            QVERIFY_RESULT(next);
            QVERIFY(next->has_value());
            QVERIFY(**next == item);
        }
        const auto none = reader->next();
        QVERIFY_RESULT(none);
        QVERIFY(!none->has_value());
    }

    void readsOnFromAPlaceItWasAt()
    {
        writeAll({row(u"a"_s, {}), row(u"b"_s, {}), row(u"c"_s, {})});
        auto reader = ExportReader::open(path());
        QVERIFY_RESULT(reader);
        QVERIFY_RESULT(reader->next());
        const ExportReader::Place second = reader->place();
        QVERIFY_RESULT(reader->next());
        QVERIFY_RESULT(reader->next());
        QVERIFY_RESULT(reader->moveTo(second));
        const auto again = reader->next();
        QVERIFY_RESULT(again);
        QCOMPARE(std::get<WholeRow>(**again).id.text, u"b"_s);
        QVERIFY(!reader->moveTo({second.offset + 3, 3}).has_value());
        QVERIFY(!reader->moveTo({second.offset * 100, 3}).has_value());
    }

    void anEmptyExportIsOne()
    {
        ExportHead plain;
        plain.at = head().at;
        writeAll({}, plain);
        auto reader = ExportReader::open(path());
        QVERIFY_RESULT(reader);
        QCOMPARE(reader->head(), plain);
        QCOMPARE(reader->count(), 0);
        QVERIFY(!reader->next()->has_value());
    }

    void largePayloadsPass()
    {
        constexpr qsizetype large = 100 * 1024 * 1024;
        QByteArray binary(large, Qt::Uninitialized);
        quint32 random = 1;
        for (char &byte : binary) {
            random = random * 1664525U + 1013904223U;
            byte = static_cast<char>(random >> 24U);
        }
        const QByteArray text = QByteArray("{\"to\":\"ana\"}\n\x01").repeated(large / 75);
        const QList<ExportItem> items{row(u"binary"_s, {Cell::Kind::Bytes, binary}),
                                      row(u"text"_s, {Cell::Kind::Text, text})};
        writeAll(items);
        auto reader = ExportReader::open(path());
        QVERIFY_RESULT(reader);
        for (const ExportItem &item : items) {
            const auto next = reader->next();
            QVERIFY_RESULT(next);
            QVERIFY(**next == item);
        }
    }

    void belongsToItsOwnerAloneAndIsNotOverwritten()
    {
        writeAll({row(u"a"_s, {})});
        QVERIFY(!(QFile::permissions(path()) & (QFile::ReadGroup | QFile::ReadOther)));
        const auto again = ExportWriter::create(path(), head());
        QVERIFY(!again.has_value());
        QCOMPARE(again.error().kind, Error::Kind::Conflict);
    }

    void whatWasNotFinishedIsNotThere()
    {
        {
            auto writer = ExportWriter::create(path(), head());
            QVERIFY_RESULT(writer);
            QVERIFY_RESULT(writer->add(row(u"a"_s, {})));
            WholeRow other = row(u"b"_s, {});
            other.columns.removeLast();
            const auto added = writer->add(other);
            QVERIFY(!added.has_value());
            QCOMPARE(added.error().kind, Error::Kind::Invalid);
            QVERIFY(!QFile::exists(path()));
        }
        QVERIFY(QDir(m_folder->filePath(u"exports"_s)).isEmpty());
    }

    void aFullDiskIsAnErrorAndLeavesNothing()
    {
        QProcess process;
        process.start(QCoreApplication::applicationFilePath(), {u"--limited"_s, path()});
        QVERIFY(process.waitForFinished());
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 1, said.constData());
        QVERIFY2(said.contains("make room"), said.constData());
        QVERIFY(QDir(m_folder->filePath(u"exports"_s)).isEmpty());
    }
};

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == "--limited"_L1)
        return writeLimited(arguments.value(2));
    TestExportFile test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_exportfile.moc"
