// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// TLS to a real Redis with certificates made for the occasion: what works, and what each failure
// says.
#include "connectors/redis/connection.h"
#include "tests/support/freeport.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testcertificates.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTest>

#include <chrono>

namespace tst_redistls {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

using Access = RedisConnection::Access;

class TestRedisTls : public QObject
{
    Q_OBJECT

    TestCertificates m_certificates;
    PrivateRedis m_redis;
    quint16 m_tlsPort = 0;
    quint16 m_plainPort = 0;

    QString file(const QString &name) const { return m_certificates.file(name); }

    RedisEndpoint sound() const
    {
        RedisEndpoint endpoint;
        endpoint.transport = RedisEndpoint::Transport::Tls;
        endpoint.host = u"127.0.0.1"_s;
        endpoint.port = m_tlsPort;
        endpoint.caFile = file(u"ca.pem"_s);
        endpoint.certificateFile = file(u"client.pem"_s);
        endpoint.keyFile = file(u"client.key"_s);
        endpoint.serverName = u"redis.test"_s;
        return endpoint;
    }

private slots:
    void initTestCase()
    {
        if (!TestCertificates::areUsable())
            QSKIP("the openssl command or Qt's TLS backend is not installed");
        QVERIFY(m_certificates.makeAuthority(u"ca"_s) && m_certificates.makeAuthority(u"other"_s));
        for (const QString &name : {u"redis"_s, u"client"_s}) {
            const QString host = name + u".test"_s;
            QVERIFY(m_certificates.makeCertificate(name, host, u"DNS:"_s + host));
        }
        m_tlsPort = freePort();
        m_plainPort = freePort();
        OUTBOX_START_SERVER(
            m_redis,
            {u"--tls-port"_s, QString::number(m_tlsPort), u"--port"_s, QString::number(m_plainPort),
             u"--tls-cert-file"_s, file(u"redis.pem"_s), u"--tls-key-file"_s, file(u"redis.key"_s),
             u"--tls-ca-cert-file"_s, file(u"ca.pem"_s), u"--tls-auth-clients"_s, u"yes"_s});
    }

    void theRightCertificatesOpenTheDoor()
    {
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(sound(), Access::Act, u"tls"_s));
        QList<RedisCommand> commands;
        for (int i = 0; i < 1000; ++i)
            commands += {"ECHO", QByteArray(1000, 'x')};
        const auto echoes = redis.pipeline(commands);
        QVERIFY_RESULT(echoes);
        QCOMPARE(echoes->last().bytes.size(), 1000);
        QVERIFY_RESULT(redis.ensureOpen()); // a session ticket on the way is no stale reply
        QVERIFY_RESULT(redis.command({"SET", "huge", QByteArray(20'000'000, 'y')}, u"writing"_s));
        const auto read = redis.command({"GET", "huge"}, u"reading"_s);
        QVERIFY_RESULT(read);
        QCOMPARE(read->bytes.size(), 20'000'000);
    }

    void aStrangersAuthorityIsNotTrusted()
    {
        RedisEndpoint endpoint = sound();
        endpoint.caFile = file(u"other.pem"_s);
        RedisConnection redis;
        const auto opened = redis.open(endpoint, Access::Act, u"tls"_s);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Refused);
        QVERIFY2(opened.error().text.contains(u"certificate"_s),
                 qPrintable(oneLine(opened.error())));
        QVERIFY(opened.error().hint.contains(u"ca="_s));
        QVERIFY(!redis.isOpen());
    }

    void anotherHostsCertificateIsNotAccepted()
    {
        RedisEndpoint endpoint = sound();
        endpoint.serverName.clear(); // so the host itself is checked
        RedisConnection redis;
        const auto opened = redis.open(endpoint, Access::Act, u"tls"_s);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Refused);
        QVERIFY2(opened.error().text.contains(u"host"_s, Qt::CaseInsensitive),
                 qPrintable(oneLine(opened.error())));
    }

    void aMissingClientCertificateIsNamed()
    {
        RedisEndpoint endpoint = sound();
        endpoint.certificateFile.clear();
        endpoint.keyFile.clear();
        RedisConnection redis;
        const auto opened = redis.open(endpoint, Access::Act, u"tls"_s);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Unreachable);
        QVERIFY2(opened.error().hint.contains(u"client certificate"_s),
                 qPrintable(oneLine(opened.error())));
    }

    void tlsToAPlainPortIsRecognized()
    {
        RedisEndpoint endpoint = sound();
        endpoint.port = m_plainPort;
        RedisConnection redis;
        const auto opened = redis.open(endpoint, Access::Act, u"tls"_s);
        QVERIFY(!opened);
        QVERIFY2(opened.error().hint.contains(u"TLS port"_s), qPrintable(oneLine(opened.error())));
    }

    /// Whoever has little time, as one who asks several sentinels, is not kept by one that takes
    /// the connection and is silent.
    void aSilentHandshakeEndsWithTheTimeThatIsGiven()
    {
        QTcpServer silent; // the kernel takes the connection, and nobody reads from it
        QVERIFY(silent.listen(QHostAddress::LocalHost));
        RedisEndpoint endpoint = sound();
        endpoint.port = silent.serverPort();
        RedisConnection redis;
        QElapsedTimer clock;
        clock.start();
        const auto opened
            = redis.open(endpoint, Access::Act, u"tls"_s, std::chrono::milliseconds(300));
        const qint64 took = clock.elapsed();
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Timeout);
        QVERIFY2(took < 4000, qPrintable(QString::number(took))); // without a limit: 5 s
    }

    void plainToATlsPortIsRecognized()
    {
        RedisEndpoint endpoint = sound();
        endpoint.transport = RedisEndpoint::Transport::Tcp;
        RedisConnection redis;
        const auto opened = redis.open(endpoint, Access::Act, u"plain"_s);
        QVERIFY(!opened);
        QVERIFY2(opened.error().hint.contains(u"rediss://"_s), qPrintable(oneLine(opened.error())));
    }

    void filesThatHoldNoCertificateAreNamed()
    {
        for (QString RedisEndpoint::*member :
             {&RedisEndpoint::caFile, &RedisEndpoint::certificateFile, &RedisEndpoint::keyFile}) {
            RedisEndpoint endpoint = sound();
            endpoint.*member = file(u"missing.pem"_s);
            RedisConnection redis;
            const auto opened = redis.open(endpoint, Access::Act, u"tls"_s);
            QVERIFY(!opened);
            QCOMPARE(opened.error().kind, Error::Kind::Invalid);
            QVERIFY(opened.error().text.contains(u"missing.pem"_s));
        }
    }
};

} // namespace tst_redistls

OUTBOX_TEST(tst_redistls::TestRedisTls)
#include "tst_redistls.moc"
