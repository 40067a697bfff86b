// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// EditTask: another payload, type or time for one task that is dead or waits for its time, under
// the same id. The task is exported first, and undo puts it back byte for byte.
#include "app/operations/core/operation.h"
#include "app/operations/core/planning.h"
#include "app/operations/core/rowselection.h"
#include "app/operations/core/taskoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/transfer/exporting.h"
#include "app/operations/verbs/verbs.h"
#include "connectors/asynq/edit/storedtasks.h"
#include "connectors/asynq/edit/taskchanging.h"
#include "connectors/asynq/observe/taskfacts.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "models/content/difference.h"
#include "models/message/tombstone.h"
#include "models/payload/guess.h"
#include "models/phrases.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Judgement expectedOfEditingTask(const TaskSeen &task)
{
    if (const auto never = notForAnyVerb(task))
        return *never;
    if (task.damaged)
        return {Outcome::Blocked, u"Its message cannot be read: there is nothing to edit"_s};
    switch (task.state) {
    case TaskState::Archived:
    case TaskState::Scheduled:
    case TaskState::Retry:
        return {Outcome::Done, {}};
    case TaskState::Pending:
        return {Outcome::NotOffered, u"A worker may take it at any moment: archive it first"_s};
    case TaskState::Completed:
        return {Outcome::NotOffered, u"It is done: what ran is not changed any more"_s};
    default:
        return {Outcome::NotOffered, u"It waits for others of its group: archive it first"_s};
    }
}

Judgement expectedOfPuttingBack(const TaskSeen &task)
{
    return notForAnyVerb(task).value_or(Judgement{Outcome::Done});
}

QByteArray storedMessage(const StoredTask &task)
{
    return asynq::fieldOf(task, "msg");
}

QString messageDigest(const QByteArray &message)
{
    return QString::fromLatin1(asynq::digestOf(message));
}

/// "pending", or "scheduled@1795225841".
QString intendedPlace(TaskState state, const QByteArray &score)
{
    if (state == TaskState::Pending)
        return word(state);
    return word(state) + u'@' + QString::fromLatin1(score);
}

/// `PlanItem::intended`: the digest of the old message, that of the new one, and the place.
QString intendedOf(const TaskChange &change)
{
    return u"%1,%2,%3"_s.arg(messageDigest(change.seen), messageDigest(change.message),
                             intendedPlace(change.state, change.score));
}

/// The task of a plan as it stands, where it is acted on; nullopt: it is not, or moves just now.
Result<std::optional<StoredTask>> taskFor(OperatorSession &session, Plan &plan)
{
    PlanItem &item = plan.items.first();
    if (!item.isActedOn())
        return std::optional<StoredTask>();
    const auto inspector = TRY(session.tasks());
    auto task = TRY(asynq::readForEdit(*inspector, item.queue, item.task, *item.taskSeen));
    if (!task)
        leaveAlone(item, Outcome::NotOffered, u"It was changed at this very moment: plan again"_s);
    return task;
}

/// A lock is made of type and payload: it must not outlive them.
void judgeLock(const StoredTask &task, const asynq::TaskMessage &message, bool isOtherContent,
               PlanItem &item)
{
    const QString named = QString::fromUtf8(asynq::fieldOf(task, "unique_key"));
    if (!item.isActedOn() || (named.isEmpty() && message.uniqueKey.isEmpty()))
        return;
    const bool isHeld = !task.lockedUntil.isEmpty();
    const QString prefix = QString::fromUtf8(asynq::QueueKeys(task.queue).lockPrefix());
    if (!isOtherContent) {
        addReason(item,
                  isHeld ? u"It keeps its unique lock, which ends when it would have ended"_s
                         : u"Its unique lock is over, and is not taken again"_s);
    } else if (named != message.uniqueKey || !named.startsWith(prefix)) {
        leaveAlone(item, Outcome::Blocked,
                   u"Its hash and its message do not name the same unique lock of this queue: what "
                   "would stay locked is not known"_s);
    } else if (isHeld) {
        leaveAlone(item, Outcome::NotOffered,
                   u"It holds a unique lock, which is made of its type and payload: that would "
                   "keep the old content out, and let the new one in twice. Delete the task, and "
                   "enqueue the new content by hand"_s);
    } else {
        addReason(item,
                  u"Its unique lock is over: it runs without one, and its like may be enqueued "
                  "beside it"_s);
    }
}

