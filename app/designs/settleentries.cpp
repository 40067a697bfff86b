// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finishes what handlers left behind in their documents: dispatches, or takes a leftover away.
#include "app/designs/designoperations.h"

#include "app/designs/dispatch.h"
#include "app/designs/documentrelay.h"
#include "app/designs/meantentries.h"
#include "app/operations/core/planning.h"
#include "app/operations/core/taskoperation.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/asynq/wire/enqueuecommand.h"
#include "models/phrases.h"

#include <QList>
#include <QMap>

#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Bytes tell what lengths do not; only a task that is there, and as long, is read whole.
Result<bool> isSame(const EnqueueRequest &request, const TaskSeen &seen, AsynqInspector &queues)
{
    if (seen.payloadBytes != request.payload.size())
        return false;
    const auto task = TRY(queues.find(request.queue, request.id));
    return !task || (task->type == request.type && task->payload == request.payload);
}

Result<std::optional<Judgement>> objectionTo(const EnqueueRequest &request, const TaskSeen &task,
                                             AsynqInspector &queues)
{
    const QString message = u"Message \"%1\": "_s.arg(request.id.text);
    if (task.state == TaskState::None)
        return std::nullopt;
    if (isDamaged(task)) {
        return Judgement{Outcome::Blocked,
                         message
                             + u"a damaged task stands under its id; reconcile the queue first"_s};
    }
    const auto same = TRY(isSame(request, task, queues));
    if (same)
        return std::nullopt;
    return Judgement{Outcome::Collision, message + u"another message owns this task id"_s};
}

/// Of a Cluster one queue may be away, and the messages of others can go all the same.
Result<std::optional<Judgement>> unreadQueue(const EnqueueRequest &request, const Error &error)
{
    return Judgement{Outcome::Unknown,
                     u"Message \"%1\": queue %2 cannot be read now: %3"_s.arg(
                         request.id.text, request.queue.text, oneLine(error))};
}

/// For each message, in their order: another message has its id, a damaged task stands under it, or
/// the queue takes no such message, or cannot be asked. nullopt: the queue would take it, or holds
/// this very message. Blocking; looks only.
Result<QList<std::optional<Judgement>>> objectionsTo(const QList<OutgoingMessage> &messages,
                                                     const DispatchRules &rules,
                                                     AsynqInspector &queues)
{
    QList<std::optional<Judgement>> objections(messages.size());
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
        if (!seen && !queues.isOfCluster())
            return passOn(seen);
        for (qsizetype i = 0; i < places.size(); ++i) {
            const EnqueueRequest &request = requests.at(places.at(i));
            objections[places.at(i)] = TRY(seen ? objectionTo(request, seen->at(i), queues)
                                                : unreadQueue(request, seen.error()));
        }
    }
    return objections;
}

QString evidenceOf(const SeenEntry &seen)
{
    QStringList ids;
    for (const OutgoingMessage &message : seen.entry.messages)
        ids += message.id;
    const QString inside = ids.isEmpty() ? QString() : QString(u": "_s + ids.join(u", "_s));
    return u"version %1, %2%3"_s.arg(seen.version, word(seen.entry.state), inside);
}

ReceiptItem receiptOf(const PlanItem &item, const EntryOutcome &outcome)
{
    using Kind = EntryOutcome::Kind;
    ReceiptItem receipt = receiptItem(item, Outcome::Done, outcome.reason);
    switch (outcome.kind) {
    case Kind::Dispatched:
        if (outcome.stored + outcome.alreadyThere > 0) {
            receipt.reason = u"%1 sent, %2 were there"_s.arg(QString::number(outcome.stored),
                                                             QString::number(outcome.alreadyThere));
        }
        break;
    case Kind::Removed:
        break;
    case Kind::Nothing:
    case Kind::Changed:
        receipt.outcome = Outcome::Changed;
        break;
    case Kind::Left:
        receipt.outcome = Outcome::Blocked;
        break;
    }
    return receipt;
}

/// The kinds of an entry are two: a leftover, and one that is undispatched.
NextStep::Act meantBy(const PlanItem &item)
{
    return item.kind == FindingKind::LeakedEntry ? NextStep::Act::Remove : NextStep::Act::Dispatch;
}

