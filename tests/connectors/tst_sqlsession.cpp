// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sessions under trouble: servers that stand still, sessions that are killed, files that are busy.
#include "connectors/room.h"
#include "connectors/sql/driver/sqlitewriter.h"
#include "connectors/sql/session/databasesession.h"
#include "connectors/sql/session/sqlsession.h"
#include "tests/connectors/standstill.h"
#include "tests/support/delivered.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>

#include <sys/socket.h>
#include <unistd.h>

namespace tst_sqlsession {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSqlSession : public QObject
{
    Q_OBJECT

    Databases m_databases;

    DatabaseUrl tenRows(DatabaseUrl::Dialect dialect)
    {
        const DatabaseUrl url = m_databases.fresh(dialect);
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(10, u"n, 'mail', 'x'"_s, u"outbox"_s));
        return url;
    }

    static Error errorOf(const DatabaseUrl &url, StoreAccess access, const QString &sql)
    {
        StoreSettings settings = settingsFor(url, access);
        settings.statementTimeoutMs = 300;
        DatabaseSession session;
        if (const auto opened = session.open(settings); !opened)
            return opened.error();
        const auto rows = session->query({sql, {}}, u"testing"_s);
        return rows ? Error() : rows.error();
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_databases.postgres); }

    void cleanup() { m_databases.postgres.thaw(); }

    void errorsHaveTheirKind_data()
    {
        QTest::addColumn<DatabaseUrl::Dialect>("dialect");
        QTest::addColumn<StoreAccess>("access");
        QTest::addColumn<QString>("sql");
        QTest::addColumn<Error::Kind>("kind");
        QTest::addColumn<QString>("code");
        const auto postgres = DatabaseUrl::Dialect::PostgreSql;
        const auto sqlite = DatabaseUrl::Dialect::Sqlite;
        QTest::newRow("read-only") << postgres << StoreAccess::ReadOnly << u"DELETE FROM outbox"_s
                                   << Error::Kind::Refused << u"25006"_s;
        QTest::newRow("row lock") << postgres << StoreAccess::ReadOnly
                                  << u"SELECT FROM outbox FOR KEY SHARE"_s << Error::Kind::Refused
                                  << u"25006"_s;
        QTest::newRow("too slow") << postgres << StoreAccess::ReadOnly << u"SELECT pg_sleep(20)"_s
                                  << Error::Kind::Timeout << u"57014"_s;
        QTest::newRow("two statements") << postgres << StoreAccess::Relay << u"SELECT 1; SELECT 2"_s
                                        << Error::Kind::Invalid << u"42601"_s;
        QTest::newRow("no table") << postgres << StoreAccess::ReadOnly << u"SELECT FROM nothing"_s
                                  << Error::Kind::Invalid << u"42P01"_s;
        QTest::newRow("duplicate")
            << postgres << StoreAccess::Relay << u"INSERT INTO outbox VALUES (1, 'a', 'b')"_s
            << Error::Kind::Constraint << u"23505"_s;
        QTest::newRow("not ours") << postgres << StoreAccess::ReadOnly << u"SELECT FROM pg_authid"_s
                                  << Error::Kind::Protocol << QString();
        QTest::newRow("SQLite read-only")
            << sqlite << StoreAccess::ReadOnly << u"DELETE FROM outbox"_s << Error::Kind::Refused
            << u"8"_s;
        QTest::newRow("SQLite no table")
            << sqlite << StoreAccess::ReadOnly << u"SELECT 1 FROM nothing"_s << Error::Kind::Invalid
            << u"1"_s;
    }

    void errorsHaveTheirKind()
    {
        QFETCH(DatabaseUrl::Dialect, dialect);
        QFETCH(StoreAccess, access);
        QFETCH(QString, sql);
        const Error error = errorOf(tenRows(dialect), access, sql);
        QTEST(error.kind, "kind");
        QTEST(error.code, "code");
        QVERIFY(!error.text.contains(u'\n'));
    }

    void missingRightsAreRefusedWithAHint()
    {
        const DatabaseUrl url = tenRows(DatabaseUrl::Dialect::PostgreSql);
        SideSession(url).run(
            u"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'guest')"
            " THEN CREATE ROLE guest LOGIN; END IF; END $$"_s);
        DatabaseUrl guest = url;
        guest.user = u"guest"_s;
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(guest, StoreAccess::ReadOnly)));
        const auto seen = store.snapshot();
        QCOMPARE(seen.error().kind, Error::Kind::Refused);
        QCOMPARE(seen.error().code, u"42501"_s);
        QVERIFY(seen.error().hint.contains(u"GRANT"_s));
        const auto found = store.probe(TableName{{}, u"outbox"_s});
        QVERIFY_RESULT(found); // the catalog may still be read
    }

    void connectingToNothingIsAnError()
    {
        DatabaseUrl url = *DatabaseUrl::fromUrl(m_databases.postgres.url(u"nothing"_s));
        OutboxStore store;
        QCOMPARE(store.open(settingsFor(url, StoreAccess::ReadOnly)).error().kind,
                 Error::Kind::Refused);
        url.host = u"/nowhere"_s;
        const auto opened = store.open(settingsFor(url, StoreAccess::ReadOnly));
        QCOMPARE(opened.error().kind, Error::Kind::Unreachable);
        QVERIFY(!opened.error().text.isEmpty());
        QVERIFY(!store.isOpen());
        const auto file = store.open(
            settingsFor(*DatabaseUrl::fromUrl(u"sqlite:///nowhere/x.db"_s), StoreAccess::ReadOnly));
        QCOMPARE(file.error().kind, Error::Kind::Unreachable);
        QCOMPARE(store.snapshot().error().kind, Error::Kind::Unreachable);
    }

    void aKilledBackendLosesTheClaimAndTheRowsAreBack()
    {
        const DatabaseUrl url = tenRows(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay)));
        QVERIFY_RESULT(store.claim(4, {}));
        side.run(
            u"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'relay'"_s);
        QVERIFY(!store.verifyClaim().has_value());
        const auto committed = commitTaken(store);
        QCOMPARE(committed.error().kind, Error::Kind::Unreachable);
        QVERIFY(!store.isOpen());
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"10"_s);
        QVERIFY_RESULT(store.rollback());
        QVERIFY_RESULT(store.ensureOpen());
        const auto again = store.claim(4, {});
        QVERIFY_RESULT(again);
        QCOMPARE(again->size(), 4);
        QVERIFY_RESULT(commitTaken(store));
    }

    void aRelayThatStandsStillLosesItsRows()
    {
        const DatabaseUrl url = tenRows(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        StoreSettings settings = settingsFor(url, StoreAccess::Relay);
        settings.idleInTransactionTimeoutMs = 200;
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settings));
        QVERIFY_RESULT(store.claim(4, {}));
        const QString relays
            = u"SELECT count(*) FROM pg_stat_activity WHERE application_name = 'relay'"_s;
        QTRY_COMPARE(side.one(relays), u"0"_s);
        const auto alive = store.verifyClaim();
        QCOMPARE(alive.error().kind, Error::Kind::Unreachable);
        QCOMPARE(alive.error().code, u"25P03"_s);
    }

    void interruptFreesACallOnAServerThatStandsStill()
    {
        interruptFreesACall(m_databases.postgres, tenRows(DatabaseUrl::Dialect::PostgreSql));
    }

    void aServerThatStandsStillEndsInATimeoutOfOurOwn()
    {
        standstillIsATimeout(m_databases.postgres, tenRows(DatabaseUrl::Dialect::PostgreSql));
    }

    void aNotificationWakes()
    {
        const DatabaseUrl url = tenRows(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::Relay)));
        QVERIFY_RESULT(store.listen(u"new \"outbox\""_s));
        const auto nothing = store.waitForChange(10);
        QVERIFY_RESULT(nothing);
        QCOMPARE(*nothing, false);
        const QString notify = u"NOTIFY \"new \"\"outbox\"\"\""_s;
        side.run(notify);
        const auto woken = store.waitForChange(5000);
        QVERIFY_RESULT(woken);
        QCOMPARE(*woken, true);

        side.run(
            u"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'relay'"_s);
        QCOMPARE(store.waitForChange(5000).error().kind, Error::Kind::Unreachable);
        QVERIFY_RESULT(store.ensureOpen()); // subscribes again
        side.run(notify);
        const auto again = store.waitForChange(5000);
        QVERIFY_RESULT(again);
        QCOMPARE(*again, true);
    }

    void aSessionThatCouldNotResumeIsNotOpen()
    {
        const DatabaseUrl url = tenRows(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay)));
        QVERIFY_RESULT(store.listen(u"outbox"_s));
        side.run(u"ALTER TABLE outbox RENAME TO away"_s);
        side.run(
            u"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'relay'"_s);
        QCOMPARE(store.waitForChange(5000).error().kind, Error::Kind::Unreachable);
        for (int attempt = 0; attempt < 2; ++attempt) {
            const auto resumed = store.ensureOpen();
            QVERIFY(!resumed.has_value());
            QCOMPARE(resumed.error().kind, Error::Kind::Invalid);
            QVERIFY(!store.isOpen());
        }
        side.run(u"ALTER TABLE away RENAME TO outbox"_s);
        QVERIFY_RESULT(store.ensureOpen());
        side.run(u"NOTIFY outbox"_s);
        const auto woken = store.waitForChange(5000);
        QVERIFY_RESULT(woken);
        QCOMPARE(*woken, true); // listening came after the check that had failed
    }

    void aBreakerIsArmedAnewWhileItIsShut()
    {
        int pair[2];
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
        const auto descriptors = [] { return QDir(u"/proc/self/fd"_s).count(); };
        Room<SocketBreaker> room(u"test"_s);
        auto made = room.run([](SocketBreaker &breaker) { return &breaker; });
        made.waitForFinished();
        SocketBreaker *breaker = made.result();
        const auto before = descriptors();
        auto armed = room.run([socket = pair[0]](SocketBreaker &one) {
            for (int time = 0; time < 50'000; ++time) {
                one.disarm(); // shut() finds nothing to shut, and has that in hand
                one.arm(socket);
            }
            return true;
        });
        while (!armed.isFinished())
            breaker->shut();
        QCOMPARE(descriptors(), before + 1); // one of its own, and none lost
        int fresh[2];
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fresh), 0);
        breaker->arm(fresh[0]);
        breaker->shut();
        char byte = 0;
        QCOMPARE(::recv(fresh[1], &byte, 1, MSG_DONTWAIT), 0); // the end, at once
        breaker->disarm();
        for (const int one : {pair[0], pair[1], fresh[0], fresh[1]})
            ::close(one);
        QCOMPARE(descriptors(), before - 2);
    }

    void aBusyFileSaysSoAndTheWriterIsNamed()
    {
        const DatabaseUrl url = tenRows(DatabaseUrl::Dialect::Sqlite);
        OutboxStore holder;
        QVERIFY_RESULT(openOutbox(holder, settingsFor(url, StoreAccess::Relay)));
        OutboxStore second;
        QVERIFY_RESULT(openOutbox(second, settingsFor(url, StoreAccess::Relay)));
        QVERIFY(second.snapshot()->writerNote.contains(u"no process writes"_s));
        QVERIFY_RESULT(holder.claim(3, {}));
        const auto refused = second.claim(3, {});
        QCOMPARE(refused.error().kind, Error::Kind::Conflict);
        QVERIFY(refused.error().text.contains(u"another writer"_s));
        const auto seen = second.snapshot(); // looking goes on meanwhile, and sees all rows
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->pending, 10);
        QVERIFY2(seen->writerNote.contains(QString::number(::getpid())),
                 qPrintable(seen->writerNote));
        QVERIFY_RESULT(commitTaken(holder));
        const auto taken = second.claim(3, {});
        QVERIFY_RESULT(taken);
        QCOMPARE(idsOf(*taken), QStringList({u"4"_s, u"5"_s, u"6"_s}));
    }

    void aChangedFileWakes()
    {
        const DatabaseUrl url = tenRows(DatabaseUrl::Dialect::Sqlite);
        SideSession side(url);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay)));
        const auto nothing = store.waitForChange(20);
        QVERIFY_RESULT(nothing);
        QCOMPARE(*nothing, false);
        side.run(u"INSERT INTO outbox VALUES (11, 'mail', 'x')"_s);
        const auto woken = store.waitForChange(5000);
        QVERIFY_RESULT(woken);
        QCOMPARE(*woken, true);
    }

    void kernelLocksAreRead()
    {
        const auto locks
            = fileLocksFrom("1: POSIX  ADVISORY  WRITE 4711 fe:01:262146 1073741825 1073741825\n"
                            "1: -> POSIX  ADVISORY  WRITE 9 fe:01:262146 1073741825 1073741825\n"
                            "2: FLOCK  ADVISORY  READ 12 00:2f:77 0 EOF\nrubbish\n");
        QCOMPARE(locks.size(), 2);
        const FileLock first{4711, 262146, 1073741825, 1073741825, true};
        QCOMPARE(locks.at(0), first);
        QCOMPARE(locks.at(1).write, false);
        QVERIFY(locks.at(1).last > locks.at(1).first);
    }
};

} // namespace tst_sqlsession

OUTBOX_TEST(tst_sqlsession::TestSqlSession)
#include "tst_sqlsession.moc"
