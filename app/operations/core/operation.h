// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One verb: plan, then carry out that plan. The audit, the consent and the chunks are here, so that
// no verb can act without them.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "models/operations/auditentry.h"
#include "models/operations/consent.h"
#include "models/operations/plan.h"
#include "models/operations/receipt.h"
#include "models/operations/selection.h"
#include "models/result.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace outbox {

struct Judgement;
struct RowWithTask;
struct Trace;

/// How an operation is watched and held while it runs. Callbacks come in the operator's thread.
struct OperationControl
{
    std::stop_token cancel; ///< takes effect between two chunks
    std::function<bool()> isPaused; ///< asked between two chunks; may be empty
    std::function<void(const OperationProgress &)> progressed; ///< may be empty
    int chunk = 500; ///< most items a transaction or script; 1–500
    int pauseMs = 0; ///< between two chunks
    /// Called at every point where a crash would leave another state behind; for tests that kill
    /// the process there. May be empty.
    std::function<void(const char *point)> passed;
};

/// What became of each item of a chunk, in the order of the chunk.
using Answers = Result<QList<ReceiptItem>>;

/// Blocking; in the operator's room. A subclass says what is seen and what is done to one chunk; it
/// never writes outside `prepare`, `clear` and `act`. Carry out one plan with one object.
/// Errors: of a plan those of the sources that it reads, and Invalid for a selection that the verb
/// cannot take; of an act those of the sources that it writes to, with what is known of its
/// effect.
class Operation
{
public:
    virtual ~Operation() = default;
    [[nodiscard]] virtual Verb verb() const = 0;

    /// Looks, and freezes what it sees: ids, states, what is expected of each. Writes nothing,
    /// takes no lock. An empty plan is a plan: nothing matched.
    [[nodiscard]] virtual Result<Plan> plan(OperatorSession &session,
                                            const Selection &selection) const = 0;

    /// The plan that takes `undone` back, which another verb did. Refused where that cannot be.
    [[nodiscard]] virtual Result<Plan> planUndoing(OperatorSession &session,
                                                   const Activity &undone) const;

    /// What became of a row whose chunk has no answer, by how it stands now. A row whose version is
    /// the one seen before was not written to: every write changes it.
    [[nodiscard]] virtual Result<Judgement> foundRow(OperatorSession &session, const Trace &before,
                                                     const RowWithTask &now) const;
    /// The same of a task that was named by itself.
    [[nodiscard]] virtual Judgement foundTask(const Trace &before, const TaskSeen &now) const;
    /// The same of one that state and stamp do not tell of; `foundTask` where they do.
    [[nodiscard]] virtual Result<Judgement>
    foundNamedTask(OperatorSession &session, const AuditedItem &item, const TaskSeen &now) const;
    /// The same of a queue; in doubt where the verb does not act on queues.
    [[nodiscard]] virtual Judgement foundQueue(const QueueSnapshot &now) const;

    /// What lacks its consent is left alone (`withConsent`); objections to the rest, a session that
    /// is not armed or that looks at another system come next (Refused, audited). Then Begin in the
    /// audit, then chunk by chunk: Intent on disk → act → Outcome; End last. A Result that fails
    /// means that nothing was done; whatever happens once a chunk was begun stands in the receipt.
    [[nodiscard]] Result<Receipt> carryOut(OperatorSession &session, const Plan &plan,
                                           const Consent &consent,
                                           const OperationControl &control) const;

protected:
    using Items = QList<PlanItem>;

    /// Before anything is recorded as begun: opens what `act` needs and asks for the rights, so
    /// that a wrong password or a missing right is told while nothing has happened.
    [[nodiscard]] virtual Result<void> ready(OperatorSession &session, const Plan &plan) const;
    /// Before the first chunk, after Begin: the export of what will be deleted. Sets file and
    /// checksum of it in `receipt`.
    [[nodiscard]] virtual Result<void> prepare(OperatorSession & /*session*/, const Plan & /*plan*/,
                                               Receipt & /*receipt*/,
                                               const OperationControl & /*control*/) const
    {
        return {};
    }
    /// One chunk, each item guarded by what was seen of it; an answer for each, in the order of the
    /// chunk. Rows are written in one transaction; tasks in one script or more, each of which
    /// stands when a later one fails. An error says what is known of its effect: where the change
    /// may have happened (`mayHaveHappened`), the whole chunk is in doubt and the operation ends.
    /// Otherwise nothing of this chunk happened: Conflict, Constraint, Timeout and Protocol concern
    /// this chunk alone, the others end the operation.
    [[nodiscard]] virtual Answers act(OperatorSession &session, const Plan &plan,
                                      const Items &chunk,
                                      const OperationControl &control) const = 0;
    /// What must leave before a chunk can come, each as it may leave; empty: nothing is in the way.
    /// Asked before each chunk until nothing is; what is, is recorded like a chunk of its own.
    /// Looks only.
    [[nodiscard]] virtual Result<Items> inTheWayOf(OperatorSession & /*session*/,
                                                   const Items & /*chunk*/,
                                                   const OperationControl & /*control*/) const
    {
        return Items();
    }
    /// Removes what `inTheWayOf` said, and answers as `act` does.
    [[nodiscard]] virtual Answers clear(OperatorSession & /*session*/, const Items & /*items*/,
                                        const OperationControl & /*control*/) const
    {
        return QList<ReceiptItem>();
    }
    /// Whether this receipt can be undone.
    [[nodiscard]] virtual bool isUndoable(const Receipt & /*receipt*/) const { return false; }

private:
    class Run;
};

/// A receipt item with the ids of `item`.
[[nodiscard]] ReceiptItem receiptItem(const PlanItem &item, Outcome outcome,
                                      const QString &reason = {}, const QString &after = {});
/// The answer for an item whose chunk, or whose queue's part of it, ended in an error.
[[nodiscard]] ReceiptItem failedItem(const PlanItem &item, const Error &error);
/// Why `activity` cannot be undone, and what to do instead.
[[nodiscard]] Failure cannotUndo(const Activity &activity, const QString &why,
                                 const QString &hint = {});
/// The same where the file of its export is another one than the record tells of.
[[nodiscard]] Failure notTheExport(const Activity &activity, const QString &hint);
/// Whether something was done, and what undoes this verb finds what it needs.
[[nodiscard]] bool leavesUndo(const Receipt &receipt);
/// Calls `control.passed`, where somebody listens.
void pass(const OperationControl &control, const char *point);

/// The one class for a verb.
[[nodiscard]] std::unique_ptr<Operation> operationFor(Verb verb);

/// The plan that takes `activity` back (Unreplay, Import, Archive, Run, Unpause …), or why not.
[[nodiscard]] Result<Plan> planUndo(OperatorSession &session, const Activity &activity);
/// Looks at the chunks of `activity` that are in doubt, says for each message whether it was done,
/// and writes that to the audit (Check). Looks only.
[[nodiscard]] Result<Activity> checkDoubt(OperatorSession &session, const Activity &activity);

} // namespace outbox
