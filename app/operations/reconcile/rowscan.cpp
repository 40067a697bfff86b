// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/reconcile/rowscan.h"

#include "app/operations/core/rowselection.h"
#include "connectors/asynq/edit/taskeditor.h"
#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/wire/enqueuecommand.h"
#include "models/filter/pagerequest.h"
#include "models/operations/effectdecision.h"
#include "models/system/verdict.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using asynq::TaskFacts;

namespace {

constexpr int rowsOfLook = 500;
constexpr qsizetype glancesAtOnce = 100;
constexpr qsizetype mostSuspects = 5'000; ///< then they are judged before the next page
constexpr qint64 windowMarginSeconds = 5; ///< clocks and rounding at the window's end

QList<MessageId> idsOf(const QStringList &keys)
{
    QList<MessageId> ids;
    for (const QString &key : keys)
        ids += MessageId{key};
    return ids;
}

double unixSeconds()
{
    return static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000;
}

} // namespace

/// One of the two looks at what is suspected.
struct RowScan::Seen
{
    QHash<MessageId, Message> rows;
    QHash<MessageId, TaskFacts> tasks; ///< of those that stood still
    QHash<MessageId, QString> status; ///< of the status table
    QHash<QueueName, qint64> now; ///< Unix s, by the clock of the server that has the queue
};

RowScan::RowScan(ScanContext &run, OutboxStore &rows, AsynqInspector *inspector)
    : m_run(run), m_rows(rows), m_inspector(inspector)
{ }

bool RowScan::isHeldForTooLong(const Message &row) const
{
    if (row.state == MessageState::Pending) // a lease that is over still names its owner
        return row.leaseUntil && row.lockedBy;
    return row.state == MessageState::Locked && row.lockedBy
        && row.lockedBy->sinceSeconds.value_or(0) > static_cast<double>(m_run.terms().claimSeconds);
}

/// Why no relay can ever deliver it; empty when one can.
QString RowScan::whyPoison(const Message &row) const
{
    if (row.state == MessageState::Unknown)
        return row.note.isEmpty() ? u"its state is outside the mapping"_s : row.note;
    if (row.payloadBytes < 0)
        return row.note.isEmpty() ? u"the row that it refers to is gone"_s : row.note;
    EnqueueRequest request;
    request.id = row.task;
    request.queue = queueFor(m_run.session(), row);
    request.type = row.type;
    return row.payloadBytes > asynq::maxMessageBytes ? u"its payload is larger than Redis takes"_s
                                                     : asynq::refusal(request);
}

bool RowScan::isInWindow(const Message &row) const
{
    qint64 window = m_run.session().profile().retentionSeconds;
    if (m_run.report.shortestKept >= 0)
        window = std::min(window, m_run.report.shortestKept);
    return row.processed
        && static_cast<double>(row.processed->toSecsSinceEpoch() + window - windowMarginSeconds)
        > unixSeconds() + m_clockOffset;
}

bool RowScan::isSuspect(const Message &row, const TaskGlance &task,
                        const QHash<MessageId, QString> &status) const
{
    const ScanOptions &terms = m_run.terms();
    if (row.state == MessageState::Processed) {
        const bool isBehind = task.state == TaskState::Completed && status.contains(row.id)
            && status.value(row.id) != m_run.session().profile().status->done;
        return isBehind || (m_inspector && task.state == TaskState::None && isInWindow(row));
    }
    if (terms.scansOutbox
        && (isHeldForTooLong(row) || !whyPoison(row).isEmpty()
            || row.ageSeconds.value_or(0) > static_cast<double>(terms.overdueSeconds))) {
        return true;
    }
    return row.state == MessageState::Pending && task.state != TaskState::None;
}

Result<QHash<MessageId, QString>> RowScan::statusOf(const QList<MessageId> &ids)
{
    const auto &table = m_run.session().profile().status;
    if (!table || ids.isEmpty())
        return QHash<MessageId, QString>();
    return m_rows.statusOf(*table, ids);
}

