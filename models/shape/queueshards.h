// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One outbox into several queues: which of them a row goes to (shapes.md 3.1).
#pragma once

#include "models/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace outbox {

/// Queues of one name that differ in a number, such as "mail-0" to "mail-15". A row goes to the
/// queue that a text of the row names, always the same one: the id of its task, or what a column
/// holds. Which one is part of what is stored: it must be the same on all machines and in all
/// versions.
struct QueueShards
{
    static constexpr int most = 1024;

    QString before; ///< the number stands behind it
    QString after; ///< and in front of it
    int count = 0; ///< 1 to `most`; 0: the shape has no shards
    QString byColumn; ///< its text decides; empty: the id of the task does

    [[nodiscard]] bool isEmpty() const { return count == 0; }
    /// "mail-{shard:16}" or "mail-{shard:16 by:customer}"; empty where there are none.
    [[nodiscard]] QString text() const;
    /// What decides in `text`, without the name of the queues: "16" or "16 by:customer".
    [[nodiscard]] QString rule() const;
    /// The queue number `shard`, from 0 on.
    [[nodiscard]] QString name(int shard) const;
    /// Those of all queues, by their number.
    [[nodiscard]] QStringList names() const;
    /// The queue of a row with this deciding text, which may be empty.
    [[nodiscard]] QString nameFor(const QString &text) const;

    /// `queue` is the name of one of them.
    [[nodiscard]] bool contains(const QString &queue) const;

    /// The text is meant as a template: it holds a brace.
    [[nodiscard]] static bool isTemplate(const QString &text);
    /// Reads a template. Fails with Invalid: no part {shard:N}, several, other braces, a number
    /// that is none from 1 to `most`, no column behind "by:".
    [[nodiscard]] static Result<QueueShards> fromText(const QString &text);
    bool operator==(const QueueShards &) const = default;
};

/// FNV-1a with 64 bits.
[[nodiscard]] quint64 shardHash(const QByteArray &bytes);
/// Jump consistent hashing: a number from 0 to `shards` - 1. With one shard more, one key in
/// `shards` + 1 goes elsewhere, and to the new shard. `shards` is at least 1.
[[nodiscard]] int shardOf(quint64 hash, int shards);

} // namespace outbox
