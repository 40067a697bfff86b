// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the designs keep, beside the documents, what is done: names and bounds, and whether a store
// can be relied on.
#pragma once

#include "models/shape/outboxshape.h"

#include <QByteArray>
#include <QString>

namespace outbox {

/// A table with one row for each record.
struct DoneTable
{
    TableName table;
    QString idColumn = QStringLiteral("id"); ///< the message, or the token
    QString timeColumn; ///< when it came in; empty: nobody knows, or the database fills it in
    QString attemptColumn; ///< tokens: the attempt that made it; empty: attempts are not registered
    QString incomingColumn; ///< tokens: the message that the attempt was about

    bool operator==(const DoneTable &) const = default;
};

/// Redis keys under one prefix.
struct DoneKeys
{
    QByteArray prefix; ///< dedup: of a key for each message; tokens: name of their set
    qint64 ttlMs = 0; ///< dedup: how long a record lasts; 0: for ever

    bool operator==(const DoneKeys &) const = default;
};

/// Whether a store keeps the rule that the designs stand on: a read after a read is not stale, and
/// a record lasts as long as it should.
struct StoreDurability
{
    bool holds = false;
    QString words; ///< one sentence: what the store does, or why it cannot be relied on

    bool operator==(const StoreDurability &) const = default;
};

} // namespace outbox
