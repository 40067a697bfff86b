// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/journey.h"

#include "app/operations/core/operation.h"
#include "app/operations/core/rowselection.h"
#include "app/system/jobs/idsearch.h"
#include "models/operations/verbdescriptor.h"
#include "models/system/verdict.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

IdVerdict seen(OperatorSession &session, const MessageId &id)
{
    IdVerdict verdict;
    verdict.message = id;
    verdict.taskId = taskOfTyped(session.shape(), id);
    verdict.queue.text = session.profile().queue;
    const auto store = session.rows();
    auto row = store ? (*store)->find(id) : Result<std::optional<Message>>(passOn(store));
    const auto key = session.shape().keyIn({id.text});
    if (row && !*row && key && *key != id) // somebody gave the id of a task
        row = (*store)->find(*key);
    if (row)
        verdict.row = *row;
    else
        verdict.rowError = row.error();
    if (verdict.row) {
        verdict.message = verdict.row->id;
        verdict.taskId = verdict.row->task;
    }
    if (verdict.row && !verdict.row->queue.isEmpty())
        verdict.queue.text = verdict.row->queue;
    if (verdict.row) {
        const auto parked = parkedRowsOf(session);
        if (parked)
            markParked(*verdict.row, *parked);
        else
            verdict.rowError = parked.error();
    }

    const auto inspector = session.tasks();
    Result<std::optional<Task>> task;
    if (!inspector)
        task = passOn(inspector);
    else if (verdict.row) // it goes to this queue, and an id counts in one queue
        task = (*inspector)->find(verdict.queue, verdict.taskId);
    else
        task = (*inspector)->findAnywhere(verdict.queue, {verdict.taskId, TaskId{id.text}});
    if (task)
        verdict.task = *task;
    else
        verdict.taskError = task.error();
    if (verdict.task) {
        verdict.queue = verdict.task->queue;
        verdict.taskId = verdict.task->id;
    }
    verdict = IdSearch().search({session.profile(), session.settings().look, session.shape(),
                                 session.settings().stateFolder, session.face()},
                                verdict, session.stop());
    return judged(verdict,
                  {QDateTime::currentDateTimeUtc(), session.profile().retentionSeconds,
                   session.shape().processedHow == OutboxShape::ProcessedHow::Deleted});
}

VerbForecast forecastOf(OperatorSession &session, Verb verb, const IdVerdict &facts)
{
    Selection selection;
    if (actsOnRows(verb))
        selection.rows += facts.message;
    else
        selection.tasks += facts.taskId;
    selection.queue = facts.queue;
    const auto plan = operationFor(verb)->plan(session, selection);
    if (!plan)
        return {verb, Outcome::Unknown, oneLine(plan.error())};
    if (plan->items.isEmpty())
        return {verb, Outcome::Gone, {}};
    return {verb, plan->items.first().expected, plan->items.first().reason};
}

bool concerns(const AuditedItem &item, const IdVerdict &facts)
{
    return item.row == facts.message.text
        || (!item.task.isEmpty() && item.task == facts.taskId.text);
}

} // namespace

Result<Journey> journeyOf(OperatorSession &session, const MessageId &id)
{
    Journey journey;
    journey.verdict = seen(session, id);
    if (journey.verdict.row) {
        for (const Verb verb : verbsFor(VerbTarget::Rows))
            journey.verbs += forecastOf(session, verb, journey.verdict);
    }
    if (journey.verdict.task) {
        for (const Verb verb : verbsFor(VerbTarget::Tasks))
            journey.verbs += forecastOf(session, verb, journey.verdict);
    }
    const auto entries = session.audit().read();
    if (!entries)
        return passOn(entries);
    for (Activity &activity : activitiesOf(*entries)) {
        const QList<AuditedItem> items = std::exchange(activity.items, {});
        for (const AuditedItem &item : items) {
            if (concerns(item, journey.verdict))
                journey.traces += {activity, item};
        }
    }
    return journey;
}

} // namespace outbox
