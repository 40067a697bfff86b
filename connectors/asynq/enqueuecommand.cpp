// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/enqueuecommand.h"

#include "connectors/asynq/keys.h"
#include "connectors/asynq/scripts.h"
#include "task.pb.h"

#include <google/protobuf/io/coded_stream.h>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int keyCount = 7;
constexpr int argumentCount = 5;
constexpr qint64 listLook = 10'000; ///< 0.3 ms on an absent id; deeper ones are looked for together

QString refusedText(const QString &what, const QString &text)
{
    if (text.trimmed().isEmpty())
        return u"the %1 is blank"_s.arg(what);
    if (!text.isValidUtf16())
        return u"the %1 cannot be written as UTF-8"_s.arg(what);
    return {};
}

/// Bytes of a length-delimited field with a one-byte tag.
qint64 fieldBytes(size_t length)
{
    using google::protobuf::io::CodedOutputStream;
    if (length == 0)
        return 0;
    const size_t bytes = 1 + CodedOutputStream::VarintSize64(length) + length;
    return static_cast<qint64>(bytes);
}

} // namespace

QString refusal(const EnqueueRequest &request)
{
    for (const auto &[what, text] :
         {std::pair(u"task id"_s, request.id.text), std::pair(u"task type"_s, request.type),
          std::pair(u"queue name"_s, request.queue.text)}) {
        if (QString refused = refusedText(what, text); !refused.isEmpty())
            return refused;
    }
    if (request.queue.text.contains(u'{') || request.queue.text.contains(u'}'))
        return u"the queue name holds a brace, which would break the key's hash tag"_s;
    if (request.timeoutSeconds < 1)
        return u"the time-out must be at least one second"_s;
    if (request.retentionSeconds < 0)
        return u"the retention is negative"_s;
    const qint64 around
        = 3 * (request.id.text.size() + request.type.size() + request.queue.text.size())
        + 64; // more than all other fields need
    if (request.payload.size() + around > maxMessageBytes)
        return u"the payload is larger than the 512 MiB that Redis takes"_s;
    return {};
}

EnqueueCommand::EnqueueCommand()
    : m_script(enqueueLua), m_message(std::make_unique<wire::TaskMessage>())
{ }

EnqueueCommand::~EnqueueCommand() = default;

const EnqueueCommand::QueuePart &EnqueueCommand::partOf(const QueueName &queue)
{
    const auto known = m_queues.constFind(queue);
    if (known != m_queues.constEnd())
        return *known;
    const QueueKeys keys(queue);
    RedisWire formatted;
    for (const QByteArray &key : {keys.pending(), keys.active(), keys.scheduled(), keys.retry(),
                                  keys.archived(), keys.completed()}) {
        formatted.add(key);
    }
    return *m_queues.insert(queue, {keys.taskPrefix(), formatted.bytes()});
}

void EnqueueCommand::append(RedisWire &wire, const EnqueueRequest &request, qint64 nowNs)
{
    const QueuePart &part = partOf(request.queue);
    const QByteArray id = request.id.text.toUtf8();

    wire::TaskMessage &message = *m_message;
    message.set_type(request.type.toStdString());
    message.set_payload(request.payload.constData(), static_cast<size_t>(request.payload.size()));
    message.set_id(id.constData(), static_cast<size_t>(id.size()));
    message.set_queue(request.queue.text.toStdString());
    message.set_retry(request.maxRetry);
    message.set_timeout(request.timeoutSeconds);
    message.set_retention(request.retentionSeconds);
    const size_t messageBytes = message.ByteSizeLong();
    const qint64 identityBytes = fieldBytes(message.type().size())
        + fieldBytes(message.payload().size()) + fieldBytes(message.id().size());

    wire.begin(3 + keyCount + argumentCount);
    wire.add("EVALSHA");
    wire.add(m_script.sha());
    wire.add(qint64{keyCount});
    const QByteArray key = part.taskPrefix + id;
    wire.add(key);
    wire.addFormatted(part.containers);
    char *space = wire.addSpace(static_cast<qsizetype>(messageBytes));
    message.SerializeToArray(space, static_cast<int>(messageBytes));
    wire.add(id);
    wire.add(nowNs);
    wire.add(identityBytes);
    wire.add(listLook);
}

} // namespace outbox::asynq
