// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/core/operation.h"

#include "app/operations/core/operationlog.h"
#include "app/operations/core/rowselection.h"
#include "app/operations/core/traces.h"
#include "models/operations/verbdescriptor.h"

#include <poll.h>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int pauseTurnMs = 50; ///< how soon a pause or a cancel is heard
constexpr int mostOfChunk = 500;

std::optional<Error> whyNot(OperatorSession &session, Verb verb, const Plan &plan,
                            const Consent &consent)
{
    const QString doing = u"carrying out: "_s + label(plan.verb);
    if (plan.verb != verb) {
        return Error{Error::Kind::Refused,
                     doing,
                     u"the plan is for another verb (%1)"_s.arg(word(plan.verb)),
                     {},
                     {}};
    }
    if (plan.profile != session.profile().name || plan.target != session.target()) {
        return Error{Error::Kind::Refused,
                     doing,
                     u"the plan was made for another system (%1)"_s.arg(plan.target),
                     {},
                     u"Plan again here"_s};
    }
    if (!session.isArmed()) {
        return Error{
            Error::Kind::Refused, doing, u"writing is locked"_s, {}, u"Unlock writing first"_s};
    }
    // Another window may have undone it since this was planned.
    if (!plan.undoOf.isEmpty()) {
        const auto undone = activityOf(session.audit(), plan.undoOf);
        if (!undone)
            return undone.error();
        if (undone->state == Activity::State::Undone
            || undone->state == Activity::State::RecordChanged)
            return Error{Error::Kind::Refused, doing, undoObstacle(*undone), {}, {}};
    }
    return objection(plan, consent);
}

Receipt begunReceipt(const Plan &plan)
{
    Receipt receipt;
    receipt.operation = plan.operation;
    receipt.verb = plan.verb;
    receipt.started = QDateTime::currentDateTimeUtc();
    receipt.items.reserve(plan.items.size());
    for (const PlanItem &item : plan.items) {
        receipt.items += item.isActedOn() ? receiptItem(item, Outcome::Cancelled, {})
                                          : receiptItem(item, item.expected, item.reason);
    }
    return receipt;
}

/// Places in the plan of what is acted on, cut into chunks.
QList<QList<qsizetype>> chunksOf(const Plan &plan, qsizetype size)
{
    QList<QList<qsizetype>> chunks;
    for (qsizetype place = 0; place < plan.items.size(); ++place) {
        if (!plan.items.at(place).isActedOn())
            continue;
        if (chunks.isEmpty() || chunks.last().size() >= size)
            chunks.emplaceBack();
        chunks.last() += place;
    }
    return chunks;
}

/// False when the operation was cancelled before this chunk's turn came.
bool waitForTurn(const OperationControl &control, bool first)
{
    int restMs = first ? 0 : control.pauseMs;
    while (!control.cancel.stop_requested()) {
        const bool paused = control.isPaused && control.isPaused();
        if (!paused && restMs <= 0)
            return true;
        const int step = paused ? pauseTurnMs : std::min(restMs, pauseTurnMs);
        ::poll(nullptr, 0, step);
        if (!paused)
            restMs -= step;
    }
    return false;
}

/// What fails for one chunk may do for the next; what names the server or the session will not.
bool endsOperation(const Error &error)
{
    if (mayHaveHappened(error))
        return true;
    switch (error.kind) {
    case Error::Kind::Conflict:
    case Error::Kind::Constraint:
    case Error::Kind::Timeout:
    case Error::Kind::Protocol: // such as what a trigger of the table has to say
        return false;
    default:
        return true;
    }
}

/// The answer for each item, also where the chunk ended in an error.
QList<ReceiptItem> answeredItems(const Answers &answer, const QList<PlanItem> &chunk)
{
    if (answer)
        return *answer;
    QList<ReceiptItem> items;
    for (const PlanItem &item : chunk)
        items += failedItem(item, answer.error());
    return items;
}

/// An answer must speak of each item; anything else leaves the chunk in doubt.
Answers checkedAnswer(Answers answer, const QList<PlanItem> &chunk)
{
    if (!answer || answer->size() == chunk.size())
        return answer;
    return fail(Error::Kind::Timeout, u"carrying out a chunk of %1 items"_s.arg(chunk.size()),
                u"%1 answers came"_s.arg(answer->size()));
}

void tellProgress(const OperationControl &control, qsizetype done, qsizetype total,
                  const QString &phase)
{
    if (control.progressed)
        control.progressed({done, total, phase});
}

} // namespace

ReceiptItem receiptItem(const PlanItem &item, Outcome outcome, const QString &reason,
                        const QString &after)
{
    return {item.row, item.task, item.queue, outcome, reason, after};
}

