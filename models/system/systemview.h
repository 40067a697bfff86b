// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything the console shows of one system at one moment, as values: views take these and know no
// connector. Each source fails alone and keeps its last good value.
#pragma once

#include "models/filter/pagerequest.h"
#include "models/message/message.h"
#include "models/message/task.h"
#include "models/relay/relaystep.h"
#include "models/result.h"
#include "models/system/healthreport.h"
#include "models/system/snapshots.h"

#include <QDateTime>
#include <QString>

#include <optional>

namespace outbox {

/// A place that knows of an id, beside its row and its task: what is left of a message that is
/// gone.
struct IdTrace
{
    enum class Place {
        Record, ///< an operation in the file of this machine
        Database, ///< an operation in the table outbox_audit
        Parked, ///< set aside, though its row is gone
        Export, ///< a file that a purge, a delete or an undo wrote or read
    };
    Place place = Place::Record;
    QDateTime at{}; ///< UTC; null: not known
    QString text; ///< "Purge by ana@desk: done"
    QString name{}; ///< the operation, or the file

    bool operator==(const IdTrace &) const = default;
};

[[nodiscard]] QString word(IdTrace::Place place); ///< "record", "database", "parked", "export"
[[nodiscard]] QString label(IdTrace::Place place); ///< "On record here"

/// How one source (database or Redis) is doing. Ages are taken from `lastGood` by the monotonic
/// clock of the one who shows it.
struct SourceHealth
{
    enum class State {
        NotConnected,
        Connecting,
        Live,
        Failing,
        Absent, ///< no address is set: nobody asks
    };
    State state = State::NotConnected;
    std::optional<QDateTime> lastGood; ///< our clock, UTC
    double latencyMs = 0;
    std::optional<Error> error; ///< why it is failing
    int retryInMs = 0; ///< until the next try; 0 while it fails: nobody asks again by itself
    QString detail; ///< server and version, for the status bar's details

    bool operator==(const SourceHealth &) const = default;
};

/// All that is shown of one system at one moment: the last good answer of each source and what
/// follows from both. Whatever is painted from one of these says the same numbers everywhere.
struct SystemSnapshot
{
    SourceHealth database; ///< `lastGood` is the moment of `outbox`
    SourceHealth queue; ///< `lastGood` is the moment of `queues`
    std::optional<OutboxSnapshot> outbox;
    std::optional<QList<QueueSnapshot>> queues;
    std::optional<DedupSnapshot> dedup; ///< asked for seldom; what `queues` tells newer is put in
    std::optional<HealthReport> health; ///< nullopt until both sources were asked
    int intervalMs = 1000; ///< between two looks at the database

    bool operator==(const SystemSnapshot &) const = default;
};

/// One page of rows joined with what stands under their ids in the queue.
struct OutboxPageView
{
    PageRequest request;
    MessagePage page;
    QHash<QString, TaskState> inQueue; ///< by message id text; absent = not known
    QHash<QString, QDateTime> keptUntil; ///< by message id text: end of the dedup window
    QDateTime at; ///< when the rows were read, our clock

    bool operator==(const OutboxPageView &) const = default;
};

/// What would happen to this id if it were sent now, and the facts it follows from.
struct IdVerdict
{
    MessageId message;
    TaskId taskId;
    QueueName queue;
    std::optional<Message> row; ///< nullopt: no row, or the database did not answer (`rowError`)
    std::optional<Error> rowError;
    std::optional<Task> task;
    std::optional<Error> taskError;
    QString sentence; ///< "Completed 14:02:40; refused until about 14:02 tomorrow."
    QString replay; ///< "it will be queued", "refused until T" … (console.md 8.3)
    /// Tasks of other rows that had this key, beside `task`, which is the newest; newest first.
    QList<Task> lives{};
    QList<IdTrace> traces{}; ///< newest first, as far as was looked
    QStringList gaps{}; ///< what could not be looked through, and why

    bool operator==(const IdVerdict &) const = default;
};

} // namespace outbox
