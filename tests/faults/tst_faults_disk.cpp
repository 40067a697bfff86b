// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F17, F18, F32, F33, F34, F43, F80: disks that are full, cannot be written, or hold rubbish. Small
// disks are mounted for that, which needs root.
#include "app/settings/filterstore.h"
#include "app/settings/preferences.h"
#include "app/settings/profilestore.h"
#include "tests/faults/faultconsole.h"
#include "tests/support/filebytes.h"
#include "tests/support/fonts.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/smalldisk.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QLabel>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

namespace tst_faults_disk {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

/// What is made meanwhile stands on this disk.
class Aboard
{
public:
    explicit Aboard(const SmallDisk &disk) : m_before(qgetenv("TMPDIR"))
    {
        qputenv("TMPDIR", disk.path().toLocal8Bit());
    }
    ~Aboard() { m_before.isEmpty() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", m_before); }
    Aboard(const Aboard &) = delete;
    Aboard &operator=(const Aboard &) = delete;

private:
    QByteArray m_before;
};

class TestFaultsDisk : public QObject
{
    Q_OBJECT

    PrivateRedis m_redis;
    std::unique_ptr<FaultConsole> m_console;

    void survives(const Fault &fault) { SURVIVES(*m_console, fault); }
    [[nodiscard]] static bool did(const QString &program, const QStringList &arguments)
    {
        QProcess process;
        process.start(program, arguments);
        return process.waitForFinished() && process.exitCode() == 0;
    }
    void opens()
    {
        const QString problem = m_console->open();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        SmallDisk disk;
        if (!disk.mount(1))
            QSKIP("this user may not mount a disk");
        OUTBOX_START_SERVER(m_redis);
    }
    void cleanup() { m_console.reset(); }

