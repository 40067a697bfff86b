// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several hosts of MariaDB in one address, without a cluster: one that is dead, stands still, or is
// read-only does not keep a session from the next one.
#include "connectors/sql/driver/mariadbclient.h"
#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/mariadb/mariadbservers.h"
#include "connectors/sql/session/databasesession.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/freeport.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>

#include <array>
#include <optional>

namespace tst_mariadbservers {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestMariadbServers : public QObject
{
    Q_OBJECT

    std::array<PrivateMariadb, 2> m_servers;
    std::array<quint16, 2> m_ports{};
    const quint16 m_nobody = freePort();

    [[nodiscard]] QString host(int which) const
    {
        return u"127.0.0.1:%1"_s.arg(m_ports.at(size_t(which)));
    }
    [[nodiscard]] DatabaseUrl rootsUrl(int which) const
    {
        return DatabaseUrl::fromUrl(m_servers.at(size_t(which)).url()).value();
    }
    [[nodiscard]] static StoreSettings settingsOf(const QStringList &hosts, StoreAccess access)
    {
        StoreSettings settings;
        settings.url
            = DatabaseUrl::fromUrl(u"mysql://deck@%1/shop"_s.arg(hosts.join(u','))).value();
        settings.access = access;
        settings.servers = std::make_shared<ServerMemory>();
        return settings;
    }
    [[nodiscard]] static QString portOf(DatabaseSession &session)
    {
        const auto port = session->query({u"SELECT CAST(@@port AS char)"_s, {}}, u"testing"_s);
        return port ? u"127.0.0.1:"_s + port->text(0, 0) : oneLine(port.error());
    }

private slots:
    void initTestCase()
    {
        for (int which : {0, 1}) {
            m_ports.at(size_t(which)) = freePort();
            // A switch without a provider makes no node of a server.
            OUTBOX_START_SERVER(m_servers.at(size_t(which)),
                                PrivateMariadb::listensOn(m_ports.at(size_t(which)))
                                    + QStringList{u"--wsrep-on=ON"_s, u"--log-bin=log"_s,
                                                  u"--server-id=%1"_s.arg(which + 1)});
            SideSession side(rootsUrl(which));
            side.all({u"CREATE DATABASE shop"_s, u"CREATE USER deck@'%'"_s,
                      u"GRANT ALL ON shop.* TO deck@'%'"_s,
                      u"CREATE TABLE shop.outbox (id integer PRIMARY KEY)"_s});
        }
    }
    void cleanup()
    {
        for (PrivateMariadb &server : m_servers) {
            server.thaw();
            SideSession side(DatabaseUrl::fromUrl(server.url()).value());
            side.run(u"SET GLOBAL read_only = 0"_s);
        }
    }

    void theNextHostIsAsked_data()
    {
        QTest::addColumn<bool>("isHung");
        QTest::addColumn<StoreAccess>("access");
        QTest::newRow("dead, a look") << false << StoreAccess::ReadOnly;
        QTest::newRow("dead, a relay") << false << StoreAccess::Relay;
        QTest::newRow("hung, a look") << true << StoreAccess::ReadOnly;
        QTest::newRow("hung, a relay") << true << StoreAccess::Relay;
    }
    void theNextHostIsAsked()
    {
        QFETCH(bool, isHung);
        QFETCH(StoreAccess, access);
        constexpr int oneTryMs = 1000;
        constexpr int restMs = 2000;
        const StoreSettings settings
            = settingsOf({isHung ? host(0) : u"127.0.0.1:%1"_s.arg(m_nobody), host(1)}, access);
        if (isHung)
            m_servers.at(0).freeze();
        DatabaseSession session;
        QElapsedTimer clock;
        clock.start();
        QVERIFY_RESULT(session.open(settings));
        QVERIFY(clock.elapsed() < patient(oneTryMs + restMs));
        QCOMPARE(portOf(session), host(1));
        QCOMPARE(settings.servers->hung, isHung ? QStringList{host(0)} : QStringList());
        DatabaseSession another; // of the same thread: it does not wait for that host again
        clock.start();
        QVERIFY_RESULT(another.open(settings));
        QVERIFY(!isHung || clock.elapsed() < patient(oneTryMs));
        QCOMPARE(portOf(another), host(1));
    }

