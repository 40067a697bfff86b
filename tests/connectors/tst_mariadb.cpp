// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sessions on MariaDB: how they end, what they may do, and servers that cannot be spoken to.
#include "connectors/sql/driver/mariadbclient.h"
#include "connectors/sql/edit/outboxeditor.h"
#include "connectors/sql/session/databasesession.h"
#include "tests/connectors/mariadbfixture.h"
#include "tests/connectors/standstill.h"
#include "tests/support/delivered.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QProcess>

namespace tst_mariadb {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString killOthers
    = u"SELECT id FROM information_schema.processlist WHERE user = 'relay' AND db = DATABASE()"_s;

} // namespace

class TestMariadb : public QObject
{
    Q_OBJECT

    MariadbGround m_ground;

    static DatabaseUrl asRelay(const DatabaseUrl &url)
    {
        return MariadbGround::as(url, u"relay"_s, u"ALL ON %1.*"_s.arg(url.database));
    }
    static void killRelay(SideSession &side)
    {
        for (const QString &id : side.run(killOthers))
            side.run(u"KILL "_s + id);
        QTRY_VERIFY(side.run(killOthers).isEmpty());
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_ground.databases.mariadb); }
    void cleanup() { m_ground.databases.mariadb.thaw(); }

    void errorsHaveTheirKind_data()
    {
        QTest::addColumn<StoreAccess>("access");
        QTest::addColumn<QString>("sql");
        QTest::addColumn<Error::Kind>("kind");
        QTest::addColumn<QString>("code");
        using enum StoreAccess;
        QTest::newRow("read-only")
            << ReadOnly << u"DELETE FROM outbox"_s << Error::Kind::Refused << u"1792"_s;
        QTest::newRow("row lock") << ReadOnly << u"SELECT id FROM outbox FOR UPDATE"_s
                                  << Error::Kind::Refused << u"1792"_s;
        QTest::newRow("read-only DDL")
            << ReadOnly << u"DROP TABLE outbox"_s << Error::Kind::Refused << u"1792"_s;
        QTest::newRow("too slow") << ReadOnly << u"SELECT SLEEP(20)"_s << Error::Kind::Timeout
                                  << u"1969"_s;
        QTest::newRow("two statements")
            << Relay << u"SELECT 1; SELECT 2"_s << Error::Kind::Invalid << u"1064"_s;
        QTest::newRow("no table") << ReadOnly << u"SELECT 1 FROM nothing"_s << Error::Kind::Invalid
                                  << u"1146"_s;
        QTest::newRow("no column")
            << ReadOnly << u"SELECT nothing FROM outbox"_s << Error::Kind::Invalid << u"1054"_s;
        QTest::newRow("duplicate") << Relay << u"INSERT INTO outbox VALUES (1, 'a', 'b')"_s
                                   << Error::Kind::Constraint << u"1062"_s;
        QTest::newRow("too long") << Relay << u"INSERT INTO outbox VALUES (99999999999, 'a', 'b')"_s
                                  << Error::Kind::Invalid << u"1264"_s;
    }

    void errorsHaveTheirKind()
    {
        QFETCH(StoreAccess, access);
        QFETCH(QString, sql);
        StoreSettings settings = settingsFor(m_ground.tenRows(), access);
        settings.statementTimeoutMs = 300;
        DatabaseSession session;
        QVERIFY_RESULT(session.open(settings));
        const auto rows = session->query({sql, {}}, u"testing"_s);
        QVERIFY(!rows.has_value());
        QTEST(rows.error().kind, "kind");
        QTEST(rows.error().code, "code");
        QVERIFY(session->isUp());
    }

    void connectingToNothingIsAnError()
    {
        DatabaseUrl url = m_ground.tenRows();
        OutboxStore store;
        url.database = u"nothing"_s;
        QCOMPARE(store.open(settingsFor(url, StoreAccess::ReadOnly)).error().kind,
                 Error::Kind::Refused);
        url.user = u"nobody"_s;
        QCOMPARE(store.open(settingsFor(url, StoreAccess::ReadOnly)).error().kind,
                 Error::Kind::Refused);
        url.options[u"unix_socket"_s] = u"/nowhere"_s;
        const auto opened = store.open(settingsFor(url, StoreAccess::ReadOnly));
        QCOMPARE(opened.error().kind, Error::Kind::Unreachable);
        QVERIFY(!opened.error().text.isEmpty());
        QVERIFY(!store.isOpen());
    }

    void whatCannotBeSpokenToIsRefusedInWords()
    {
        QCOMPARE(whyNotMariadb(u"10.6.0-MariaDB"_s), QString());
        QCOMPARE(whyNotMariadb(u"10.11.6-MariaDB-0+deb12u1"_s), QString());
        QCOMPARE(whyNotMariadb(u"5.5.5-11.4.2-MariaDB-log"_s), QString());
        QVERIFY(whyNotMariadb(u"10.5.23-MariaDB"_s).contains(u"SKIP LOCKED"_s));
        QVERIFY(whyNotMariadb(u"5.5.5-10.3.39-MariaDB"_s).contains(u"10.3.39"_s));
        QVERIFY(whyNotMariadb(u"8.0.36"_s).contains(u"no MariaDB"_s));

        StoreSettings settings = settingsFor(m_ground.tenRows(), StoreAccess::ReadOnly);
        OutboxStore store;
        settings.url.options[u"ssl_mode"_s] = u"verify_identity"_s;
        QCOMPARE(store.open(settings).error().kind, Error::Kind::Unsupported);
        settings.url.options[u"ssl_mode"_s] = u"required"_s; // the server has no certificate
        QCOMPARE(store.open(settings).error().kind, Error::Kind::Refused);
        settings.url.options.remove(u"ssl_mode"_s);
        settings.access = StoreAccess::Relay;
        QVERIFY_RESULT(store.open(settings));
        QCOMPARE(store.listen(u"outbox"_s).error().kind, Error::Kind::Unsupported);
        QCOMPARE(store.makeDurable().error().kind, Error::Kind::Invalid); // no shape yet
        QVERIFY_RESULT(store.use(classicShape()));
        QCOMPARE(store.makeDurable().error().kind, Error::Kind::Unsupported);
    }

    void theServersCertificateIsCheckedAgainstTheOneThatIsNamed()
    {
        QTemporaryDir folder;
        QVERIFY(QFile::setPermissions(folder.path(), QFile::Permissions(0x7755)));
        const auto certificate = [&folder](const QString &name) {
            QProcess openssl;
            openssl.start(u"openssl"_s,
                          {u"req"_s, u"-x509"_s, u"-newkey"_s, u"rsa:2048"_s, u"-nodes"_s,
                           u"-days"_s, u"2"_s, u"-subj"_s, u"/CN="_s + name, u"-keyout"_s,
                           folder.filePath(name + u".key"_s), u"-out"_s,
                           folder.filePath(name + u".pem"_s)});
            openssl.waitForFinished(30'000);
            for (const QString &end : {u".key"_s, u".pem"_s}) // the server runs as somebody else
                QFile::setPermissions(folder.filePath(name + end), QFile::Permissions(0x6644));
            return openssl.exitCode() == 0;
        };
        QVERIFY2(certificate(u"server"_s) && certificate(u"other"_s), "is openssl installed?");
        PrivateMariadb own;
        OUTBOX_START_SERVER(own,
                            {u"--ssl-cert="_s + folder.filePath(u"server.pem"_s),
                             u"--ssl-key="_s + folder.filePath(u"server.key"_s)});
        StoreSettings settings
            = settingsFor(*DatabaseUrl::fromUrl(own.url()), StoreAccess::ReadOnly);
        const auto opens = [&](const QString &mode, const QString &authority) {
            settings.url.options[u"ssl_mode"_s] = mode;
            settings.url.options.remove(u"ssl_ca"_s);
            if (!authority.isEmpty())
                settings.url.options[u"ssl_ca"_s] = folder.filePath(authority + u".pem"_s);
            OutboxStore store;
            const auto opened = store.open(settings);
            return opened ? u"open"_s : word(opened.error().kind);
        };
        QCOMPARE(opens(u"required"_s, {}), u"open"_s);
        QCOMPARE(opens(u"verify_ca"_s, u"server"_s), u"open"_s);
        QCOMPARE(opens(u"verify_ca"_s, u"other"_s), word(Error::Kind::Refused));
        QCOMPARE(opens(u"verify_ca"_s, {}), word(Error::Kind::Invalid));
        QCOMPARE(opens(u"disabled"_s, u"other"_s), u"open"_s);
    }

    void aTableThatCannotRollBackIsNotRelayed()
    {
        const DatabaseUrl url = m_ground.tenRows();
        SideSession(url).run(u"ALTER TABLE outbox ENGINE = MyISAM"_s);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::Relay)));
        const auto claimed = store.claim(3, {});
        QCOMPARE(claimed.error().kind, Error::Kind::Refused);
        QVERIFY(claimed.error().hint.contains(u"InnoDB"_s));
        QCOMPARE(store.snapshot()->pending, 10); // but it is looked at
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(url), classicShape()));
        QCOMPARE(editor.begin().error().kind, Error::Kind::Refused);
    }

    void missingRightsAreRefusedWithAHint()
    {
        const DatabaseUrl url = m_ground.tenRows();
        const DatabaseUrl guest
            = MariadbGround::as(url, u"guest"_s, u"SELECT (id) ON %1.outbox"_s.arg(url.database));
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(guest, StoreAccess::ReadOnly)));
        const auto used = store.use(classicShape());
        QVERIFY(!used.has_value()); // a column that may not be read is not in the catalog
        const DatabaseUrl reader
            = MariadbGround::as(url, u"reader"_s, u"SELECT ON %1.outbox"_s.arg(url.database));
        OutboxStore relay;
        QVERIFY_RESULT(openOutbox(relay, settingsFor(reader, StoreAccess::Relay)));
        const auto claimed = relay.claim(3, {});
        QCOMPARE(claimed.error().kind, Error::Kind::Refused);
        QVERIFY(claimed.error().hint.contains(u"GRANT"_s));
        QVERIFY(!relay.verifyClaim().has_value()); // rolled back
        const auto seen = relay.snapshot();
        QVERIFY_RESULT(seen);
        QVERIFY(seen->notes.value(u"locked"_s).contains(u"PROCESS"_s));
    }

    void theRightsOfAnOperatorAreFound()
    {
        const DatabaseUrl url = m_ground.fresh();
        SideSession side(url);
        makeKeptTable(side, url, 4);
        side.run(OutboxEditor::auditTableSql(MariadbGround::dialect).section(u';', 0, 0));
        const auto rightsOf = [&](const QString &account, const QString &rights) {
            OutboxEditor editor;
            const DatabaseUrl own
                = MariadbGround::as(url, account, QString(rights).replace(u"@"_s, url.database));
            if (const auto open = editor.open(actSettings(own), keptShape()); !open)
                return oneLine(open.error());
            const auto found = editor.rights();
            if (!found)
                return oneLine(found.error());
            QStringList words;
            for (const auto &[may, word] :
                 {std::pair(found->lock, u"lock"_s), std::pair(found->reopen, u"reopen"_s),
                  std::pair(found->remove, u"remove"_s), std::pair(found->insert, u"insert"_s),
                  std::pair(found->audit, u"audit"_s)}) {
                if (may)
                    words += word;
            }
            return words.join(u' ');
        };
        QCOMPARE(rightsOf(u"op1"_s, u"SELECT ON @.*"_s), u"lock"_s);
        QCOMPARE(rightsOf(u"op2"_s, u"SELECT, DELETE ON @.outbox"_s), u"lock remove"_s);
        QCOMPARE(rightsOf(u"op3"_s, u"SELECT, UPDATE (completed_at) ON @.outbox"_s),
                 u"lock reopen"_s);
        QCOMPARE(rightsOf(u"op4"_s, u"SELECT, INSERT ON @.outbox;INSERT ON @.outbox_audit"_s),
                 u"lock insert audit"_s);
        QCOMPARE(rightsOf(u"op5"_s, u"ALL ON `@`.*"_s), u"lock reopen remove insert audit"_s);
    }

    void aKilledSessionLosesTheClaimAndTheRowsAreBack()
    {
        const DatabaseUrl url = m_ground.tenRows();
        SideSession side(url);
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(asRelay(url), StoreAccess::Relay)));
        QVERIFY_RESULT(store.claim(4, {}));
        killRelay(side);
        QVERIFY(!store.verifyClaim().has_value());
        QCOMPARE(commitTaken(store).error().kind, Error::Kind::Unreachable);
        QVERIFY(!store.isOpen());
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"10"_s);
        QVERIFY_RESULT(store.rollback());
        QVERIFY_RESULT(store.ensureOpen());
        const auto again = store.claim(4, {});
        QVERIFY_RESULT(again);
        QCOMPARE(again->size(), 4);
        QVERIFY_RESULT(commitTaken(store));
        killRelay(side);
        QCOMPARE(store.waitForChange(5000).error().kind, Error::Kind::Unreachable);
    }

    void aRelayThatStandsStillLosesItsRows()
    {
        const DatabaseUrl url = m_ground.tenRows();
        SideSession side(url);
        StoreSettings settings = settingsFor(asRelay(url), StoreAccess::Relay);
        settings.idleInTransactionTimeoutMs = 200; // the server counts in seconds
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settings));
        QVERIFY_RESULT(store.claim(4, {}));
        QTRY_VERIFY_WITH_TIMEOUT(side.run(killOthers).isEmpty(), 10'000);
        QCOMPARE(store.verifyClaim().error().kind, Error::Kind::Unreachable);
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"10"_s);
    }

    void interruptFreesACallOnAServerThatStandsStill()
    {
        interruptFreesACall(m_ground.databases.mariadb, m_ground.tenRows());
    }

    void aServerThatStandsStillEndsInATimeoutOfOurOwn()
    {
        standstillIsATimeout(m_ground.databases.mariadb, m_ground.tenRows());
    }
};

} // namespace tst_mariadb

OUTBOX_TEST(tst_mariadb::TestMariadb)
#include "tst_mariadb.moc"