/// The relay may ask for a shorter retention than the profile says. A task is kept from its end on,
/// which comes after the row was marked: so no window is shorter than this.
void RowScan::rememberWindow(const Message &row, const TaskGlance &task)
{
    if (!row.processed || !task.keptUntil)
        return;
    const qint64 kept = row.processed->secsTo(*task.keptUntil);
    const bool isOver
        = static_cast<double>(task.keptUntil->toSecsSinceEpoch()) < unixSeconds() + m_clockOffset;
    qint64 &shortest = m_run.report.shortestKept;
    if (kept > 0 && !isOver)
        shortest = shortest < 0 ? kept : std::min(shortest, kept);
}

/// Of a Cluster one queue may be away, and the rows of others can be judged all the same.
Result<void> RowScan::noteUnread(const QueueName &queue, const Error &error)
{
    if (!m_inspector->isOfCluster())
        return tl::unexpected(error);
    m_run.noteFailure(u"What rows have in the queue %1"_s.arg(queue.text), error);
    return {};
}

Result<void> RowScan::suspectsIn(const QList<Message> &rows, QStringList &suspects)
{
    QHash<QueueName, QList<TaskId>> tasks;
    QList<MessageId> processed;
    for (const Message &row : rows) {
        tasks[queueFor(m_run.session(), row)] += row.task;
        if (!row.queue.isEmpty())
            m_queues += row.queue;
        if (row.state == MessageState::Processed)
            processed += row.id;
    }
    QHash<QueueName, QHash<TaskId, TaskGlance>> glances;
    QSet<QueueName> unread;
    for (auto queue = tasks.cbegin(); m_inspector && queue != tasks.cend(); ++queue) {
        for (qsizetype from = 0; from < queue->size(); from += glancesAtOnce) {
            const auto some = m_inspector->glance(queue.key(), queue->mid(from, glancesAtOnce));
            if (!some) {
                TRY(noteUnread(queue.key(), some.error()));
                unread += queue.key();
                break;
            }
            glances[queue.key()].insert(*some);
        }
    }
    const auto status = TRY(statusOf(processed));
    for (const Message &row : rows) {
        if (unread.contains(queueFor(m_run.session(), row)))
            continue; // whether it has a task is not known
        const TaskGlance glance = glances.value(queueFor(m_run.session(), row)).value(row.task);
        rememberWindow(row, glance);
        if (isSuspect(row, glance, status))
            suspects += row.id.text;
    }
    return {};
}

Result<void> RowScan::walk(Part part, const std::optional<ScanPosition> &from)
{
    const ScanOptions &terms = m_run.terms();
    const auto snapshot = TRY(m_rows.snapshot({1, 1}));
    m_clockOffset = snapshot.clockOffsetSeconds;

    PageRequest request;
    request.limit = rowsOfLook;
    request.payloadPrefixBytes = 0;
    if (part == Part::Processed) {
        request.states = {MessageState::Processed};
        request.processedWithinSeconds
            = static_cast<double>(m_run.session().profile().retentionSeconds);
    } else {
        request.states = {MessageState::Pending, MessageState::Locked, MessageState::Unknown};
        request.newestFirst = false;
    }
    // Phase 1: all pages are through, but the suspects are not judged yet.
    ScanPosition position = from.value_or(ScanPosition());
    request.after = QString::fromUtf8(position.cursor);
    while (true) {
        if (position.phase == 1 || position.suspectRows.size() >= mostSuspects) {
            const auto judged = TRY(judge(idsOf(position.suspectRows)));
            if (!judged)
                break;
            position.suspectRows.clear();
            if (position.phase == 1)
                return {};
        }
        m_run.tell(part == Part::Processed ? u"processed rows"_s : u"waiting rows"_s,
                   position.suspectRows.size());
        const auto page = TRY(m_rows.page(request));
        m_run.report.rows += page.rows.size();
        TRY(suspectsIn(page.rows, position.suspectRows));
        request.after = page.next;
        position.cursor = page.next.toUtf8();
        if (page.next.isEmpty())
            position.phase = 1;
        if (!m_run.rest(terms.pauseMs))
            break;
    }
    m_run.report.position = position;
    return {};
}

