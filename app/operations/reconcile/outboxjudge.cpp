// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said of a row that stood still in two looks.
#include "app/operations/reconcile/rowscan.h"
#include "connectors/asynq/edit/taskeditor.h"
#include "models/operations/effectdecision.h"
#include "models/system/verdict.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using asynq::TaskFacts;

Result<void> RowScan::consider(const Message &row, const Seen &seen)
{
    const auto facts = seen.tasks.constFind(row.id);
    if (row.state != MessageState::Processed && m_run.terms().sources.outbox)
        considerWaiting(row, facts == seen.tasks.constEnd() ? nullptr : &*facts);
    if (!m_inspector || !m_run.terms().sources.rows || facts == seen.tasks.constEnd())
        return {};
    if (row.state == MessageState::Processed) {
        considerProcessed(row, *facts, seen);
        return {};
    }
    return row.state == MessageState::Pending ? considerTask(row, *facts, seen) : Result<void>();
}

void RowScan::considerWaiting(const Message &row, const TaskFacts *facts)
{
    if (isHeldForTooLong(row)) {
        Finding finding = findingOf(FindingKind::DeadClaim, row, facts);
        finding.subject = row.lockedBy->application;
        finding.evidence = holderText(*row.lockedBy);
        if (row.state == MessageState::Pending) {
            finding.evidence += u"; "_s + row.note;
            finding.repair = Repair::Release;
            finding.expected = Outcome::Done;
            finding.signature = row.version;
            finding.reason = u"Empties the lease, if it is still the one seen and over."_s;
        } else {
            finding.expected = Outcome::Claimed;
            finding.reason = u"Ending the session is up to you."_s;
        }
        m_run.add(finding);
        return;
    }
    if (row.state == MessageState::Locked)
        return;
    if (const QString why = whyPoison(row); !why.isEmpty()) {
        Finding finding = findingOf(FindingKind::PoisonRow, row, facts);
        finding.evidence = why;
        finding.reason = u"Correct the row or the mapping; a relay sets it aside meanwhile."_s;
        m_run.add(finding);
        return;
    }
    const bool hasTask = facts && *facts != TaskFacts{facts->id};
    if (row.state == MessageState::Pending && !hasTask
        && row.ageSeconds.value_or(0) > static_cast<double>(m_run.terms().overdueSeconds)) {
        Finding finding = findingOf(FindingKind::OverdueRow, row, facts);
        finding.reason = u"Let a relay run now."_s;
        m_run.add(finding);
    }
}

/// A row that waits, and something under its task's id.
Result<void> RowScan::considerTask(const Message &row, const TaskFacts &facts, const Seen &seen)
{
    const asynq::DiagnosisTerms terms{seen.redisNow, m_run.terms().leasePatienceMs / 1000, true};
    if (facts.places.isEmpty() || asynq::diagnose(facts, terms))
        return {}; // nothing, or damage that the walk through the queue reports
    const auto whole = m_rows.find(row.id);
    if (!whole)
        return passOn(whole);
    const auto task = m_inspector->find(queueOf(row), taskOf(row));
    if (!task)
        return passOn(task);
    if (!*whole || !*task)
        return {};
    if (collides(**whole, **task)) {
        Finding finding = findingOf(FindingKind::OtherMessage, row, &facts);
        finding.evidence = u"the row is %1 with %2 bytes, the task %3 with %4 bytes; %5"_s.arg(
            row.type, QString::number((*whole)->payloadBytes), (*task)->type,
            QString::number((*task)->payloadBytes), asynq::evidenceOf(facts));
        finding.expected = Outcome::Collision;
        finding.reason = u"Give the sources different id prefixes; the row stays."_s;
        m_run.add(finding);
    } else if (facts.places.first().state == TaskState::Archived) {
        Finding finding = findingOf(FindingKind::DeadWithRow, row, &facts);
        finding.expected = Outcome::Dead;
        finding.reason = u"Run it in the queue, or replace it: that is for a person to decide."_s;
        m_run.add(finding);
    } else {
        Finding finding = findingOf(FindingKind::PendingWithTask, row, &facts);
        finding.expected = Outcome::NothingToDo;
        finding.reason = u"The relay's next pass ends it."_s;
        m_run.add(finding);
    }
    return {};
}

void RowScan::considerProcessed(const Message &row, const TaskFacts &facts, const Seen &seen)
{
    if (isTombstone(asynq::seenOf(facts).type))
        return; // a replay was taken back: the record tells nothing of the effect
    const auto &table = m_run.session().profile().status;
    const bool isKnown = table && seen.status.contains(row.id);
    const QString status = seen.status.value(row.id);
    const EffectStatus effect
        = isKnown && status == table->done ? EffectStatus::Sent : EffectStatus::Queued;
    const EffectDecision decision
        = decideEffect(effect, effectTaskOf(asynq::seenOf(facts).state), ProviderAnswer::Unknown);
    if (facts == TaskFacts{facts.id}) {
        if (!isInWindow(row) || decision == EffectDecision::Fine)
            return;
        Finding finding = findingOf(FindingKind::ProcessedWithoutTask, row, &facts);
        finding.evidence = u"marked processed at %1, and nothing in the queue"_s.arg(
            row.processed->toString(Qt::ISODate));
        if (isKnown)
            finding.evidence += u"; its status is \"%1\""_s.arg(status);
        finding.repair = Repair::Reopen;
        finding.expected = Outcome::SecondExecution;
        finding.reason = u"Opens the row for the relay again. If its effect did happen, it happens "
                         "a second time."_s;
        m_run.add(finding);
    } else if (isKnown && decision == EffectDecision::SetSent) {
        Finding finding = findingOf(FindingKind::EffectDisagrees, row, &facts);
        finding.subject = status;
        finding.evidence += u"; its status is \"%1\""_s.arg(status);
        finding.signature += u" | "_s + status; // the status is guarded too
        finding.repair = Repair::SetStatus;
        finding.expected = Outcome::Done;
        finding.reason = textOf(decision);
        m_run.add(finding);
    }
}

Finding RowScan::findingOf(FindingKind kind, const Message &row, const TaskFacts *facts) const
{
    Finding finding;
    finding.kind = kind;
    finding.row = row.id;
    finding.rowSeen = seenOf(row);
    finding.task = taskOf(row);
    finding.queue = queueOf(row);
    finding.evidence = rowText(row);
    if (facts) {
        finding.taskSeen = asynq::seenOf(*facts);
        finding.signature = QString::fromUtf8(asynq::signatureOf(*facts));
        finding.evidence += u"; "_s + asynq::evidenceOf(*facts);
    }
    return finding;
}

} // namespace outbox
