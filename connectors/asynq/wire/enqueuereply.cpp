// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/wire/enqueuereply.h"

#include "connectors/asynq/wire/taskmessage.h"
#include "connectors/redis/servererror.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <limits>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

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

Result<void> readEnqueueReply(const QList<EnqueueRequest> &batch, const EnqueueCall &call,
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