ReceiptItem failedItem(const PlanItem &item, const Error &error)
{
    return mayHaveHappened(error)
        ? receiptItem(item, Outcome::InDoubt,
                      u"The answer is missing: look again. %1"_s.arg(oneLine(error)))
        : receiptItem(item, Outcome::Failed, oneLine(error));
}

Failure cannotUndo(const Activity &activity, const QString &why, const QString &hint)
{
    const QString what = activity.verb ? label(*activity.verb) : activity.what;
    return fail(Error::Kind::Refused, u"undoing: "_s + what, why, {}, hint);
}

Failure notTheExport(const Activity &activity, const QString &hint)
{
    return fail(
        Error::Kind::Conflict, u"undoing: "_s + label(*activity.verb),
        u"%1 is not the file that was exported: its checksum is not the one in the record"_s.arg(
            activity.exportFile),
        {}, hint);
}

bool leavesUndo(const Receipt &receipt)
{
    const auto undo = descriptorOf(receipt.verb).undoneBy;
    return undo && receipt.count(Outcome::Done) > 0
        && (*undo != Verb::Import || !receipt.exportFile.isEmpty());
}

void pass(const OperationControl &control, const char *point)
{
    if (control.passed)
        control.passed(point);
}

/// One operation from its first chunk to its end.
class Operation::Run
{
public:
    Run(const Operation &operation, OperatorSession &session, const Plan &plan, OperationLog &log,
        const OperationControl &control)
        : m_operation(operation), m_session(session), m_plan(plan), m_log(log), m_control(control),
          m_receipt(begunReceipt(plan)), m_total(plan.acting())
    { }

    [[nodiscard]] Result<void> prepare()
    {
        tellProgress(m_control, 0, m_total, label(m_plan.verb));
        if (auto prepared = m_operation.prepare(m_session, m_plan, m_receipt, m_control);
            !prepared) {
            m_receipt.error = prepared.error();
            return prepared;
        }
        m_log.setExport(m_receipt.exportFile, m_receipt.exportChecksum);
        pass(m_control, "prepared");
        return {};
    }

    void carryOutChunks()
    {
        bool isFirst = true;
        for (const QList<qsizetype> &places :
             chunksOf(m_plan, std::clamp(m_control.chunk, 1, mostOfChunk))) {
            if (!waitForTurn(m_control, std::exchange(isFirst, false))) {
                m_receipt.cancelled = true;
                return;
            }
            Items chunk;
            for (const qsizetype place : places)
                chunk += m_plan.items.at(place);
            if (!clearTheWay(chunk) || !carryOut(chunk, places))
                return;
        }
    }

    [[nodiscard]] const Receipt &end()
    {
        m_receipt.ended = QDateTime::currentDateTimeUtc();
        m_receipt.undoable = m_operation.isUndoable(m_receipt);
        if (auto ended = m_log.end(m_receipt); !ended && !m_receipt.error)
            m_receipt.error = ended.error();
        pass(m_control, "ended");
        return m_receipt;
    }

private:
    [[nodiscard]] bool carryOut(const Items &chunk, const QList<qsizetype> &places)
    {
        if (!intend(chunk))
            return false;
        m_session.beginChunk();
        const Answers answer
            = doubted(checkedAnswer(m_operation.act(m_session, m_plan, chunk, m_control), chunk));
        const QList<ReceiptItem> items = answeredItems(answer, chunk);
        for (qsizetype i = 0; i < places.size(); ++i)
            m_receipt.items[places.at(i)] = items.at(i);
        const bool goesOn = note(answer, items);
        m_done += places.size();
        tellProgress(m_control, m_done, m_total, label(m_plan.verb));
        return goesOn;
    }

    [[nodiscard]] bool clearTheWay(const Items &chunk)
    {
        while (true) {
            const auto leaving = m_operation.inTheWayOf(m_session, chunk, m_control);
            if (!leaving) {
                m_receipt.error = leaving.error();
                return false;
            }
            if (leaving->isEmpty())
                return true;
            if (!intend(*leaving))
                return false;
            m_session.beginChunk();
            const Answers answer = doubted(
                checkedAnswer(m_operation.clear(m_session, *leaving, m_control), *leaving));
            const QList<ReceiptItem> items = answeredItems(answer, *leaving);
            m_receipt.trimmed += items;
            if (!note(answer, items))
                return false;
        }
    }

