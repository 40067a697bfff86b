// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/secrets/secretstore.h"

#include <QFile>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 longestSecret = 65'536;

const char *credentialOf(SecretName secret)
{
    switch (secret) {
    case SecretName::DatabasePassword:
        return "database-password";
    case SecretName::RedisPassword:
        return "redis-password";
    case SecretName::ActingDatabasePassword:
        return "acting-database-password";
    case SecretName::ActingRedisPassword:
        break;
    }
    return "acting-redis-password";
}

QByteArray variableOf(SecretName secret, const QString &databaseVariable)
{
    switch (secret) {
    case SecretName::DatabasePassword:
        return databaseVariable.toLatin1();
    case SecretName::RedisPassword:
        return "REDIS_PASSWORD";
    case SecretName::ActingDatabasePassword:
        return "ACTING_" + databaseVariable.toLatin1();
    case SecretName::ActingRedisPassword:
        break;
    }
    return "ACTING_REDIS_PASSWORD";
}

/// First line without its line break; blanks may belong to a password.
Result<QString> firstLineOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(Error::Kind::Refused, u"reading the password file %1"_s.arg(path),
                    file.errorString());
    }
    QByteArray line = file.readLine(longestSecret);
    while (line.endsWith('\n') || line.endsWith('\r'))
        line.chop(1);
    return QString::fromUtf8(line);
}

} // namespace

SecretOrder::SecretOrder(const QMap<SecretName, QString> &passwordFiles, QString databaseVariable)
    : m_credentials(qEnvironmentVariable("CREDENTIALS_DIRECTORY")), m_passwordFiles(passwordFiles),
      m_databaseVariable(std::move(databaseVariable))
{ }

Result<FoundSecret> SecretOrder::find(SecretName secret) const
{
    const auto inFile = [](const QString &path, const QString &store) -> Result<FoundSecret> {
        const auto line = TRY(firstLineOf(path));
        return FoundSecret{line, store};
    };
    const QString credential = m_credentials + u'/' + QLatin1StringView(credentialOf(secret));
    if (!m_credentials.isEmpty() && QFile::exists(credential))
        return inFile(credential, u"systemd credential"_s);
    const QString path = m_passwordFiles.value(secret);
    if (!path.isEmpty())
        return inFile(path, u"password file"_s);
    const QByteArray variable = variableOf(secret, m_databaseVariable);
    if (!qEnvironmentVariableIsEmpty(variable.constData()))
        return FoundSecret{qEnvironmentVariable(variable.constData()), u"environment"_s};
    return FoundSecret{};
}

} // namespace outbox
