// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The message inside a task hash, as a value; nothing of protobuf leaves the codec.
#pragma once

#include "models/message/task.h"
#include "models/result.h"

#include <QByteArray>
#include <QMap>
#include <QString>

namespace outbox::asynq {

/// Fields by asynq-protocol 2. Times are Unix seconds, 0 = not set.
struct TaskMessage
{
    QString type;
    QByteArray payload;
    QString id;
    QString queue;
    int retry = 0; ///< most retries
    int retried = 0;
    QString error;
    qint64 timeoutSeconds = 0;
    qint64 deadline = 0;
    QString uniqueKey;
    qint64 lastFailedAt = 0;
    qint64 retentionSeconds = 0;
    qint64 completedAt = 0;
    QString group;
    QMap<QString, QString> headers;
    QByteArray unknown; ///< fields of a newer asynq, kept as they came

    bool operator==(const TaskMessage &) const = default;
};

/// Bytes as asynq writes them: ascending field numbers, unknown fields behind. Fails with Invalid
/// when a text has lone surrogates: a worker that meets such bytes recovers no task of any queue
/// any more.
[[nodiscard]] Result<QByteArray> encode(const TaskMessage &message);
/// Fails with Protocol when the bytes are no such message.
[[nodiscard]] Result<TaskMessage> decode(const QByteArray &bytes);

/// What the message says goes into `task`: everything but state, times of the containers and
/// result. The payload is cut at `payloadBytes`; a negative limit means all of it.
void describe(const TaskMessage &message, qint64 payloadBytes, Task &task);

} // namespace outbox::asynq
