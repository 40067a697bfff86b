// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/wire/enqueuecommand.h"

#include "connectors/asynq/scripts.h"
#include "connectors/asynq/wire/keys.h"

#include <algorithm>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype commonKeys = 7;
constexpr qsizetype commonArguments = 10;
/// So many ids of lists may one call look through: 0.3 ms. What stands deeper is looked for
/// together.
constexpr qint64 idsOfListsLooked = 10'000;
constexpr qsizetype bytesAround = 200; ///< of a task on the wire, beside its texts and payload

QString refusedText(const QString &what, const QString &text)
{
    if (text.trimmed().isEmpty())
        return u"the %1 is blank"_s.arg(what);
    if (!text.isValidUtf16())
        return u"the %1 cannot be written as UTF-8"_s.arg(what);
    return {};
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

QList<EnqueueCall> callsFor(const QList<EnqueueRequest> &batch, const EnqueueRows &rows,
                            qsizetype firstOther)
{
    QList<EnqueueCall> calls;
    QHash<QueueName, qsizetype> open; // queue → its call that may still grow
    QueueName queue;
    qsizetype current = -1;
    for (const qsizetype row : rows) {
        const EnqueueRequest &request = batch.at(row);
        const qsizetype bytes = request.payload.size() + request.type.size()
            + (2 + request.also.size()) * request.id.text.size() + bytesAround;
        if (current < 0 || request.queue != queue) {
            queue = request.queue;
            current = open.value(queue, -1);
        }
        if (current < 0 || calls.at(current).rows.size() >= tasksPerCall
            || calls.at(current).bytes + bytes > bytesPerCall) {
            current = calls.size();
            open.insert(queue, current);
            calls += EnqueueCall();
            calls.last().firstOther = firstOther;
            calls.last().rows.reserve(std::min(tasksPerCall, rows.size()));
        }
        calls[current].rows += row;
        calls[current].bytes += bytes;
    }
    return calls;
}

EnqueueCommand::EnqueueCommand() : m_script(enqueueLua)
{ }

const QByteArray &EnqueueCommand::containersOf(const QueueName &queue)
{
    const auto known = m_containers.constFind(queue);
    if (known != m_containers.constEnd())
        return *known;
    const QueueKeys keys(queue);
    RedisWire formatted;
    for (const QByteArray &key : {keys.pending(), keys.active(), keys.scheduled(), keys.retry(),
                                  keys.archived(), keys.completed(), keys.fence()}) {
        formatted.add(key);
    }
    return *m_containers.insert(queue, formatted.bytes());
}

void EnqueueCommand::begin(RedisWire &wire, const QByteArray &containers, qsizetype tasks,
                           qsizetype others, bool isInFull) const
{
    const qsizetype keys = commonKeys + tasks * (1 + others);
    wire.begin(3 + keys + commonArguments + 2 * tasks);
    wire.add(isInFull ? "EVAL" : "EVALSHA");
    wire.add(isInFull ? m_script.text() : m_script.sha());
    wire.add(qint64{keys});
    wire.addFormatted(containers);
}

void EnqueueCommand::addCommon(RedisWire &wire, const QByteArray &taskPrefix, qint64 nowNs,
                               const QueueFence::Stamp &stamp, qsizetype others, bool mayReturn)
{
    wire.add(nowNs);
    wire.add(qint64{taskPrefix.size()});
    wire.add(idsOfListsLooked);
    wire.add(stamp.relay);
    wire.add(stamp.life);
    wire.add(stamp.newLife);
    wire.add(stamp.batch);
    wire.add(stamp.committed);
    wire.add(qint64{others});
    wire.add(mayReturn ? "1" : "0");
}

void EnqueueCommand::append(RedisWire &wire, const QList<EnqueueRequest> &batch,
                            const EnqueueCall &call, qint64 nowNs, bool isInFull,
                            const QueueFence::Stamp &stamp)
{
    const QueueName &queue = batch.at(call.rows.first()).queue;
    const QByteArray &containers = containersOf(queue);
    const QByteArray taskPrefix = QueueKeys(queue).taskPrefix();
    const qsizetype tasks = call.rows.size();

    wire.reserve(wire.bytes().size() + containers.size() + call.bytes);
    qsizetype others = 0;
    for (const qsizetype row : call.rows)
        others = std::max(others, batch.at(row).also.size() - call.firstOther);
    begin(wire, containers, tasks, others, isInFull);
    QByteArrayList ids;
    ids.reserve(tasks);
    for (const qsizetype row : call.rows) {
        ids += batch.at(row).id.text.toUtf8();
        wire.add(taskPrefix, ids.last());
    }
    for (qsizetype i = 0; i < tasks && others > 0; ++i) {
        const QStringList &also = batch.at(call.rows.at(i)).also;
        for (qsizetype other = call.firstOther; other < call.firstOther + others; ++other) {
            // one that has fewer is asked for under its own once more
            wire.add(taskPrefix, other < also.size() ? also.at(other).toUtf8() : ids.at(i));
        }
    }
    addCommon(wire, taskPrefix, nowNs, stamp, others, batch.at(call.rows.first()).mayReturn);
    for (qsizetype i = 0; i < tasks; ++i) {
        m_message.set(batch.at(call.rows.at(i)), ids.at(i));
        m_message.write(wire.addSpace(m_message.bytes()));
        wire.add(qint64{m_message.identityBytes()});
    }
}

void EnqueueCommand::appendMeeting(RedisWire &wire, const QueueName &queue,
                                   const QueueFence::Stamp &stamp)
{
    begin(wire, containersOf(queue), 0, 0, true);
    addCommon(wire, QueueKeys(queue).taskPrefix(), 0, stamp, 0, false);
}

} // namespace outbox::asynq
