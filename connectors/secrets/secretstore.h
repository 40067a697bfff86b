// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where passwords come from: places asked in a fixed order, and which of them answered.
#pragma once

#include "models/result.h"

#include <QMap>
#include <QString>

namespace outbox {

/// The acting ones belong to the roles that a profile names for operations.
enum class SecretName {
    DatabasePassword,
    RedisPassword,
    ActingDatabasePassword,
    ActingRedisPassword,
};

struct FoundSecret
{
    QString text; ///< empty when no place has it; libpq then reads ~/.pgpass itself
    QString store; ///< the place that answered; empty when none did
};

/// Asks three places in this order; the first answer counts. Cheap to ask, never prompts; for any
/// thread.
///   - systemd credential: the files `database-password`, `redis-password`,
///     `acting-database-password` and `acting-redis-password` in $CREDENTIALS_DIRECTORY;
///   - password file: the first line of the file that the command line names, which must be there;
///   - environment: the variable of the database, such as PGPASSWORD, and REDIS_PASSWORD; with
///     ACTING_ before them those of operations.
/// An error ends the search: a secret that is there and unreadable must not be replaced by another
/// one.
/// Errors: Refused for a file that is named or there, and cannot be read.
class SecretOrder
{
public:
    explicit SecretOrder(const QMap<SecretName, QString> &passwordFiles = {},
                         QString databaseVariable = QStringLiteral("PGPASSWORD"));
    [[nodiscard]] Result<FoundSecret> find(SecretName secret) const;

private:
    QString m_credentials; ///< folder; empty: none was given
    QMap<SecretName, QString> m_passwordFiles;
    QString m_databaseVariable;
};

} // namespace outbox
