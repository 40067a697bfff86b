// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Redis URLs, as a person writes them, become values; the password never comes out again.
#include "connectors/redis/endpoint.h"
#include "connectors/redis/reads.h"
#include "connectors/redis/servererror.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_redisendpoint {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

using Transport = RedisEndpoint::Transport;

class TestRedisEndpoint : public QObject
{
    Q_OBJECT

    static RedisEndpoint tcp(Transport transport, const QString &host, quint16 port, int database)
    {
        RedisEndpoint endpoint;
        endpoint.transport = transport;
        endpoint.host = host;
        endpoint.port = port;
        endpoint.database = database;
        return endpoint;
    }

private slots:
    void theFormsOfTheManualAreUnderstood()
    {
        QCOMPARE(*RedisEndpoint::fromUrl(u"redis://db1"_s), tcp(Transport::Tcp, u"db1"_s, 6379, 0));
        QCOMPARE(*RedisEndpoint::fromUrl(u"redis://db_1:7000/3"_s),
                 tcp(Transport::Tcp, u"db_1"_s, 7000, 3));
        QCOMPARE(*RedisEndpoint::fromUrl(u"redis://[::1]:7000/"_s),
                 tcp(Transport::Tcp, u"::1"_s, 7000, 0));

        RedisEndpoint withUser = tcp(Transport::Tcp, u"db1"_s, 6379, 0);
        withUser.user = u"ops"_s;
        withUser.password = u"p@ss/wörd"_s;
        withUser.passwordInUrl = true;
        QCOMPARE(*RedisEndpoint::fromUrl(u"redis://ops:p%40ss%2Fw%C3%B6rd@db1"_s), withUser);
        withUser.user.clear();
        QCOMPARE(*RedisEndpoint::fromUrl(u"redis://:p%40ss%2Fw%C3%B6rd@db1"_s), withUser);

        RedisEndpoint tls = tcp(Transport::Tls, u"db1"_s, 6380, 1);
        tls.caFile = u"/etc/ca.pem"_s;
        tls.certificateFile = u"/etc/me.pem"_s;
        tls.keyFile = u"/etc/me key.pem"_s;
        tls.serverName = u"redis.internal"_s;
        QCOMPARE(*RedisEndpoint::fromUrl(u"rediss://db1:6380/1?ca=/etc/ca.pem&cert=/etc/me.pem"
                                         "&key=/etc/me%20key.pem&server_name=redis.internal"_s),
                 tls);

        const auto unixSocket
            = RedisEndpoint::fromUrl(u"redis+unix:///run/redis.sock?db=2&user=ops"_s);
        QVERIFY_RESULT(unixSocket);
        QCOMPARE(unixSocket->transport, Transport::Unix);
        QCOMPARE(unixSocket->socketPath, u"/run/redis.sock"_s);
        QCOMPARE(unixSocket->database, 2);
        QCOMPARE(unixSocket->user, u"ops"_s);
    }

    void whatIsShownCanBeReadBackAndHoldsNoPassword_data()
    {
        QTest::addColumn<QString>("url");
        QTest::newRow("tcp") << u"redis://ops:hunter2@db1:7000/3"_s;
        QTest::newRow("tls") << u"rediss://:hunter2@db1/0"_s;
        QTest::newRow("unix") << u"redis+unix:///run/redis.sock?db=2&user=ops"_s;
        QTest::newRow("plain unix") << u"redis+unix:///run/redis.sock"_s;
    }

    void whatIsShownCanBeReadBackAndHoldsNoPassword()
    {
        QFETCH(QString, url);
        RedisEndpoint endpoint = *RedisEndpoint::fromUrl(url);
        QVERIFY(!endpoint.shown().contains(u"hunter2"_s));
        endpoint.password.clear();
        endpoint.passwordInUrl = false;
        const auto again = RedisEndpoint::fromUrl(endpoint.shown());
        QVERIFY_RESULT(again);
        QCOMPARE(*again, endpoint);
    }

