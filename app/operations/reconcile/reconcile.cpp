// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/core/rowoperation.h"
#include "app/operations/core/rowselection.h"
#include "app/operations/core/traces.h"
#include "app/operations/reconcile/reconcile.h"
#include "app/operations/verbs/verbs.h"

#include "app/operations/core/planning.h"
#include "app/operations/reconcile/reconciler.h"
#include "app/operations/transfer/exporting.h"
#include "app/settings/opening.h"
#include "connectors/asynq/observe/taskfacts.h"
#include "models/phrases.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Repair repairOf(const PlanItem &item)
{
    const auto guard = guardFromText(item.evidence);
    return guard ? guard->repair : Repair::None;
}

PlanItem itemOf(const Finding &finding)
{
    PlanItem item;
    item.row = finding.row;
    item.task = finding.task;
    item.queue = finding.queue;
    item.type = finding.taskSeen ? finding.taskSeen->type : QString();
    item.rowSeen = finding.rowSeen;
    item.taskSeen = finding.taskSeen;
    item.expected = finding.expected;
    item.kind = finding.kind;
    item.evidence = guardText(finding.repair, finding.signature);
    const QString about
        = finding.subject.isEmpty() ? QString() : QString(finding.subject + u": "_s);
    item.reason = finding.reason + u" Seen: "_s + about + finding.evidence;
    return item;
}

/// What is asked of Redis for a repair, in words.
QString commandOf(Repair repair)
{
    switch (repair) {
    case Repair::Drop:
        return u"take the id out of its lists and its lease, delete its own unique lock and its "
               "hash"_s;
    case Repair::Requeue:
        return u"move the id from active and lease to pending, state pending"_s;
    case Repair::ClearLease:
        return u"remove the id from lease"_s;
    case Repair::Settle:
        return u"write the name of its list into the state of the hash"_s;
    case Repair::RestoreStatus:
        return u"remove the id from every list but the one that its state names"_s;
    case Repair::Reattach:
        return u"add the id to archived, state archived"_s;
    case Repair::FreeLock:
        return u"delete the unique lock"_s;
    case Repair::RegisterQueue:
        return u"add the queue's name to asynq:queues"_s;
    case Repair::None:
    case Repair::Reopen:
    case Repair::SetStatus:
    case Repair::Release:
        break;
    }
    return {};
}

/// `kinds` empty: of any kind.
bool isWanted(const Finding &finding, const Selection &selection, const QList<FindingKind> &kinds)
{
    if (!kinds.isEmpty() && !kinds.contains(finding.kind))
        return false;
    if (selection.tasks.isEmpty() && selection.rows.isEmpty())
        return true;
    return selection.tasks.contains(finding.task) || selection.rows.contains(finding.row);
}

/// Kinds that are found by a walk only, not by an id.
bool needsWalk(FindingKind kind)
{
    return kind == FindingKind::QueueNotListed || kind == FindingKind::LockWithoutTask
        || textOf(kind).place == FindingPlace::Condition;
}

void describe(Plan &plan, OperatorSession &session)
{
    QSet<QString> said;
    const auto say = [&said](QStringList &list, const QString &text) {
        if (!text.isEmpty() && !said.contains(text))
            list += text;
        said += text;
    };
    const auto rows = session.rows();
    for (const PlanItem &item : std::as_const(plan.items)) {
        if (!item.isActedOn())
            continue;
        const Repair repair = repairOf(item);
        say(plan.commands, commandOf(repair));
        plan.exportsFirst = plan.exportsFirst || repair == Repair::Drop;
        plan.reopensWindow = plan.reopensWindow || item.kind == FindingKind::ExpiredNotPurged;
        if (rows && (repair == Repair::Reopen || repair == Repair::Release)) {
            const Verb verb = repair == Repair::Reopen ? Verb::Replay : Verb::Release;
            for (const QString &statement : (*rows)->statementsOf(verb))
                say(plan.statements, statement);
        }
    }
    plan.undo = plan.exportsFirst
        ? u"No automatic undo: what is removed is in the export, and can be imported"_s
        : u"No undo needed: nothing is removed"_s;
}

} // namespace

Reconcile::Reconcile(ScanOptions terms, qint64 budgetMs, ScanContext::Progressed progressed,
                     std::stop_token stop)
    : m_terms(std::move(terms)), m_budgetMs(budgetMs), m_progressed(std::move(progressed)),
      m_stop(std::move(stop))
{ }

