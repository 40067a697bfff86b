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

const char *variableOf(SecretName secret, PasswordVariable variable)
{
    const bool isMariaDb = variable == PasswordVariable::MariaDb;
    switch (secret) {
    case SecretName::DatabasePassword:
        return isMariaDb ? "MYSQL_PWD" : "PGPASSWORD";
    case SecretName::RedisPassword:
        return "REDIS_PASSWORD";
    case SecretName::ActingDatabasePassword:
        return isMariaDb ? "ACTING_MYSQL_PWD" : "ACTING_PGPASSWORD";
    case SecretName::ActingRedisPassword:
        break;
    }
    return "ACTING_REDIS_PASSWORD";
}

/// First line without its line break; blanks may belong to a password.
Result<std::optional<QString>> firstLineOf(const QString &path)
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

CredentialStore::CredentialStore(QString folder)
    : m_folder(folder.isEmpty() ? qEnvironmentVariable("CREDENTIALS_DIRECTORY") : std::move(folder))
{ }

QString CredentialStore::name() const
{
    return u"systemd credential"_s;
}

Result<std::optional<QString>> CredentialStore::find(SecretName secret) const
{
    const QString path = m_folder + u'/' + QLatin1StringView(credentialOf(secret));
    if (m_folder.isEmpty() || !QFile::exists(path))
        return std::optional<QString>();
    return firstLineOf(path);
}

PasswordFileStore::PasswordFileStore(QMap<SecretName, QString> files) : m_files(std::move(files))
{ }

QString PasswordFileStore::name() const
{
    return u"password file"_s;
}

Result<std::optional<QString>> PasswordFileStore::find(SecretName secret) const
{
    const QString path = m_files.value(secret);
    if (path.isEmpty())
        return std::optional<QString>();
    return firstLineOf(path);
}

QString EnvironmentStore::name() const
{
    return u"environment"_s;
}

Result<std::optional<QString>> EnvironmentStore::find(SecretName secret) const
{
    const char *variable = variableOf(secret, m_variable);
    if (qEnvironmentVariableIsEmpty(variable))
        return std::optional<QString>();
    return qEnvironmentVariable(variable);
}

SecretOrder::SecretOrder(const QMap<SecretName, QString> &passwordFiles, PasswordVariable variable)
{
    m_stores.push_back(std::make_unique<CredentialStore>());
    m_stores.push_back(std::make_unique<PasswordFileStore>(passwordFiles));
    m_stores.push_back(std::make_unique<EnvironmentStore>(variable));
}

Result<FoundSecret> SecretOrder::find(SecretName secret) const
{
    for (const auto &store : m_stores) {
        const auto found = store->find(secret);
        if (!found)
            return passOn(found);
        if (*found)
            return FoundSecret{**found, store->name()};
    }
    return FoundSecret{};
}

} // namespace outbox
