// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where passwords come from: places asked in a fixed order.
#pragma once

#include "models/result.h"

#include <QMap>
#include <QString>

namespace outbox {

/// The acting ones belong to the roles that a profile names for operations.
enum class SecretName {
    DatabasePassword,
    RedisPassword,
    SentinelPassword, ///< of the sentinels that tell where Redis is
    ActingDatabasePassword,
    ActingRedisPassword,
};

/// Asks three places in this order; the first answer counts. Empty when no place has it; libpq then
/// reads ~/.pgpass itself. Cheap to ask, never prompts; for any thread.
///   - systemd credential: the files `database-password`, `redis-password`,
///     `redis-sentinel-password`, `acting-database-password` and `acting-redis-password` in
///     $CREDENTIALS_DIRECTORY;
///   - password file: the first line of the file that the command line names, which must be there;
///   - environment: the variable of the database, such as PGPASSWORD, REDIS_PASSWORD and
///     REDIS_SENTINEL_PASSWORD; with ACTING_ before the first two those of operations.
/// An error ends the search: a secret that is there and unreadable must not be replaced by another
/// one.
/// Errors: Refused for a file that is named or there, and cannot be read.
[[nodiscard]] Result<QString>
findSecret(SecretName secret, const QMap<SecretName, QString> &passwordFiles = {},
           const QString &databaseVariable = QStringLiteral("PGPASSWORD"));

} // namespace outbox
