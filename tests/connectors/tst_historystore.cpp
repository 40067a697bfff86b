// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The file of the history: a point stands once, gaps stay, and what cannot be read is set aside,
// unless a newer version wrote it.
#include "connectors/history/historystore.h"
#include "models/system/historybuffer.h"
#include "tests/support/filebytes.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

namespace tst_historystore {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 begin = 1'763'700'000; // a full minute

QDateTime timeOf(qint64 second)
{
    return QDateTime::fromSecsSinceEpoch(begin + second, Qt::UTC);
}

/// Of one number, which is the same all the time.
HistoryPoints pointsOf(qint64 from, qint64 to, double value)
{
    HistoryBuffer buffer;
    for (qint64 second = from; second < to; ++second)
        buffer.add(timeOf(second), Measure::Pending, value);
    return buffer.take();
}

HistoryPoints eventsOf(const QList<HistoryEvent> &events)
{
    HistoryBuffer buffer;
    for (const HistoryEvent &event : events)
        buffer.add(event);
    return buffer.take();
}

HistoryEvent lostAt(qint64 second)
{
    return {timeOf(second), HistoryEvent::Kind::Database, u"The database does not answer."_s};
}

HistoryEvent backAt(qint64 second)
{
    return {timeOf(second), HistoryEvent::Kind::Database, u"The database answers again."_s};
}

HistoryEvent startedAt(qint64 second)
{
    return {timeOf(second), HistoryEvent::Kind::Relay, u"Relay started here."_s};
}

/// The file as version 1 wrote it.
bool makeFirstVersion(const QString &file)
{
    const QString name = u"first version"_s;
    bool isDone = false;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, name);
        database.setDatabaseName(file);
        isDone = database.open();
        for (const QString &sql : {u"DROP TABLE events"_s, u"PRAGMA user_version = 1"_s}) {
            QSqlQuery change(database);
            isDone = isDone && change.exec(sql);
        }
    }
    QSqlDatabase::removeDatabase(name);
    return isDone;
}

ValueRange pendingOf(const HistoryPoint &point)
{
    return point.of(Measure::Pending);
}

} // namespace

