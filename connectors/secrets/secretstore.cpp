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
    case SecretName::SentinelPassword:
        return "redis-sentinel-password";
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
    case SecretName::SentinelPassword:
        return "REDIS_SENTINEL_PASSWORD";
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

Result<QString> findSecret(SecretName secret, const QMap<SecretName, QString> &passwordFiles,
                           const QString &databaseVariable)
{
    const QString folder = qEnvironmentVariable("CREDENTIALS_DIRECTORY");
    const QString credential = folder + u'/' + QLatin1StringView(credentialOf(secret));
    if (!folder.isEmpty() && QFile::exists(credential))
        return firstLineOf(credential);
    const QString path = passwordFiles.value(secret);
    if (!path.isEmpty())
        return firstLineOf(path);
    const QByteArray variable = variableOf(secret, databaseVariable);
    return qEnvironmentVariable(variable.constData());
}

} // namespace outbox