Result<Plan> Reconcile::plan(OperatorSession &session, const Selection &selection) const
{
    if (!selection.filter.isEmpty() || !selection.file.isEmpty()) {
        return fail(Error::Kind::Invalid, u"planning: "_s + label(verb()),
                    u"inconsistencies are named by kind or by id, not by a filter"_s);
    }
    Selection named = selection;
    if (named.isEmpty())
        named.meant = QList<FindingKind>();
    if (std::holds_alternative<DocumentPart>(named.meant)) {
        return fail(Error::Kind::Invalid, u"planning: "_s + label(verb()),
                    u"\"%1\" is no kind of inconsistency"_s.arg(word(named.meant)), {},
                    u"Name %1, or all"_s.arg(findingKindRange()));
    }
    const auto *meant = std::get_if<QList<FindingKind>>(&named.meant);
    const QList<FindingKind> kinds = meant ? *meant : QList<FindingKind>();
    Plan plan = TRY(newPlan(session, verb(), named));
    ScanOptions terms = m_terms;
    terms.resume.reset();
    terms.budgetMs = m_budgetMs;
    terms.waitsForLeases = m_terms.waitsForLeases || kinds.contains(FindingKind::ActiveWithoutLease)
        || kinds.contains(FindingKind::LeaseWithoutActive);
    if (!named.queue.isEmpty())
        terms.queues = {named.queue};
    const bool byId = !(named.tasks.isEmpty() && named.rows.isEmpty())
        && std::none_of(kinds.begin(), kinds.end(), needsWalk);
    const auto report = TRY(byId ? reconciledAt(session, terms, named, m_stop)
                                 : reconciled(session, terms, m_progressed, m_stop));
    if (m_stop.stop_requested())
        return fail(Error::Kind::Cancelled, u"looking for inconsistencies"_s, u"it was stopped"_s);

    for (const Finding &finding : report.findings) {
        if (!isWanted(finding, named, kinds))
            continue;
        if (plan.items.size() >= session.profile().mostItems) {
            plan.warnings += cutWarning(session.profile());
            break;
        }
        plan.items += itemOf(finding);
    }
    // One queue behind the other, rows in a fixed order: two operators do not meet crosswise.
    std::stable_sort(plan.items.begin(), plan.items.end(),
                     [](const PlanItem &left, const PlanItem &right) {
                         return std::tie(left.queue.text, left.row.text)
                             < std::tie(right.queue.text, right.row.text);
                     });
    plan.warnings += report.notes;
    plan.unread = report.unread;
    if (report.position) {
        const QString cut
            = u"the time for it, %1, was over"_s.arg(spanText(double(terms.budgetMs) / 1000));
        plan.warnings += u"Not everything was looked at: "_s + cut;
        if (!plan.unread) {
            plan.unread = Error{Error::Kind::Timeout,
                                u"looking for inconsistencies"_s,
                                cut,
                                {},
                                u"Give it more time with --budget"_s,
                                -1};
        }
    }
    describe(plan, session);
    return plan;
}

Result<Judgement> Reconcile::foundRow(OperatorSession &session, const Trace &before,
                                      const RowWithTask &now) const
{
    auto found = Operation::foundRow(session, before, now);
    if (!found || found->outcome == Outcome::Gone)
        return found;
    const bool sameTask = !before.task || !now.taskSeen
        || (now.taskSeen->state == *before.task && now.taskSeen->stamp == before.stamp);
    return found->outcome == Outcome::Cancelled && sameTask ? found : Judgement{Outcome::Done};
}

Judgement Reconcile::foundTask(const Trace &before, const TaskSeen &now) const
{
    const Judgement found = Operation::foundTask(before, now);
    return found.outcome == Outcome::Changed ? movedTask(now) : found;
}

Judgement Reconcile::foundQueue(const QueueSnapshot &now) const
{
    return {now.known ? Outcome::Done : Outcome::Cancelled, {}};
}

Result<void> Reconcile::ready(OperatorSession &session, const Plan &plan) const
{
    bool onTasks = false;
    bool onRows = false;
    bool reopens = false;
    for (const PlanItem &item : actingItems(plan)) {
        onTasks = onTasks || repairOf(item) != Repair::Release;
        onRows = onRows || item.rowSeen.has_value();
        reopens = reopens || repairOf(item) == Repair::Reopen;
    }
    if (onTasks) {
        TRY(session.taskEditor());
    }
    if (!onRows)
        return {};
    TRY(mayWrite(session.shape(), u"carrying out: "_s + label(verb())));
    const auto editor = TRY(session.rowEditor());
    const auto rights = TRY(editor->rights());
    if (rights.lock && (rights.reopen || !reopens))
        return {};
    return lacksRight(session, verb(), rights.lock ? RowRight::Reopen : RowRight::Lock);
}

Result<void> Reconcile::prepare(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                const OperationControl &control) const
{
    QList<PlanItem> removed;
    for (const PlanItem &item : actingItems(plan)) {
        if (repairOf(item) == Repair::Drop)
            removed += item;
    }
    m_exported.clear();
    if (removed.isEmpty())
        return {};
    TRY(exportTasks(session, plan, removed, receipt, control));
    // Listed ids without a task leave no file.
    return receipt.exportFile.isEmpty() ? Result<void>() : readExport(removed, receipt.exportFile);
}

/// What was written is read again: a task may have moved, or have been written to, meanwhile.
Result<void> Reconcile::readExport(const QList<PlanItem> &removed, const QString &file) const
{
    QHash<std::pair<QueueName, TaskId>, QByteArray> seen;
    for (const PlanItem &item : removed) {
        const auto guard = guardFromText(item.evidence).value_or(RepairGuard());
        seen.insert({item.queue, item.task}, asynq::messageIn(guard.signature.toUtf8()));
    }
    return eachExported(file, [&](const StoredTask &task) {
        const auto field = std::find_if(task.fields.begin(), task.fields.end(),
                                        [](const auto &one) { return one.first == "msg"; });
        const QByteArray message = field == task.fields.end() ? QByteArray() : field->second;
        const std::pair key(task.queue, task.id);
        if (seen.contains(key) && seen.value(key) == asynq::messageText(message))
            m_exported += key;
    });
}

Answers Reconcile::act(OperatorSession &session, const Plan &plan, const Items &chunk,
                       const OperationControl &control) const
{
    return repairChunk(session, plan, chunk, m_exported, control);
}

std::unique_ptr<Operation> makeReconcile()
{
    return std::make_unique<Reconcile>();
}

} // namespace outbox
