// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/wire/enqueuecommand.h"

#include "connectors/asynq/scripts.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "connectors/redis/servererror.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <limits>
#include <utility>

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
                           qsizetype others, bool isInFull, const QueueFence::Stamp &stamp) const
{
    const qsizetype keys = commonKeys + tasks * (1 + others);
    const qsizetype abouts = stamp.about.isEmpty() ? 0 : 1;
    wire.begin(3 + keys + commonArguments + 2 * tasks + abouts);
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
    begin(wire, containers, tasks, others, isInFull, stamp);
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
    if (!stamp.about.isEmpty())
        wire.add(stamp.about);
}

void EnqueueCommand::appendMeeting(RedisWire &wire, const QueueName &queue,
                                   const QueueFence::Stamp &stamp)
{
    begin(wire, containersOf(queue), 0, 0, true, stamp);
    addCommon(wire, QueueKeys(queue).taskPrefix(), 0, stamp, 0, false);
    if (!stamp.about.isEmpty())
        wire.add(stamp.about);
}

namespace {

EnqueueAnswer answerOf(EnqueueAnswer::Kind kind, TaskState state, bool same,
                       const QString &detail = {})
{
    return {kind, state, same, false, detail, {}};
}

/// Both are the same row of a table, which may have been written to since.
bool agreeIn(const QStringList &keys, const QByteArray &one, const QByteArray &other)
{
    if (keys.isEmpty())
        return false;
    const QJsonObject left = QJsonDocument::fromJson(one).object();
    const QJsonObject right = QJsonDocument::fromJson(other).object();
    bool isKnown = false;
    for (const QString &key : keys) {
        if (left.value(key) != right.value(key))
            return false;
        isKnown = isKnown || left.contains(key);
    }
    return isKnown;
}

/// The prefix may differ although nothing else does (another field order, an empty field written
/// out).
bool isSame(const EnqueueRequest &request, const Result<TaskMessage> &stored,
            const QStringList &rowKeys)
{
    return stored && stored->type == request.type
        && (stored->payload == request.payload
            || agreeIn(rowKeys, stored->payload, request.payload));
}

enum class Age { Fits, Older, Untold };

/// Whether a like task can be that of a message which was written when `request` says. `since`:
/// when it began to wait.
Age ageOf(const EnqueueRequest &request, const Result<TaskMessage> &stored, const QByteArray &since)
{
    constexpr qint64 second = 1'000'000;
    constexpr qint64 clocksApart = 2 * second;
    constexpr qint64 farthest = std::numeric_limits<qint64>::max() / second - 1;
    if (!request.bornUs)
        return Age::Fits;
    qint64 last = since.toLongLong() / 1000;
    for (const qint64 at : {stored ? stored->completedAt : 0, stored ? stored->lastFailedAt : 0}) {
        if (at > 0) // anybody may have written it
            last = std::max(last, (std::min(at, farthest) + 1) * second);
    }
    if (last == 0)
        return Age::Untold;
    return last < *request.bornUs - clocksApart ? Age::Older : Age::Fits;
}

/// One task that was not stored: { number, state, place, same, message, group, other, since }.
EnqueueFinding readOne(const EnqueueRequest &request, const QList<RedisReply> &entry,
                       qsizetype firstOther, const QStringList &rowKeys)
{
    const QString word = QString::fromUtf8(entry.at(1).bytes);
    const qint64 place = entry.at(2).integer;
    const qint64 sameness = entry.at(3).integer;
    if (sameness == -2) {
        EnqueueFinding finding;
        finding.askAlone = true;
        return finding;
    }
    if (sameness < 0) {
        if (word == u"!"_s) {
            return {answerOf(EnqueueAnswer::Kind::Damaged, TaskState::WrongType, false,
                             u"the task's key holds something that is no hash"_s)};
        }
        return {answerOf(EnqueueAnswer::Kind::Damaged, TaskState::Stub, false,
                         u"a hash without a message stands under the task's key"_s)};
    }

    const qsizetype other = entry.at(6).integer;
    const Result<TaskMessage> stored
        = sameness == 1 ? Result<TaskMessage>(TaskMessage()) : decode(entry.at(4).bytes);
    const bool same = sameness == 1 || isSame(request, stored, rowKeys);
    const Age age = same && (other > 0 || request.mayReturn)
        ? ageOf(request, stored, entry.at(7).bytes)
        : Age::Fits;
    if (other > 0 && (!same || age == Age::Older)) {
        EnqueueFinding finding;
        finding.ruledOut = other;
        return finding;
    }
    const QList<TaskState> sound = soundTaskStates();
    const auto state = std::find_if(sound.begin(), sound.end(), [&](TaskState candidate) {
        return outbox::word(candidate) == word;
    });
    if (place == 0 || state == sound.end())
        return {orphanAnswer(word, same)};

    EnqueueFinding finding{
        answerOf(EnqueueAnswer::Kind::Exists, *state, same && age != Age::Older)};
    finding.answer.isOlder = age == Age::Older;
    finding.id = other == 0 ? request.id : TaskId{request.also.value(firstOther + other - 1)};
    if (age == Age::Untold) {
        finding.answer.kind = EnqueueAnswer::Kind::Untold;
        finding.answer.detail
            = u"a task with the same content is %1 under the id \"%2\", and nothing tells yet "
              "whether it is this row's"_s.arg(word, finding.id.text);
        return finding;
    }
    finding.unseen = place != 1;
    finding.group = entry.at(5).bytes;
    if (!same)
        finding.answer.detail = u"another type or payload stands under this id"_s;
    return finding;
}

tl::unexpected<Error> nonsense(qsizetype tasks)
{
    return fail(Error::Kind::Protocol, u"enqueueing %1 tasks"_s.arg(tasks),
                u"the script's answer makes no sense"_s);
}

} // namespace

