// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Outboxes of any size whose rows stay when they are processed, for what looking at them costs.
#pragma once

#include "models/result.h"

#include <QByteArray>
#include <QString>

namespace outbox {

class PlainPostgres;

struct BigOutbox
{
    QString table;
    qint64 rows = 0;
    qint64 pending = 0; ///< the newest ones
    bool withIndexes = true; ///< those that keep looking cheap, beside the key
};

/// Rows of twenty types and some 200 bytes of JSON, keys in the order of time, created one every
/// ten milliseconds up to now; vacuumed and analyzed.
[[nodiscard]] Result<void> fillPostgres(PlainPostgres &hand, const BigOutbox &outbox);
/// The same in a SQLite file, which is made.
[[nodiscard]] Result<void> fillSqlite(const QString &file, const BigOutbox &outbox);

} // namespace outbox
