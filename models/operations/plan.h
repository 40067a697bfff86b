// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an operation is going to do, message by message, frozen. The act takes this, never the
// selection it came from.
#pragma once

#include "models/content/rowcontent.h"
#include "models/ids.h"
#include "models/message/findingkind.h"
#include "models/message/message.h"
#include "models/message/messagestate.h"
#include "models/message/task.h"
#include "models/operations/outcome.h"
#include "models/operations/verb.h"
#include "models/profile/profile.h"
#include "models/result.h"

#include <QDateTime>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// A row as it was seen. `version` changes with every write to the row (PostgreSQL: xmin; SQLite: a
/// digest of all its cells); the act is guarded by it.
struct RowSnapshot
{
    MessageState state = MessageState::Unknown;
    QString version;
    std::optional<QDateTime> processed;
    qint64 payloadBytes = 0;
    std::optional<LockHolder> lockedBy;
    QString processedText; ///< `processed` as its column holds it

    bool operator==(const RowSnapshot &) const = default;
};

/// A task as it was seen. `stamp` is what Redis holds beside the state: the score in its sorted
/// set, or pending_since; the act is guarded by state and stamp.
struct TaskSeen
{
    TaskState state = TaskState::None;
    QByteArray stamp;
    std::optional<QDateTime> keptUntil; ///< Completed: end of the dedup window, an estimate
    QString type;
    qint64 payloadBytes = -1; ///< -1: no message
    int retried = 0;
    int maxRetry = 0;
    QString lastError;
    bool damaged = false; ///< the message cannot be decoded

    bool operator==(const TaskSeen &) const = default;
};

struct PlanItem
{
    MessageId row; ///< empty where only a task is meant
    TaskId task; ///< empty where only a row is meant
    QueueName queue;
    QString type;
    std::optional<RowSnapshot> rowSeen; ///< nullopt: there was none
    std::optional<TaskSeen> taskSeen; ///< nullopt: not looked at; None: there was none
    Outcome expected = Outcome::Unknown;
    QString reason; ///< one sentence: why, until when, by whom, and what to do instead
    std::optional<FindingKind> kind; ///< Reconcile
    QString evidence; ///< Reconcile: what was seen, and the guard of the repair
    /// Edit: `digestOf` what the row is to hold. EditTask: digests of both messages, and the place.
    QString intended;

    [[nodiscard]] bool isActedOn() const { return acts(expected); }
    bool operator==(const PlanItem &) const = default;
};

struct Plan
{
    QString operation; ///< uuid: names it in the audit, the export and the receipt
    Verb verb{};
    QString profile; ///< name; empty when the parts were named
    Environment environment = Environment::Unsaid;
    QString target; ///< "orders @ pg-1/outbox -> redis-1/0", without secrets
    QDateTime at; ///< UTC; what came later is not part of it
    QString selection; ///< in words: "3 rows" or "rows that match state:failed"
    QString undoOf; ///< operation that this plan undoes; empty = none
    QString file; ///< Import: the export that is read
    QByteArray fileChecksum; ///< and the content that was seen in it
    std::optional<NewTask> newTask; ///< Enqueue: what is made
    QList<EditedCell> edit; ///< Edit, EditTask: all that may be changed, and to what
    QString difference; ///< of these: `differenceOf`
    std::optional<TaskChange> taskChange; ///< EditTask: what is written
    QList<PlanItem> items;
    QStringList statements; ///< the SQL that will run, from the builder that runs it
    QStringList commands; ///< the Redis commands, in words
    QStringList warnings; ///< e.g. "No outbox_audit table: the record is kept in the file only"
    bool exportsFirst = false; ///< what is deleted or changed is written to a file before
    bool hasMasks = false; ///< payloads are masked for people; in that file they are whole
    bool reopensWindow = false; ///< a dedup record goes: its id may run again
    std::optional<Error> unread; ///< of what could not be looked at; nullopt: nothing is missing
    int trimmed = 0; ///< Archive: old tasks that must go to make room; exported first
    QString undo; ///< one sentence: how it can be undone, or that it cannot

    [[nodiscard]] qsizetype acting() const; ///< items that will be acted on
    [[nodiscard]] QMap<Outcome, qsizetype> counts() const;
    bool operator==(const Plan &) const = default;
};

/// How far a bulk is; a value for the corner of the window and for stderr.
struct OperationProgress
{
    qsizetype done = 0; ///< items behind us, whatever came of them
    qsizetype total = 0;
    QString phase; ///< "exporting", "deleting", …

    bool operator==(const OperationProgress &) const = default;
};

} // namespace outbox