EnqueueAnswer orphanAnswer(const QString &state, bool same)
{
    return answerOf(
        EnqueueAnswer::Kind::Damaged, TaskState::Orphan, same,
        u"the task's hash says \"%1\", but its id is not there: no worker will meet it"_s.arg(
            state));
}

EnqueueFinding rejectedBy(const RedisReply &error)
{
    return {{EnqueueAnswer::Kind::Rejected, TaskState::None, false, false,
             QString::fromUtf8(error.bytes), QString::fromUtf8(errorWord(error))}};
}

bool concernsQueue(const RedisReply &reply)
{
    // The script looks at the type of a task's own key itself, so this is one of the queue's.
    return errorWord(reply) == "WRONGTYPE";
}

EnqueueFinding brokenQueue(const RedisReply &error)
{
    return {{EnqueueAnswer::Kind::QueueBroken, TaskState::None, false, false,
             QString::fromUtf8(error.bytes).trimmed(), QString::fromUtf8(errorWord(error))}};
}

EnqueueAnswer awayQueue(const Result<RedisReply> &answer, const QString &node)
{
    EnqueueAnswer away;
    away.kind = EnqueueAnswer::Kind::QueueAway;
    away.detail = answer ? QString::fromUtf8(answer->bytes).trimmed() : answer.error().text;
    away.code = answer ? QString::fromUtf8(errorWord(*answer)) : answer.error().code;
    away.node = node;
    return away;
}

Result<void> EnqueueCommand::read(const QList<EnqueueRequest> &batch, const EnqueueCall &call,
                                  const RedisReply &reply, QList<EnqueueFinding> &findings,
                                  const QStringList &rowKeys)
{
    const EnqueueRows &rows = call.rows;
    const QList<RedisReply> &parts = reply.elements;
    constexpr qsizetype common = 2; // how many were stored, the life of the queue
    if (parts.size() < common || parts.first().integer != rows.size() + common - parts.size())
        return nonsense(rows.size());
    qsizetype next = 0;
    const auto storedUpTo = [&](qsizetype end) {
        for (; next < end; ++next)
            findings[rows.at(next)]
                = {answerOf(EnqueueAnswer::Kind::Stored, TaskState::Pending, true)};
    };
    for (qsizetype part = common; part < parts.size(); ++part) { // in the order of their numbers
        const QList<RedisReply> &entry = parts.at(part).elements;
        const qsizetype number = entry.size() == 8 ? entry.first().integer : 0;
        if (number <= next || number > rows.size())
            return nonsense(rows.size());
        storedUpTo(number - 1);
        const qsizetype row = rows.at(next++);
        const qint64 other = entry.at(6).integer; // 0 or one of the ids that were asked for
        if (other < 0 || other > batch.at(row).also.size() - call.firstOther)
            return nonsense(rows.size());
        findings[row] = readOne(batch.at(row), entry, call.firstOther, rowKeys);
    }
    storedUpTo(rows.size());
    return {};
}

} // namespace outbox::asynq
