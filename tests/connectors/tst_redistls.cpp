// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// TLS to a real Redis with certificates made for the occasion: what works, and what each failure
// says.
#include "connectors/redis/connection.h"
#include "tests/support/freeport.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QProcess>
#include <QSslSocket>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace tst_redistls {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

using Access = RedisConnection::Access;

class TestRedisTls : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    PrivateRedis m_redis;
    quint16 m_tlsPort = 0;
    quint16 m_plainPort = 0;

    QString file(const QString &name) const { return m_folder.filePath(name); }

    bool openssl(const QStringList &arguments) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(u"openssl"_s, arguments);
        const bool done = process.waitForFinished(30'000) && process.exitCode() == 0;
        if (!done)
            qWarning("%s", process.readAll().constData());
        return done;
    }

    /// A certificate authority of our own: name.pem and name.key.
    bool makeAuthority(const QString &name) const
    {
        return openssl({u"req"_s, u"-x509"_s, u"-newkey"_s, u"ec"_s, u"-pkeyopt"_s,
                        u"ec_paramgen_curve:prime256v1"_s, u"-nodes"_s, u"-days"_s, u"2"_s,
                        u"-subj"_s, u"/CN=test authority "_s + name, u"-keyout"_s, name + u".key"_s,
                        u"-out"_s, name + u".pem"_s});
    }

    bool makeCertificate(const QString &name, const QString &host) const
    {
        QFile extension(file(name + u".ext"_s));
        if (!extension.open(QIODevice::WriteOnly))
            return false;
        extension.write("subjectAltName=DNS:" + host.toUtf8() + "\n");
        extension.close();
        return openssl({u"req"_s, u"-newkey"_s, u"rsa:2048"_s, u"-nodes"_s, u"-subj"_s,
                        u"/CN="_s + host, u"-keyout"_s, name + u".key"_s, u"-out"_s,
                        name + u".csr"_s})
            && openssl({u"x509"_s, u"-req"_s, u"-in"_s, name + u".csr"_s, u"-CA"_s, u"ca.pem"_s,
                        u"-CAkey"_s, u"ca.key"_s, u"-CAcreateserial"_s, u"-days"_s, u"2"_s,
                        u"-extfile"_s, name + u".ext"_s, u"-out"_s, name + u".pem"_s});
    }

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
        if (QStandardPaths::findExecutable(u"openssl"_s).isEmpty() || !QSslSocket::supportsSsl())
            QSKIP("the openssl command or Qt's TLS backend is not installed");
        QVERIFY(makeAuthority(u"ca"_s) && makeAuthority(u"other"_s));
        QVERIFY(makeCertificate(u"server"_s, u"redis.test"_s));
        QVERIFY(makeCertificate(u"client"_s, u"client.test"_s));
        m_tlsPort = freePort();
        m_plainPort = freePort();
        OUTBOX_START_SERVER(m_redis,
                            {u"--tls-port"_s, QString::number(m_tlsPort), u"--port"_s,
                             QString::number(m_plainPort), u"--tls-cert-file"_s,
                             file(u"server.pem"_s), u"--tls-key-file"_s, file(u"server.key"_s),
                             u"--tls-ca-cert-file"_s, file(u"ca.pem"_s), u"--tls-auth-clients"_s,
                             u"yes"_s});
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

    void tlsToAPlainPortEndsAfterFiveSeconds()
    {
        RedisEndpoint endpoint = sound();
        endpoint.port = m_plainPort;
        RedisConnection redis;
        const auto opened = redis.open(endpoint, Access::Act, u"tls"_s);
        QVERIFY(!opened);
        QVERIFY2(opened.error().hint.contains(u"TLS port"_s), qPrintable(oneLine(opened.error())));
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
