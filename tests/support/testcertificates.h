// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Certificates for one test, made by openssl in a folder of their own: NAME.pem and NAME.key.
#pragma once

#include "tests/support/filebytes.h"

#include <QProcess>
#include <QSslSocket>
#include <QStandardPaths>
#include <QStringList>
#include <QTemporaryDir>

namespace outbox {

/// How servers of Redis talk TLS, to each other as well, and what an address needs to reach them.
/// Empty: they do not.
struct RedisTls
{
    QStringList settings; ///< of redis.conf: names and values in turn
    QString options; ///< of an address: "ca=…&cert=…&key=…"

    [[nodiscard]] bool isUsed() const { return !settings.isEmpty(); }
    /// Behind the command line of a server without a port of TCP: it listens on `port`, with TLS
    /// or, where they do not use it, without.
    [[nodiscard]] QStringList arguments(quint16 port) const
    {
        QStringList found{isUsed() ? QStringLiteral("--tls-port") : QStringLiteral("--port"),
                          QString::number(port)};
        for (qsizetype i = 0; i + 1 < settings.size(); i += 2)
            found << QString(QStringLiteral("--") + settings.at(i)) << settings.at(i + 1);
        return found;
    }
};

class TestCertificates
{
public:
    /// Whether they can be made, and this program can talk TLS.
    [[nodiscard]] static bool areUsable()
    {
        return !QStandardPaths::findExecutable(QStringLiteral("openssl")).isEmpty()
            && QSslSocket::supportsSsl();
    }
    [[nodiscard]] QString file(const QString &name) const { return m_folder.filePath(name); }

    [[nodiscard]] bool makeAuthority(const QString &name) const
    {
        using namespace Qt::Literals::StringLiterals;
        return openssl({u"req"_s, u"-x509"_s, u"-newkey"_s, u"rsa:2048"_s, u"-nodes"_s, u"-days"_s,
                        u"2"_s, u"-subj"_s, u"/CN=test authority "_s + name, u"-keyout"_s,
                        name + u".key"_s, u"-out"_s, name + u".pem"_s});
    }
    /// Of `host`, which `alternative` names as "DNS:redis.test"; signed by the authority "ca".
    [[nodiscard]] bool makeCertificate(const QString &name, const QString &host,
                                       const QString &alternative, int days = 2) const
    {
        using namespace Qt::Literals::StringLiterals;
        return writeFile(file(name + u".ext"_s), "subjectAltName=" + alternative.toUtf8() + "\n")
            && openssl({u"req"_s, u"-newkey"_s, u"rsa:2048"_s, u"-nodes"_s, u"-subj"_s,
                        u"/CN="_s + host, u"-keyout"_s, name + u".key"_s, u"-out"_s,
                        name + u".csr"_s})
            && openssl({u"x509"_s, u"-req"_s, u"-in"_s, name + u".csr"_s, u"-CA"_s, u"ca.pem"_s,
                        u"-CAkey"_s, u"ca.key"_s, u"-CAcreateserial"_s, u"-days"_s,
                        QString::number(days), u"-extfile"_s, name + u".ext"_s, u"-out"_s,
                        name + u".pem"_s});
    }
    /// The authorities "ca" and "other", of "ca" the certificates "redis", for 127.0.0.1, and
    /// "client".
    [[nodiscard]] bool makeForRedis() const
    {
        using namespace Qt::Literals::StringLiterals;
        return makeAuthority(u"ca"_s) && makeAuthority(u"other"_s)
            && makeCertificate(u"redis"_s, u"redis.test"_s, u"DNS:redis.test,IP:127.0.0.1"_s)
            && makeCertificate(u"client"_s, u"client.test"_s, u"DNS:client.test"_s);
    }
    /// Of those. `asksClients`: whoever connects has to show a certificate, too.
    [[nodiscard]] RedisTls redisTls(bool asksClients) const
    {
        using namespace Qt::Literals::StringLiterals;
        const QString asks = asksClients ? u"yes"_s : u"no"_s;
        const QString clients
            = u"&cert="_s + file(u"client.pem"_s) + u"&key="_s + file(u"client.key"_s);
        return {{u"tls-cert-file"_s, file(u"redis.pem"_s), u"tls-key-file"_s, file(u"redis.key"_s),
                 u"tls-ca-cert-file"_s, file(u"ca.pem"_s), u"tls-auth-clients"_s, asks,
                 u"tls-replication"_s, u"yes"_s, u"tls-cluster"_s, u"yes"_s},
                QString(u"ca="_s + file(u"ca.pem"_s) + (asksClients ? clients : QString()))};
    }

private:
    [[nodiscard]] bool openssl(const QStringList &arguments) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QStringLiteral("openssl"), arguments);
        const bool done = process.waitForFinished(30'000) && process.exitCode() == 0;
        if (!done)
            qWarning("%s", process.readAll().constData());
        return done;
    }

    QTemporaryDir m_folder;
};

} // namespace outbox
