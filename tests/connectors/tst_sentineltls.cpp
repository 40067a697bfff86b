// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sentinels over TLS: the master is found and a failover followed, and where somebody is not let in
// the cause is named, and it is not the password unless it is.
#include "connectors/redis/connection.h"
#include "connectors/redis/mastersearch.h"
#include "connectors/redis/sentinel/masterwatch.h"
#include "tests/support/freeport.h"
#include "tests/support/patience.h"
#include "tests/support/redishand.h"
#include "tests/support/resultmacros.h"
#include "tests/support/sentinelworld.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_sentineltls {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

using Access = RedisConnection::Access;

class TestSentinelTls : public QObject
{
    Q_OBJECT

    TestCertificates m_certificates; // goes after the servers that read them
    SentinelWorld m_world; ///< which asks for client certificates

    /// A value under a new key is found at node `number`, which is asked without TLS.
    void verifyWritesTo(RedisConnection &redis, PrivateRedis &node, const QByteArray &key)
    {
        QVERIFY_RESULT(redis.command({"SET", key, "1"}, u"writing"_s));
        RedisConnection hand;
        QVERIFY_RESULT(openByHand(hand, node));
        const auto there = hand.command({"EXISTS", key}, u"looking"_s);
        QVERIFY_RESULT(there);
        QCOMPARE(there->integer, 1);
    }
    /// What keeps one out of the world at this address.
    static Error refusalOf(const RedisEndpoint &endpoint)
    {
        RedisConnection redis;
        const auto opened = redis.open(endpoint, Access::Act, u"test"_s);
        return opened ? Error{} : opened.error();
    }

private slots:
    void initTestCase()
    {
        if (!TestCertificates::areUsable())
            QSKIP("the openssl command or Qt's TLS backend is not installed");
        QVERIFY(m_certificates.makeForRedis());
        OUTBOX_START_SERVER(m_world, 1, m_certificates.redisTls(true));
    }

    void theMasterIsFound()
    {
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(m_world.endpoint(), Access::Act, u"test"_s));
        verifyWritesTo(redis, m_world.node(0), "found");
        QVERIFY(!QTest::currentTestFailed());