    void f17_aTablespaceIsFull_data()
    {
        QTest::addColumn<BenchShape>("shape");
        QTest::newRow("rows are deleted") << BenchShape::Payload;
        QTest::newRow("rows are marked") << BenchShape::CompletedAt;
    }
    void f17_aTablespaceIsFull()
    {
        QFETCH(BenchShape, shape);
        SmallDisk disk;
        QVERIFY(disk.mount(16));
        PrivatePostgres postgres;
        OUTBOX_START_SERVER(postgres);
        QProcess own; // the disk must belong to the server's user
        own.start(u"chown"_s,
                  {u"--reference="_s + postgres.folder() + u"/data/PG_VERSION"_s, disk.path()});
        QVERIFY(own.waitForFinished() && own.exitCode() == 0);
        calmly([&](double &gapMs) {
            m_console = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &postgres,
                                                       m_redis, nullptr, shape);
            opens();
            TestOutbox &fixture = m_console->fixture();
            (void)fixture.exec(u"create tablespace small location '%1'"_s.arg(disk.path()));
            m_console->relay().pause();
            QVERIFY(FaultConsole::until(
                [&] { return m_console->relay().state() == RelayState::Paused; }));
            QVERIFY(fixture.exec(u"alter table %1 set tablespace small"_s.arg(fixture.table())));
            m_console->aside([&] { QVERIFY(fixture.insertRows(200, 2'000)); });
            const qint64 rows = fixture.unprocessed();
            QVERIFY(disk.fill());
            m_console->forgetFailures();
            m_console->meter().forget();
            m_console->relay().resume();
            if (shape == BenchShape::Payload) { // deleting needs no room
                QVERIFY2(m_console->untilDelivered(), qPrintable(m_console->toldByRelay()));
            } else {
                QVERIFY2(FaultConsole::until(
                             [&] { return m_console->toldByRelay().contains(u"No space left"_s); }),
                         qPrintable(m_console->toldByRelay()));
                QVERIFY(fixture.unprocessed() > 0 && fixture.unprocessed() <= rows);
            }
            QVERIFY(m_console->isLive());
            disk.free();
            QVERIFY2(m_console->untilDelivered(), qPrintable(m_console->toldByRelay()));
            QCOMPARE(m_console->account(), QString());
            gapMs = m_console->meter().longest();
            m_console.reset();
        });
    }

    void f18_theDiskOfTheLogIsFull()
    {
        SmallDisk disk;
        QVERIFY(disk.mount(96));
        PrivatePostgres postgres;
        OUTBOX_START_SERVER(postgres);
        postgres.stop();
        const QString log = postgres.folder() + u"/data/pg_wal"_s;
        QVERIFY(did(u"cp"_s, {u"-a"_s, log, disk.filePath(u"log"_s)}));
        QVERIFY(QDir(log).removeRecursively());
        QVERIFY(QFile::link(disk.filePath(u"log"_s), log));
        QVERIFY_RESULT(postgres.restart());
        m_console = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &postgres, m_redis);
        opens();
        const QString url = m_console->fixture().url();
        survives({{Source::Database},
                  {},
                  [&] {
                      QVERIFY(disk.fill());
                      PlainPostgres writer;
                      QVERIFY_RESULT(writer.open(url));
                      int segments = 0; // those that are there are used up first
                      while (segments < 20
                             && writer.run("select pg_logical_emit_message(true, '', 'x')")
                             && writer.run("select pg_switch_wal()"))
                          ++segments;
                      QVERIFY(segments < 20); // the server has stopped itself
                  },
                  [&] {
                      disk.free();
                      QVERIFY(m_console->untilAside([&] {
                          return m_console->fixture().reopen()
                              || (!postgres.isRunning() && postgres.restart());
                      }));
                      QVERIFY(m_console->untilAside([&] { return m_console->fixture().reopen(); }));
                  }});
        m_console.reset();
    }

    void f32_aFileOnAFullDisk()
    {
        calmly([&](double &gapMs) {
            SmallDisk disk;
            QVERIFY(disk.mount(2));
            {
                const Aboard aboard(disk);
                m_console
                    = std::make_unique<FaultConsole>(TestOutbox::Kind::Sqlite, nullptr, m_redis);
            }
            opens();
            m_console->relay().pause();
            QVERIFY(FaultConsole::until(
                [&] { return m_console->relay().state() == RelayState::Paused; }));
            m_console->aside([&] { QVERIFY(m_console->fixture().insertRows(100)); });
            const qint64 rows = m_console->fixture().unprocessed();
            QVERIFY(m_console->fixture().exec(u"pragma wal_checkpoint(truncate)"_s));
            QVERIFY(disk.fill());
            m_console->forgetFailures();
            m_console->meter().forget();
            m_console->relay().resume();
            QVERIFY2(
                FaultConsole::until([&] { return m_console->toldByRelay().contains(u"full"_s); }),
                qPrintable(m_console->toldByRelay()));
            QCOMPARE(m_console->fixture().unprocessed(), rows); // nothing half-written
            QVERIFY(m_console->isLive());
            disk.free();
            QVERIFY2(m_console->untilDelivered(), qPrintable(m_console->toldByRelay()));
            QCOMPARE(m_console->account(), QString());
            gapMs = std::max(gapMs, m_console->meter().longest());
            m_console.reset();
        });
    }

    void f33_aFileWithADamagedPage()
    {
        calmly([&](double &gapMs) {
            m_console = std::make_unique<FaultConsole>(TestOutbox::Kind::Sqlite, nullptr, m_redis);
            opens();
            m_console->relay().pause();
            QVERIFY(FaultConsole::until(
                [&] { return m_console->relay().state() == RelayState::Paused; }));
            QVERIFY(m_console->fixture().insertRows(500));
            QVERIFY(m_console->fixture().exec(u"pragma wal_checkpoint(truncate)"_s));
            const QString path = DatabaseUrl::fromUrl(m_console->fixture().url())->database;
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadWrite));
            for (qint64 at = 2 * 4096; at + 4096 <= file.size(); at += 4096) {
                file.seek(at);
                QVERIFY(file.write(QByteArray(4096, '\x5a')) == 4096);
            }
            file.close();
            m_console->forgetFailures();
            m_console->meter().forget();
            Profile again = m_console->profile();
            again.name = u"damaged"_s;
            m_console->patienceMs = 2'000;
            const QString problem = m_console->open(again, false);
            QVERIFY2(problem.contains(u"malformed"_s) || problem.contains(u"cannot be read"_s),
                     qPrintable(problem));
            gapMs = std::max(gapMs, m_console->meter().longest());
            // It was looked at, and nothing was made of it.
            QVERIFY(file.open(QIODevice::ReadOnly));
            file.seek(2 * 4096);
            QCOMPARE(file.read(4096), QByteArray(4096, '\x5a'));
            m_console.reset();
        });
    }