/// When it is due by its score, which may be any number, "inf" too: the year 9999 is the last one.
qint64 dueSecondOf(const TaskChange &change)
{
    constexpr double lastSecond = 253'402'300'799.0;
    return static_cast<qint64>(std::clamp(change.score.toDouble(), -lastSecond, lastSecond));
}

QString whereText(const TaskChange &change, const QDateTime &now)
{
    if (change.state == TaskState::Pending)
        return u"It waits for a worker at once"_s;
    if (change.state == TaskState::Archived)
        return u"It is dead again"_s;
    return u"It is %1, for %2"_s.arg(
        label(change.state).toLower(),
        momentText(QDateTime::fromSecsSinceEpoch(dueSecondOf(change), Qt::UTC), now));
}

/// What a row in this state does with an edited task under its id; empty: nothing.
QString outboxRowText(MessageState row, bool isOtherContent)
{
    const QString state = label(row).toLower();
    switch (row) {
    case MessageState::Processed:
        return isOtherContent ? u"Its outbox row was delivered, and keeps the old content"_s
                              : QString();
    case MessageState::Pending:
    case MessageState::Waiting:
    case MessageState::Locked:
        return isOtherContent
            ? u"Its outbox row is %1 with the old content: a relay that finds another message "
              "under its id parks the row"_s.arg(state)
            : u"Its outbox row is %1: a relay that finds the same message under its id takes it as "
              "sent"_s.arg(state);
    case MessageState::Failed:
    case MessageState::Parked:
        return u"Its outbox row is %1, and stays so"_s.arg(state);
    default:
        return {};
    }
}

/// What the edit means for the place that the message came from.
QString originText(OperatorSession &session, const PlanItem &item, bool isOtherContent)
{
    if (session.profile().design)
        return u"Whether a document still holds its message is not known"_s;
    if (session.profile().databaseUrl.isEmpty())
        return {};
    const auto id = session.shape().keyIn(item.task);
    if (!id)
        return {};
    const auto rows = readRowsOf(session, QList<MessageId>{*id});
    if (!rows) {
        return u"Whether its outbox row will be sent again is not known: the database did not "
               "answer (%1)"_s.arg(rows.error().text);
    }
    const RowWithTask &seen = rows->first();
    if (!seen.row || seen.queue != item.queue || !session.shape().isTaskOf(item.task, seen.task))
        return {};
    const auto parked = parkedRowsOf(session); // where it is not known it counts as what it seems
    const bool isParked = parked && parked->contains(seen.row->id);
    return outboxRowText(isParked ? MessageState::Parked : seen.row->state, isOtherContent);
}

void warnOfMessage(const asynq::TaskMessage &before, const asynq::TaskMessage &after,
                   const TaskChange &change, Plan &plan)
{
    const qint64 due = dueSecondOf(change);
    if (after.deadline > 0 && after.deadline <= std::max(plan.at.toSecsSinceEpoch(), due)) {
        plan.warnings
            += u"Its deadline is over then: a worker fails it without running it. Replace leaves "
               "such a deadline out"_s;
    }
    if (after.retentionSeconds == 0)
        plan.warnings += u"Without a retention the id is free again as soon as the task is done"_s;
    if (guessPayload(before.payload) == PayloadKind::Json
        && guessPayload(after.payload) != PayloadKind::Json)
        plan.warnings += u"The payload was JSON, and is not any more"_s;
}

/// What every plan of this verb says of its task and of what is written.
void addChange(OperatorSession &session, const QList<EditedCell> &cells, const TaskChange &change,
               Plan &plan)
{
    PlanItem &item = plan.items.first();
    plan.edit = cells;
    plan.difference = differenceOf(cells, session.profile().masks);
    plan.taskChange = change;
    item.intended = intendedOf(change);
    plan.exportsFirst = true;
    plan.commands
        += u"where message, state and time are those that were seen: take the id out of where it "
           "stands, store the message, and put the id into %1, in one script"_s.arg(
               word(change.state));
    plan.undo = u"Until a worker takes it, or it moves by itself, undo puts the old message back, "
                "byte for byte, and the task where it stood"_s;
    warnOfUnservedQueue(session, item.queue, plan);
}

/// The task in the export of the act that is undone.
Result<StoredTask> exportedTask(const Activity &undone, const QueueName &queue, const TaskId &id)
{
    auto reader = TRY(exportOf(undone));
    while (true) {
        const auto next = TRY(reader.next());
        if (!next)
            return cannotUndo(undone, u"the export does not hold the task"_s);
        const auto *task = std::get_if<StoredTask>(&*next);
        if (!task || task->id != id || task->queue != queue)
            continue;
        const QString obstacle = asynq::restoreObstacle(*task);
        return obstacle.isEmpty() ? Result<StoredTask>(*task) : cannotUndo(undone, obstacle);
    }
}

