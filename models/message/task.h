// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One task in the queue, and what the relay sends and hears when it enqueues.
#pragma once

#include "models/ids.h"
#include "models/message/messagestate.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QMap>
#include <QStringList>

#include <optional>

namespace outbox {

/// A task as stored: the decoded message and where the id was found.
struct Task
{
    TaskId id;
    QueueName queue;
    QString type;
    QByteArray payload; ///< a prefix when shorter than payloadBytes
    qint64 payloadBytes = 0;
    TaskState state = TaskState::None;
    int maxRetry = 0;
    int retried = 0;
    QString lastError;
    qint64 timeoutSeconds = 0;
    qint64 retentionSeconds = 0;
    std::optional<QDateTime> deadline; ///< afterwards it fails without being run
    QString uniqueKey; ///< the lock that it holds; empty: none
    QString group; ///< that it waits in, or came from
    QMap<QString, QString> headers; ///< since asynq 0.26
    std::optional<QDateTime> pendingSince;
    std::optional<QDateTime> nextRun; ///< scheduled and retry
    std::optional<QDateTime> lastFailed;
    std::optional<QDateTime> archivedAt;
    std::optional<QDateTime> completedAt;
    std::optional<QDateTime> keptUntil; ///< completed: end of the dedup window, an estimate
    std::optional<QDateTime> leaseUntil; ///< active
    QByteArray result;
    /// The score in its sorted set, or pending_since, as Redis holds it: guards what is done to it.
    QByteArray stamp;
    bool damaged = false; ///< the message could not be decoded
    QString note; ///< what is wrong with it, in words

    bool operator==(const Task &) const = default;
};

/// One page of the tasks in one state. `next` is empty on the last page.
struct TaskPage
{
    QList<Task> tasks;
    QString next;
    double tookMs = 0;

    bool operator==(const TaskPage &) const = default;
};

/// What the relay asks the queue to take.
struct EnqueueRequest
{
    TaskId id;
    QueueName queue;
    QString type;
    QByteArray payload;
    qint64 retentionSeconds = 0; ///< the dedup window, from completion on
    int maxRetry = 25;
    qint64 timeoutSeconds = 1800;
    QStringList also{}; ///< ids under which it may stand as well; nothing is stored then
    /// When the message was written, in microseconds since 1970: a task under one of `also` that is
    /// older is another message's; under `id`, too, where that may return.
    std::optional<qint64> bornUs{};
    bool mayReturn = false;

    bool operator==(const EnqueueRequest &) const = default;
};

/// What the enqueue script found (asynq-protocol 10.3), one for each request, in the same order.
struct EnqueueAnswer
{
    enum class Kind {
        Stored, ///< nothing was there; it is pending now
        Exists, ///< a task with this id is there: `state`, `same`, `inContainer` say what it is
        Damaged, ///< a stub, an orphan or a key of the wrong type: `state` says which
        Invalid, ///< refused before it was sent: `detail` says why (the row is at fault)
        Rejected, ///< the server answered an error for this one: `detail`, `code`
        Untold, ///< a like task is there, and nothing tells yet whether it is this message's
        QueueBroken, ///< so it did for a key that all tasks of the queue share: `detail`, `code`
        QueueAway, ///< the node of a Cluster that has the queue cannot take it now: `detail`,
                   ///< `code`
    };
    Kind kind = Kind::Rejected;
    TaskState state = TaskState::None;
    bool same = false; ///< same type and same payload
    bool isOlder = false; ///< it was there before the message was written: it is another one's
    QString detail;
    QString code;
    bool isOfAll = false; ///< QueueAway: what is away is needed by every queue
    bool wasStored = false; ///< QueueAway: by this batch, and that may be lost with its node
    QString node{}; ///< QueueAway: "host:port" of the node; empty: it is not known which

    bool operator==(const EnqueueAnswer &) const = default;
};

/// A task that an operator makes by hand.
struct NewTask
{
    EnqueueRequest request;
    qint64 delaySeconds = 0; ///< before it may run; 0: at once

    bool operator==(const NewTask &) const = default;
};

/// What takes the place of the message of a task, and where the task stands then.
struct TaskChange
{
    QByteArray seen; ///< the message that was read: nothing is written where another one stands
    QByteArray message; ///< the one to store
    TaskState state = TaskState::None; ///< pending, scheduled, retry or archived
    QByteArray score; ///< of its sorted set, a number; empty for pending
    QByteArray pendingSince; ///< as the hash is to hold it; empty: it holds none. Pending: from now
    bool needsFreeLock = false; ///< nothing is written where the task holds its unique lock

    bool operator==(const TaskChange &) const = default;
};

} // namespace outbox
