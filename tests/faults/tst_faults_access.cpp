// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F27: certificates of a PostgreSQL that are not right.
#include "connectors/sql/outbox/outboxstore.h"
#include "tests/support/freeport.h"
#include "tests/support/patience.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testcertificates.h"
#include "tests/support/testprogram.h"

#include <QProcess>
#include <QTest>

namespace tst_faults_access {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFaultsAccess : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    TestCertificates m_certificates;
    quint16 m_port = 0;

    [[nodiscard]] QString file(const QString &name) const { return m_certificates.file(name); }
    [[nodiscard]] bool make(const QString &name, const QString &alternative, int days = 2) const
    {
        return m_certificates.makeCertificate(name, u"postgres.test"_s, alternative, days);
    }
    /// The server takes a certificate from its own folder, where its user may read it.
    [[nodiscard]] bool give(const QString &name) const
    {
        const QString data = m_postgres.folder() + u"/data/"_s;
        for (const QString &kind : {u".pem"_s, u".key"_s}) {
            const QString to = data + u"server"_s + (kind == u".pem"_s ? u".crt"_s : u".key"_s);
            QFile::remove(to);
            if (!QFile::copy(file(name + kind), to))
                return false;
            QProcess own;
            own.start(u"chown"_s, {u"--reference="_s + data + u"PG_VERSION"_s, to});
            if (!own.waitForFinished() || own.exitCode() != 0)
                return false;
            QFile::setPermissions(to, QFile::ReadOwner | QFile::WriteOwner);
        }
        return true;
    }

private slots:
    void initTestCase()
    {
        m_port = freePort();
        qputenv("PGPORT", QByteArray::number(m_port)); // TLS is for TCP, and 5432 may be taken
        OUTBOX_START_SERVER(m_postgres, {u"listen_addresses=127.0.0.1"_s});
        qunsetenv("PGPORT");
    }

    void f27_tlsFailsClosed_data()
    {
        QTest::addColumn<QString>("certificate");
        QTest::addColumn<QString>("trusted");
        QTest::addColumn<QString>("words");
        QTest::newRow("right") << u"right"_s << u"ca"_s << QString();
        QTest::newRow("self-signed, or of another authority")
            << u"right"_s << u"other"_s << u"verify failed"_s;
        QTest::newRow("of another host") << u"elsewhere"_s << u"ca"_s << u"does not match host"_s;
        QTest::newRow("expired") << u"expired"_s << u"ca"_s << u"verify failed"_s;
        QTest::newRow("a server without TLS") << QString() << u"ca"_s << u"does not support SSL"_s;
    }
    void f27_tlsFailsClosed()
    {
        QFETCH(QString, certificate);
        QFETCH(QString, trusted);
        QFETCH(QString, words);
        static const bool made = m_certificates.makeAuthority(u"ca"_s)
            && m_certificates.makeAuthority(u"other"_s) && make(u"right"_s, u"IP:127.0.0.1"_s)
            && make(u"elsewhere"_s, u"DNS:postgres.test"_s)
            && make(u"expired"_s, u"IP:127.0.0.1"_s, -1);
        if (!made)
            QSKIP("no certificates can be made: apt-get install openssl");
        StoreSettings plain;
        plain.url = *DatabaseUrl::fromUrl(
            u"postgresql://%1@127.0.0.1:%2/postgres"_s.arg(m_postgres.user()).arg(m_port));
        plain.applicationName = u"tls"_s;
        OutboxStore store;
        if (!certificate.isEmpty())
            QVERIFY(give(certificate));
        PlainPostgres hand;
        QVERIFY_RESULT(hand.open(u"postgresql://%1@/postgres?host=%2&port=%3"_s.arg(
            m_postgres.user(), m_postgres.folder(), QString::number(m_port))));
        QVERIFY_RESULT(hand.run(certificate.isEmpty() ? "alter system set ssl = off"
                                                      : "alter system set ssl = on"));
        QVERIFY_RESULT(hand.run("select pg_reload_conf()"));
        StoreSettings guarded = plain;
        guarded.url.options
            = {{u"sslmode"_s, u"verify-full"_s}, {u"sslrootcert"_s, file(trusted + u".pem"_s)}};
        if (words.isEmpty()) { // the server reads its settings anew in its own time
            QTRY_VERIFY(store.open(guarded).has_value());
            return;
        }
        const auto said = [&] {
            const auto opened = store.open(guarded);
            return opened ? QString() : oneLine(opened.error());
        };
        QTRY_VERIFY2(said().contains(words), qPrintable(said()));
        const auto opened = store.open(guarded);
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, Error::Kind::Refused);
        QVERIFY(!store.isOpen());
    }
};

} // namespace tst_faults_access

OUTBOX_TEST(tst_faults_access::TestFaultsAccess)
#include "tst_faults_access.moc"