Result<qint64> archivedIn(OperatorSession &session, const QueueName &queue)
{
    const auto inspector = TRY(session.tasks());
    const auto sizes = TRY(inspector->snapshot({queue}));
    return sizes.value(0).archived;
}

/// One task a plan, since what is wanted of it is wanted of no other.
/// Errors: those of `Operation`.
class EditTask : public Operation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::EditTask; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        const QString doing = u"planning: "_s + label(verb());
        if (selection.tasks.size() != 1 || !selection.edit || selection.edit->isEmpty()) {
            return fail(Error::Kind::Invalid, doing,
                        u"one task is needed, and what is to change of it"_s);
        }
        const RowEdit &wanted = *selection.edit;
        if (wanted.type && isTombstone(*wanted.type)) {
            return fail(Error::Kind::Invalid, doing,
                        u"the type %1 is that of records of this program"_s.arg(*wanted.type));
        }
        Plan plan = TRY(planOf(session, selection, expectedOfEditingTask));
        PlanItem &item = plan.items.first();
        const auto task = TRY(taskFor(session, plan));
        if (!task)
            return plan;
        const auto content = asynq::contentOfTask(*task);
        const auto before = asynq::decode(storedMessage(*task));
        if (!content || !before) {
            leaveAlone(item, Outcome::Blocked,
                       u"Its message cannot be read: there is nothing to edit"_s);
            return plan;
        }
        const auto cells = TRY(asynq::cellsOfTask(*content, wanted));
        const auto change = TRY(asynq::changeOfTask(*task, wanted, plan.at));
        const auto after = TRY(asynq::decode(change.message));
        item.type = before->type;
        item.taskSeen->payloadBytes = before->payload.size();
        addChange(session, cells, change, plan);
        if (wanted.seen && wanted.seen->version != content->version) {
            leaveAlone(item, Outcome::NotOffered,
                       u"It was changed since it was shown: look again"_s);
        } else if (std::none_of(cells.begin(), cells.end(),
                                [](const EditedCell &cell) { return cell.changes(); })) {
            leaveAlone(item, Outcome::NothingToDo, u"It holds this already"_s);
        }
        judgeLock(*task, *before, change.needsFreeLock, item);
        if (!item.isActedOn())
            return plan;
        if (task->state == TaskState::Archived)
            addReason(item, retriesText(before->retried, before->retry));
        addReason(item, whereText(change, plan.at));
        if (const QString origin = originText(session, item, change.needsFreeLock);
            !origin.isEmpty())
            addReason(item, origin);
        warnOfMessage(*before, after, change, plan);
        return plan;
    }

    /// The old message in the old place, where the task is as the act left it.
    [[nodiscard]] Result<Plan> planUndoing(OperatorSession &session,
                                           const Activity &undone) const override
    {
        const auto done
            = std::find_if(undone.items.begin(), undone.items.end(), [](const AuditedItem &item) {
                  return outcomeOf(item) == Outcome::Done;
              });
        if (done == undone.items.end())
            return cannotUndo(undone, u"no task was changed"_s);
        Selection selection;
        selection.queue.text = done->queue;
        selection.tasks = {TaskId{done->task}};
        const auto old = TRY(exportedTask(undone, selection.queue, selection.tasks.first()));
        const auto content = TRY(asynq::contentOfTask(old));
        Plan plan = TRY(planOf(session, selection, expectedOfPuttingBack));
        plan.undoOf = undone.operation;
        keepUnmoved(plan, {{selection.tasks.first(), afterOf(*done)}});
        PlanItem &item = plan.items.first();
        const auto now = TRY(taskFor(session, plan));
        if (!now)
            return plan;
        const QStringList intended = Trace::fromText(done->before).intended.split(u',');
        const auto shown = asynq::contentOfTask(*now);
        if (!shown || messageDigest(storedMessage(*now)) != intended.value(1)) {
            leaveAlone(item, Outcome::NotOffered, u"Its message was changed since"_s);
            return plan;
        }
        QList<EditedCell> cells;
        for (const RowPartContent &part : shown->parts) {
            if (const RowPartContent *its = content.part(part.part); its && part.mayChange())
                cells += EditedCell{part.part, part.column, part.cell, its->cell};
        }
        const TaskChange change = asynq::changeBack(old, *now);
        addChange(session, cells, change, plan);
        const bool comes = change.state == TaskState::Archived && now->state != TaskState::Archived;
        if (comes) {
            const qint64 archived = TRY(archivedIn(session, item.queue));
            if (archived >= asynq::archiveLimit) {
                leaveAlone(item, Outcome::NotOffered,
                           u"The archive is full: make room in it, and undo then"_s);
            }
        }
        if (item.isActedOn())
            addReason(item, whereText(change, plan.at));
        return plan;
    }

    /// By its message, since the state alone may be anybody's doing.
    [[nodiscard]] Result<Judgement> foundNamedTask(OperatorSession &session,
                                                   const AuditedItem &item,
                                                   const TaskSeen &now) const override
    {
        if (now.state == TaskState::None || isDamaged(now))
            return Judgement{Outcome::Changed};
        const Trace before = Trace::fromText(item.before);
        const QStringList intended = before.intended.split(u',');
        const auto inspector = TRY(session.tasks());
        const auto task
            = TRY(asynq::readForEdit(*inspector, QueueName{item.queue}, TaskId{item.task}, now));
        if (!task || intended.size() != 3)
            return Judgement{Outcome::Changed};
        const QString digest = messageDigest(storedMessage(*task));
        const bool isInPlace = before.task == now.state && before.stamp == now.stamp;
        if (isInPlace && digest == intended.at(0))
            return Judgement{Outcome::Cancelled};
        if (digest != intended.at(1))
            return Judgement{Outcome::Changed};
        if (intendedPlace(now.state, now.stamp) == intended.at(2))
            return Judgement{Outcome::Done, {}, taskAfter(now.state, now.stamp)};
        // A message that only this act has written has gone its way; of one that stayed the same
        // nothing tells who moved it.
        return Judgement{intended.at(0) == intended.at(1) ? Outcome::Changed : Outcome::Done};
    }

