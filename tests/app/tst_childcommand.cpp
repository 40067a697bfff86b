// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Programs that hang, flood, die, start others and write nonsense: each ends soon with all that it
// has started, and says what was wrong.
#include "app/system/jobs/childcommand.h"
#include "app/system/jobs/payloadreader.h"
#include "tests/support/filebytes.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <optional>

namespace tst_childcommand {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// It runs, and is not only kept for somebody who asks how it ended.
bool isAlive(const QByteArray &pid)
{
    QFile stat(u"/proc/"_s + QString::fromLatin1(pid.trimmed()) + u"/stat"_s);
    if (!stat.open(QIODevice::ReadOnly))
        return false;
    const QByteArray line = stat.readAll();
    return !line.mid(line.lastIndexOf(')')).startsWith(") Z");
}

QStringList shell(const QString &script, const QStringList &more = {})
{
    return QStringList{u"/bin/sh"_s, u"-c"_s, script} + more;
}

/// A command and what came of it.
struct CommandRun
{
    ChildCommand command;
    std::optional<Result<QByteArray>> output;

    explicit CommandRun(int deadlineMs = patient(20'000)) : command(deadlineMs)
    {
        QObject::connect(&command, &ChildCommand::ended, &command,
                         [this](const Result<QByteArray> &ended) { output = ended; });
    }
    void start(const QStringList &program, const QByteArray &input = {},
               const QString &type = u"t"_s)
    {
        output.reset();
        command.start(program, input, type);
    }
};

} // namespace

class TestChildCommand : public QObject
{
    Q_OBJECT

private slots:
    void itReadsThePayloadAndTheType()
    {
        CommandRun run;
        const QByteArray payload = QByteArray(2 * 1024 * 1024, 'x');
        run.start(shell(u"wc -c | tr -d ' \\n'; printf ' %s' \"$OUTBOX_ROW_TYPE\" \"$0\""_s,
                        {u"$(id)"_s}),
                  payload, u"a b\"; $(id)"_s);
        QVERIFY(!run.output); // starting waits for nothing
        QTRY_VERIFY(run.output.has_value());
        QVERIFY_RESULT(*run.output);
        QCOMPARE(**run.output, QByteArray("2097152 a b\"; $(id) $(id)"));
        // Who does not read it is no failure.
        run.start({u"/bin/true"_s}, payload);
        QTRY_VERIFY(run.output.has_value());
        QVERIFY_RESULT(*run.output);
        QVERIFY((*run.output)->isEmpty());
        QVERIFY(!run.command.isRunning());
    }

    void whatFailsSaysWhy_data()
    {
        QTest::addColumn<QStringList>("program");
        QTest::addColumn<QString>("why");
        QTest::newRow("not there") << QStringList{u"true; true"_s} << u"it cannot be started"_s;
        QTest::newRow("no") << shell(u"echo one >&2; echo two >&2; exit 3"_s)
                            << u"it ended with 3: one two"_s;
        QTest::newRow("dies") << shell(u"kill -9 $$"_s) << u"it was ended by a signal"_s;
        QTest::newRow("floods") << shell(u"yes"_s) << u"it wrote more than"_s;
        QTest::newRow("floods stderr")
            << shell(u"yes | head -c 1000000 >&2; exit 4"_s) << u"it ended with 4"_s;
    }
    void whatFailsSaysWhy()
    {
        QFETCH(QStringList, program);
        QFETCH(QString, why);
        CommandRun run;
        run.start(program, "{}");
        QTRY_VERIFY(run.output.has_value());
        QVERIFY(!run.output->has_value());
        const Error &error = run.output->error();
        const QString told = error.text + u": "_s + error.hint;
        QVERIFY2(told.contains(why), qPrintable(told));
        QVERIFY(told.size() < 5'000);
        QVERIFY(!run.command.isRunning());
    }

    /// It fails where only the first of them is killed.
    void whatItHasStartedEndsWithIt()
    {
        const QTemporaryDir folder;
        const QString pids = folder.filePath(u"pid"_s);
        const auto child = [&pids] { return fileBytes(pids); };
        CommandRun late(patient(4'000)); // the shell has begun by then
        late.start(shell(u"sleep 600 & echo $! > \"$0\"; wait"_s, {pids}));
        QTRY_VERIFY(late.output.has_value());
        QCOMPARE(late.output->error().kind, Error::Kind::Timeout);
        QVERIFY(!child().isEmpty());
        QTRY_VERIFY(!isAlive(child()));
        // It ends well, and leaves one behind.
        QFile::remove(pids);
        CommandRun well;
        well.start(shell(u"sleep 600 > /dev/null 2>&1 & echo $! > \"$0\"; echo done"_s, {pids}));
        QTRY_VERIFY(well.output.has_value());
        QVERIFY_RESULT(*well.output);
        QTRY_VERIFY(!isAlive(child()));
        // Nobody wants it any more.
        QFile::remove(pids);
        CommandRun dropped;
        dropped.start(shell(u"sleep 600 & echo $! > \"$0\"; wait"_s, {pids}));
        QTRY_VERIFY(child().endsWith('\n'));
        dropped.command.stop();
        QTRY_VERIFY(!isAlive(child()));
        QVERIFY(!dropped.output.has_value());
        // Who wanted it is gone.
        QFile::remove(pids);
        auto gone = std::make_unique<CommandRun>();
        gone->start(shell(u"sleep 600 & echo $! > \"$0\"; wait"_s, {pids}));
        QTRY_VERIFY(child().endsWith('\n'));
        gone.reset();
        QTRY_VERIFY(!isAlive(child()));
    }

    void theNextOneReplacesTheOneBefore()
    {
        CommandRun run;
        QSignalSpy ended(&run.command, &ChildCommand::ended);
        run.start({u"sleep"_s, u"600"_s});
        run.start({u"cat"_s}, "second");
        QTRY_VERIFY(run.output.has_value());
        QVERIFY_RESULT(*run.output);
        QCOMPARE(**run.output, QByteArray("second"));
        QCOMPARE(ended.count(), 1);
    }

    void whatItWroteIsJsonOrText()
    {
        const auto json = decodedOutput("{\"id\":9007199254740993}\n");
        QVERIFY_RESULT(json);
        QCOMPARE(json->layers.first().format, PayloadFormat::Json);
        QCOMPARE(json->tree.nodes.last().value, u"9007199254740993"_s);
        const auto text = decodedOutput("{ no json");
        QVERIFY_RESULT(text);
        QCOMPARE(text->tree.nodes.first().value, u"{ no json"_s);
        const auto lines = decodedOutput("one\n<b>two</b>\n");
        QVERIFY_RESULT(lines);
        QCOMPARE(lines->tree.nodes.size(), 3);
        QCOMPARE(lines->tree.nodes.last().value, u"<b>two</b>"_s);
        QVERIFY(!decodedOutput("\xff\x00\x01"));
        QVERIFY(!decodedOutput(" \n"));
        QVERIFY(!decodedOutput({}));
        const auto many = decodedOutput(QByteArray("x\n").repeated(300'000));
        QVERIFY_RESULT(many);
        QVERIFY(many->tree.nodes.size() <= DecodeLimits().nodes && !many->notes.isEmpty());
    }
};

} // namespace tst_childcommand

OUTBOX_TEST(tst_childcommand::TestChildCommand)
#include "tst_childcommand.moc"
