// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One Redis connection over unix and TCP sockets: rights, deadlines, losses, large exchanges.
#include "connectors/redis/connection.h"
#include "connectors/redis/script.h"
#include "tests/support/freeport.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QNetworkProxy>
#include <QScopeGuard>
#include <QTest>

namespace tst_redisconnection {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

using Access = RedisConnection::Access;

class TestRedisConnection : public QObject
{
    Q_OBJECT

    PrivateRedis m_redis;
    quint16 m_port = 0;

    RedisEndpoint endpoint() const { return *RedisEndpoint::fromUrl(m_redis.url()); }
    RedisEndpoint tcpEndpoint() const
    {
        return *RedisEndpoint::fromUrl(u"redis://localhost:%1/3"_s.arg(m_port));
    }

private slots:
    void initTestCase()
    {
        m_port = freePort();
        OUTBOX_START_SERVER(m_redis,
                            {u"--port"_s, QString::number(m_port), u"--bind"_s, u"127.0.0.1"_s,
                             u"--proto-max-bulk-len"_s, u"200mb"_s});
    }

    void bothSocketsCarryTheSame_data()
    {
        QTest::addColumn<bool>("tcp");
        QTest::newRow("unix") << false;
        QTest::newRow("tcp") << true;
    }

    void bothSocketsCarryTheSame()
    {
        QFETCH(bool, tcp);
        RedisConnection redis;
        QVERIFY_RESULT(
            redis.open(tcp ? tcpEndpoint() : endpoint(), Access::Act, u"outbox test/é"_s));
        QVERIFY(redis.isOpen());
        const auto replies = redis.pipeline({{"CLIENT", "GETNAME"},
                                             {"SET", "k", QByteArray("a\0b", 3)},
                                             {"GET", "k"},
                                             {"GET", "nothing"},
                                             {"LPUSH", "k", "x"},
                                             {"ECHO", ""}});
        QVERIFY_RESULT(replies);
        QCOMPARE(replies->at(0).bytes, "outbox-test/-");
        QCOMPARE(replies->at(1).kind, RedisReply::Kind::Status);
        QCOMPARE(replies->at(2).bytes, QByteArray("a\0b", 3));
        QVERIFY(replies->at(3).isNil());
        QCOMPARE(replies->at(4).errorPrefix(), "WRONGTYPE");
        QCOMPARE(replies->at(5).kind, RedisReply::Kind::Bulk);
        const auto error = redis.command({"LPUSH", "k", "x"}, u"pushing"_s);
        QVERIFY(!error);
        QCOMPARE(error.error().doing, u"pushing"_s);
        QCOMPARE(error.error().kind, Error::Kind::Constraint);
        QVERIFY(redis.isOpen()); // an error reply is an answer, not a loss
        QVERIFY_RESULT(redis.command({"FLUSHALL"}, u"clearing"_s));
    }

    void largeExchangesDoNotDeadLock_data() { bothSocketsCarryTheSame_data(); }

    void largeExchangesDoNotDeadLock()
    {
        QFETCH(bool, tcp);
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(tcp ? tcpEndpoint() : endpoint(), Access::Act, u"large"_s, 30s));
        const QByteArray value(200'000, 'x');
        QList<RedisCommand> commands; // 20 MB out and 20 MB in, at the same time
        for (int i = 0; i < 100; ++i)
            commands += {"ECHO", value};
        const auto echoes = redis.pipeline(commands);
        QVERIFY_RESULT(echoes);
        QCOMPARE(echoes->last().bytes, value);

        const QByteArray huge(100'000'000, 'y');
        const auto stored = redis.pipeline({{"SET", "huge", huge}, {"STRLEN", "huge"}});
        QVERIFY_RESULT(stored);
        QCOMPARE(stored->last().integer, huge.size());
        const auto read = redis.command({"GET", "huge"}, u"reading"_s);
        QVERIFY_RESULT(read);
        QVERIFY(read->bytes == huge);
        QVERIFY_RESULT(redis.command({"FLUSHALL"}, u"clearing"_s));
    }

    void questionsMayBeSentBeforeTheFirstIsAnswered_data() { bothSocketsCarryTheSame_data(); }