/// What a person who named this very entry is told.
QString whyNotDispatched(const OutboxEntry &entry)
{
    return entry.state == OutboxEntry::State::Dispatched
        ? u"Dispatched: its messages are gone, so there is nothing to send again"_s
        : QString();
}

/// What the queue says to the messages that a plan is about: a plan promises only what the queue
/// would take. Asked for many at once, since each question walks through the queue, and for so few
/// that their payloads fit into memory.
class QueueQuestions
{
public:
    QueueQuestions(const DesignPlace &place, Plan &plan) : m_place(place), m_plan(plan) { }

    /// About the last item of the plan.
    [[nodiscard]] Result<void> addLast(const SeenEntry &seen)
    {
        if (!m_place.lookRedis || !m_plan.items.constLast().isActedOn()
            || seen.next.act != NextStep::Act::Dispatch)
            return {};
        for (const OutgoingMessage &message : seen.entry.messages) {
            m_messages += message;
            m_items += m_plan.items.size() - 1;
            m_bytes += message.payload.size();
        }
        return m_messages.size() < mostMessages && m_bytes < mostBytes ? Result<void>() : ask();
    }

    /// About what was added since the last time.
    [[nodiscard]] Result<void> ask()
    {
        if (m_messages.isEmpty())
            return {};
        TRY(m_queues.ready(*m_place.lookRedis, m_place.sessionName));
        const auto objections = TRY(objectionsTo(m_messages, m_place.rules, m_queues));
        for (qsizetype i = 0; i < m_items.size(); ++i) {
            PlanItem &item = m_plan.items[m_items.at(i)];
            const auto &objection = objections.at(i);
            if (objection && item.isActedOn()) {
                item.expected = objection->outcome;
                item.reason = objection->reason;
            }
        }
        m_messages.clear();
        m_items.clear();
        m_bytes = 0;
        return {};
    }

private:
    static constexpr qsizetype mostMessages = 5'000;
    static constexpr qint64 mostBytes = 8LL * 1024 * 1024;

    const DesignPlace &m_place;
    Plan &m_plan;
    AsynqInspector m_queues;
    QList<OutgoingMessage> m_messages;
    QList<qsizetype> m_items; ///< that they are of
    qint64 m_bytes = 0;
};

/// A plan names entries: the document as the row, the incoming message as the task. Each is looked
/// at again where it is carried out, and its document written only as it was read; an entry that
/// changed its nature meanwhile is left alone.
/// Errors: those of `Operation`.
class SettleEntries : public Operation
{
public:
    SettleEntries(DesignPlace place, bool removesLeftovers, std::optional<double> olderThanSeconds)
        : m_place(std::move(place)), m_removesLeftovers(removesLeftovers),
          m_olderThanSeconds(olderThanSeconds)
    { }

    [[nodiscard]] Verb verb() const override { return Verb::Reconcile; }
    /// `selection` as in models/operations/designselection.h.
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override
    {
        Plan plan = TRY(newPlan(session, verb(), selection));
        TRY(look(session, selection, plan));
        plan.selection
            = meantText(selection,
                        m_removesLeftovers ? u"entries of all documents (K15, K29)"_s
                                           : u"undispatched entries of all documents (K29)"_s);
        plan.commands
            += u"enqueue the messages of an entry under their own ids, in one script each"_s;
        plan.statements += u"UPDATE of the document, where its version is still the one that was "
                           "read"_s;
        if (m_place.design == Design::DedupStore)
            plan.commands += u"add the incoming id to the dedup store before the entry goes"_s;
        plan.undo = u"It cannot be undone: what is sent is sent"_s;
        return plan;
    }

protected:
    [[nodiscard]] Result<void> ready(OperatorSession & /*session*/,
                                     const Plan & /*plan*/) const override
    {
        DocumentStores stores;
        return stores.open(m_place, StoreAccess::Act);
    }

