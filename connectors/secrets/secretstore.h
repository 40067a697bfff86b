// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where passwords come from: places asked in a fixed order, and which of them answered.
#pragma once

#include "models/result.h"

#include <QMap>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace outbox {

/// The acting ones belong to the roles that a profile names for operations.
enum class SecretName {
    DatabasePassword,
    RedisPassword,
    ActingDatabasePassword,
    ActingRedisPassword,
};

/// A place that may hold secrets. Cheap to ask, never prompts; for any thread.
/// Errors: Refused for a secret that is there and cannot be read.
class SecretStore
{
public:
    virtual ~SecretStore() = default;

    /// For people: "systemd credential", "environment" …
    [[nodiscard]] virtual QString name() const = 0;
    /// nullopt: not here, ask the next one. Fails with Refused when it is here and cannot be read.
    [[nodiscard]] virtual Result<std::optional<QString>> find(SecretName secret) const = 0;
};

/// Files `database-password`, `redis-password`, `acting-database-password` and
/// `acting-redis-password` in $CREDENTIALS_DIRECTORY (systemd's LoadCredential).
/// Errors: Refused for a file that cannot be read.
class CredentialStore : public SecretStore
{
public:
    /// `folder` empty: from the environment.
    explicit CredentialStore(QString folder = {});
    [[nodiscard]] QString name() const override;
    [[nodiscard]] Result<std::optional<QString>> find(SecretName secret) const override;

private:
    QString m_folder;
};

/// The first line of the files named on the command line; a file that is named must be there.
/// Errors: Refused for a file that is missing or cannot be read.
class PasswordFileStore : public SecretStore
{
public:
    explicit PasswordFileStore(QMap<SecretName, QString> files);
    [[nodiscard]] QString name() const override;
    [[nodiscard]] Result<std::optional<QString>> find(SecretName secret) const override;

private:
    QMap<SecretName, QString> m_files;
};

/// Whose variable holds the password of the database.
enum class PasswordVariable { Postgres, MariaDb };

/// PGPASSWORD or MYSQL_PWD, and REDIS_PASSWORD; with ACTING_ before them those of operations.
/// Errors: none.
class EnvironmentStore : public SecretStore
{
public:
    explicit EnvironmentStore(PasswordVariable variable = PasswordVariable::Postgres)
        : m_variable(variable)
    { }
    [[nodiscard]] QString name() const override;
    [[nodiscard]] Result<std::optional<QString>> find(SecretName secret) const override;

private:
    PasswordVariable m_variable;
};

struct FoundSecret
{
    QString text; ///< empty when no store has it; libpq then reads ~/.pgpass itself
    QString store; ///< who answered; empty when nobody did
};

/// Asks credential, password file and environment, in this order; the first answer counts. An error
/// ends the search: a secret that is there and unreadable must not be replaced by another one.
/// Errors: that of the first store that has it and cannot read it: Refused.
class SecretOrder
{
public:
    explicit SecretOrder(const QMap<SecretName, QString> &passwordFiles = {},
                         PasswordVariable variable = PasswordVariable::Postgres);
    [[nodiscard]] Result<FoundSecret> find(SecretName secret) const;

private:
    std::vector<std::unique_ptr<SecretStore>> m_stores;
};

} // namespace outbox
