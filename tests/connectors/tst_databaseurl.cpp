// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// URLs of databases: what is read, what is refused, and that no password is ever shown.
#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/driver/postgresclient.h"
#include "connectors/sql/driver/storesettings.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_databaseurl {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestDatabaseUrl : public QObject
{
    Q_OBJECT

private slots:
    void readsEveryForm_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("host");
        QTest::addColumn<int>("port");
        QTest::addColumn<QString>("database");
        QTest::addColumn<QString>("user");
        QTest::newRow("full") << u"postgresql://ana@db.example:5433/shop?sslmode=verify-full"_s
                              << u"db.example"_s << 5433 << u"shop"_s << u"ana"_s;
        QTest::newRow("short") << u"postgres://db/shop"_s << u"db"_s << 0 << u"shop"_s << QString();
        QTest::newRow("socket") << u"postgresql:///shop?host=/run/my%20sock&user=ana"_s
                                << u"/run/my sock"_s << 0 << u"shop"_s << u"ana"_s;
        QTest::newRow("socket as host") << u"postgresql://%2Frun%2Fsock/shop"_s << u"/run/sock"_s
                                        << 0 << u"shop"_s << QString();
        QTest::newRow("address") << u"postgresql://[::1]:5432/shop"_s << u"::1"_s << 5432
                                 << u"shop"_s << QString();
        QTest::newRow("several hosts")
            << u"postgresql://a:5432,b:5433/shop"_s << u"a,b"_s << 0 << u"shop"_s << QString();
        QTest::newRow("signs") << u"postgresql://a%40b@db/my%2Fshop"_s << u"db"_s << 0
                               << u"my/shop"_s << u"a@b"_s;
        QTest::newRow("mysql") << u"mysql://ana@db.example:3307/shop?ssl_ca=/etc/ca.pem"_s
                               << u"db.example"_s << 3307 << u"shop"_s << u"ana"_s;
        QTest::newRow("mariadb") << u"mariadb://db/shop"_s << u"db"_s << 0 << u"shop"_s
                                 << QString();
        QTest::newRow("mysql socket") << u"mysql://ana@/shop?unix_socket=/run/my%20sql.sock"_s
                                      << QString() << 0 << u"shop"_s << u"ana"_s;
        QTest::newRow("file") << u"sqlite:///var/lib/my%20app/outbox.db"_s << QString() << 0
                              << u"/var/lib/my app/outbox.db"_s << QString();
    }

    void readsEveryForm()
    {
        QFETCH(QString, text);
        const auto url = DatabaseUrl::fromUrl(text);
        QVERIFY_RESULT(url);
        QTEST(url->host, "host");
        QTEST(url->port, "port");
        QTEST(url->database, "database");
        QTEST(url->user, "user");
        const auto again = DatabaseUrl::fromUrl(url->shown());
        QVERIFY_RESULT(again);
        QCOMPARE(*again, *url);
    }

    void keepsWhatLibpqUnderstands()
    {
        const auto url = DatabaseUrl::fromUrl(u"postgresql://a:5432,b:5433/x?sslmode=require"_s);
        QVERIFY_RESULT(url);
        QCOMPARE(url->options.value(u"sslmode"_s), u"require"_s);
        QCOMPARE(url->options.value(u"port"_s), u"5432,5433"_s);
    }

    void severalHostsAreShownAsTheyAreWritten_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("ports");
        const auto row = [](const char *name, const QString &text, const QString &shown,
                            const QString &ports) {
            QTest::newRow(name) << QString(u"postgresql://"_s + text)
                                << QString(u"postgresql://"_s + shown) << ports;
        };
        row("no ports", u"h1,h2/db"_s, u"h1,h2/db"_s, {});
        row("one port", u"h1,h2:5433/db"_s, u"h1,h2:5433/db"_s, u",5433"_s);
        row("user", u"ana@h1:5432,h2:5433/db?sslmode=require"_s,
            u"ana@h1:5432,h2:5433/db?sslmode=require"_s, u"5432,5433"_s);
        row("addresses", u"[::1]:5433,10.0.0.2/db"_s, u"[::1]:5433,10.0.0.2/db"_s, u"5433,"_s);
        row("one port for all", u"/db?host=h1,h2&port=5433"_s, u"h1:5433,h2:5433/db"_s,
            u"5433,5433"_s);
        row("ports as a parameter", u"/db?host=h1,h2&port=5433,5434"_s, u"h1:5433,h2:5434/db"_s,
            u"5433,5434"_s);
        row("sockets", u"/db?host=/run/a,/run/b"_s, u"/db?host=/run/a,/run/b"_s, {});
        row("a socket and a host", u"/db?host=/run/a,h2&port=5432,5433"_s,
            u"/db?host=/run/a,h2&port=5432,5433"_s, u"5432,5433"_s);
        row("a standby is allowed", u"h1,h2/db?target_session_attrs=prefer-standby"_s,
            u"h1,h2/db?target_session_attrs=prefer-standby"_s, {});
    }
    void severalHostsAreShownAsTheyAreWritten()
    {
        QFETCH(QString, text);
        const auto url = DatabaseUrl::fromUrl(text);
        QVERIFY_RESULT(url);
        QVERIFY(url->hasSeveralHosts());
        QTEST(url->shown(), "shown");
        QTEST(url->options.value(u"port"_s), "ports");
        const auto again = DatabaseUrl::fromUrl(url->shown());
        QVERIFY_RESULT(again);
        QCOMPARE(*again, *url);
    }

    void severalHostsOfMariadbAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("mysql") << u"mysql://ana@h1:3306,h2,h3:3307/shop?ssl_mode=required"_s;
        QTest::newRow("mariadb") << u"mariadb://ana@h1:3306,h2,h3:3307/shop?ssl_mode=required"_s;
    }
    void severalHostsOfMariadbAreRead()
    {
        QFETCH(QString, text);
        const auto url = DatabaseUrl::fromUrl(text);
        QVERIFY_RESULT(url);
        QVERIFY(url->hasSeveralHosts());
        QCOMPARE(url->host, u"h1,h2,h3"_s);
        QCOMPARE(url->options.value(u"port"_s), u"3306,,3307"_s);
        QCOMPARE(url->shown(), u"mysql://ana@h1:3306,h2,h3:3307/shop?ssl_mode=required"_s);
        const auto again = DatabaseUrl::fromUrl(url->shown());
        QVERIFY_RESULT(again);
        QCOMPARE(*again, *url);
    }

    void whatIsWishedForBySessionsIsKnown_data()
    {
        QTest::addColumn<QString>("wish");
        QTest::addColumn<int>("look");
        QTest::addColumn<int>("lookForChange");
        const auto row = [](const char *wish, ServerWish look, ServerWish forChange) {
            QTest::newRow(wish) << QString::fromLatin1(wish) << int(look) << int(forChange);
        };
        using enum ServerWish;
        row("any", PrimaryOrStandby, PrimaryOrStandby);
        row("primary", Primary, Primary);
        row("prefer-standby", StandbyOrPrimary, PrimaryOrStandby);
    }
    void whatIsWishedForBySessionsIsKnown()
    {
        QFETCH(QString, wish);
        const auto url
            = DatabaseUrl::fromUrl(u"postgresql://h1,h2/db?target_session_attrs="_s + wish);
        QVERIFY_RESULT(url);
        StoreSettings settings;
        settings.url = *url;
        QTEST(int(serverWish(settings)), "look");
        settings.isForChange = true;
        QTEST(int(serverWish(settings)), "lookForChange");
        for (const StoreAccess access : {StoreAccess::Relay, StoreAccess::Act}) {
            settings.access = access;
            QCOMPARE(serverWish(settings), ServerWish::Primary);
        }
    }

    void aWishThatContradictsIsRefused_data()
    {
        QTest::addColumn<QString>("wish");
        for (const char *wish : {"read-write", "read-only", "standby"})
            QTest::newRow(wish) << QString::fromLatin1(wish);
    }
    void aWishThatContradictsIsRefused()
    {
        QFETCH(QString, wish);
        const auto url
            = DatabaseUrl::fromUrl(u"postgresql://h1,h2/db?target_session_attrs="_s + wish);
        QVERIFY(!url);
        QCOMPARE(url.error().kind, Error::Kind::Invalid);
        QVERIFY(url.error().text.contains(wish));
        QVERIFY(url.error().text.contains(u"contradicts"_s));
        QVERIFY(url.error().hint.contains(u"prefer-standby"_s));
    }

    void neverShowsAPassword_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("login") << u"postgresql://ana:hunter2@db/shop"_s;
        QTest::newRow("parameter") << u"postgresql://ana@db/shop?password=hunter2"_s;
        QTest::newRow("mysql") << u"mysql://ana:hunter2@db/shop"_s;
        QTest::newRow("at sign") << u"postgresql://ana:hunter2%40x@db/shop"_s;
    }

    void neverShowsAPassword()
    {
        QFETCH(QString, text);
        const auto url = DatabaseUrl::fromUrl(text);
        QVERIFY_RESULT(url);
        QVERIFY(url->passwordInUrl);
        QVERIFY(url->password.startsWith(u"hunter2"_s));
        QVERIFY(!url->shown().contains(u"hunter2"_s));
    }

    void refusesTheRest_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<Error::Kind>("kind");
        QTest::newRow("empty") << QString() << Error::Kind::Invalid;
        QTest::newRow("word") << u"outbox"_s << Error::Kind::Invalid;
        QTest::newRow("port") << u"postgresql://db:0/x"_s << Error::Kind::Invalid;
        QTest::newRow("more ports than hosts")
            << u"postgresql:///x?host=a,b&port=1,2,3"_s << Error::Kind::Invalid;
        QTest::newRow("ports of one host")
            << u"postgresql://db/x?port=1,2"_s << Error::Kind::Invalid;
        QTest::newRow("a port of several")
            << u"postgresql:///x?host=a,b&port=1,99999"_s << Error::Kind::Invalid;
        QTest::newRow("host without name") << u"postgresql://a,,b/x"_s << Error::Kind::Invalid;
        QTest::newRow("addresses of other hosts")
            << u"postgresql://a,b/x?hostaddr=10.0.0.1"_s << Error::Kind::Invalid;
        QTest::newRow("unknown wish")
            << u"postgresql://a,b/x?target_session_attrs=first"_s << Error::Kind::Invalid;
        QTest::newRow("relative file") << u"sqlite://outbox.db"_s << Error::Kind::Invalid;
        QTest::newRow("no file") << u"sqlite://"_s << Error::Kind::Invalid;
        QTest::newRow("mysql without database") << u"mysql://ana@db"_s << Error::Kind::Invalid;
        QTest::newRow("mysql word") << u"mysql://db/x?sslmode=require"_s << Error::Kind::Invalid;
        QTest::newRow("mysql mode") << u"mysql://db/x?ssl_mode=maybe"_s << Error::Kind::Invalid;
        QTest::newRow("mysql host without name") << u"mysql://a,,b/x"_s << Error::Kind::Invalid;
        QTest::newRow("mysql ports of one host")
            << u"mysql://db/x?port=1,2"_s << Error::Kind::Invalid;
        QTest::newRow("mysql more ports than hosts")
            << u"mysql:///x?host=a,b&port=1,2,3"_s << Error::Kind::Invalid;
        QTest::newRow("mysql hosts and a socket")
            << u"mysql://a,b/x?unix_socket=/run/s"_s << Error::Kind::Invalid;
        QTest::newRow("mysql host and socket")
            << u"mysql://db/x?unix_socket=/run/s"_s << Error::Kind::Invalid;
        QTest::newRow("oracle") << u"oracle://db/x"_s << Error::Kind::Unsupported;
    }

    void refusesTheRest()
    {
        QFETCH(QString, text);
        const auto url = DatabaseUrl::fromUrl(text);
        QVERIFY(!url.has_value());
        QTEST(url.error().kind, "kind");
        QVERIFY(!url.error().hint.isEmpty() || !url.error().text.isEmpty());
    }

    void aPasswordThatWasNotEncodedIsNotQuoted_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("slash") << u"postgresql://ana:hunter2/x@db:5432/shop"_s;
        QTest::newRow("question mark") << u"postgresql://ana:a?hunter2@db/shop"_s;
        QTest::newRow("both") << u"mysql://ana:a/b?hunter2=x@db/shop"_s;
        QTest::newRow("comma") << u"mysql://ana:1,hunter2/x@db/shop"_s;
    }
    void aPasswordThatWasNotEncodedIsNotQuoted()
    {
        QFETCH(QString, text);
        const auto url = DatabaseUrl::fromUrl(text);
        QVERIFY(!url);
        QVERIFY2(!oneLine(url.error()).contains(u"hunter2"_s), qPrintable(oneLine(url.error())));
        QVERIFY(!url.error().hint.isEmpty());
    }
};

} // namespace tst_databaseurl

OUTBOX_TEST(tst_databaseurl::TestDatabaseUrl)
#include "tst_databaseurl.moc"