    /// The same answers, unless Redis may lose what they are about. What a verb did to a row stays
    /// done.
    [[nodiscard]] Answers doubted(Answers answer) const
    {
        if (!answer || !m_session.isQueueInDoubt())
            return answer;
        const bool isOfRows = descriptorOf(m_plan.verb).subject == VerbSubject::Row;
        for (ReceiptItem &item : *answer) {
            if (item.outcome != Outcome::Done)
                continue;
            if (isOfRows && !item.row.text.isEmpty()) {
                const QString before = item.reason.isEmpty() ? QString() : item.reason + u"; "_s;
                item.reason = before
                    + u"the master of Redis failed over: what it took beside the row may be lost"_s;
                continue;
            }
            item.outcome = Outcome::InDoubt;
            item.reason = u"The master of Redis failed over, and what it took may be lost: look "
                          "again"_s;
            item.after.clear();
        }
        return answer;
    }

    /// On record before it is carried out. False ends the operation; the receipt says why.
    [[nodiscard]] bool intend(const Items &chunk)
    {
        const auto intended = m_log.intent(++m_number, chunk);
        if (intended)
            pass(m_control, "intended");
        else
            m_receipt.error = intended.error();
        return intended.has_value();
    }

    /// On record what came of the chunk that `intend` announced; the receipt has its `items`. False
    /// as there.
    [[nodiscard]] bool note(const Answers &answer, const QList<ReceiptItem> &items)
    {
        m_log.setUndoable(m_operation.isUndoable(m_receipt));
        pass(m_control, "acted");
        const auto noted = m_log.outcome(
            m_number, items, answer ? std::nullopt : std::optional<Error>(answer.error()));
        pass(m_control, "noted");
        if (!answer && endsOperation(answer.error()))
            m_receipt.error = answer.error();
        else if (!noted)
            m_receipt.error = noted.error();
        return !m_receipt.error;
    }

    const Operation &m_operation;
    OperatorSession &m_session;
    const Plan &m_plan;
    OperationLog &m_log;
    const OperationControl &m_control;
    Receipt m_receipt;
    qsizetype m_total;
    qsizetype m_done = 0;
    int m_number = 0; ///< of the last chunk on record
};

Result<Receipt> Operation::carryOut(OperatorSession &session, const Plan &plan,
                                    const Consent &consent, const OperationControl &control) const
{
    const Plan granted = withConsent(plan, consent);
    OperationLog log(session, granted, consent);
    // From before the last look at what is undone until the end of this.
    std::optional<PrivateFile> turn;
    std::optional<Error> refused;
    if (!granted.undoOf.isEmpty()) {
        if (auto held = session.audit().holdForUndo(granted.undoOf); held)
            turn.emplace(std::move(*held));
        else
            refused = held.error();
    }
    session.beginChunk(); // what an earlier operation did is told
    if (!refused)
        refused = whyNot(session, verb(), granted, consent);
    if (!refused) {
        if (auto isReady = ready(session, granted); !isReady)
            refused = isReady.error();
    }
    if (refused) {
        // Nothing was done, so a refusal that cannot be recorded hides nothing: its reason counts.
        static_cast<void>(log.refusal(*refused));
        return Failure(*refused);
    }

    pass(control, "ready");
    TRY(log.begin());
    pass(control, "begun");

    Run run(*this, session, granted, log, control);
    if (auto prepared = run.prepare(); !prepared) {
        static_cast<void>(run.end()); // its own error is that of the preparation
        return passOn(prepared);
    }
    run.carryOutChunks();
    return run.end();
}

Result<void> Operation::ready(OperatorSession &session, const Plan & /*plan*/) const
{
    if (actsOnRows(verb())) {
        const auto editor = session.rowEditor();
        return editor ? Result<void>() : passOn(editor);
    }
    const auto editor = session.taskEditor();
    return editor ? Result<void>() : passOn(editor);
}

Result<Plan> Operation::planUndoing(OperatorSession & /*session*/, const Activity &undone) const
{
    return cannotUndo(undone, u"there is no way back"_s);
}

Result<Judgement> Operation::foundRow(OperatorSession & /*session*/, const Trace &before,
                                      const RowWithTask &now) const
{
    if (!now.row)
        return Judgement{Outcome::Gone};
    return Judgement{now.row->version == before.version ? Outcome::Cancelled : Outcome::Changed};
}

Judgement Operation::foundTask(const Trace &before, const TaskSeen &now) const
{
    const bool same = before.task == now.state && before.stamp == now.stamp;
    return {same ? Outcome::Cancelled : Outcome::Changed, {}};
}

Result<Judgement> Operation::foundNamedTask(OperatorSession & /*session*/, const AuditedItem &item,
                                            const TaskSeen &now) const
{
    return foundTask(Trace::fromText(item.before), now);
}

Judgement Operation::foundQueue(const QueueSnapshot & /*now*/) const
{
    return {Outcome::InDoubt};
}

} // namespace outbox