    void badUrlsAreRefusedWithoutTellingThePassword_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<Error::Kind>("kind");
        QTest::newRow("empty") << QString() << Error::Kind::Invalid;
        QTest::newRow("no scheme") << u"db1:6379"_s << Error::Kind::Invalid;
        QTest::newRow("other scheme") << u"http://db1"_s << Error::Kind::Invalid;
        QTest::newRow("no host") << u"redis:///0"_s << Error::Kind::Invalid;
        QTest::newRow("port") << u"redis://:hunter2@db1:99999"_s << Error::Kind::Invalid;
        QTest::newRow("port zero") << u"redis://db1:0"_s << Error::Kind::Invalid;
        QTest::newRow("database") << u"redis://db1/zero"_s << Error::Kind::Invalid;
        QTest::newRow("option") << u"redis://db1?ca=/x"_s << Error::Kind::Invalid;
        QTest::newRow("half a pair") << u"rediss://db1?cert=/x"_s << Error::Kind::Invalid;
        QTest::newRow("unix with host") << u"redis+unix://run/redis.sock"_s << Error::Kind::Invalid;
        QTest::newRow("unix without path") << u"redis+unix://"_s << Error::Kind::Invalid;
        QTest::newRow("hash in password") << u"redis://ops:hunter2#x@db1"_s << Error::Kind::Invalid;
        QTest::newRow("slash in password")
            << u"redis://ops:1/hunter2@db1"_s << Error::Kind::Invalid;
        QTest::newRow("question in password")
            << u"redis://ops:1?hunter2=x@db1"_s << Error::Kind::Invalid;
        QTest::newRow("sentinel") << u"redis+sentinel://a,b/main/0"_s << Error::Kind::Unsupported;
        QTest::newRow("cluster") << u"redis+cluster://a,b"_s << Error::Kind::Unsupported;
    }

    /// Its nodes are refused, too: naming one of them would be no way out.
    void nobodyIsSentToANodeOfACluster()
    {
        const auto endpoint = RedisEndpoint::fromUrl(u"redis+cluster://a,b"_s);
        QVERIFY(!endpoint);
        QVERIFY2(!endpoint.error().hint.contains(u"node"_s), qPrintable(endpoint.error().hint));
        QVERIFY(endpoint.error().hint.contains(u"no cluster"_s));
    }

    void badUrlsAreRefusedWithoutTellingThePassword()
    {
        QFETCH(QString, url);
        QFETCH(Error::Kind, kind);
        const auto endpoint = RedisEndpoint::fromUrl(url);
        QVERIFY(!endpoint);
        QCOMPARE(endpoint.error().kind, kind);
        QVERIFY(!oneLine(endpoint.error()).contains(u"hunter2"_s));
    }

    void onlyReadsAreReads()
    {
        QVERIFY(onlyReads({"hmget", "k", "f"}));
        QVERIFY(onlyReads({"MEMORY", "USAGE", "k"}));
        for (const QByteArrayList &command : {QByteArrayList{},
                                              {"SET", "a", "b"},
                                              {"EVAL", "return 1", "0"},
                                              {"KEYS", "*"},
                                              {"CLIENT", "KILL"},
                                              {"CLIENT"},
                                              {"MEMORY", "PURGE"},
                                              {"CONFIG", "GET", "*"},
                                              {"MONITOR"},
                                              {"SORT", "a", "STORE", "b"},
                                              {"FLUSHALL"}}) {
            QVERIFY2(!onlyReads(command), command.value(0).constData());
        }
    }

    void errorRepliesHaveAKindAndAHint_data()
    {
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<Error::Kind>("kind");
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("ofServer");
        QTest::newRow("OOM") << QByteArray(
            "OOM command not allowed when used memory > 'maxmemory'.")
                             << Error::Kind::Refused << u"OOM"_s << true;
        QTest::newRow("OOM in a script of Redis 6") << QByteArray(
            "ERR Error running script (call to f_1): @user_script:5: @user_script: 5: -OOM "
            "command not allowed when used memory > 'maxmemory'.")
                                                    << Error::Kind::Refused << u"OOM"_s << true;
        QTest::newRow("WRONGTYPE in a script of Redis 6")
            << QByteArray(
                   "ERR Error running script (call to f_1): @user_script:5: WRONGTYPE Operation "
                   "against a key holding the wrong kind of value")
            << Error::Kind::Constraint << u"WRONGTYPE"_s << true;
        QTest::newRow("replica") << QByteArray(
            "READONLY You can't write against a read only replica.")
                                 << Error::Kind::Refused << u"READONLY"_s << true;
        QTest::newRow("loading") << QByteArray("LOADING Redis is loading the dataset in memory")
                                 << Error::Kind::Unreachable << u"LOADING"_s << true;
        QTest::newRow("cluster") << QByteArray("MOVED 1234 127.0.0.1:7001")
                                 << Error::Kind::Unsupported << u"MOVED"_s << true;
        QTest::newRow("right missing in a script") << QByteArray(
            "ERR The user executing the script can't run this command or subcommand script")
                                                   << Error::Kind::Refused << u"NOPERM"_s << true;
        QTest::newRow("command forbidden")
            << QByteArray("NOPERM this user has no permissions to run the 'keys' command")
            << Error::Kind::Refused << u"NOPERM"_s << true;
        QTest::newRow("keys forbidden")
            << QByteArray("NOPERM this user has no permissions to access one of the keys used as "
                          "arguments")
            << Error::Kind::Refused << u"NOPERM"_s << false;
        QTest::newRow("full") << QByteArray("ERR max number of clients reached")
                              << Error::Kind::Unreachable << u"MAXCLIENTS"_s << true;
        QTest::newRow("anything") << QByteArray("ERR syntax error") << Error::Kind::Protocol
                                  << u"ERR"_s << false;
    }

    void errorRepliesHaveAKindAndAHint()
    {
        QFETCH(QByteArray, reply);
        QFETCH(Error::Kind, kind);
        QFETCH(QString, code);
        QFETCH(bool, ofServer);
        const RedisReply value{RedisReply::Kind::Error, 0, reply, {}};
        const Error error = errorFromReply(value, u"testing"_s);
        QCOMPARE(error.kind, kind);
        QCOMPARE(error.code, code);
        QCOMPARE(concernsServer(value), ofServer);
        QCOMPARE(error.hint.isEmpty(), code == u"ERR"_s);
    }
};

} // namespace tst_redisendpoint

OUTBOX_TEST(tst_redisendpoint::TestRedisEndpoint)
#include "tst_redisendpoint.moc"
