// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Certificates for one test, made by openssl in a folder of their own: NAME.pem and NAME.key.
#pragma once

#include "tests/support/filebytes.h"

#include <QProcess>
#include <QTemporaryDir>

namespace outbox {

class TestCertificates
{
public:
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
