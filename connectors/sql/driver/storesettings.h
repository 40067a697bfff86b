// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a database session is opened with.
#pragma once

#include "connectors/sql/driver/databaseurl.h"

#include <QString>

namespace outbox {

/// What a session may do. The server itself keeps a `ReadOnly` session read-only; `Act` is an
/// operator's.
enum class StoreAccess { ReadOnly, Relay, Act };

struct StoreSettings
{
    DatabaseUrl url;
    StoreAccess access = StoreAccess::ReadOnly;
    /// E.g. "outboxdeck/ana@desk": what others see in pg_stat_activity; MariaDB does not show it.
    QString applicationName;
    int connectTimeoutMs = 5000;
    int statementTimeoutMs = 5000;
    int lockTimeoutMs = 2000;
    int idleInTransactionTimeoutMs = 15000; ///< frees the rows of a relay that stands still
};

} // namespace outbox
