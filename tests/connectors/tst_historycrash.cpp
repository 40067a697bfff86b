// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The file of the history while two write, while one is killed, after thirty days, and on a full
// disk. This program is also its own children.
#include "connectors/history/historystore.h"
#include "models/system/historybuffer.h"
#include "tests/connectors/historysample.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/smalldisk.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <memory>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 hour = 3'600;
constexpr qint64 day = 24 * hour;
constexpr qint64 firstSecond = 20'000 * day;

HistoryPoints oneSecond(qint64 second, double value)
{
    HistoryBuffer buffer;
    for (const Measure measure : outboxMeasures)
        buffer.add(QDateTime::fromSecsSinceEpoch(second, Qt::UTC), measure, value);
    return buffer.take();
}

/// On a busy disk another process may take longer than one waits for it: then it is asked again, as
/// the window does.
template <typename Ask> auto answerOf(const Ask &ask)
{
    constexpr int mostTimes = 30;
    auto answer = ask();
    for (int i = 0; i < mostTimes && !answer && answer.error().kind == Error::Kind::Conflict; ++i)
        answer = ask();
    return answer;
}

/// Child: writes `count` seconds (0: until it is killed), each as one look, and says each one when
/// it is written.
int writeSeconds(const QString &file, double value, qint64 count)
{
    HistoryStore store;
    const auto opened = answerOf([&] { return store.open(file); });
    if (!opened || !opened->isEmpty()) {
        std::fprintf(stderr, "%s\n", qPrintable(opened ? *opened : oneLine(opened.error())));
        return 1;
    }
    for (qint64 done = 0; count == 0 || done < count; ++done) {
        const auto put = answerOf(
            [&] { return store.put(oneSecond(firstSecond + done, value), firstSecond + done); });
        if (!put) {
            std::fprintf(stderr, "%s\n", qPrintable(oneLine(put.error())));
            return 1;
        }
        std::printf("%lld\n", static_cast<long long>(done));
        std::fflush(stdout);
    }
    return 0;
}

ValueRange backlogOf(const HistoryPoint &point)
{
    return point.of(Measure::Backlog);
}

} // namespace