    [[nodiscard]] Answers act(OperatorSession & /*session*/, const Plan & /*plan*/,
                              const Items &chunk, const OperationControl &control) const override
    {
        DocumentStores stores;
        if (auto opened = stores.open(m_place, StoreAccess::Act); !opened)
            return withoutEffect(opened);
        DocumentRelay relay({&stores.documents(), &stores.queue(), stores.done(), stores.tokens(),
                             [&control](const char *point) { pass(control, point); },
                             [&stores] { return stores.mayCommit(); }},
                            m_place.design, m_place.rules);
        QList<ReceiptItem> items;
        bool isOver = false;
        for (qsizetype from = 0; from < chunk.size();) {
            const MessageId document = chunk.at(from).row;
            QStringList incoming; // the entries of one document are written together
            QHash<QString, NextStep::Act> meant;
            qsizetype to = from;
            for (; to < chunk.size() && chunk.at(to).row == document; ++to) {
                incoming += chunk.at(to).task.text;
                meant.insert(incoming.constLast(), meantBy(chunk.at(to)));
            }
            const auto outcomes = isOver ? Result<QList<EntryOutcome>>()
                                         : relay.settle(document.text, incoming, meant);
            for (qsizetype i = from; i < to; ++i) {
                const PlanItem &item = chunk.at(i);
                if (isOver) // what follows an error was not begun
                    items += receiptItem(item, Outcome::Cancelled);
                else if (outcomes)
                    items += receiptOf(item, outcomes->at(i - from));
                else
                    items += failedItem(item, outcomes.error());
            }
            isOver = isOver || (!outcomes && mayHaveHappened(outcomes.error()));
            from = to;
        }
        return items;
    }

private:
    [[nodiscard]] Result<void> look(const OperatorSession &session, const Selection &selection,
                                    Plan &plan) const
    {
        QueueQuestions queue(m_place, plan);
        const bool areNamed = !selection.tasks.isEmpty();
        const auto take = [&](const SeenEntry &seen, bool isInNamed) {
            if (isInNamed && !areNamed && seen.next.act == NextStep::Act::Keep)
                return Result<void>();
            plan.items += itemOf(seen, isInNamed && areNamed);
            return queue.addLast(seen);
        };
        auto taken
            = takeMeant(session, m_place, selection, &DocumentReader::eachUnsettled, plan, take);
        if (taken)
            taken = queue.ask();
        return taken ? unlessStopped(session) : taken;
    }

    [[nodiscard]] PlanItem itemOf(const SeenEntry &seen, bool isNamed) const
    {
        PlanItem item;
        item.row.text = seen.document;
        item.task.text = seen.entry.incoming;
        item.queue = m_place.rules.queue;
        item.kind = seen.next.kind;
        item.evidence = evidenceOf(seen);
        item.reason = seen.next.reason;
        item.rowSeen = RowSnapshot{MessageState::Pending, seen.version};
        const bool acts = seen.next.act == NextStep::Act::Dispatch
            || (seen.next.act == NextStep::Act::Remove && m_removesLeftovers);
        item.expected = acts ? Outcome::Done : Outcome::NotOffered;
        if (seen.next.act == NextStep::Act::Remove && !m_removesLeftovers)
            item.reason = u"A leftover: reconcile removes it"_s;
        if (const QString why = whyNotDispatched(seen.entry); !acts && isNamed && !why.isEmpty())
            item.reason = why;
        if (acts && m_olderThanSeconds) {
            const auto &age = seen.ageSeconds;
            if (!age || *age < *m_olderThanSeconds) {
                item.expected = Outcome::NotOffered;
                item.reason = age ? u"It is only %1 old"_s.arg(spanText(*age))
                                  : u"Nobody knows how old it is: name --time-member"_s;
            }
        }
        return item;
    }

    DesignPlace m_place;
    bool m_removesLeftovers;
    std::optional<double> m_olderThanSeconds;
};

} // namespace

std::unique_ptr<Operation> makeSettleEntries(DesignPlace place, bool removesLeftovers,
                                             std::optional<double> olderThanSeconds)
{
    return std::make_unique<SettleEntries>(std::move(place), removesLeftovers, olderThanSeconds);
}

} // namespace outbox
