// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Redis URLs, as a person writes them, become values; the password never comes out again.
#include "connectors/redis/connection.h"
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

    void sentinelsAreNamedBesideTheNameOfTheMaster()
    {
        RedisEndpoint expected = tcp(Transport::Tcp, {}, 6379, 0);
        expected.sentinels = SentinelGroup{{{u"s1"_s, 26'379}}, u"main"_s, {}, {}, false};
        QCOMPARE(*RedisEndpoint::fromUrl(u"redis+sentinel://s1/main"_s), expected);
        QCOMPARE(expected.shown(), u"redis+sentinel://s1:26379/main/0"_s);

        expected.user = u"ops"_s;
        expected.password = u"p@ss"_s;
        expected.passwordInUrl = true;
        expected.database = 3;
        expected.sentinels->hosts = {
            {u"s1"_s, 26'380}, {u"::1"_s, 26'379}, {u"fe80::2"_s, 7000}, {u"10.0.0.3"_s, 26'379}};
        expected.sentinels->user = u"deck"_s;
        QCOMPARE(*RedisEndpoint::fromUrl(u"redis+sentinel://ops:p%40ss@s1:26380,[::1],"
                                         "[fe80::2]:7000,10.0.0.3,s1:26380/main/3"
                                         "?sentinel_user=deck"_s),
                 expected);

        RedisEndpoint tls = tcp(Transport::Tls, {}, 6379, 0);
        tls.caFile = u"/etc/ca.pem"_s;
        tls.serverName = u"redis.internal"_s;
        tls.sentinels
            = SentinelGroup{{{u"s1"_s, 26'379}, {u"s2"_s, 26'379}}, u"main"_s, {}, {}, true};
        const QString begin = u"rediss+sentinel://s1,s2/main?ca=/etc/ca.pem&server_name="_s;
        QCOMPARE(*RedisEndpoint::fromUrl(begin + u"redis.internal"_s), tls);
        tls.sentinels->tls = false;
        QCOMPARE(*RedisEndpoint::fromUrl(begin + u"redis.internal&sentinel_tls=no"_s), tls);
    }

    /// Its password is the one of the sentinels, as asynq takes it.
    void theSpellingOfAsynqIsRead()
    {
        const auto endpoint
            = RedisEndpoint::fromUrl(u"redis-sentinel://:hunter2@h1,h2:26380/2?master=main"_s);
        QVERIFY_RESULT(endpoint);
        const QList<HostPort> hosts{{u"h1"_s, 26'379}, {u"h2"_s, 26'380}};
        QCOMPARE(*endpoint->sentinels, (SentinelGroup{hosts, u"main"_s, {}, u"hunter2"_s, false}));
        QCOMPARE(endpoint->database, 2);
        QVERIFY(endpoint->password.isEmpty() && endpoint->passwordInUrl);
        QCOMPARE(endpoint->shown(), u"redis+sentinel://h1:26379,h2:26380/main/2"_s);
    }

    void aListOfHostsIsRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown"); // empty: it is refused
        QTest::newRow("one") << u"a"_s << u"a:7"_s;
        QTest::newRow("some") << u"a:1,b,c:65535"_s << u"a:1,b:7,c:65535"_s;
        QTest::newRow("twice") << u"a,a:7"_s << u"a:7"_s;
        QTest::newRow("addresses")
            << u"127.0.0.1:1,[::1],[::2]:3"_s << u"127.0.0.1:1,[::1]:7,[::2]:3"_s;
        QTest::newRow("nothing") << QString() << QString();
        QTest::newRow("a hole") << u"a,,b"_s << QString();
        QTest::newRow("no end") << u"a,"_s << QString();
        QTest::newRow("no bracket") << u"::1"_s << QString();
        QTest::newRow("half a bracket") << u"[::1"_s << QString();
        QTest::newRow("no address") << u"[a]"_s << QString();
        QTest::newRow("behind a bracket") << u"[::1]7"_s << QString();
        QTest::newRow("no port") << u"a:"_s << QString();
        QTest::newRow("port zero") << u"a:0"_s << QString();
        QTest::newRow("large port") << u"a:65536"_s << QString();
        QTest::newRow("a word for a port") << u"a:hunter2"_s << QString();
        QTest::newRow("blank") << u"a b"_s << QString();
        QTest::newRow("zone") << u"[fe80::1%25eth0]"_s << QString();
    }

    void aListOfHostsIsRead()
    {
        QFETCH(QString, text);
        QFETCH(QString, shown);
        const auto hosts = hostsOf(text, 7);
        QCOMPARE(hosts.has_value(), !shown.isEmpty());
        if (hosts) {
            QCOMPARE(hostListText(*hosts), shown);
        } else {
            QCOMPARE(hosts.error().kind, Error::Kind::Invalid);
            QVERIFY(!oneLine(hosts.error()).contains(u"hunter2"_s));
        }
    }

    void whatIsShownCanBeReadBackAndHoldsNoPassword_data()
    {
        QTest::addColumn<QString>("url");
        QTest::newRow("tcp") << u"redis://ops:hunter2@db1:7000/3"_s;
        QTest::newRow("tls") << u"rediss://:hunter2@db1/0"_s;
        QTest::newRow("tls with files")
            << u"rediss://a%40b:hunter2@[::1]:7/3?ca=/a%20b%25%26.pem&cert=/c&key=/k&server_name=r"_s;
        QTest::newRow("unix") << u"redis+unix:///run/redis.sock?db=2&user=ops"_s;
        QTest::newRow("plain unix") << u"redis+unix:///run/redis.sock"_s;
        QTest::newRow("sentinels") << u"redis+sentinel://a%40b:hunter2@s1,[::1]:7/main/3"_s;
        QTest::newRow("sentinels, TLS") << u"rediss+sentinel://s1,s2/main?ca=/a%20b%25.pem&cert=/c"
                                           "&key=/k&server_name=r&sentinel_user=u%26v%2B"
                                           "&sentinel_tls=no"_s;
        QTest::newRow("sentinels of asynq") << u"redis-sentinel://u:hunter2@s1/2?master=main"_s;
        QTest::newRow("cluster") << u"redis+cluster://ops:hunter2@a:7000,b,[::1]:7002"_s;
        QTest::newRow("cluster over TLS")
            << u"rediss+cluster://:hunter2@a?ca=/a%20b.pem&cert=/c&key=/k&server_name=r"_s;
    }

    void whatIsShownCanBeReadBackAndHoldsNoPassword()
    {
        QFETCH(QString, url);
        RedisEndpoint endpoint = *RedisEndpoint::fromUrl(url);
        QVERIFY(!endpoint.shown().contains(u"hunter2"_s));
        endpoint.password.clear();
        if (endpoint.sentinels)
            endpoint.sentinels->password.clear();
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
        QTest::newRow("sentinels, no master") << u"redis+sentinel://a,b"_s << Error::Kind::Invalid;
        QTest::newRow("sentinels, no host") << u"redis+sentinel:///main"_s << Error::Kind::Invalid;
        QTest::newRow("sentinels, nothing") << u"redis+sentinel"_s << Error::Kind::Invalid;
        QTest::newRow("sentinels, database")
            << u"redis+sentinel://a/main/zero"_s << Error::Kind::Invalid;
        QTest::newRow("sentinels, port") << u"redis+sentinel://a:x/main"_s << Error::Kind::Invalid;
        QTest::newRow("sentinels, slash in password")
            << u"redis+sentinel://ops:1/hunter2@a"_s << Error::Kind::Invalid;
        QTest::newRow("sentinels, TLS without TLS")
            << u"redis+sentinel://a/main?sentinel_tls=no"_s << Error::Kind::Invalid;
        QTest::newRow("sentinels, their TLS")
            << u"rediss+sentinel://a/main?sentinel_tls=perhaps"_s << Error::Kind::Invalid;
        QTest::newRow("sentinels, option of asynq")
            << u"redis+sentinel://a/main?master=other"_s << Error::Kind::Invalid;
        QTest::newRow("asynq, no master") << u"redis-sentinel://a/0"_s << Error::Kind::Invalid;
        QTest::newRow("cluster without nodes") << u"redis+cluster://"_s << Error::Kind::Invalid;
        QTest::newRow("cluster without a slash") << u"redis+cluster"_s << Error::Kind::Invalid;
        QTest::newRow("cluster, an empty node")
            << u"redis+cluster://a,,b"_s << Error::Kind::Invalid;
        QTest::newRow("cluster, a port too large")
            << u"redis+cluster://:hunter2@a:99999"_s << Error::Kind::Invalid;
        QTest::newRow("cluster, a database") << u"redis+cluster://a,b/1"_s << Error::Kind::Invalid;
        QTest::newRow("cluster, an option") << u"redis+cluster://a?ca=/x"_s << Error::Kind::Invalid;
        QTest::newRow("cluster, a password for a host")
            << u"redis+cluster://ops:hunter2"_s << Error::Kind::Invalid;
        QTest::newRow("cluster, slash in password")
            << u"redis+cluster://ops:1/hunter2@a,b"_s << Error::Kind::Invalid;
        QTest::newRow("cluster, question in password")
            << u"redis+cluster://ops:1?hunter2=x@a"_s << Error::Kind::Invalid;
        QTest::newRow("cluster, hash in password")
            << u"redis+cluster://ops:1#hunter2@a"_s << Error::Kind::Invalid;
        QTest::newRow("cluster, looks at replicas")
            << u"redis+cluster://a,b?read=replica"_s << Error::Kind::Unsupported;
        QTest::newRow("replicas of no cluster")
            << u"redis://a?read=replica"_s << Error::Kind::Invalid;
    }

    void aClusterHasManyNodes()
    {
        const auto endpoint
            = RedisEndpoint::fromUrl(u"redis+cluster://ops:p%40ss@a:7000,b,[::1]:7002/0"_s);
        QVERIFY_RESULT(endpoint);
        QCOMPARE(endpoint->transport, Transport::Tcp);
        QVERIFY(endpoint->isCluster());
        const HostPort third{u"::1"_s, 7002};
        QCOMPARE(endpoint->seeds, (QList{HostPort{u"a"_s, 7000}, HostPort{u"b"_s, 6379}, third}));
        QCOMPARE(endpoint->user, u"ops"_s);
        QCOMPARE(endpoint->password, u"p@ss"_s);
        QCOMPARE(endpoint->database, 0);

        const RedisEndpoint node = endpoint->ofNode(third);
        QVERIFY(!node.isCluster());
        QCOMPARE(node.host, u"::1"_s);
        QCOMPARE(node.port, quint16{7002});
        QCOMPARE(node.password, u"p@ss"_s);

        const auto tls = RedisEndpoint::fromUrl(u"rediss+cluster://a?ca=/etc/ca.pem"_s);
        QVERIFY_RESULT(tls);
        QCOMPARE(tls->transport, Transport::Tls);
        QCOMPARE(tls->caFile, u"/etc/ca.pem"_s);
        QVERIFY(!RedisEndpoint::fromUrl(u"redis://a"_s)->isCluster());
    }

    /// What is not made for a Cluster must not work with one node of it.
    void aConnectionIsNotMadeToACluster()
    {
        const auto endpoint = RedisEndpoint::fromUrl(u"redis+cluster://a,b"_s);
        QVERIFY_RESULT(endpoint);
        RedisConnection connection;
        const auto opened = connection.open(*endpoint, RedisConnection::Access::Act, u"test"_s);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Refused);
        QVERIFY(!connection.ensureOpen());
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
        QVERIFY(onlyReads({"cluster", "slots"}));
        for (const QByteArrayList &command : {QByteArrayList{},
                                              {"SET", "a", "b"},
                                              {"EVAL", "return 1", "0"},
                                              {"KEYS", "*"},
                                              {"CLIENT", "KILL"},
                                              {"CLIENT"},
                                              {"CLUSTER", "SETSLOT", "1", "STABLE"},
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