Result<RowScan::Seen> RowScan::look(const QList<MessageId> &ids)
{
    Seen seen;
    seen.rows = TRY(rowsByKey(m_rows, ids));
    seen.status = TRY(statusOf(ids));
    if (!m_inspector)
        return seen;
    QHash<QueueName, asynq::Suspects> byQueue;
    for (const Message &row : std::as_const(seen.rows))
        byQueue[queueFor(m_run.session(), row)].insert(row.task.text.toUtf8(), {});
    QHash<QueueName, asynq::FactsReading> looks;
    for (auto queue = byQueue.cbegin(); queue != byQueue.cend(); ++queue) {
        const auto time = [](RedisConnection &node) {
            return asynq::askAll(node, {{"TIME"}}, u"reading the time"_s);
        };
        const auto facts = [&](RedisConnection &node) {
            return asynq::readFacts(node, queue.key(), queue.value());
        };
        const auto own = m_inspector->at(queue.key(), facts);
        const auto now
            = own ? m_inspector->at(queue.key(), time) : Result<QList<RedisReply>>(passOn(own));
        if (!now) {
            TRY(noteUnread(queue.key(), now.error()));
            continue;
        }
        looks.insert(queue.key(), *own);
        seen.now.insert(queue.key(), asynq::redisTime(now->first()).toSecsSinceEpoch());
    }
    for (const Message &row : std::as_const(seen.rows)) {
        const asynq::FactsReading &own = looks[queueFor(m_run.session(), row)];
        const QByteArray task = row.task.text.toUtf8();
        if (own.facts.contains(task))
            seen.tasks.insert(row.id, own.facts.value(task));
    }
    return seen;
}

Result<bool> RowScan::judge(const QList<MessageId> &ids)
{
    if (ids.isEmpty())
        return true;
    m_run.tell(u"second look at rows"_s, ids.size());
    const auto before = TRY(look(ids));
    if (!m_run.restBetweenReadings())
        return false;
    const auto after = TRY(look(ids));
    for (const MessageId &id : ids) {
        const auto now = after.rows.constFind(id);
        const auto then = before.rows.constFind(id);
        if (now == after.rows.constEnd() || then == before.rows.constEnd()
            || now->version != then->version || now->state != then->state) {
            continue;
        }
        if (m_inspector
            && (!after.tasks.contains(id) || !before.tasks.contains(id)
                || asynq::signatureOf(after.tasks.value(id))
                    != asynq::signatureOf(before.tasks.value(id)))) {
            continue;
        }
        TRY(consider(*now, after));
    }
    return true;
}

// What is said of a row that stood still in two looks.

Result<void> RowScan::consider(const Message &row, const Seen &seen)
{
    const auto facts = seen.tasks.constFind(row.id);
    if (row.state != MessageState::Processed && m_run.terms().scansOutbox)
        considerWaiting(row, facts == seen.tasks.constEnd() ? nullptr : &*facts);
    if (!m_inspector || !m_run.terms().scansRows || facts == seen.tasks.constEnd())
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
    const qint64 patienceSeconds = m_run.terms().leasePatienceMs / 1000;
    const qint64 now = seen.now.value(queueFor(m_run.session(), row));
    if (facts.places.isEmpty() || asynq::diagnose(facts, now, patienceSeconds, true))
        return {}; // nothing, or damage that the walk through the queue reports
    const auto whole = TRY(m_rows.find(row.id));
    const auto task = TRY(m_inspector->find(queueFor(m_run.session(), row), row.task));
    if (!whole || !task)
        return {};
    if (collides(*whole, *task)) {
        Finding finding = findingOf(FindingKind::OtherMessage, row, &facts);
        finding.evidence = u"the row is %1 with %2 bytes, the task %3 with %4 bytes; %5"_s.arg(
            row.type, QString::number(whole->payloadBytes), task->type,
            QString::number(task->payloadBytes), asynq::evidenceOf(facts));
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
        return; // a replay was undone: the record tells nothing of the effect
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
    finding.task = row.task;
    finding.queue = queueFor(m_run.session(), row);
    finding.evidence = rowText(row);
    if (facts) {
        finding.taskSeen = asynq::seenOf(*facts);
        finding.signature = QString::fromUtf8(asynq::signatureOf(*facts));
        finding.evidence += u"; "_s + asynq::evidenceOf(*facts);
    }
    return finding;
}

} // namespace outbox