class TestHistoryCrash : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString path() const { return m_folder->filePath(u"history.db"_s); }

    [[nodiscard]] std::unique_ptr<QProcess> child(double value, qint64 count) const
    {
        auto process = std::make_unique<QProcess>();
        process->start(QCoreApplication::applicationFilePath(),
                       {u"--write"_s, path(), QString::number(value), QString::number(count)});
        return process;
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    /// Both make the file at the same time, too.
    void twoProcessesWriteTheSameSeconds()
    {
        constexpr qint64 seconds = 400;
        const auto one = child(1, seconds);
        const auto other = child(3, seconds);
        for (const auto &process : {one.get(), other.get()}) {
            QVERIFY(process->waitForFinished(patient(120'000)));
            QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
        }
        HistoryStore store;
        QVERIFY_RESULT(store.open(path()));
        for (const HistoryTier tier : historyTiers) {
            const auto points = store.read(tier, firstSecond, firstSecond + seconds);
            QVERIFY_RESULT(points);
            QCOMPARE(points->size(), (seconds + factsOf(tier).width - 1) / factsOf(tier).width);
            for (const HistoryPoint &point : *points) {
                QCOMPARE(backlogOf(point).low, 1.0);
                QCOMPARE(backlogOf(point).high, 3.0);
            }
        }
    }

    void aKilledProcessLosesNothingThatItHadWritten()
    {
        for (int round = 0; round < 5; ++round) {
            const auto process = child(round, 0);
            QByteArray said;
            while (said.count('\n') < 40 + 17 * round) {
                QVERIFY2(process->waitForReadyRead(patient(60'000)),
                         process->readAllStandardError().constData());
                said += process->readAllStandardOutput();
            }
            process->kill(); // in the middle of whatever it does
            QVERIFY(process->waitForFinished());
            said += process->readAllStandardOutput();
            const qint64 written = said.count('\n');

            HistoryStore store;
            const auto opened = store.open(path());
            QVERIFY_RESULT(opened);
            QCOMPARE(*opened, QString());
            const auto points = store.read(HistoryTier::Second, firstSecond, firstSecond + written);
            QVERIFY_RESULT(points);
            QCOMPARE(points->size(), written);
            for (const HistoryPoint &point : *points)
                QCOMPARE(backlogOf(point).high, static_cast<double>(round));
        }
    }

    void thirtyDaysOfSecondsAreBounded()
    {
        HistoryStore store;
        QVERIFY_RESULT(store.open(path()));
        constexpr qint64 end = firstSecond + 30 * day;
        for (qint64 from = firstSecond; from < end; from += hour)
            QVERIFY_RESULT(store.put(sample::largestPoints(from, from + hour), from + hour - 1));
        const auto count = [&store](HistoryTier tier) {
            const auto points = store.read(tier, 0, end);
            return points ? points->size() : qsizetype{-1};
        };
        QVERIFY(count(HistoryTier::Second) >= day && count(HistoryTier::Second) <= day + hour);
        QCOMPARE(count(HistoryTier::Minute), 30 * day / 60);
        QCOMPARE(count(HistoryTier::Quarter), 30 * day / 900);

        QElapsedTimer clock;
        clock.start();
        const auto found = store.recent(end);
        const double tookMs = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        QVERIFY_RESULT(found);
        QCOMPARE(found->of(HistoryTier::Second).size(), hour);
        QCOMPARE(found->of(HistoryTier::Minute).size(), 23 * 60);
        store.close();
        const qint64 size = QFileInfo(path()).size();
        qInfo("%lld bytes, all of what charts show in %.1f ms", static_cast<long long>(size),
              tookMs);
        QVERIFY(size <= HistoryStore::mostBytes);
    }

    /// Nothing is too old by a clock that stands still, and the oldest seconds make room.
    void moreThanTheFileTakesIsForgotten()
    {
        HistoryStore store;
        QVERIFY_RESULT(store.open(path()));
        constexpr qint64 end = firstSecond + 60 * hour;
        HistoryPoints points;
        for (qint64 from = firstSecond; from < end; from += hour) {
            points.of(HistoryTier::Second)
                = sample::largestPoints(HistoryTier::Second, from, from + hour);
            QVERIFY_RESULT(store.put(points, firstSecond));
            QVERIFY(QFileInfo(path()).size() <= HistoryStore::mostBytes);
        }
        const auto newest = store.read(HistoryTier::Second, end - day, end);
        QVERIFY_RESULT(newest);
        QCOMPARE(newest->size(), day);
    }

    void aFullDiskIsToldAndTheFileGoesOn()
    {
        SmallDisk disk;
        if (!disk.mount(4))
            QSKIP("this user may not mount a small disk");
        HistoryStore store;
        QVERIFY_RESULT(store.open(disk.filePath(u"history.db"_s)));
        QVERIFY_RESULT(store.put(oneSecond(firstSecond, 1), firstSecond));
        QVERIFY(disk.fill());
        const HistoryPoints many
            = sample::largestPoints(firstSecond + day, firstSecond + day + 900);
        const auto put = store.put(many, firstSecond + day + 900);
        QVERIFY(!put);
        QCOMPARE(put.error().kind, Error::Kind::Refused);
        disk.free();
        QVERIFY_RESULT(store.put(many, firstSecond + day + 900));
        const auto seconds
            = store.read(HistoryTier::Second, firstSecond + day, firstSecond + day + 900);
        QVERIFY_RESULT(seconds);
        QCOMPARE(seconds->size(), 900);
    }
};

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == "--write"_L1)
        return writeSeconds(arguments.value(2), arguments.value(3).toDouble(),
                            arguments.value(4).toLongLong());
    TestHistoryCrash test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_historycrash.moc"