    void aHostThatStopsAnsweringIsLeft()
    {
        StoreSettings settings = settingsOf({host(0), host(1)}, StoreAccess::Relay);
        settings.statementTimeoutMs = 300;
        DatabaseSession one;
        DatabaseSession other;
        QVERIFY_RESULT(one.open(settings));
        QVERIFY_RESULT(other.open(settings));
        QCOMPARE(portOf(one), host(0));
        m_servers.at(0).freeze();
        const auto asked = one->query({u"SELECT '1'"_s, {}}, u"testing"_s);
        QVERIFY(!asked);
        QCOMPARE(asked.error().kind, Error::Kind::Timeout);
        QVERIFY(!other.isUp()); // what one of them has found out holds for all
        for (DatabaseSession *session : {&one, &other}) {
            QVERIFY_RESULT(session->ensureOpen());
            QCOMPARE(portOf(*session), host(1));
        }
    }

    void aServerThatTurnsReadOnlyIsLeftByAll()
    {
        const StoreSettings settings = settingsOf({host(0), host(1)}, StoreAccess::Relay);
        DatabaseSession one;
        DatabaseSession other;
        QVERIFY_RESULT(one.open(settings));
        QVERIFY_RESULT(other.open(settings));
        SideSession side(rootsUrl(0));
        side.run(u"SET GLOBAL read_only = 1"_s);
        const auto written = one->query({u"DELETE FROM outbox"_s, {}}, u"testing"_s);
        QVERIFY(!written);
        QCOMPARE(written.error().kind, Error::Kind::Unreachable);
        for (DatabaseSession *session : {&one, &other}) {
            QVERIFY(!session->isUp());
            QVERIFY_RESULT(session->ensureOpen());
            QCOMPARE(portOf(*session), host(1));
        }
    }

    void whereNoneTakesWritesItIsSaidOfEach()
    {
        SideSession side(rootsUrl(0));
        side.run(u"SET GLOBAL read_only = 1"_s);
        DatabaseSession relay;
        const auto opened = relay.open(
            settingsOf({host(0), u"127.0.0.1:%1"_s.arg(m_nobody)}, StoreAccess::Relay));
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Unreachable);
        QCOMPARE(opened.error().code, QString(noPrimaryCode));
        QVERIFY2(
            opened.error().text.startsWith(u"no host takes writes: %1 is read-only"_s.arg(host(0))),
            qPrintable(opened.error().text));
        QVERIFY(opened.error().text.contains(QString::number(m_nobody)));
        DatabaseSession look; // which does with it
        QVERIFY_RESULT(look.open(
            settingsOf({host(0), u"127.0.0.1:%1"_s.arg(m_nobody)}, StoreAccess::ReadOnly)));
        QCOMPARE(portOf(look), host(0));
        QVERIFY(look->isSecondBest());
    }

    /// Some accounts may write to it, and a proxy asks one server and writes to another.
    void theOnlyServerSaysItselfWhatItRefuses()
    {
        SideSession side(rootsUrl(0));
        side.run(u"SET GLOBAL read_only = 1"_s);
        DatabaseSession relay;
        QVERIFY_RESULT(relay.open(settingsOf({host(0)}, StoreAccess::Relay)));
        const auto written = relay->query({u"DELETE FROM outbox"_s, {}}, u"testing"_s);
        QVERIFY(!written);
        QCOMPARE(written.error().kind, Error::Kind::Refused);
        QVERIFY(relay.isUp());
    }

