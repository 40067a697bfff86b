// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is seen is kept for the next run, by `watch` as well, and looking goes on without it.
#include "app/settings/privatefile.h"
#include "app/system/historykeeper.h"
#include "tests/support/filebytes.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_historykeeper {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

OutboxSnapshot rowsThatWait(qint64 count)
{
    OutboxSnapshot snapshot;
    snapshot.pending = count;
    snapshot.locked = 0;
    return snapshot;
}

Profile profileOf(const QString &database, const QString &redis)
{
    Profile profile;
    profile.databaseUrl = database;
    profile.redisUrl = redis;
    return profile;
}

} // namespace

class TestHistoryKeeper : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    /// Of what `watch` was called with in this folder.
    [[nodiscard]] Profile missing() const
    {
        return profileOf(u"sqlite://"_s + m_folder->filePath(u"missing.db"_s), {});
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void theSameSystemHasTheSameFile()
    {
        const auto file = [this](const QString &database, const QString &redis) {
            return historyFileOf(profileOf(database, redis), m_folder->path());
        };
        const QString one = file(u"postgresql://ana@db1/orders"_s, u"redis://r1:6379/0"_s);
        QCOMPARE(file(u"postgresql://bob@db1:5432/orders?sslmode=require"_s, u"redis://eve@r1"_s),
                 one);
        QVERIFY(file(u"postgresql://ana@db2/orders"_s, u"redis://r1:6379/0"_s) != one);
        QVERIFY(file(u"postgresql://ana@db1/orders"_s, u"redis://r1:6379/1"_s) != one);
        // Nothing from outside is a part of a path.
        QCOMPARE(QFileInfo(file(u"../../x"_s, u"/../y"_s)).absolutePath(),
                 m_folder->filePath(u"history"_s));
    }

    void whatWasTakenIsRecalled()
    {
        const QString path = m_folder->filePath(u"history/one.db"_s);
        const QDateTime now = QDateTime::currentDateTimeUtc();
        {
            SystemHistory history;
            HistoryKeeper keeper(path);
            history.addOutbox(now, rowsThatWait(5));
            keeper.takeOutbox(history, now);
        } // a window that is closed writes what it has
        HistoryKeeper keeper(path);
        QSignalSpy recalled(&keeper, &HistoryKeeper::recalled);
        keeper.recall();
        QTRY_COMPARE(recalled.count(), 1);
        SystemHistory history;
        history.fillBefore(recalled.first().first().value<HistoryPoints>());
        QVERIFY(!history.series(Measure::Pending).latest()); // it is not of now
        QCOMPARE(history.series(Measure::Pending).largest(now.addSecs(-60), now),
                 std::optional(5.0));
        QVERIFY(history.series(Measure::Out).isEmpty()); // nobody asked
    }

    void aFileThatCannotBeWrittenIsToldOnce()
    {
        const QString place = m_folder->filePath(u"history"_s);
        QVERIFY(writeFile(place, "no folder"));
        const QDateTime now = QDateTime::currentDateTimeUtc();
        SystemHistory history;
        history.addOutbox(now, rowsThatWait(5));
        HistoryKeeper keeper(place + u"/one.db"_s);
        QSignalSpy failed(&keeper, &HistoryKeeper::failed);
        QSignalSpy succeeded(&keeper, &HistoryKeeper::succeeded);
        QSignalSpy recalled(&keeper, &HistoryKeeper::recalled);
        keeper.takeOutbox(history, now);
        keeper.finish();
        QTRY_COMPARE(failed.count(), 1);
        keeper.takeOutbox(history, now);
        keeper.finish();
        QVERIFY(QFile::remove(place));
        keeper.recall(); // behind the second writing
        QTRY_COMPARE(recalled.count(), 1);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(succeeded.count(), 1);
        // What could not be written was not lost.
        keeper.takeOutbox(history, now.addSecs(-1));
        keeper.finish();
        keeper.recall();
        QTRY_COMPARE(recalled.count(), 2);
        QVERIFY(recalled.last().first().value<HistoryPoints>().of(HistoryTier::Second).size() >= 2);
    }

    /// Marks of another window came with the next opening alone.
    void whatAnotherWindowPutsThereIsFound()
    {
        const QString path = m_folder->filePath(u"history/one.db"_s);
        const QDateTime now = QDateTime::currentDateTimeUtc();
        const HistoryEvent started{now.addSecs(-3), HistoryEvent::Kind::Relay,
                                   u"Relay started here."_s};
        const HistoryEvent lost{now.addSecs(-2), HistoryEvent::Kind::Database,
                                u"The database does not answer."_s};
        const HistoryEvent own{now, HistoryEvent::Kind::Operation, u"2 rows were parked."_s};
        SystemHistory history;
        history.addOutbox(now, rowsThatWait(5));
        HistoryKeeper one(path);
        HistoryKeeper two(path);
        QSignalSpy told(&one, &HistoryKeeper::eventsFound);
        QSignalSpy found(&two, &HistoryKeeper::eventsFound);
        QSignalSpy recalled(&two, &HistoryKeeper::recalled);
        two.recall();
        QTRY_COMPARE(recalled.count(), 1);
        one.takeEvent(started);
        one.takeEvent(lost); // the other one sees that, too
        one.finish();
        QTRY_COMPARE(told.count(), 1); // it is written
        history.addEvent(own);
        two.takeEvent(own);
        two.takeOutbox(history, now); // as it does all the time
        two.finish();
        QTRY_COMPARE(found.count(), 1);
        const auto events = found.first().first().value<QList<HistoryEvent>>();
        QCOMPARE(events, (QList<HistoryEvent>{started, own}));
        for (const HistoryEvent &event : events)
            history.addEvent(event);
        QCOMPARE(history.events(), events); // its own is no second one
        two.takeOutbox(history, now);
        two.finish();
        two.recall(); // behind it
        QTRY_COMPARE(recalled.count(), 2);
        QCOMPARE(found.count(), 1);
        QCOMPARE(recalled.last().first().value<HistoryPoints>().events.size(), 3);
    }

    void aFileOfANewerVersionIsToldOnceAndKept()
    {
        const QString path = m_folder->filePath(u"history/one.db"_s);
        const QDateTime now = QDateTime::currentDateTimeUtc();
        SystemHistory history;
        history.addOutbox(now, rowsThatWait(5));
        {
            HistoryKeeper keeper(path);
            keeper.takeOutbox(history, now);
        }
        QByteArray bytes = fileBytes(path);
        constexpr qsizetype versionAt = 63; // the last byte of user_version
        QVERIFY(bytes.size() > versionAt);
        bytes[versionAt] = 99;
        QVERIFY(writeFile(path, bytes));
        HistoryKeeper keeper(path);
        QSignalSpy failed(&keeper, &HistoryKeeper::failed);
        QSignalSpy aside(&keeper, &HistoryKeeper::setAside);
        QSignalSpy recalled(&keeper, &HistoryKeeper::recalled);
        QSignalSpy tried(&keeper, &HistoryKeeper::ruleTried);
        keeper.recall();
        keeper.takeOutbox(history, now);
        keeper.tryRule({}); // writes first
        QTRY_COMPARE(tried.count(), 1);
        QCOMPARE(failed.count(), 1);
        QVERIFY(oneLine(failed.first().first().value<Error>()).contains(u"newer version"_s));
        QCOMPARE(aside.count() + recalled.count(), 0);
        QCOMPARE(fileBytes(path), bytes);
    }

    void watchKeepsWhatItSees()
    {
        QProcess watch;
        watch.start(QStringLiteral(OUTBOXCTL),
                    {u"watch"_s, u"--interval"_s, u"20ms"_s, u"--database"_s, missing().databaseUrl,
                     u"--state-dir"_s, m_folder->path()});
        QByteArray said;
        while (said.count('\n') < 3) {
            QVERIFY2(watch.waitForReadyRead(patient(60'000)),
                     watch.readAllStandardError().constData());
            said += watch.readAllStandardOutput();
        }
        watch.terminate();
        QVERIFY(watch.waitForFinished(patient(30'000)));
        QVERIFY(!watch.readAllStandardError().contains("history"));
        HistoryStore store;
        const QString file = historyFileOf(missing(), m_folder->path());
        QVERIFY(QFileInfo::exists(file));
        QVERIFY_RESULT(store.open(file));
        const qint64 now = QDateTime::currentSecsSinceEpoch();
        const auto seconds = store.read(HistoryTier::Second, now - 300, now + 1);
        QVERIFY_RESULT(seconds);
        QVERIFY(!seconds->isEmpty());
        const ValueRange pending = seconds->first().of(Measure::Pending);
        QVERIFY(pending.missed && !pending.isKnown()); // there is no such database
    }
};

} // namespace tst_historykeeper

OUTBOX_TEST(tst_historykeeper::TestHistoryKeeper)
#include "tst_historykeeper.moc"
