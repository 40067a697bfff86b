// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/enqueuereply.h"

#include "connectors/asynq/taskmessage.h"
#include "connectors/redis/servererror.h"

#include <algorithm>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

using Kind = EnqueueAnswer::Kind;

EnqueueAnswer answerOf(Kind kind, TaskState state, bool same, const QString &detail = {})
{
    return {kind, state, same, detail, {}};
}

EnqueueFinding rejected(const RedisReply &reply)
{
    if (!reply.isError())
        return {
            {Kind::Rejected, TaskState::None, false, u"the script's answer makes no sense"_s, {}}};
    return {{Kind::Rejected, TaskState::None, false, QString::fromUtf8(reply.bytes),
             QString::fromUtf8(errorWord(reply))}};
}

/// The prefix may differ although nothing else does (another field order, an empty field written
/// out).
bool isSame(const EnqueueRequest &request, const QByteArray &stored)
{
    const Result<TaskMessage> message = decode(stored);
    return message && message->type == request.type && message->payload == request.payload;
}

} // namespace

EnqueueAnswer orphanAnswer(const QString &state, bool same)
{
    return answerOf(
        Kind::Damaged, TaskState::Orphan, same,
        u"the task's hash says \"%1\", but its id is not there: no worker will meet it"_s.arg(
            state));
}

EnqueueFinding readEnqueueReply(const EnqueueRequest &request, const RedisReply &reply)
{
    if (reply.kind == RedisReply::Kind::Integer && reply.integer == 1)
        return {answerOf(Kind::Stored, TaskState::Pending, true)};
    if (reply.kind != RedisReply::Kind::Array || reply.elements.size() != 5)
        return rejected(reply);

    const QString word = QString::fromUtf8(reply.elements.at(0).bytes);
    const qint64 place = reply.elements.at(1).integer;
    const qint64 sameness = reply.elements.at(2).integer;
    if (sameness < 0) {
        if (word == u"!"_s) {
            return {answerOf(Kind::Damaged, TaskState::WrongType, false,
                             u"the task's key holds something that is no hash"_s)};
        }
        return {answerOf(Kind::Damaged, TaskState::Stub, false,
                         u"a hash without a message stands under the task's key"_s)};
    }

    const bool same = sameness == 1 || isSame(request, reply.elements.at(3).bytes);
    const QList<TaskState> sound = soundTaskStates();
    const auto state = std::find_if(sound.begin(), sound.end(), [&](TaskState candidate) {
        return outbox::word(candidate) == word;
    });
    if (place == 0 || state == sound.end())
        return {orphanAnswer(word, same)};

    EnqueueFinding finding{answerOf(Kind::Exists, *state, same)};
    finding.unseen = place != 1;
    finding.group = reply.elements.at(4).bytes;
    if (!same)
        finding.answer.detail = u"another type or payload stands under this id"_s;
    return finding;
}

} // namespace outbox::asynq