    /// What is read-only and follows nobody has all there is. One that follows another server, or
    /// did, may be behind it.
    void aReplicaIsBehindAndAReadOnlyServerIsNot()
    {
        SideSession primary(rootsUrl(1));
        primary.all({u"CREATE USER copier@'%'"_s, u"GRANT REPLICATION SLAVE ON *.* TO copier@'%'"_s,
                     u"RESET MASTER"_s});
        SideSession side(rootsUrl(0));
        DatabaseSession before; // it was met as one that takes writes
        QVERIFY_RESULT(before.open(settingsOf({host(0), host(1)}, StoreAccess::ReadOnly)));
        QVERIFY(!before->standby());
        side.all({u"RESET MASTER"_s, u"SET GLOBAL read_only = 1"_s});
        DatabaseSession look; // it may not ask whom the server follows
        QVERIFY_RESULT(look.open(settingsOf({host(0)}, StoreAccess::ReadOnly)));
        DatabaseSession rootsLook;
        StoreSettings roots = settingsOf({host(0)}, StoreAccess::ReadOnly);
        roots.url = rootsUrl(0);
        QVERIFY_RESULT(rootsLook.open(roots));
        QVERIFY(!look->standby());
        QVERIFY(!rootsLook->standby());

        side.all({u"CHANGE MASTER 'c' TO master_host = '127.0.0.1', master_port = %1,"
                  " master_user = 'copier', master_use_gtid = slave_pos"_s.arg(m_ports.at(1)),
                  u"START SLAVE 'c'"_s});
        const std::optional<StandbyState> inStep{StandbyState{0.0, {}}};
        QTRY_VERIFY_WITH_TIMEOUT(rootsLook->standby() == inStep, patient(20'000));
        const auto unasked = look->standby();
        QVERIFY(unasked.has_value());
        QVERIFY(!unasked->lagSeconds);
        QVERIFY(!unasked->whyNoLag.isEmpty());
        QVERIFY(before->standby().has_value());
        QVERIFY(before->isSecondBest()); // the next search finds the other one
        primary.run(u"INSERT INTO shop.outbox VALUES (1)"_s);
        QTRY_COMPARE_WITH_TIMEOUT(side.one(u"SELECT COUNT(*) FROM shop.outbox"_s), u"1"_s,
                                  patient(20'000));
        side.run(u"STOP SLAVE 'c'"_s);
        for (DatabaseSession *session : {&look, &rootsLook}) {
            const auto stopped = (*session)->standby();
            QVERIFY(stopped.has_value());
            QVERIFY(!stopped->lagSeconds);
        }
        side.run(u"SET GLOBAL read_only = 0"_s); // it is promoted
        QVERIFY(!look->standby());
        side.all({u"RESET SLAVE 'c' ALL"_s, u"SET GLOBAL gtid_slave_pos = ''"_s,
                  u"DELETE FROM shop.outbox"_s});
        primary.run(u"DELETE FROM shop.outbox"_s);
    }

    void errorsOfNodesHaveTheirKind()
    {
        const Error outside
            = mariadbError(u"testing"_s, u"WSREP has not yet prepared"_s, u"1047"_s);
        QCOMPARE(outside.kind, Error::Kind::Unreachable);
        QVERIFY(endsMariadbSession(u"1047"_s));
        const Error undone = mariadbError(u"testing"_s, u"Deadlock found"_s, rolledBackCode);
        QCOMPARE(undone.kind, Error::Kind::Conflict);
        QVERIFY(!endsMariadbSession(rolledBackCode));
        const auto said = [](const QString &code, const QString &text) {
            return isOfReadOnlyServer({Error::Kind::Refused, {}, text, code, {}});
        };
        QVERIFY(said(u"1290"_s, u"running with the --read-only option so it cannot"_s));
        QVERIFY(!said(u"1290"_s, u"running with the --secure-file-priv option so it cannot"_s));
        QVERIFY(said(u"1836"_s, u"Running in read-only mode"_s));
        QVERIFY(!said(u"1792"_s, u"Cannot execute statement in a READ ONLY transaction"_s));
    }

    void anAddressNamesServers()
    {
        const auto shown = [](const QString &url) {
            QStringList names;
            for (const DatabaseServer &server : mariadbServers(DatabaseUrl::fromUrl(url).value()))
                names += server.shown();
            return names;
        };
        QCOMPARE(shown(u"mysql://h1:3307,h2/shop"_s), (QStringList{u"h1:3307"_s, u"h2"_s}));
        QCOMPARE(shown(u"mysql://h1/shop"_s), QStringList{u"h1"_s});
        QCOMPARE(shown(u"mysql:///shop?unix_socket=/run/m.sock"_s), QStringList{u"/run/m.sock"_s});
    }
};

} // namespace tst_mariadbservers

OUTBOX_TEST(tst_mariadbservers::TestMariadbServers)
#include "tst_mariadbservers.moc"
