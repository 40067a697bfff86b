// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/archive.h"

#include "app/operations/exporting.h"
#include "models/phrases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 mostArchived = 9'999; ///< asynq's workers push the oldest out beyond it
constexpr qint64 nearlyFull = 8'000;

Expectation expected(const TaskSeen &task)
{
    if (const auto never = notForAnyVerb(task))
        return *never;
    if (task.state == TaskState::Archived)
        return {Outcome::NothingToDo, u"It is in the archive already"_s};
    if (task.state == TaskState::Completed)
        return {Outcome::NotOffered, u"It is done: only what has not ended can be archived"_s};
    return {Outcome::Done, {}};
}

Result<qint64> archivedNow(Workbench &bench, const QueueName &queue)
{
    const auto inspector = bench.tasks();
    if (!inspector)
        return passOn(inspector);
    const auto sizes = (*inspector)->snapshot({queue});
    if (!sizes)
        return passOn(sizes);
    return sizes->value(0).archived;
}

} // namespace

Result<Plan> Archive::plan(Workbench &bench, const Selection &selection) const
{
    auto plan = planTasks(bench, verb(), selection, expected);
    if (!plan)
        return plan;
    const auto archived = archivedNow(bench, queueOf(bench, selection));
    if (!archived)
        return passOn(archived);
    const qint64 after = *archived + plan->acting();
    plan->commands += u"take each id out of where it stands, add it to archived and set its state, "
                      "in scripts of at most 500 ids"_s;
    if (after > mostArchived) {
        plan->trimmed = static_cast<int>(after - mostArchived);
        plan->exportsFirst = true;
        plan->commands += u"before that, remove the %1 oldest archived tasks, which are exported "
                          "first: from archived, with their hashes"_s.arg(countText(plan->trimmed));
    } else if (plan->acting() > 0 && after > nearlyFull) {
        plan->warnings += u"The archive holds %1 of %2 tasks then"_s.arg(countText(after),
                                                                         countText(mostArchived));
    }
    plan->undo = u"Their former place cannot be restored: run them to make them pending again"_s;
    return plan;
}

Result<void> Archive::prepare(Workbench &bench, const Plan &plan, Receipt &receipt,
                              const OperationControl &control) const
{
    if (plan.trimmed == 0)
        return {};
    const Items coming = actingItems(plan);
    const QueueName queue = coming.first().queue;
    const auto inspector = bench.tasks();
    if (!inspector)
        return passOn(inspector);
    const auto oldest = (*inspector)->oldestArchived(queue, plan.trimmed);
    if (!oldest)
        return passOn(oldest);
    Items leaving;
    for (const TaskGuard &task : *oldest) {
        PlanItem item;
        item.task = task.id;
        item.queue = queue;
        leaving += item;
    }
    // When more come than an archive holds, the first of them must leave again.
    leaving += coming.mid(0, plan.trimmed - leaving.size());
    for (const PlanItem &item : std::as_const(leaving))
        m_leaving += item.task;
    return exportTasks(bench, plan, leaving, receipt, control);
}

Result<void> Archive::makeRoom(Workbench &bench, TaskEditor &editor, const QueueName &queue,
                               qsizetype coming, const OperationControl &control) const
{
    const auto archived = archivedNow(bench, queue);
    if (!archived)
        return undone(archived);
    const qint64 missing = *archived + coming - mostArchived;
    if (missing <= 0)
        return {};
    const auto inspector = bench.tasks();
    if (!inspector)
        return undone(inspector);
    const QList<TaskId> next = m_leaving.mid(0, static_cast<qsizetype>(missing));
    const auto seen = (*inspector)->observe(queue, next);
    if (!seen)
        return undone(seen);
    QList<TaskGuard> guards; // what somebody ran meanwhile has left already
    for (qsizetype i = 0; i < next.size(); ++i) {
        if (seen->at(i).state == TaskState::Archived)
            guards += TaskGuard{next.at(i), TaskState::Archived, seen->at(i).stamp};
    }
    if (!guards.isEmpty()) {
        if (const auto removed = editor.remove(queue, guards); !removed)
            return passOn(removed);
    }
    m_leaving.remove(0, next.size());
    pass(control, "trimmed");
    return {};
}

Result<QList<TaskAnswer>> Archive::send(Workbench &bench, TaskEditor &editor,
                                        const QueueName &queue, const QList<TaskGuard> &tasks,
                                        const OperationControl &control) const
{
    if (!m_leaving.isEmpty()) {
        if (auto room = makeRoom(bench, editor, queue, tasks.size(), control); !room)
            return passOn(room);
    }
    return editor.archive(queue, tasks);
}

} // namespace outbox
