// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The record while many write, while they are killed and while there is no room. This program is
// also its own children.
#include "app/audit/audittrail.h"
#include "tests/support/auditsample.h"
#include "tests/support/filebytes.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"

#include <QCoreApplication>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <memory>
#include <sys/resource.h>
#include <vector>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Child: appends `count` entries (0: until it is killed) and says each sequence when it is on
/// disk.
int appendMany(const QString &file, const QString &operation, int count)
{
    AuditTrail trail(file);
    for (int done = 0; count == 0 || done < count; ++done) {
        const auto appended = trail.append(sample::auditEntry(operation));
        if (!appended) {
            std::fprintf(stderr, "%s\n", qPrintable(oneLine(appended.error())));
            return 1;
        }
        std::printf("%lld\n", static_cast<long long>(appended->sequence));
        std::fflush(stdout);
    }
    return 0;
}

/// Child: may write `bytes` bytes into a file and no more, as on a full disk.
int appendLimited(const QString &file, rlim_t bytes)
{
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, RLIM_INFINITY};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 2;
    return appendMany(file, u"full"_s, 1);
}

} // namespace

class TestAuditCrash : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString path() const { return m_folder->filePath(u"state/audit.jsonl"_s); }

    [[nodiscard]] QByteArray bytes() const { return fileBytes(path()); }

    [[nodiscard]] std::unique_ptr<QProcess> child(const QStringList &arguments) const
    {
        auto process = std::make_unique<QProcess>();
        process->start(QCoreApplication::applicationFilePath(), arguments);
        return process;
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void manyProcessesKeepOneChain()
    {
        constexpr int processes = 8;
        constexpr int each = 500;
        std::vector<std::unique_ptr<QProcess>> children;
        for (int number = 0; number < processes; ++number) {
            children.push_back(
                child({u"--append"_s, path(), QString::number(number), QString::number(each)}));
        }
        QSet<qint64> acknowledged;
        for (const auto &process : children) {
            QVERIFY(process->waitForFinished(120'000));
            QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
            for (const QByteArray &line : process->readAllStandardOutput().split('\n')) {
                if (!line.isEmpty())
                    acknowledged.insert(line.toLongLong());
            }
        }
        QCOMPARE(acknowledged.size(), processes * each);
        const auto chain = AuditTrail(path()).verify();
        QVERIFY_RESULT(chain);
        QVERIFY2(!chain->brokenAt, qPrintable(chain->text));
        QCOMPARE(chain->entries, processes * each);
        QCOMPARE(chain->torn, 0);
        const auto read = AuditTrail(path()).read();
        QVERIFY_RESULT(read);
        QCOMPARE(read->size(), processes * each);
        QCOMPARE(read->last().sequence, processes * each);
    }

    void killedProcessesLoseNothingTheyWereToldIsThere()
    {
        qint64 acknowledged = 0;
        for (int round = 0; round < 10; ++round) {
            auto first = child({u"--append"_s, path(), u"first"_s, u"0"_s});
            auto second = child({u"--append"_s, path(), u"second"_s, u"0"_s});
            QTRY_VERIFY(first->bytesAvailable() > 20 + round * 7);
            ::kill(static_cast<pid_t>(first->processId()), SIGKILL);
            QTRY_VERIFY(second->bytesAvailable() > 20);
            ::kill(static_cast<pid_t>(second->processId()), SIGKILL);
            for (QProcess *process : {first.get(), second.get()}) {
                QTRY_COMPARE(process->state(), QProcess::NotRunning);
                QCOMPARE(process->exitStatus(), QProcess::CrashExit);
                const QByteArray said = process->readAllStandardOutput();
                const qsizetype whole = said.lastIndexOf('\n');
                const qsizetype before = said.lastIndexOf('\n', whole - 1);
                acknowledged
                    = qMax(acknowledged, said.mid(before + 1, whole - before - 1).toLongLong());
            }
        }
        QVERIFY(acknowledged > 20);
        const auto chain = AuditTrail(path()).verify();
        QVERIFY_RESULT(chain);
        QVERIFY2(!chain->brokenAt, qPrintable(chain->text));
        QVERIFY(chain->entries >= acknowledged);
    }

    void aFullDiskIsAnErrorAndLeavesNothing()
    {
        AuditTrail trail(path());
        QVERIFY_RESULT(trail.append(sample::auditEntry(u"before"_s)));
        const QByteArray before = bytes();
        for (const qint64 room : {0, 1, 300}) {
            auto process = child({u"--limited"_s, path(), QString::number(before.size() + room)});
            QVERIFY(process->waitForFinished());
            QCOMPARE(process->exitCode(), 1);
            const QByteArray said = process->readAllStandardError();
            QVERIFY2(said.contains("without it nothing is done") && said.contains("make room"),
                     said.constData());
            QCOMPARE(bytes(), before);
        }
        QVERIFY_RESULT(trail.append(sample::auditEntry(u"after"_s)));
        const auto chain = trail.verify();
        QVERIFY_RESULT(chain);
        QVERIFY(!chain->brokenAt);
        QCOMPARE(chain->entries, 2);
    }
};

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == "--append"_L1)
        return appendMany(arguments.value(2), arguments.value(3), arguments.value(4).toInt());
    if (arguments.value(1) == "--limited"_L1)
        return appendLimited(arguments.value(2), arguments.value(3).toULongLong());
    TestAuditCrash test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_auditcrash.moc"
