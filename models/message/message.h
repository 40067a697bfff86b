// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One outbox row as the console and the relay see it.
#pragma once

#include "models/ids.h"
#include "models/message/messagestate.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>

#include <optional>

namespace outbox {

/// Who holds a row, read from the server's catalog without touching the row.
struct LockHolder
{
    qint64 pid = 0; ///< server process; 0 where it is not known
    QString application; ///< its application_name; empty where it is hidden from our role
    std::optional<double> sinceSeconds; ///< age of its transaction by the server's clock
    bool several = false; ///< a multixact: more than one session holds the row
    qint64 rows = 0; ///< rows held, where counted; 0 on a single row

    bool operator==(const LockHolder &) const = default;
};

/// One row of an outbox. Times are UTC; ages are by the database's clock.
struct Message
{
    MessageId id;
    TaskId task; ///< under which it is, or was, in the queue; empty where that cannot be told
    QString type;
    QByteArray payload; ///< byte for byte as stored; a prefix when shorter than payloadBytes
    qint64 payloadBytes = 0; ///< length of the stored payload; -1: the referenced row is gone
    MessageState state = MessageState::Unknown;
    std::optional<QDateTime> created;
    std::optional<QDateTime> processed;
    QString processedText; ///< the same, exactly as its column holds it, for putting it back
    std::optional<double> ageSeconds; ///< since created
    std::optional<int> attempts;
    QString error; ///< last error where the shape has a column for it
    QString queue; ///< where the shape has a queue column
    QString reference; ///< "table_name/table_id" in a reference shape
    /// Of a Locked row, or of a Processed one that a session holds: its holder. Of a Pending row:
    /// the owner of a lease that is over.
    std::optional<LockHolder> lockedBy;
    std::optional<QDateTime> leaseUntil; ///< end of its lease, live or over; never when Processed
    /// Changes with every write to the row: PostgreSQL its xmin; SQLite a digest of all its cells.
    /// Empty where it was not asked for.
    QString version;
    std::optional<QDateTime> parkedSince; ///< of a Parked row
    QString note; ///< why the state is Parked or Unknown, or what is wrong with the row

    bool operator==(const Message &) const = default;
};

/// Who finds the rows that a filter means: the database alone, the database with the queue beside
/// it, or a search through the newest rows (those read first).
enum class FilterReach { Sql, Queue, Scan };

/// One keyset page. `next` is empty on the last page.
struct MessagePage
{
    static constexpr int step = 500; ///< rows

    QList<Message> rows;
    QString next; ///< cursor behind the last row; empty where none follows
    QString back; ///< at the first row, for a question the other way
    QString turn; ///< at the last row, for a question the other way
    QStringList steps; ///< cursors behind each `step` rows
    double tookMs = 0;
    FilterReach reach = FilterReach::Sql;
    /// Scan: rows that were read for this page; where there is a `next` there are more behind.
    qint64 searched = 0;
    /// Rows left out because the beginning of their payload, all that was read, does not tell.
    qint64 undecided = 0;
    /// In the order in which they were written, or the other way round; nullopt: not told.
    std::optional<bool> isByTime;
    QStringList statements; ///< the SQL that just ran, for the SQL tab
    // Of a search through all rows, whose pages are slices of it:
    bool byPages = true; ///< in the order of the pages; false: no index has it, and a key serves
    double longestMs = 0; ///< the longest statement: no snapshot was held longer

    bool operator==(const MessagePage &) const = default;
};

} // namespace outbox