        const RedisEndpoint first = sentinelEndpoint(m_world.endpoint(), m_world.sentinel(0).at());
        RedisConnection sentinel;
        QVERIFY_RESULT(sentinel.open(first, Access::ReadOnly, u"test"_s));
        const auto answer = askSentinel(sentinel, u"main"_s);
        QVERIFY_RESULT(answer);
        for (std::size_t i = 1; i < SentinelWorld::sentinels; ++i) // by their ports of TLS
            QVERIFY(answer->sentinels.contains(m_world.sentinel(i).at()));
        const HostPort replica{u"127.0.0.1"_s, m_world.port(1)};
        QCOMPARE(answer->replicas, QList<HostPort>{replica});
    }

    void aStrangersAuthorityIsNotTrusted()
    {
        RedisEndpoint endpoint = m_world.endpoint();
        endpoint.caFile = m_certificates.file(u"other.pem"_s);
        const Error error = refusalOf(endpoint);
        QCOMPARE(error.kind, Error::Kind::Refused);
        QVERIFY2(error.text.contains(u"certificate of 127.0.0.1 is not accepted"_s),
                 qPrintable(oneLine(error)));
        QVERIFY2(error.hint.contains(u"ca="_s), qPrintable(oneLine(error)));
        QVERIFY2(!error.hint.contains(u"password"_s), qPrintable(oneLine(error)));
    }

    void aCertificateOfAnotherNameIsNotAccepted()
    {
        RedisEndpoint endpoint = m_world.endpoint();
        endpoint.serverName = u"other.test"_s;
        const Error error = refusalOf(endpoint);
        QCOMPARE(error.kind, Error::Kind::Refused);
        QVERIFY2(error.hint.contains(u"server_name="_s), qPrintable(oneLine(error)));
        endpoint.serverName = u"redis.test"_s;
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(endpoint, Access::Act, u"test"_s));
    }

    void aMissingClientCertificateIsNamed()
    {
        RedisEndpoint endpoint = m_world.endpoint();
        endpoint.certificateFile.clear();
        endpoint.keyFile.clear();
        const Error error = refusalOf(endpoint);
        QCOMPARE(error.kind, Error::Kind::Unreachable);
        QVERIFY2(error.hint.contains(u"client certificate"_s), qPrintable(oneLine(error)));
    }

    void aFileThatIsNotThereIsNamed()
    {
        RedisEndpoint endpoint = m_world.endpoint();
        endpoint.caFile = m_certificates.file(u"missing.pem"_s);
        const Error error = refusalOf(endpoint);
        QCOMPARE(error.kind, Error::Kind::Invalid);
        QVERIFY2(error.text.contains(u"missing.pem"_s), qPrintable(oneLine(error)));
    }

    void sentinelsThatAreTakenForPlainOnesAreRecognized()
    {
        RedisEndpoint endpoint = m_world.endpoint();
        endpoint.transport = RedisEndpoint::Transport::Tcp;
        endpoint.sentinels->tls = false;
        const Error error = refusalOf(endpoint);
        QCOMPARE(error.kind, Error::Kind::Unreachable);
        QVERIFY2(error.hint.contains(u"rediss+sentinel://"_s), qPrintable(oneLine(error)));
    }

    /// Who connects shows no certificate here.
    void plainSentinelsOfAMasterWithTls()
    {
        const RedisTls tls = m_certificates.redisTls(false);
        const quint16 port = freePort();
        PrivateRedis master;
        OUTBOX_START_SERVER(master, tls.arguments(port));
        SentinelStart how;
        how.quorum = 1;
        how.tls = tls;
        how.isPlain = true;
        PrivateSentinel sentinel;
        QVERIFY_RESULT(sentinel.start(port, how));
        RedisEndpoint endpoint = RedisEndpoint::fromUrl(sentinel.urlOfMaster()).value();
        QVERIFY(!endpoint.sentinels->tls);
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(endpoint, Access::Act, u"test"_s));
        verifyWritesTo(redis, master, "plain");
        QVERIFY(!QTest::currentTestFailed());
        const QString shown = sentinelEndpoint(endpoint, sentinel.at()).shown();
        QVERIFY2(RedisEndpoint::fromUrl(shown).has_value(), qPrintable(shown));

        endpoint.caFile = m_certificates.file(u"other.pem"_s); // the master's is asked for
        QCOMPARE(refusalOf(endpoint).kind, Error::Kind::Refused);
        endpoint.caFile = m_certificates.file(u"ca.pem"_s);
        endpoint.sentinels->tls = true;
        const Error error = refusalOf(endpoint);
        QCOMPARE(error.kind, Error::Kind::Unreachable);
        QVERIFY2(error.hint.contains(u"TLS port"_s), qPrintable(oneLine(error)));
    }

    void aWrongPasswordOfTheSentinelsIsNamed()
    {
        for (std::size_t i = 0; i < SentinelWorld::sentinels; ++i) {
            QVERIFY_RESULT(m_world.sentinel(i).ask(
                {"ACL", "SETUSER", "deck", "on", ">secret", "allchannels", "+@all"}));
        }
        RedisEndpoint endpoint = m_world.endpoint();
        endpoint.sentinels->user = u"deck"_s;
        endpoint.sentinels->password = u"secret"_s;
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(endpoint, Access::Act, u"test"_s));
        endpoint.sentinels->password = u"mistaken"_s;
        const Error error = refusalOf(endpoint);
        QCOMPARE(error.kind, Error::Kind::Refused);
        QVERIFY2(error.hint.contains(u"redis-sentinel-password"_s), qPrintable(oneLine(error)));
        QVERIFY(!oneLine(error).contains(u"mistaken"_s));
    }

    /// Last, for another node is the master then.
    void aFailoverIsHeardOfAndFollowed()
    {
        MasterWatch watch(m_world.endpoint(), u"watch"_s);
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(m_world.endpoint(), Access::Act, u"test"_s));
        QVERIFY(!watch.isInDoubt());
        const int longMs = patient(20'000);
        QVERIFY(QTest::qWaitFor([this] { return m_world.failOver(); }, longMs));
        bool wasHeld = false;
        QVERIFY(QTest::qWaitFor(
            [&] {
                wasHeld = wasHeld || watch.isHeld();
                return watch.takeMove();
            },
            longMs));
        QVERIFY(wasHeld); // only an event of a sentinel comes before the move
        redis.close();
        QVERIFY_RESULT(redis.ensureOpen());
        verifyWritesTo(redis, m_world.node(1), "moved");
    }
};

} // namespace tst_sentineltls

OUTBOX_TEST(tst_sentineltls::TestSentinelTls)
#include "tst_sentineltls.moc"
