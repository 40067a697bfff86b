// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What MariaDB does in its own way: sessions that end, locks that are waited for, rows larger than
// a packet, keys of 16 bytes, servers that cannot be spoken to.
#include "connectors/room.h"
#include "connectors/sql/mariadboptions.h"
#include "connectors/sql/outboxeditor.h"
#include "connectors/sql/parkedtable.h"
#include "tests/connectors/editfixture.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QUuid>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto dialect = DatabaseUrl::Dialect::MariaDb;

/// Every kind of column that a table may have, each with values that are easily spoilt.
const QStringList everyType{
    uR"(CREATE TABLE outbox (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, type text, payload longblob,
 t1 tinyint, t1f tinyint(1), i2 smallint, i3 mediumint, i8 bigint, u8 bigint unsigned, z int(5) zerofill,
 n decimal(38,10), f4 float, f42 float(7,2), f8 double, b3 bit(3), b64 bit(64), v varchar(10), c char(5),
 l varchar(10) CHARACTER SET latin1, u2 varchar(10) CHARACTER SET ucs2, tt tinytext, mt mediumtext,
 bi binary(4), vb varbinary(10), tb tinyblob, b16 binary(16), d date, t time(6), dt datetime(6), dt0 datetime,
 ts timestamp(6) NULL, y year, e enum('so, so', 'it''s "fine"'), s set('a', 'b c'), j json, p point,
 ip inet6, "we""ird, na%1me ?:x" text, g bigint GENERATED ALWAYS AS (i2 * 2) STORED,
 gv int GENERATED ALWAYS AS (i2 + 1) VIRTUAL, un uuid UNIQUE DEFAULT (uuid())) CHARACTER SET utf8mb4)"_s,
    uR"(INSERT INTO outbox (type, payload, t1, t1f, i2, i3, i8, u8, z, n, f4, f42, f8, b3, b64, v, c, l, u2, tt,
 mt, bi, vb, tb, b16, d, t, dt, dt0, ts, y, e, s, j, p, ip, "we""ird, na%1me ?:x") VALUES
 ('it''s\n \\x "q" ü€😀', x'00ff80c328270a', -128, 7, -32768, -8388608, -9223372036854775808,
 18446744073709551615, 42, 1234567890123456789012345678.0987654321, 0.1e0 + 0.2e0, 12345.67, 0.1e0 + 0.2e0,
 b'101', x'8000000000000001', 'abc  ', 'ab', 'ü', '€', '', 'm', x'0061', x'00ff', x'', x'00112233445566778899aabbccddeeff',
 '9999-12-31', '-838:59:59.999999', '2026-03-29 02:30:00.123456', '1000-01-01 00:00:00',
 '2026-10-25 01:30:00.654321', 2155, 'it''s "fine"', 'a,b c', '{"a":  1.00, "a":2}', point(0.1, -1e-300),
 '::1', ' '),
 ('', '', 0, 0, 0, 0, 0, 0, 0, 0, 3.4028234e38, 0, 1.7976931348623157e308, b'0', b'0', '', '', '', '', '', '',
 '', '', '', '', '1000-01-01', '00:00:00', '1000-01-01 00:00:00.000001', '9999-12-31 23:59:59',
 '1970-01-01 00:00:01', 1901, 'so, so', '', 'null', point(0, 0), '::ffff:10.0.0.1', ''),
 ('short', NULL, NULL, 1, NULL, NULL, 1, 1, NULL, -0.0000000001, 1.17549e-38, NULL, 5e-324, NULL, NULL, NULL, NULL,
 NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
 NULL))"_s,
    u"INSERT INTO outbox (type) VALUES (NULL)"_s};

const QString killOthers
    = u"SELECT id FROM information_schema.processlist WHERE user = 'relay' AND db = DATABASE()"_s;

} // namespace

class TestMariadb : public QObject
{
    Q_OBJECT

    Databases m_databases;

