// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/queueobjection.h"

#include "app/operations/core/taskselection.h"
#include "connectors/asynq/wire/enqueuecommand.h"

#include <QMap>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Bytes tell what lengths do not; only a task that is there, and as long, is read whole.
Result<bool> isSame(const EnqueueRequest &request, const TaskSeen &seen, AsynqInspector &queues)
{
    if (seen.payloadBytes != request.payload.size())
        return false;
    const auto task = queues.find(request.queue, request.id);
    if (!task)
        return passOn(task);
    return !*task || ((*task)->type == request.type && (*task)->payload == request.payload);
}

Result<std::optional<Expectation>> objectionTo(const EnqueueRequest &request, const TaskSeen &task,
                                               AsynqInspector &queues)
{
    const QString message = u"Message \"%1\": "_s.arg(request.id.text);
    if (task.state == TaskState::None)
        return std::nullopt;
    if (isDamaged(task)) {
        return Expectation{
            Outcome::Blocked,
            message + u"a damaged task stands under its id; reconcile the queue first"_s};
    }
    const auto same = isSame(request, task, queues);
    if (!same)
        return passOn(same);
    if (*same)
        return std::nullopt;
    return Expectation{Outcome::Collision, message + u"another message owns this task id"_s};
}

} // namespace

Result<QList<std::optional<Expectation>>> objectionsTo(const QList<OutgoingMessage> &messages,
                                                       const DispatchRules &rules,
                                                       AsynqInspector &queues)
{
    QList<std::optional<Expectation>> objections(messages.size());
    QMap<QString, QList<qsizetype>> byQueue;
    QList<EnqueueRequest> requests;
    for (qsizetype i = 0; i < messages.size(); ++i) {
        requests += requestFor(messages.at(i), rules);
        if (const QString why = asynq::refusal(requests.constLast()); !why.isEmpty()) {
            objections[i] = {Outcome::Blocked, u"Message \"%1\": %2"_s.arg(messages.at(i).id, why)};
        } else {
            byQueue[requests.constLast().queue.text] += i;
        }
    }
    for (const QList<qsizetype> &places : std::as_const(byQueue)) {
        QList<TaskId> ids;
        for (const qsizetype place : places)
            ids += requests.at(place).id;
        const auto seen = queues.observe(requests.at(places.constFirst()).queue, ids);
        if (!seen)
            return passOn(seen);
        for (qsizetype i = 0; i < places.size(); ++i) {
            const qsizetype place = places.at(i);
            auto objection = objectionTo(requests.at(place), seen->at(i), queues);
            if (!objection)
                return passOn(objection);
            objections[place] = *objection;
        }
    }
    return objections;
}

} // namespace outbox
