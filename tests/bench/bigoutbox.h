// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Outboxes of any size, for what looking at them costs.
#pragma once

#include "models/result.h"

#include <QByteArray>
#include <QString>

#include <functional>

namespace outbox {

class PlainPostgres;

struct BigOutbox
{
    /// How a row says that it was delivered.
    enum class Mark { CompletedAt, Status, None };

    QString table;
    qint64 rows = 0;
    qint64 pending = 0; ///< the newest ones; without a mark all are
    bool withIndexes = true; ///< those that keep looking cheap, beside the key
    Mark mark = Mark::CompletedAt;
    int textBytes = 160; ///< of each payload, beside some 40
};

/// Rows of twenty types with a JSON payload, keys in the order of time, created one every ten
/// milliseconds up to now; vacuumed and analyzed.
[[nodiscard]] Result<void> fillPostgres(PlainPostgres &hand, const BigOutbox &outbox);
/// The same in a SQLite file, which is made.
[[nodiscard]] Result<void> fillSqlite(const QString &file, const BigOutbox &outbox);
/// The same in MariaDB, by a session that may make tables; without the indexes.
void fillMariadb(const std::function<void(const QString &)> &run, const BigOutbox &outbox);

} // namespace outbox