protected:
    [[nodiscard]] Result<void> prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                       const OperationControl &control) const override
    {
        TRY(exportTasks(session, plan, actingItems(plan), receipt, control));
        if (receipt.exportFile.isEmpty())
            return {};
        return eachExported(receipt.exportFile,
                            [this](const StoredTask &task) { m_exported = task; });
    }

    [[nodiscard]] Answers act(OperatorSession &session, const Plan &plan, const Items &chunk,
                              const OperationControl &control) const override
    {
        if (!plan.taskChange || chunk.size() != 1) {
            return fail(Error::Kind::Invalid, u"editing a task"_s,
                        u"the plan does not say what is written"_s);
        }
        const PlanItem &item = chunk.first();
        const TaskGuard guard{item.task, item.taskSeen->state, item.taskSeen->stamp};
        if (!m_exported)
            return QList<ReceiptItem>{receiptItem(item, Outcome::Gone, u"No such task"_s)};
        // What is not in the export as it was seen could not be put back.
        if (asynq::guardOf(*m_exported) != guard
            || storedMessage(*m_exported) != plan.taskChange->seen)
            return QList<ReceiptItem>{movedSincePlan(item)};
        const auto editor = session.taskEditor();
        if (!editor)
            return withoutEffect(editor);
        const auto answer
            = TRY(asynq::changeTask((*editor)->link(), item.queue, guard, *plan.taskChange));
        pass(control, "written");
        return QList<ReceiptItem>{receiptOf(item, answer)};
    }

    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override
    {
        return leavesUndo(receipt) && !receipt.exportFile.isEmpty();
    }

private:
    /// A plan with the task as it is seen now, and what `expect` says of it.
    [[nodiscard]] Result<Plan> planOf(OperatorSession &session, const Selection &selection,
                                      const ExpectTask &expect) const
    {
        Selection one = selection;
        one.queue = queueOf(session, selection);
        Plan plan = TRY(planTasks(session, verb(), one, expect));
        if (plan.items.size() != 1)
            return fail(Error::Kind::Invalid, u"planning: "_s + label(verb()),
                        u"no id was given"_s);
        return plan;
    }
    [[nodiscard]] ReceiptItem movedSincePlan(const PlanItem &item) const
    {
        const TaskState now = m_exported->state;
        return receiptItem(item, now == TaskState::Active ? Outcome::InFlight : Outcome::Changed,
                           u"It is not as it was seen: %1 now"_s.arg(word(now)));
    }

    /// What the export holds, for the chunk behind it.
    mutable std::optional<StoredTask> m_exported;
};

} // namespace

std::unique_ptr<Operation> makeEditTask()
{
    return std::make_unique<EditTask>();
}

} // namespace outbox