class TestHistoryStore : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString path() const { return m_folder->filePath(u"history.db"_s); }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void whatWasSeenIsThereInTheNextRun()
    {
        {
            HistoryStore store;
            const auto opened = store.open(path());
            QVERIFY_RESULT(opened);
            QCOMPARE(*opened, QString());
            HistoryBuffer buffer;
            buffer.add(timeOf(0), Measure::Pending, 5.0);
            buffer.add(timeOf(1), Measure::Pending, std::nullopt);
            buffer.add(timeOf(1), Measure::Out, 0.25);
            QVERIFY_RESULT(store.put(buffer.take(), begin + 2));
        }
        HistoryStore store;
        QVERIFY_RESULT(store.open(path()));
        const auto found = store.recent(begin + 60);
        QVERIFY_RESULT(found);
        const QList<HistoryPoint> &seconds = found->of(HistoryTier::Second);
        QCOMPARE(seconds.size(), 2);
        QCOMPARE(seconds.first().at, begin);
        QCOMPARE(pendingOf(seconds.first()).low, 5.0);
        QCOMPARE(pendingOf(seconds.first()).high, 5.0);
        QVERIFY(!pendingOf(seconds.first()).missed);
        QVERIFY(!pendingOf(seconds.last()).isKnown());
        QVERIFY(pendingOf(seconds.last()).missed);
        QCOMPARE(seconds.last().of(Measure::Out).high, 0.25);
        QVERIFY(!seconds.last().of(Measure::Lag).missed);
        QCOMPARE(found->of(HistoryTier::Quarter).size(), 1);
        const auto others = QFile::permissions(path())
            & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther);
        QCOMPARE(others, QFile::Permissions());
    }

    /// Two windows see the same seconds, each at its own moment.
    void aPointStandsOnceWhoeverSawIt()
    {
        HistoryStore one;
        HistoryStore other;
        QVERIFY_RESULT(one.open(path()));
        QVERIFY_RESULT(other.open(path()));
        QVERIFY_RESULT(one.put(pointsOf(0, 120, 5), begin + 120));
        QVERIFY_RESULT(other.put(pointsOf(60, 180, 9), begin + 180));
        QVERIFY_RESULT(one.put(pointsOf(60, 180, 7), begin + 180));
        const auto seconds = one.read(HistoryTier::Second, begin, begin + 300);
        QVERIFY_RESULT(seconds);
        QCOMPARE(seconds->size(), 180);
        QCOMPARE(pendingOf(seconds->at(10)).high, 5.0);
        QCOMPARE(pendingOf(seconds->at(90)).low, 5.0);
        QCOMPARE(pendingOf(seconds->at(90)).high, 9.0);
        QCOMPARE(pendingOf(seconds->at(150)).low, 7.0);
        const auto minutes = other.read(HistoryTier::Minute, begin, begin + 300);
        QVERIFY_RESULT(minutes);
        QCOMPARE(minutes->size(), 3);
        QCOMPARE(pendingOf(minutes->at(1)).low, 5.0);
        QCOMPARE(pendingOf(minutes->at(1)).high, 9.0);
    }

    void timeWithoutLooksStaysEmpty()
    {
        HistoryStore store;
        QVERIFY_RESULT(store.open(path()));
        QVERIFY_RESULT(store.put(pointsOf(0, 60, 5), begin + 60));
        QVERIFY_RESULT(store.put(pointsOf(3'000, 3'060, 5), begin + 3'060));
        const auto minutes = store.read(HistoryTier::Minute, begin, begin + 3'600);
        QVERIFY_RESULT(minutes);
        QCOMPARE(minutes->size(), 2);
        const auto found = store.recent(begin + 3'000 + 3'600);
        QVERIFY_RESULT(found);
        QCOMPARE(found->of(HistoryTier::Second).size(), 60); // those of the last hour
        QCOMPARE(found->of(HistoryTier::Minute).size(), 1); // and what was before it
    }

    void whatIsTooOldIsForgotten()
    {
        HistoryStore store;
        QVERIFY_RESULT(store.open(path()));
        QVERIFY_RESULT(store.put(pointsOf(0, 60, 5), begin + 60));
        constexpr qint64 day = 86'400;
        QVERIFY_RESULT(store.put(pointsOf(2 * day, 2 * day + 1, 5), begin + 2 * day));
        const auto seconds = store.read(HistoryTier::Second, 0, begin + 40 * day);
        QVERIFY_RESULT(seconds);
        QCOMPARE(seconds->size(), 1);
        const auto minutes = store.read(HistoryTier::Minute, 0, begin + 40 * day);
        QVERIFY_RESULT(minutes);
        QCOMPARE(minutes->size(), 2);
        QVERIFY_RESULT(store.put(pointsOf(35 * day, 35 * day + 1, 5), begin + 35 * day));
        const auto quarters = store.read(HistoryTier::Quarter, 0, begin + 40 * day);
        QVERIFY_RESULT(quarters);
        QCOMPARE(quarters->size(), 1);
    }

    /// Without the table of events there is nothing to recall.
    void whatHappenedIsThereInTheNextRun()
    {
        const HistoryEvent purged{timeOf(1), HistoryEvent::Kind::Operation, u"Purged: 3 rows."_s};
        {
            HistoryStore store;
            QVERIFY_RESULT(store.open(path()));
            QVERIFY_RESULT(store.put(eventsOf({startedAt(0), purged}), begin + 2));
            // What could not be told to be written is written again.
            QVERIFY_RESULT(store.put(eventsOf({startedAt(0), purged}), begin + 3));
        }
        HistoryStore store;
        QVERIFY_RESULT(store.open(path()));
        const auto found = store.recent(begin + 60);
        QVERIFY_RESULT(found);
        QCOMPARE(found->events, (QList<HistoryEvent>{startedAt(0), purged}));
        const auto later = store.recent(begin + 31LL * 86'400);
        QVERIFY_RESULT(later);
        QVERIFY(later->events.isEmpty());
    }

    /// Two windows see one loss, each at its own look; a relay that starts twice starts twice.
    void aLossThatTwoSawStandsOnce()
    {
        HistoryStore one;
        HistoryStore other;
        QVERIFY_RESULT(one.open(path()));
        QVERIFY_RESULT(other.open(path()));
        QVERIFY_RESULT(one.put(eventsOf({lostAt(10), startedAt(11), backAt(20)}), begin + 25));
        QVERIFY_RESULT(other.put(eventsOf({lostAt(8), startedAt(12), backAt(24)}), begin + 25));
        const auto found = one.recent(begin + 60);
        QVERIFY_RESULT(found);
        QCOMPARE(found->events,
                 (QList<HistoryEvent>{lostAt(10), startedAt(11), startedAt(12), backAt(20)}));
        // The next one is another one, though little later.
        QVERIFY_RESULT(other.put(eventsOf({lostAt(30), backAt(31)}), begin + 60));
        const auto all = one.recent(begin + 60);
        QVERIFY_RESULT(all);
        QCOMPARE(all->events.mid(4), (QList<HistoryEvent>{lostAt(30), backAt(31)}));
    }

    /// A source that comes and goes for days does not fill the file.
    void eventsAreBounded()
    {
        HistoryStore store;
        QVERIFY_RESULT(store.open(path()));
        constexpr qint64 many = mostHistoryEvents + 700;
        for (qint64 from = 0; from < many; from += 100) {
            QList<HistoryEvent> events;
            for (qint64 second = from; second < from + 100; ++second)
                events += startedAt(second);
            QVERIFY_RESULT(store.put(eventsOf(events), begin + from + 100));
        }
        const auto found = store.recent(begin + many);
        QVERIFY_RESULT(found);
        QCOMPARE(found->events.size(), mostHistoryEvents);
        QCOMPARE(found->events.first(), startedAt(many - mostHistoryEvents));
        QCOMPARE(found->events.last(), startedAt(many - 1));
    }

    /// It would be called unreadable, or its points would be gone.
    void anEarlierVersionIsMigrated()
    {
        HistoryStore store;
        QVERIFY_RESULT(store.open(path()));
        QVERIFY_RESULT(store.put(pointsOf(0, 60, 5), begin + 60));
        store.close();
        QVERIFY(makeFirstVersion(path()));
        const auto opened = store.open(path());
        QVERIFY_RESULT(opened);
        QCOMPARE(*opened, QString());
        HistoryStore other; // which meets what is migrated already
        QVERIFY_RESULT(other.open(path()));
        QVERIFY_RESULT(other.put(eventsOf({startedAt(61)}), begin + 62));
        const auto found = store.recent(begin + 62);
        QVERIFY_RESULT(found);
        QCOMPARE(found->of(HistoryTier::Second).size(), 60);
        QCOMPARE(found->events, QList<HistoryEvent>{startedAt(61)});
    }

    void aFileThatIsNoDatabaseIsSetAside()
    {
        QVERIFY(writeFile(path(), QByteArray(10'000, 'x')));
        HistoryStore store;
        const auto opened = store.open(path());
        QVERIFY_RESULT(opened);
        QVERIFY2(opened->contains(u"was damaged"_s), qPrintable(*opened));
        QCOMPARE(fileBytes(path() + u".damaged"_s), QByteArray(10'000, 'x'));
        QVERIFY_RESULT(store.put(pointsOf(0, 60, 5), begin + 60));
        const auto again = store.open(path());
        QVERIFY_RESULT(again);
        QCOMPARE(*again, QString());
    }

    void damageInTheMiddleIsFoundByWhoReadsIt()
    {
        HistoryStore store;
        QVERIFY_RESULT(store.open(path()));
        QVERIFY_RESULT(store.put(pointsOf(0, 5'000, 5), begin + 5'000));
        store.close();
        QFile file(path());
        QVERIFY(file.open(QIODevice::ReadWrite));
        constexpr qint64 firstPage = 4096;
        QVERIFY(file.size() > 4 * firstPage);
        QVERIFY(file.seek(firstPage));
        const QByteArray damage(file.size() - firstPage, '\xaa');
        QCOMPARE(file.write(damage), damage.size());
        file.close();

        QVERIFY_RESULT(store.open(path())); // the beginning is whole
        const auto read = store.recent(begin + 5'000);
        QVERIFY(!read);
        QVERIFY2(HistoryStore::isDamage(read.error()), qPrintable(oneLine(read.error())));
        const auto again = store.open(path());
        QVERIFY_RESULT(again);
        QVERIFY2(again->contains(u".damaged"_s), qPrintable(*again));
        const auto empty = store.recent(begin + 5'000);
        QVERIFY_RESULT(empty);
        QVERIFY(empty->of(HistoryTier::Quarter).isEmpty());
    }

    /// Another process sets it aside, or somebody deletes it, while it is open here.
    void aFileThatIsGoneIsNotOpen()
    {
        HistoryStore store;
        QVERIFY_RESULT(store.open(path()));
        QVERIFY(store.isOpen());
        for (const QString &part : {u"-wal"_s, u"-shm"_s, QString()}) {
            const QString from = path() + part;
            const QString to = path() + u".damaged"_s + part;
            QVERIFY(!QFile::exists(from) || QFile::rename(from, to));
        }
        QVERIFY(!store.isOpen());
        HistoryStore other;
        QVERIFY_RESULT(other.open(path()));
        QVERIFY_RESULT(other.put(pointsOf(0, 60, 5), begin + 60));
        QVERIFY(!store.isOpen()); // another one stands there
        QVERIFY_RESULT(store.open(path()));
        QVERIFY(store.isOpen());
        const auto seconds = store.read(HistoryTier::Second, begin, begin + 60);
        QVERIFY_RESULT(seconds);
        QCOMPARE(seconds->size(), 60);
    }

    /// It was moved away before: what a newer window kept was gone for it.
    void aFileOfANewerVersionIsLeftAlone()
    {
        HistoryStore store;
        QVERIFY_RESULT(store.open(path()));
        QVERIFY_RESULT(store.put(pointsOf(0, 60, 5), begin + 60));
        store.close();
        QByteArray bytes = fileBytes(path());
        constexpr qsizetype versionAt = 63; // the last byte of user_version
        bytes[versionAt] = 3;
        QVERIFY(writeFile(path(), bytes));
        for (int time = 0; time < 2; ++time) { // it is asked again and again
            const auto opened = store.open(path());
            QVERIFY(!opened);
            QCOMPARE(opened.error().kind, Error::Kind::Unsupported);
            QVERIFY2(opened.error().text.contains(u"kept by a newer version"_s),
                     qPrintable(opened.error().text));
            QVERIFY(!HistoryStore::isDamage(opened.error()));
            QVERIFY(!store.isOpen());
        }
        QCOMPARE(fileBytes(path()), bytes);
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{u"history.db"_s});
        bytes[versionAt] = 2; // that version is gone again
        QVERIFY(writeFile(path(), bytes));
        QVERIFY_RESULT(store.open(path()));
        const auto seconds = store.read(HistoryTier::Second, begin, begin + 60);
        QVERIFY_RESULT(seconds);
        QCOMPARE(seconds->size(), 60);
    }
};

} // namespace tst_historystore

OUTBOX_TEST(tst_historystore::TestHistoryStore)
#include "tst_historystore.moc"
