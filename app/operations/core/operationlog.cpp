// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/core/operationlog.h"

#include "app/operations/core/traces.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QMap<QString, qint64> byWord(const QMap<Outcome, qsizetype> &counts)
{
    QMap<QString, qint64> words;
    for (auto count = counts.cbegin(); count != counts.cend(); ++count)
        words[word(count.key())] = count.value();
    return words;
}

} // namespace

OperationLog::OperationLog(OperatorSession &session, const Plan &plan, const Consent &consent)
    : m_audit(session.audit()), m_plan(plan)
{
    m_entry.operation = plan.operation;
    m_entry.who = session.who();
    m_entry.face = session.face();
    m_entry.profile = plan.profile;
    m_entry.environment = plan.environment;
    m_entry.target = plan.target;
    m_entry.verb = plan.verb;
    m_entry.what = plan.selection;
    m_entry.note = consent.note;
    m_entry.undoOf = plan.undoOf;
}

AuditEntry OperationLog::line(AuditEntry::Kind kind, int chunk) const
{
    AuditEntry entry = m_entry;
    entry.kind = kind;
    entry.chunk = chunk;
    return entry;
}

Result<void> OperationLog::append(const AuditEntry &entry)
{
    const auto appended = m_audit.append(entry);
    return appended ? Result<void>() : passOn(appended);
}

Result<void> OperationLog::refusal(const Error &why)
{
    AuditEntry entry = line(AuditEntry::Kind::Refusal);
    entry.counts = byWord(m_plan.counts());
    entry.error = oneLine(why);
    return append(entry);
}

Result<void> OperationLog::begin()
{
    AuditEntry entry = line(AuditEntry::Kind::Begin);
    entry.counts = byWord(m_plan.counts());
    if (m_plan.trimmed > 0)
        entry.counts[word(Outcome::Done)] += m_plan.trimmed;
    entry.statements = m_plan.statements + m_plan.commands;
    return append(entry);
}

Result<void> OperationLog::intent(int chunk, const QList<PlanItem> &items)
{
    AuditEntry entry = line(AuditEntry::Kind::Intent, chunk);
    entry.items.reserve(items.size());
    for (const PlanItem &item : items)
        entry.items += auditedBefore(item);
    return append(entry);
}

Result<void> OperationLog::outcome(int chunk, const QList<ReceiptItem> &items,
                                   const std::optional<Error> &error)
{
    AuditEntry entry = line(AuditEntry::Kind::Outcome, chunk);
    entry.items.reserve(items.size());
    for (const ReceiptItem &item : items) {
        entry.items += auditedAfter(item);
        ++entry.counts[word(item.outcome)];
    }
    if (error)
        entry.error = oneLine(*error);
    return append(entry);
}

Result<void> OperationLog::end(const Receipt &receipt)
{
    AuditEntry entry = line(AuditEntry::Kind::End);
    entry.counts = byWord(receipt.counts());
    const QMap<QString, qint64> trimmed = byWord(receipt.trimmedCounts());
    for (auto count = trimmed.cbegin(); count != trimmed.cend(); ++count)
        entry.counts[count.key()] += count.value();
    entry.undoable = receipt.undoable;
    if (receipt.error)
        entry.error = oneLine(*receipt.error);
    return append(entry);
}

Result<void> checkRecord(const Activity &activity, const QString &doing)
{
    if (activity.state != Activity::State::RecordChanged)
        return {};
    return fail(
        Error::Kind::Refused, doing,
        u"the record of operation %1, or that of its undo, was changed after it was written: "
        "what it says is not acted on"_s.arg(activity.operation),
        {},
        u"Find the place with `outboxctl audit --verify`, and look at the messages themselves"_s);
}

Result<Activity> activityOf(const AuditTrail &audit, const QString &operation)
{
    const auto entries = TRY(audit.readWithUndo(operation));
    const QList<Activity> told = activitiesOf(entries);
    const auto found = std::find_if(told.begin(), told.end(), [&](const Activity &activity) {
        return activity.operation == operation;
    });
    if (found == told.end()) {
        return fail(Error::Kind::Invalid, u"looking for operation "_s + operation,
                    u"the record does not know it"_s);
    }
    return *found;
}

} // namespace outbox