    void f34_aFileThatMayNotBeWritten()
    {
        calmly([&](double &gapMs) {
            SmallDisk disk;
            QVERIFY(disk.mount(8));
            m_console = std::make_unique<FaultConsole>(TestOutbox::Kind::Sqlite, nullptr, m_redis);
            QString problem = m_console->open(false);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            QVERIFY(m_console->fixture().insertRows(20));
            QVERIFY(
                m_console->fixture().exec(u"vacuum into '%1'"_s.arg(disk.filePath(u"copy.db"_s))));
            const auto bytes = [&] { return fileBytes(disk.filePath(u"copy.db"_s)); };
            const QByteArray before = bytes();
            QVERIFY(!before.isEmpty());
            QVERIFY(disk.setReadOnly(true));
            Profile copy = m_console->profile();
            copy.name = u"read-only"_s;
            copy.databaseUrl = u"sqlite://"_s + disk.filePath(u"copy.db"_s);
            problem = m_console->open(copy, false);
            QVERIFY2(problem.isEmpty(), qPrintable(problem)); // the view works
            std::optional<qint64> pending;
            connect(&m_console->desktop().system()->database(), &DatabaseFeed::taken,
                    &m_console->desktop(),
                    [&pending](const OutboxSnapshot &seen) { pending = seen.pending; });
            QVERIFY(FaultConsole::until([&] { return pending == 20; }));
            const qsizetype queued = m_console->fixture().pendingIds().size();
            m_console->desktop().relay()->start(RelayStart());
            QVERIFY2(FaultConsole::until([&] {
                         return m_console->toldByRelay().contains(u"only"_s, Qt::CaseInsensitive);
                     }),
                     qPrintable(m_console->toldByRelay()));
            qInfo("%s", qPrintable(m_console->toldByRelay()));
            QVERIFY(m_console->relay().state() != RelayState::Running);
            QCOMPARE(m_console->fixture().pendingIds().size(), queued);
            QVERIFY(m_console->isLive());
            QVERIFY(bytes() == before);
            gapMs = std::max(gapMs, m_console->meter().longest());
            m_console.reset();
        });
    }

    void f43_theDiskOfTheAppendOnlyFileIsFull()
    {
        SmallDisk disk;
        QVERIFY(disk.mount(4));
        std::unique_ptr<PrivateRedis> own;
        {
            const Aboard aboard(disk);
            own = std::make_unique<PrivateRedis>();
        }
        const QStringList kept{u"--appendonly"_s, u"yes"_s, u"--appendfsync"_s, u"always"_s};
        PrivatePostgres postgres;
        OUTBOX_START_SERVER(postgres);
        OUTBOX_START_SERVER(*own, kept);
        m_console = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &postgres, *own);
        opens();
        survives({{Source::Queue},
                  {},
                  [&] {
                      QVERIFY(disk.fill());
                      QVERIFY(m_console->fixture().insertRows(20)); // the server exits over them
                      QVERIFY(m_console->untilAside([&] { return !own->isRunning(); }));
                  },
                  [&] {
                      disk.free();
                      QVERIFY_RESULT(own->start(kept));
                  }});
        m_console.reset();
    }

    void f80_theDiskOfTheSettingsIsFull()
    {
        calmly([&](double &gapMs) {
            SmallDisk disk;
            QVERIFY(disk.mount(2));
            const QString filters = filtersFileIn(disk.filePath(u"config"_s));
            QVERIFY_RESULT(saveFilter(filters, {u"kept"_s, u"state:failed"_s, {}}));
            QVERIFY(disk.fill());
            GapMeter meter;
            Desktop desktop(Folders{disk.filePath(u"config"_s), disk.filePath(u"state"_s)});
            desktop.window().show();
            QVERIFY(FaultConsole::until([&] { return desktop.window().isVisible(); }));
            meter.forget();
            const auto isTold = [&](const QString &words) {
                const auto labels = desktop.window().messages()->findChildren<QLabel *>();
                return std::any_of(labels.begin(), labels.end(), [&](const QLabel *label) {
                    return label->isVisible() && label->text().contains(words);
                });
            };
            emit desktop.window().themeChosen(
                ThemeChoice::Dark); // it takes effect, and is not kept
            QVERIFY(FaultConsole::until([&] { return isTold(u"The theme is not saved"_s); }));
            QVERIFY(isTold(u"No space left"_s));
            Profile profile;
            profile.name = u"orders"_s;
            profile.databaseUrl = u"sqlite:///nowhere.db"_s;
            ProfileStore store(disk.filePath(u"config/profiles.json"_s));
            const auto put = store.put(profile);
            QVERIFY(!put);
            QCOMPARE(put.error().kind, Error::Kind::Refused);
            QVERIFY2(put.error().text.contains(u"is full"_s), qPrintable(oneLine(put.error())));
            QVERIFY(store.profiles().isEmpty());
            QVERIFY(!saveFilter(filters, {u"lost"_s, u"state:parked"_s, {}}));
            QCOMPARE(loadFilters(filters)->size(), 1); // what stood there stays
            desktop.openProfile(profile, {}); // and it goes on
            QVERIFY(FaultConsole::until([&] { return desktop.system() != nullptr; }));
            gapMs = std::max(gapMs, meter.longest());
            disk.free();
            QVERIFY_RESULT(store.put(profile));
            emit desktop.window().themeChosen(ThemeChoice::Light);
            QVERIFY(!isTold(u"not saved"_s));
            QVERIFY_RESULT(Preferences::load(disk.filePath(u"state/preferences.json"_s)));
        });
    }
};

} // namespace tst_faults_disk

OUTBOX_TEST(tst_faults_disk::TestFaultsDisk)
#include "tst_faults_disk.moc"