    DatabaseUrl tenRows()
    {
        const DatabaseUrl url = m_databases.fresh(dialect);
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(10, u"n, 'mail', 'x'"_s, u"outbox"_s));
        return url;
    }
    /// The same as another account, which gets these rights on the database.
    static DatabaseUrl as(const DatabaseUrl &url, const QString &account, const QString &rights)
    {
        SideSession side(url);
        side.run(u"CREATE USER IF NOT EXISTS %1@localhost"_s.arg(account));
        for (const QString &right : rights.split(u';', Qt::SkipEmptyParts))
            side.run(u"GRANT %1 TO %2@localhost"_s.arg(right, account));
        DatabaseUrl other = url;
        other.user = account;
        return other;
    }
    static DatabaseUrl asRelay(const DatabaseUrl &url)
    {
        return as(url, u"relay"_s, u"ALL ON %1.*"_s.arg(url.database));
    }
    static void killRelay(SideSession &side)
    {
        for (const QString &id : side.run(killOthers))
            side.run(u"KILL "_s + id);
        QTRY_VERIFY(side.run(killOthers).isEmpty());
    }
    static void openRelay(OutboxStore &store, const DatabaseUrl &url,
                          const OutboxShape &shape = classicShape())
    {
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::Relay)));
        QVERIFY_RESULT(store.use(shape));
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_databases.mariadb); }
    void cleanup() { m_databases.mariadb.thaw(); }

    void errorsHaveTheirKind_data()
    {
        QTest::addColumn<StoreAccess>("access");
        QTest::addColumn<QString>("sql");
        QTest::addColumn<Error::Kind>("kind");
        QTest::addColumn<QString>("code");
        using enum StoreAccess;
        QTest::newRow("read-only")
            << Look << u"DELETE FROM outbox"_s << Error::Kind::Refused << u"1792"_s;
        QTest::newRow("row lock") << Look << u"SELECT id FROM outbox FOR UPDATE"_s
                                  << Error::Kind::Refused << u"1792"_s;
        QTest::newRow("read-only DDL")
            << Look << u"DROP TABLE outbox"_s << Error::Kind::Refused << u"1792"_s;
        QTest::newRow("too slow") << Look << u"SELECT SLEEP(20)"_s << Error::Kind::Timeout
                                  << u"1969"_s;
        QTest::newRow("two statements")
            << Relay << u"SELECT 1; SELECT 2"_s << Error::Kind::Invalid << u"1064"_s;
        QTest::newRow("no table") << Look << u"SELECT 1 FROM nothing"_s << Error::Kind::Invalid
                                  << u"1146"_s;
        QTest::newRow("no column")
            << Look << u"SELECT nothing FROM outbox"_s << Error::Kind::Invalid << u"1054"_s;
        QTest::newRow("duplicate") << Relay << u"INSERT INTO outbox VALUES (1, 'a', 'b')"_s
                                   << Error::Kind::Constraint << u"1062"_s;
        QTest::newRow("too long") << Relay << u"INSERT INTO outbox VALUES (99999999999, 'a', 'b')"_s
                                  << Error::Kind::Invalid << u"1264"_s;
    }

    void errorsHaveTheirKind()
    {
        QFETCH(StoreAccess, access);
        QFETCH(QString, sql);
        StoreSettings settings = settingsFor(tenRows(), access);
        settings.statementTimeoutMs = 300;
        SocketBreaker breaker;
        const auto session = makeSession(settings, breaker);
        QVERIFY_RESULT(session->open(settings));
        const auto rows = session->query({sql, {}}, u"testing"_s);
        QVERIFY(!rows.has_value());
        QTEST(rows.error().kind, "kind");
        QTEST(rows.error().code, "code");
        QVERIFY(session->isUp());
    }

    void connectingToNothingIsAnError()
    {
        DatabaseUrl url = tenRows();
        OutboxStore store;
        url.database = u"nothing"_s;
        QCOMPARE(store.open(settingsFor(url, StoreAccess::Look)).error().kind,
                 Error::Kind::Refused);
        url.user = u"nobody"_s;
        QCOMPARE(store.open(settingsFor(url, StoreAccess::Look)).error().kind,
                 Error::Kind::Refused);
        url.options[u"unix_socket"_s] = u"/nowhere"_s;
        const auto opened = store.open(settingsFor(url, StoreAccess::Look));
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

        StoreSettings settings = settingsFor(tenRows(), StoreAccess::Look);
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
        StoreSettings settings = settingsFor(*DatabaseUrl::fromUrl(own.url()), StoreAccess::Look);
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
        const DatabaseUrl url = tenRows();
        SideSession(url).run(u"ALTER TABLE outbox ENGINE = MyISAM"_s);
        OutboxStore store;
        openRelay(store, url);
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
        const DatabaseUrl url = tenRows();
        const DatabaseUrl guest
            = as(url, u"guest"_s, u"SELECT (id) ON %1.outbox"_s.arg(url.database));
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(guest, StoreAccess::Look)));
        const auto used = store.use(classicShape());
        QVERIFY(!used.has_value()); // a column that may not be read is not in the catalog
        const DatabaseUrl reader = as(url, u"reader"_s, u"SELECT ON %1.outbox"_s.arg(url.database));
        OutboxStore relay;
        openRelay(relay, reader);
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
        const DatabaseUrl url = m_databases.fresh(dialect);
        SideSession side(url);
        makeKeptTable(side, url, 4);
        side.run(OutboxEditor::auditTableSql(dialect).section(u';', 0, 0));
        const auto rightsOf = [&](const QString &account, const QString &rights) {
            OutboxEditor editor;
            const DatabaseUrl own = as(url, account, QString(rights).replace(u"@"_s, url.database));
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
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        OutboxStore store;
        openRelay(store, asRelay(url));
        QVERIFY_RESULT(store.claim(4, {}));
        killRelay(side);
        QVERIFY(!store.verifyClaim().has_value());
        QCOMPARE(store.commit().error().kind, Error::Kind::Unreachable);
        QVERIFY(!store.isOpen());
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"10"_s);
        QVERIFY_RESULT(store.rollback());
        QVERIFY_RESULT(store.ensureOpen());
        const auto again = store.claim(4, {});
        QVERIFY_RESULT(again);
        QCOMPARE(again->size(), 4);
        QVERIFY_RESULT(store.commit());
        killRelay(side);
        QCOMPARE(store.waitForChange(5000).error().kind, Error::Kind::Unreachable);
    }

    void aRelayThatStandsStillLosesItsRows()
    {
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        StoreSettings settings = settingsFor(asRelay(url), StoreAccess::Relay);
        settings.idleInTransactionTimeoutMs = 200; // the server counts in seconds
        OutboxStore store;
        QVERIFY_RESULT(store.open(settings));
        QVERIFY_RESULT(store.use(classicShape()));
        QVERIFY_RESULT(store.claim(4, {}));
        QTRY_VERIFY_WITH_TIMEOUT(side.run(killOthers).isEmpty(), 10'000);
        QCOMPARE(store.verifyClaim().error().kind, Error::Kind::Unreachable);
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"10"_s);
    }

    void interruptFreesACallOnAServerThatStandsStill()
    {
        StoreSettings settings = settingsFor(tenRows(), StoreAccess::Relay);
        settings.statementTimeoutMs = 60'000;
        Room<OutboxStore> room(u"test"_s);
        auto opened = room.run([settings](OutboxStore &store) -> Result<OutboxStore *> {
            if (auto open = store.open(settings); !open)
                return passOn(open);
            if (auto used = store.use(classicShape()); !used)
                return passOn(used);
            return &store;
        });
        opened.waitForFinished();
        QVERIFY_RESULT(opened.result());
        OutboxStore *store = *opened.result();
        m_databases.mariadb.freeze();
        QElapsedTimer clock;
        clock.start();
        auto claimed = room.run([](OutboxStore &one) { return one.claim(3, {}); });
        QTRY_VERIFY((store->interrupt(), claimed.isFinished()));
        QVERIFY(clock.elapsed() < 5000);
        QCOMPARE(claimed.result().error().kind, Error::Kind::Unreachable);
        m_databases.mariadb.thaw();
        auto again = room.run([](OutboxStore &one) -> Result<QList<ClaimedMessage>> {
            if (auto open = one.ensureOpen(); !open)
                return passOn(open);
            return one.claim(3, {});
        });
        again.waitForFinished();
        QVERIFY_RESULT(again.result());
        QCOMPARE(again.result()->size(), 3);
    }

    void aServerThatStandsStillEndsInATimeoutOfOurOwn()
    {
        StoreSettings settings = settingsFor(tenRows(), StoreAccess::Look);
        settings.statementTimeoutMs = 100;
        OutboxStore store;
        QVERIFY_RESULT(store.open(settings));
        QVERIFY_RESULT(store.use(classicShape()));
        m_databases.mariadb.freeze();
        const auto seen = store.snapshot();
        m_databases.mariadb.thaw();
        QCOMPARE(seen.error().kind, Error::Kind::Timeout);
        QVERIFY(!store.isOpen());
        QVERIFY_RESULT(store.ensureOpen());
        QVERIFY_RESULT(store.snapshot());
    }

    void aLockThatIsWaitedForInVainUndoesAll()
    {
        const DatabaseUrl url = m_databases.fresh(dialect);
        SideSession side(url);
        makeKeptTable(side, url, 8);
        SideSession other(url);
        const auto rows = seenRows(url, keptShape(), {u"2"_s, u"4"_s, u"6"_s});
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(url), keptShape()));
        other.all({u"START TRANSACTION"_s, u"SELECT id FROM outbox WHERE id = 4 FOR UPDATE"_s});
        QVERIFY_RESULT(editor.begin());
        const auto held = editor.hold(rows); // waits for nobody
        QVERIFY_RESULT(held);
        QCOMPARE(idsOf(*held), QStringList({u"2"_s, u"6"_s}));
        const auto first = editor.reopen({rows.at(0)});
        QVERIFY_RESULT(first);
        QCOMPARE(first->size(), 1);
        const auto late = editor.reopen({rows.at(1)});
        QCOMPARE(late.error().kind, Error::Kind::Timeout);
        QCOMPARE(late.error().code, u"1205"_s);
        // The server kept the transaction and its first half; we did not.
        QCOMPARE(editor.commit().error().kind, Error::Kind::Conflict);
        other.run(u"ROLLBACK"_s);
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox WHERE completed_at IS NULL"_s), u"4"_s);
    }

    void aFailureIsNotedUnlessTheRowIsHeld()
    {
        const DatabaseUrl url = m_databases.fresh(dialect);
        SideSession side(url);
        side.run(classicTable(u", tries integer, why varchar(5)"_s));
        side.run(numbered(2, u"n, 'mail', 'x', NULL, NULL"_s, u"outbox"_s));
        OutboxShape shape = classicShape();
        shape.attemptsColumn = u"tries"_s;
        shape.errorColumn = u"why"_s;
        OutboxStore store;
        openRelay(store, url, shape);
        QVERIFY_RESULT(store.noteFailure({u"1"_s}, u"too long for it"_s));
        QVERIFY_RESULT(store.noteFailure({u"1"_s}, u"again"_s));
        QVERIFY_RESULT(store.noteFailure({u"7"_s}, u"gone"_s));
        side.all({u"START TRANSACTION"_s, u"SELECT id FROM outbox WHERE id = 2 FOR UPDATE"_s});
        QElapsedTimer clock;
        clock.start();
        QVERIFY_RESULT(store.noteFailure({u"2"_s}, u"held"_s));
        side.run(u"ROLLBACK"_s);
        QCOMPARE(side.run(u"SELECT concat_ws('|', tries, why) FROM outbox ORDER BY id"_s),
                 QStringList({u"2|again"_s, QString()}));
    }

    void claimsInAnOrderWithoutIndexLockNoMoreThanTheyTake()
    {
        const DatabaseUrl url = m_databases.fresh(dialect);
        SideSession side(url);
        side.run(classicTable(u", created_at timestamp NOT NULL"_s));
        side.run(numbered(
            100, u"n, 'mail', 'x', timestamp '2026-01-01 00:00:00' + interval 100 - n second"_s,
            u"outbox"_s));
        OutboxShape shape = classicShape();
        shape.createdColumn = u"created_at"_s;
        shape.order = QStringList{u"created_at"_s, u"id"_s};
        OutboxStore one;
        OutboxStore two;
        openRelay(one, url, shape);
        openRelay(two, url, shape);
        const auto first = one.claim(3, {});
        QVERIFY_RESULT(first);
        QCOMPARE(idsOf(*first), QStringList({u"100"_s, u"99"_s, u"98"_s}));
        const auto second = two.claim(3, {});
        QVERIFY_RESULT(second);
        QCOMPARE(idsOf(*second), QStringList({u"97"_s, u"96"_s, u"95"_s}));
        QCOMPARE(side.one(u"SELECT max(trx_rows_locked) <= 6 FROM information_schema.innodb_trx"_s),
                 u"1"_s);
        const auto seen = two.snapshot();
        QVERIFY_RESULT(seen);
        QVERIFY(!seen->locked && !seen->lockVisible);
        QVERIFY2(seen->notes.value(u"locked"_s).contains(u"2 transactions"_s),
                 qPrintable(seen->notes.value(u"locked"_s)));
        QVERIFY_RESULT(one.commit());
        QVERIFY_RESULT(two.rollback());
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"97"_s);
    }

    void nobodyWaitsForRowsThatAreNotMeant_data()
    {
        QTest::addColumn<bool>("keeps");
        QTest::newRow("rows are deleted") << false;
        QTest::newRow("rows are marked") << true;
    }
    void nobodyWaitsForRowsThatAreNotMeant()
    {
        // Of so small a table the server would rather read all than go by the key.
        QFETCH(bool, keeps);
        const DatabaseUrl url = m_databases.fresh(dialect);
        SideSession side(url);
        makeKeptTable(side, url, 40);
        OutboxShape shape = keptShape();
        if (!keeps) {
            side.run(u"ALTER TABLE outbox DROP COLUMN completed_at"_s);
            shape = classicShape();
        }
        OutboxStore one;
        OutboxStore two;
        openRelay(one, url, shape);
        openRelay(two, url, shape);
        const auto first = one.claim(10, {});
        QVERIFY_RESULT(first);
        const auto second = two.claim(10, {});
        QVERIFY_RESULT(second);
        QCOMPARE(second->size(), 10);
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(url), shape));
        const auto rows = seenRows(url, shape, {u"38"_s, u"40"_s, u"1"_s});
        QVERIFY_RESULT(editor.begin());
        const auto held = editor.hold(rows);
        QVERIFY_RESULT(held);
        QCOMPARE(idsOf(*held), QStringList({u"38"_s, u"40"_s}));
        const auto removed = editor.remove(rows.mid(1));
        QVERIFY_RESULT(removed);
        QCOMPARE(removed->size(), 2);
        QVERIFY_RESULT(editor.commit());
        QVERIFY_RESULT(two.commit());
        QVERIFY_RESULT(one.commit());
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), keeps ? u"38"_s : u"18"_s);
    }

    void theSameValueAgainIsAWrite()
    {
        const DatabaseUrl url = tenRows();
        OutboxEditor editor;
        SideSession(url).all({u"CREATE TABLE mails (id integer PRIMARY KEY, status varchar(9))"_s,
                              u"INSERT INTO mails VALUES (1, 'sent')"_s});
        const StatusTable mails{{QString(), u"mails"_s}, u"id"_s, u"status"_s, u"sent"_s};
        QVERIFY_RESULT(editor.open(actSettings(url), classicShape()));
        QVERIFY_RESULT(editor.begin());
        QCOMPARE(editor.setStatus(mails, {u"1"_s}, u"sent"_s, u"sent"_s), Result<bool>(true));
        QCOMPARE(editor.setStatus(mails, {u"1"_s}, u"SENT"_s, u"sent"_s), Result<bool>(false));
        QVERIFY_RESULT(editor.commit());
    }

    void keysOfSixteenBytesAreUuids()
    {
        const DatabaseUrl url = m_databases.fresh(dialect);
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id binary(16) PRIMARY KEY, type text NOT NULL,"
                 " payload json NOT NULL)"_s);
        QStringList ids;
        for (int n = 1; n <= 5; ++n) {
            ids += u"0189c3a4-0000-7000-8000-00000000000%1"_s.arg(n);
            side.run(
                u"INSERT INTO outbox VALUES (unhex(replace('%1', '-', '')), 'mail', '{}')"_s.arg(
                    ids.constLast()));
        }
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::Relay)));
        const auto found = store.probe();
        QVERIFY_RESULT(found);
        QCOMPARE(found->size(), 1);
        const OutboxShape shape = found->constFirst().shape;
        QCOMPARE(shape.keyForm, OutboxShape::KeyForm::UuidBytes);
        QCOMPARE(shape.payloadForm, OutboxShape::PayloadForm::Json);
        QCOMPARE(shape.taskId, u"{id}"_s);
        QVERIFY(shape.canRelay());
        QCOMPARE(*OutboxShape::fromJson(shape.toJson()), shape);
        QVERIFY_RESULT(store.use(shape));
        PageRequest request;
        request.idPrefix = u"0189C3A4-0000-7000-8000-000000000003"_s;
        QCOMPARE(store.page(request)->rows.size(), 1);
        request.idPrefix = u"0189c3a4-00"_s;
        QCOMPARE(store.page(request)->rows.size(), 5);
        const auto row = store.find({ids.at(1).toUpper()});
        QVERIFY_RESULT(row);
        QCOMPARE((*row)->id.text, ids.at(1));
        const auto claimed = store.claim(9, {{ids.at(0)}, {ids.at(3)}});
        QVERIFY_RESULT(claimed);
        QCOMPARE(idsOf(*claimed), QStringList({ids.at(1), ids.at(2), ids.at(4)}));
        QVERIFY_RESULT(store.commit());
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"2"_s);
    }

    void textKeysAreFoundByWhatTheyBeginWith()
    {
        const DatabaseUrl url = m_databases.fresh(dialect);
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id varchar(30) CHARACTER SET latin1 PRIMARY KEY, type text,"
                 " payload text)"_s);
        side.run(u"INSERT INTO outbox VALUES ('order_1', 'a', 'x'), ('order%2', 'a', 'x'),"
                 " ('ORDER-3', 'a', 'x'), ('orders', 'a', 'x'), ('é!', 'a', 'x')"_s);
        OutboxShape shape = classicShape();
        shape.keyForm = OutboxShape::KeyForm::Text;
        OutboxStore store;
        QVERIFY_RESULT(store.open(settingsFor(url, StoreAccess::Look)));
        QVERIFY_RESULT(store.use(shape));
        const auto found = [&store](const QString &prefix) {
            PageRequest request;
            request.idPrefix = prefix;
            const auto page = store.page(request);
            if (!page)
                return oneLine(page.error());
            QStringList ids;
            for (const Message &row : page->rows)
                ids += row.id.text;
            ids.sort();
            return ids.join(u' ');
        };
        QCOMPARE(found(u"order"_s), u"order%2 order_1 orders"_s);
        QCOMPARE(found(u"order_"_s), u"order_1"_s);
        QCOMPARE(found(u"order%"_s), u"order%2"_s);
        QCOMPARE(found(u"ORDER"_s), u"ORDER-3"_s);
        QCOMPARE(found(u"é!"_s), u"é!"_s);
        QCOMPARE(found(u"€"_s), QString());
    }

    void aPayloadLargerThanAPacketIsNeverEmpty()
    {
        const DatabaseUrl url = m_databases.fresh(dialect);
        SideSession side(url);
        side.run(u"CREATE TABLE outbox (id integer PRIMARY KEY, type text, payload longblob)"_s);
        side.run(u"INSERT INTO outbox VALUES (1, 'mail', repeat('x', 3000000))"_s);
        const QString usual = side.one(u"SELECT @@global.max_allowed_packet"_s);
        side.run(u"SET GLOBAL max_allowed_packet = 1048576"_s);
        OutboxStore store;
        openRelay(store, url);
        side.run(u"SET GLOBAL max_allowed_packet = "_s + usual);
        const auto before = store.find({u"1"_s});
        QVERIFY_RESULT(before);
        QCOMPARE((*before)->payloadBytes, 3'000'000);
        QCOMPARE((*before)->version.size(), 32);
        const auto claimed = store.claim(1, {});
        QVERIFY_RESULT(claimed);
        QCOMPARE(claimed->constFirst().payload.size(), 3'000'000);
        QVERIFY_RESULT(store.rollback());

        // A referenced row is put together by the server, which cannot make more than a packet.
        side.all(
            {u"CREATE TABLE mails (no integer PRIMARY KEY, body longtext)"_s,
             u"INSERT INTO mails VALUES (1, 'short'), (2, repeat('x', 3000000))"_s,
             u"CREATE TABLE pointers (id integer PRIMARY KEY, table_name text, table_id text)"_s,
             u"INSERT INTO pointers VALUES (1, 'mails', '1'), (2, 'mails', '2')"_s});
        OutboxShape shape = classicShape(u"pointers"_s);
        shape.payloadForm = OutboxShape::PayloadForm::Reference;
        shape.payloadColumn.clear();
        shape.typeColumn.clear();
        shape.fixedType = u"mail"_s;
        shape.referenceTableColumn = u"table_name"_s;
        shape.referenceIdColumn = u"table_id"_s;
        shape.referenceTables = QStringList{u"mails"_s};
        QVERIFY_RESULT(store.use(shape));
        const auto pointed = store.claim(5, {});
        QVERIFY_RESULT(pointed);
        QCOMPARE(pointed->at(0).payload, QByteArray("{\"no\":1,\"body\":\"short\"}"));
        QVERIFY(!pointed->at(1).problem.isEmpty());
        QVERIFY_RESULT(store.rollback());
    }

    void everyTypeComesBack()
    {
        const DatabaseUrl url = m_databases.fresh(dialect);
        SideSession side(url);
        for (const QString &statement : everyType)
            side.run(statement);
        const QString columns = side.one(
            u"SELECT group_concat('coalesce(hex(\"' || replace(column_name, '\"', '\"\"') || '\"),"
            " ''-''), coalesce(\"' || replace(column_name, '\"', '\"\"') || '\" + 0e0, ''-'')') "
            "FROM"
            " information_schema.columns WHERE table_schema = database() AND column_name NOT IN"
            " ('p', 'ip', 'un')"_s);
        const QString digest = u"SELECT concat_ws('|', hex(p), hex(ip), un, "_s + columns
            + u") FROM outbox ORDER BY id"_s;
        const QStringList before = side.run(digest);
        QCOMPARE(before.size(), 4);
        const auto rows = seenRows(url, classicShape());
        QCOMPARE(rows.size(), 4);
        QList<MessageId> ids;
        for (const RowGuard &row : rows)
            ids += row.id;
        OutboxEditor editor;
        QVERIFY_RESULT(editor.open(actSettings(url), classicShape()));
        const auto whole = editor.whole(ids);
        QVERIFY_RESULT(whole);
        QVERIFY_RESULT(editor.begin());
        const auto removed = editor.remove(rows);
        QVERIFY_RESULT(removed);
        QCOMPARE(removed->size(), 4);
        QVERIFY_RESULT(editor.insert(*whole));
        QVERIFY_RESULT(editor.commit());
        QCOMPARE(side.run(digest), before);
        QCOMPARE(seenRows(url, classicShape()), rows); // the same cells, the same version
        side.run(u"UPDATE outbox SET f4 = f4 * 1.0000002e0 WHERE id = 1"_s);
        QVERIFY(seenRows(url, classicShape()).constFirst() != rows.constFirst());
    }

    void whatDoesNotFitIsAnErrorAndNoWarning()
    {
        const DatabaseUrl url = tenRows();
        SideSession(url).run(u"ALTER TABLE outbox MODIFY type varchar(5)"_s);
        const auto insert = [&url](const QByteArray &type, Cell::Kind kind = Cell::Kind::Text) {
            OutboxEditor editor;
            const WholeRow row{{u"77"_s},
                               {},
                               {u"id"_s, u"type"_s, u"payload"_s},
                               {{Cell::Kind::Text, "77"}, {kind, type}, {Cell::Kind::Text, "p"}}};
            if (!editor.open(actSettings(url), classicShape()) || !editor.begin())
                return u"not open"_s;
            const auto done = editor.insert({row});
            return done ? QString::number(done->size()) : word(done.error().kind);
        };
        QCOMPARE(insert("mail"), u"1"_s);
        QCOMPARE(insert("longer"), word(Error::Kind::Invalid));
        QCOMPARE(insert("\xff\xfe"), word(Error::Kind::Invalid));
        QCOMPARE(insert("x", Cell::Kind::Bytes), word(Error::Kind::Invalid));
        QCOMPARE(SideSession(url).one(u"SELECT count(*) FROM outbox"_s), u"10"_s);
    }

    void parkedRowsAreKeptInTheDatabase()
    {
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        for (const QString &statement : ParkedTableAccess::sql(dialect).split(u';')) {
            if (statement.contains(u"CREATE"_s))
                side.run(statement);
        }
        ParkedTable table;
        QVERIFY_RESULT(table.open(settingsFor(url, StoreAccess::Relay), classicShape()));
        QVERIFY(table.access().isWritable());
        const auto parked = [](const QString &id, const QString &reason) {
            ParkedRow row;
            row.id.text = id;
            row.reason = reason;
            row.attempts = 3;
            return row;
        };
        QVERIFY_RESULT(table.put({parked(u"1"_s, u"old"_s), parked(u"a"_s, u"x"_s),
                                  parked(u"A"_s, u"y"_s), parked(u"a "_s, u"z"_s)}));
        QVERIFY_RESULT(table.put({parked(u"1"_s, u"new € 😀"_s)}));
        const auto rows = table.rows(10);
        QVERIFY_RESULT(rows);
        QCOMPARE(rows->size(), 4);
        QCOMPARE(rows->constLast().reason, u"new € 😀"_s);
        QVERIFY(qAbs(rows->constLast().at.secsTo(QDateTime::currentDateTimeUtc())) < 60);
        QVERIFY_RESULT(table.release({{u"A"_s}, {u"none"_s}}));
        QCOMPARE(table.rows(10)->size(), 3);

        const DatabaseUrl looker = as(url, u"looker"_s, u"SELECT ON %1.*"_s.arg(url.database));
        QVERIFY_RESULT(table.open(settingsFor(looker, StoreAccess::Look), classicShape()));
        QVERIFY(table.access().isReadable() && !table.access().isWritable());
        QVERIFY(table.access().obstacle().contains(u"write"_s));
    }
};

QTEST_GUILESS_MAIN(TestMariadb)
#include "tst_mariadb.moc"