    void questionsMayBeSentBeforeTheFirstIsAnswered()
    {
        QFETCH(bool, tcp);
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(tcp ? tcpEndpoint() : endpoint(), Access::Act, u"halves"_s));
        QVERIFY_RESULT(redis.send("*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n", 1));
        RedisConnection other;
        QVERIFY_RESULT(other.open(tcp ? tcpEndpoint() : endpoint(), Access::ReadOnly, u"other"_s));
        QTRY_COMPARE(other.command({"GET", "n"}, u"looking"_s)->bytes, "1"); // it is under way
        QVERIFY_RESULT(redis.send("*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n"
                                  "*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n",
                                  2));
        QCOMPARE(redis.command({"PING"}, u"asking"_s).error().kind, Error::Kind::Refused);
        const auto replies = redis.receive();
        QVERIFY_RESULT(replies);
        QCOMPARE(replies->size(), 3);
        for (const int i : {0, 1, 2})
            QCOMPARE(replies->at(i).integer, i + 1);
        QCOMPARE(redis.receive()->size(), 0);
        QVERIFY_RESULT(redis.command({"FLUSHALL"}, u"clearing"_s));
    }

    void aLookingConnectionRefusesToWrite()
    {
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(endpoint(), Access::ReadOnly, u"looker"_s));
        const auto refused = redis.pipeline({{"PING"}, {"SET", "k", "1"}});
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Error::Kind::Refused);
        QVERIFY(refused.error().text.contains(u"SET"_s));
        QCOMPARE(redis.exchange("*1\r\n$4\r\nPING\r\n", 1).error().kind, Error::Kind::Refused);
        QCOMPARE(redis.send("*1\r\n$4\r\nPING\r\n", 1).error().kind, Error::Kind::Refused);
        QCOMPARE(RedisScript("return 1").run(redis, {}, {}, u"x"_s).error().kind,
                 Error::Kind::Refused);
        const auto look = redis.command({"GET", "k"}, u"looking"_s);
        QVERIFY_RESULT(look);
        QVERIFY(look->isNil());
    }

    void aFrozenServerIsATimeoutAndItsLateReplyIsNeverRead()
    {
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(endpoint(), Access::Act, u"patient"_s, 300ms));
        m_redis.freeze();
        QElapsedTimer clock;
        clock.start();
        const auto late = redis.command({"ECHO", "late"}, u"asking"_s);
        const qint64 elapsed = clock.elapsed();
        m_redis.thaw();
        QVERIFY(!late);
        QCOMPARE(late.error().kind, Error::Kind::Timeout);
        QVERIFY(elapsed >= 290 && elapsed < 10000);
        QVERIFY(!redis.isOpen());
        const auto closed = redis.command({"PING"}, u"asking"_s);
        QCOMPARE(closed.error().kind, Error::Kind::Unreachable);

        QVERIFY_RESULT(redis.ensureOpen());
        const auto fresh = redis.command({"ECHO", "fresh"}, u"asking"_s);
        QVERIFY_RESULT(fresh);
        QCOMPARE(fresh->bytes, "fresh");
    }

    void aCutConnectionIsNoticedBeforeItIsUsed()
    {
        RedisConnection redis;
        RedisConnection other;
        QVERIFY_RESULT(redis.open(tcpEndpoint(), Access::Act, u"victim"_s));
        QVERIFY_RESULT(other.open(endpoint(), Access::Act, u"killer"_s));
        const QList<RedisCommand> cut{{"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"}};
        QVERIFY_RESULT(other.pipeline(cut));
        QVERIFY_RESULT(redis.ensureOpen());
        const auto database = redis.command({"CLIENT", "INFO"}, u"asking"_s);
        QVERIFY_RESULT(database);
        QVERIFY(database->bytes.contains(" db=3 ")); // SELECT was done again

        QVERIFY_RESULT(other.pipeline(cut));
        const auto lost = redis.command({"PING"}, u"asking"_s); // without ensureOpen it is a loss
        QVERIFY(!lost);
        QCOMPARE(lost.error().kind, Error::Kind::Unreachable);
        QVERIFY(!redis.isOpen());
    }

    void noProxyOfTheDesktopIsAsked()
    {
        const auto restore = qScopeGuard([before = QNetworkProxy::applicationProxy()] {
            QNetworkProxy::setApplicationProxy(before);
        });
        QNetworkProxy::setApplicationProxy(
            QNetworkProxy(QNetworkProxy::HttpProxy, u"127.0.0.1"_s, freePort())); // nobody is there
        RedisConnection redis;
        // Qt knows `localhost`, and would not ask the proxy for it; this address is ours too.
        const auto at = *RedisEndpoint::fromUrl(u"redis://0.0.0.0:%1"_s.arg(m_port));
        QVERIFY_RESULT(redis.open(at, Access::ReadOnly, u"direct"_s));
    }

    void nobodyAtHomeIsUnreachable()
    {
        RedisConnection redis;
        const auto unix_
            = redis.open(*RedisEndpoint::fromUrl(u"redis+unix:///nowhere/redis.sock"_s),
                         Access::ReadOnly, u"x"_s);
        QCOMPARE(unix_.error().kind, Error::Kind::Unreachable);
        const auto tcp
            = redis.open(*RedisEndpoint::fromUrl(u"redis://127.0.0.1:%1"_s.arg(freePort())),
                         Access::ReadOnly, u"x"_s);
        QCOMPARE(tcp.error().kind, Error::Kind::Unreachable);
        QVERIFY(!tcp.error().hint.isEmpty());
        QVERIFY(!redis.isOpen());
        RedisConnection unnamed;
        QCOMPARE(unnamed.ensureOpen().error().kind, Error::Kind::Invalid);
    }

    void rightsAreCheckedAtTheDoor()
    {
        RedisConnection owner;
        QVERIFY_RESULT(owner.open(endpoint(), Access::Act, u"owner"_s));
        QVERIFY_RESULT(owner.command({"ACL", "SETUSER", "viewer", "on", ">secret", "%R~asynq:*",
                                      "resetchannels", "-@all", "+auth", "+ping", "+client|setname",
                                      "+@read", "-keys"},
                                     u"staging"_s));
        QVERIFY_RESULT(owner.command(
            {"ACL", "SETUSER", "shy", "on", "nopass", "-@all", "+get", "~*"}, u"staging"_s));
        RedisEndpoint at = endpoint();
        at.user = u"viewer"_s;
        at.password = u"secret"_s;
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(at, Access::Act, u"viewer"_s));
        const auto denied = redis.command({"SET", "asynq:x", "1"}, u"writing"_s);
        QCOMPARE(denied.error().kind, Error::Kind::Refused);
        QCOMPARE(denied.error().code, u"NOPERM"_s);
        QVERIFY_RESULT(redis.command({"GET", "asynq:x"}, u"reading"_s));

        at.password = u"wrong"_s;
        const auto wrong = redis.open(at, Access::Act, u"viewer"_s);
        QCOMPARE(wrong.error().kind, Error::Kind::Refused);
        QCOMPARE(wrong.error().code, u"WRONGPASS"_s);
        QVERIFY(!redis.isOpen());
        QVERIFY(!oneLine(wrong.error()).contains(u"wrong:"_s));

        at.user = u"shy"_s; // may not even set its name
        QVERIFY_RESULT(redis.open(at, Access::Act, u"shy"_s));

        QVERIFY_RESULT(owner.command({"CONFIG", "SET", "requirepass", "secret"}, u"staging"_s));
        const auto anonymous = redis.open(endpoint(), Access::ReadOnly, u"anonymous"_s);
        QVERIFY(!anonymous);
        QCOMPARE(anonymous.error().code, u"NOAUTH"_s);
        at = endpoint();
        at.password = u"secret"_s;
        QVERIFY_RESULT(redis.open(at, Access::ReadOnly, u"password alone"_s));
        QVERIFY_RESULT(owner.command({"CONFIG", "SET", "requirepass", ""}, u"staging"_s));
    }

    void anUnknownDatabaseIsSaidSo()
    {
        RedisEndpoint at = endpoint();
        at.database = 99;
        RedisConnection redis;
        const auto refused = redis.open(at, Access::ReadOnly, u"x"_s);
        QVERIFY(!refused);
        QVERIFY(refused.error().text.contains(u"index is out of range"_s));
    }

    void aScriptRunsAgainAfterItWasForgotten()
    {
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(endpoint(), Access::Act, u"scripts"_s));
        const RedisScript script("return {KEYS[1], ARGV[1]}");
        QVERIFY_RESULT(redis.command({"SCRIPT", "FLUSH"}, u"staging"_s));
        for (int round = 0; round < 2; ++round) {
            const auto answer = script.run(redis, {"k"}, {"v"}, u"running"_s);
            QVERIFY_RESULT(answer);
            QCOMPARE(answer->elements.at(1).bytes, "v");
        }
    }
};

} // namespace tst_redisconnection

OUTBOX_TEST(tst_redisconnection::TestRedisConnection)
#include "tst_redisconnection.moc"
