// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/wire/taskmessage.h"

#include "connectors/asynq/wire/protobuf.h"
#include "task.pb.h"

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

std::string toWire(const QString &text)
{
    return text.toStdString();
}

QString fromWire(const std::string &text)
{
    return QString::fromStdString(text);
}

std::optional<QDateTime> moment(qint64 seconds)
{
    const QDateTime time = QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
    return seconds > 0 && time.isValid() ? std::optional(time) : std::nullopt;
}

bool isText(const TaskMessage &message)
{
    for (const QString *text : {&message.type, &message.id, &message.queue, &message.error,
                                &message.uniqueKey, &message.group}) {
        if (!text->isValidUtf16())
            return false;
    }
    for (auto header = message.headers.begin(); header != message.headers.end(); ++header) {
        if (!header.key().isValidUtf16() || !header.value().isValidUtf16())
            return false;
    }
    return true;
}

/// The lite runtime has no door to them: they are what is left when every known field is gone.
QByteArray takeUnknown(wire::TaskMessage &wire)
{
    wire.clear_type();
    wire.clear_payload();
    wire.clear_id();
    wire.clear_queue();
    wire.clear_retry();
    wire.clear_retried();
    wire.clear_error_msg();
    wire.clear_timeout();
    wire.clear_deadline();
    wire.clear_unique_key();
    wire.clear_last_failed_at();
    wire.clear_retention();
    wire.clear_completed_at();
    wire.clear_group_key();
    wire.clear_headers();
    return serialise(wire);
}

} // namespace

Result<QByteArray> encode(const TaskMessage &message)
{
    const QString doing = u"encoding the task %1"_s.arg(message.id);
    if (!isText(message))
        return fail(Error::Kind::Invalid, doing, u"a text in it cannot be written as UTF-8"_s);

    wire::TaskMessage bytes;
    bytes.set_type(toWire(message.type));
    bytes.set_payload(message.payload.constData(), static_cast<size_t>(message.payload.size()));
    bytes.set_id(toWire(message.id));
    bytes.set_queue(toWire(message.queue));
    bytes.set_retry(message.retry);
    bytes.set_retried(message.retried);
    bytes.set_error_msg(toWire(message.error));
    bytes.set_timeout(message.timeoutSeconds);
    bytes.set_deadline(message.deadline);
    bytes.set_unique_key(toWire(message.uniqueKey));
    bytes.set_last_failed_at(message.lastFailedAt);
    bytes.set_retention(message.retentionSeconds);
    bytes.set_completed_at(message.completedAt);
    bytes.set_group_key(toWire(message.group));
    for (auto header = message.headers.begin(); header != message.headers.end(); ++header)
        (*bytes.mutable_headers())[toWire(header.key())] = toWire(header.value());

    return serialise(bytes) + message.unknown;
}

Result<TaskMessage> decode(const QByteArray &bytes)
{
    wire::TaskMessage wire;
    if (!parse(wire, bytes)) {
        return fail(Error::Kind::Protocol, u"reading a task"_s,
                    u"its %1 bytes are no asynq message"_s.arg(bytes.size()));
    }
    TaskMessage message;
    message.type = fromWire(wire.type());
    message.payload = QByteArray::fromStdString(wire.payload());
    message.id = fromWire(wire.id());
    message.queue = fromWire(wire.queue());
    message.retry = wire.retry();
    message.retried = wire.retried();
    message.error = fromWire(wire.error_msg());
    message.timeoutSeconds = wire.timeout();
    message.deadline = wire.deadline();
    message.uniqueKey = fromWire(wire.unique_key());
    message.lastFailedAt = wire.last_failed_at();
    message.retentionSeconds = wire.retention();
    message.completedAt = wire.completed_at();
    message.group = fromWire(wire.group_key());
    for (const auto &[key, value] : wire.headers())
        message.headers.insert(fromWire(key), fromWire(value));
    message.unknown = takeUnknown(wire);
    return message;
}

void describe(const TaskMessage &message, qint64 payloadBytes, Task &task)
{
    task.type = message.type;
    task.payloadBytes = message.payload.size();
    task.payload = payloadBytes < 0 ? message.payload : message.payload.left(payloadBytes);
    task.maxRetry = message.retry;
    task.retried = message.retried;
    task.lastError = message.error;
    task.timeoutSeconds = message.timeoutSeconds;
    task.retentionSeconds = message.retentionSeconds;
    task.deadline = moment(message.deadline);
    task.uniqueKey = message.uniqueKey;
    task.group = message.group;
    task.headers = message.headers;
    task.lastFailed = moment(message.lastFailedAt);
    task.completedAt = moment(message.completedAt);
}

} // namespace outbox::asynq
