// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pause and unpause: whether workers take tasks from a queue.
#include "app/operations/core/operation.h"
#include "app/operations/core/planning.h"
#include "app/operations/core/taskoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/verbs/verbs.h"
#include "models/phrases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString servedBy(const QList<QueueServer> &servers, const QueueName &queue)
{
    QStringList names;
    for (const QueueServer &server : servers) {
        if (server.queues.contains(queue.text))
            names += u"%1 (process %2)"_s.arg(server.host).arg(server.pid);
    }
    return names.isEmpty() ? u"nobody serves it"_s : u"served by "_s + names.join(u", "_s);
}

Judgement expectedOfSwitching(bool toPause, const QueueSnapshot &queue, const QString &served)
{
    if (!queue.known)
        return {Outcome::Gone, u"No such queue"_s};
    if (queue.paused == toPause) {
        return {Outcome::NothingToDo, toPause ? u"It is paused already"_s : u"It is not paused"_s};
    }
    const QString waiting = u"%1 tasks wait, %2 run; %3"_s.arg(countText(queue.pending),
                                                               countText(queue.active), served);
    return {Outcome::Done, toPause ? waiting + u". Producers go on; what runs goes on"_s : waiting};
}

/// Only taking is stopped: producers go on filling the queue, what runs goes on running, and what
/// is scheduled becomes pending.
/// Errors: those of `Operation`.
class QueueSwitch : public Operation
{
public:
    explicit QueueSwitch(Verb verb) : m_verb(verb) { }

    [[nodiscard]] Verb verb() const override { return m_verb; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        Selection one;
        one.queue = queueOf(session, selection);
        Plan plan = TRY(newPlan(session, verb(), one));
        const auto inspector = TRY(session.tasks());
        const auto sizes = TRY(inspector->snapshot({one.queue}));
        const auto servers = TRY(inspector->servers());
        const bool toPause = verb() == Verb::Pause;
        PlanItem item;
        item.queue = one.queue;
        const Judgement expect
            = expectedOfSwitching(toPause, sizes.value(0), servedBy(servers, one.queue));
        item.expected = expect.outcome;
        item.reason = expect.reason;
        plan.items = {item};
        plan.commands
            = {toPause ? u"set asynq:{%1}:paused where it is not set"_s.arg(one.queue.text)
                       : u"delete asynq:{%1}:paused"_s.arg(one.queue.text)};
        plan.undo = toPause ? u"Unpause"_s : u"Pause"_s;
        return plan;
    }

    [[nodiscard]] Result<Plan> planUndoing(OperatorSession &session,
                                           const Activity &undone) const override
    {
        Selection selection;
        if (!undone.items.isEmpty())
            selection.queue.text = undone.items.first().queue;
        return plan(session, selection);
    }

    [[nodiscard]] Judgement foundQueue(const QueueSnapshot &now) const override
    {
        const bool done = now.paused == (m_verb == Verb::Pause);
        return {done ? Outcome::Done : Outcome::Cancelled, {}};
    }

protected:
    [[nodiscard]] Answers act(OperatorSession &session, const Plan & /*plan*/, const Items &chunk,
                              const OperationControl &control) const override
    {
        const auto editor = session.taskEditor();
        if (!editor)
            return withoutEffect(editor);
        QList<ReceiptItem> receipt;
        for (const PlanItem &item : chunk) {
            const auto attempt = verb() == Verb::Pause ? (*editor)->pause(item.queue)
                                                       : (*editor)->unpause(item.queue);
            if (!attempt && attempt.error().effect == Error::Effect::None) { // no node took it
                receipt += failedItem(item, attempt.error());
                continue;
            }
            const auto switched = TRY(attempt);
            receipt += receiptItem(item, switched ? Outcome::Done : Outcome::Changed,
                                   switched ? QString() : u"Somebody else did it meanwhile"_s);
        }
        pass(control, "written");
        return receipt;
    }

    [[nodiscard]] bool isUndoable(const Receipt &receipt) const override
    {
        return leavesUndo(receipt);
    }

private:
    Verb m_verb; ///< Pause or Unpause
};

} // namespace

std::unique_ptr<Operation> makePause()
{
    return std::make_unique<QueueSwitch>(Verb::Pause);
}

std::unique_ptr<Operation> makeUnpause()
{
    return std::make_unique<QueueSwitch>(Verb::Unpause);
}

} // namespace outbox
