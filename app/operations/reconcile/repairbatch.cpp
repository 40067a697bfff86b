// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One chunk of repairs: rows locked first, tasks repaired by a script, rows written, then COMMIT.
#include "app/operations/reconcile/reconcile.h"

#include "app/operations/core/rowoperation.h"
#include "app/operations/core/traces.h"
#include "app/operations/reconcile/queuescan.h"
#include "app/operations/reconcile/scancontext.h"
#include "app/relay/parking/outboxparking.h"
#include "connectors/asynq/edit/taskrepairer.h"
#include "connectors/sql/outbox/parkedrows.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr QStringView statusBorder = u" | ";

/// The part of a guard that speaks of the task; behind it K27 keeps the status that was seen.
QByteArray taskSignature(const QString &signature, Repair repair)
{
    const qsizetype border
        = repair == Repair::SetStatus ? signature.indexOf(statusBorder) : qsizetype(-1);
    return (border < 0 ? signature : signature.left(border)).toUtf8();
}

/// Null where nothing stood: NULL, then.
QString statusIn(const QString &signature)
{
    const QString status = signature.mid(signature.indexOf(statusBorder) + statusBorder.size());
    return status.isEmpty() ? QString() : status;
}

bool isRowHeld(const PlanItem &item)
{
    return item.rowSeen && !item.row.isEmpty();
}

class RepairBatch
{
public:
    RepairBatch(OperatorSession &session, const Plan &plan, const QList<PlanItem> &chunk,
                const ExportedTasks &exported, const OperationControl &control);

    /// An answer for each item, in their order.
    [[nodiscard]] Answers carryOut();

private:
    void refuseUnexported();
    [[nodiscard]] Result<void> holdRows();
    void refuseUnheld(const QList<qsizetype> &places);
    [[nodiscard]] Result<void> refuseRunning();
    [[nodiscard]] Result<void> repairTasks();
    [[nodiscard]] Result<void> repairQueues();
    [[nodiscard]] Result<void> writeRows();
    using RowWriter = Result<QList<RowWritten>> (OutboxEditor::*)(const QList<RowGuard> &rows);
    [[nodiscard]] Result<void> writeAs(Repair repair, RowWriter write, const QString &otherwise);
    [[nodiscard]] Result<void> writeStatus();
    [[nodiscard]] Result<void> record();
    [[nodiscard]] Result<void> letGo();
    [[nodiscard]] QList<qsizetype> open(std::initializer_list<Repair> repairs) const;
    [[nodiscard]] QList<RowGuard> guardsOf(const QList<qsizetype> &places) const;
    void answer(qsizetype place, Outcome outcome, const QString &reason = {},
                const QString &after = {});

    OperatorSession &m_session;
    const Plan &m_plan;
    const QList<PlanItem> &m_chunk;
    const ExportedTasks &m_exported;
    const OperationControl &m_control;
    QList<RepairGuard> m_guards;
    QList<ReceiptItem> m_answers;
    QSet<qsizetype> m_answered;
    OutboxEditor *m_editor = nullptr; ///< with an open transaction; null: no row is concerned
    bool m_touchedQueue = false; ///< a later failure does not mean that nothing was done
};

RepairBatch::RepairBatch(OperatorSession &session, const Plan &plan, const QList<PlanItem> &chunk,
                         const ExportedTasks &exported, const OperationControl &control)
    : m_session(session), m_plan(plan), m_chunk(chunk), m_exported(exported), m_control(control)
{
    for (const PlanItem &item : chunk) {
        m_guards += guardFromText(item.evidence).value_or(RepairGuard());
        m_answers += receiptItem(item, Outcome::Failed, u"The plan says no repair for it"_s);
    }
}

void RepairBatch::answer(qsizetype place, Outcome outcome, const QString &reason,
                         const QString &after)
{
    m_answers[place] = receiptItem(m_chunk.at(place), outcome, reason, after);
    m_answered += place;
}

QList<qsizetype> RepairBatch::open(std::initializer_list<Repair> repairs) const
{
    QList<qsizetype> places;
    for (qsizetype place = 0; place < m_chunk.size(); ++place) {
        const bool isOne
            = std::find(repairs.begin(), repairs.end(), m_guards.at(place).repair) != repairs.end();
        if (isOne && !m_answered.contains(place))
            places += place;
    }
    return places;
}

QList<RowGuard> RepairBatch::guardsOf(const QList<qsizetype> &places) const
{
    QList<RowGuard> guards;
    for (const qsizetype place : places)
        guards += RowGuard{m_chunk.at(place).row, m_chunk.at(place).rowSeen->version};
    return guards;
}

Answers RepairBatch::carryOut()
{
    refuseUnexported();
    Result<void> done = holdRows();
    if (done)
        done = refuseRunning();
    if (done)
        done = repairTasks();
    if (done)
        done = repairQueues();
    if (done && m_editor)
        done = writeRows();
    if (done && m_editor)
        done = letGo();
    if (!done && m_editor)
        static_cast<void>(m_editor->rollback()); // the first reason counts
    if (!done && !m_touchedQueue)
        return withoutEffect(done);
    if (done && m_editor)
        done = m_editor->commit();
    if (!done && !m_touchedQueue)
        return passOn(done); // the COMMIT knows best what is certain
    if (!done) {
        // Some tasks are repaired and stay so: what became of each is not certain any more.
        return withUnknownEffect(done.error());
    }
    if (m_editor)
        pass(m_control, "committed");
    return m_answers;
}

void RepairBatch::refuseUnexported()
{
    for (const qsizetype place : open({Repair::Drop})) {
        const PlanItem &item = m_chunk.at(place);
        const bool hasHash = !item.taskSeen || item.taskSeen->state != TaskState::None;
        if (hasHash && !m_exported.contains({item.queue, item.task}))
            answer(place, Outcome::Changed, u"It changed while it was exported"_s);
    }
}

/// A row that is held cannot be claimed by a relay until COMMIT; one that could not be held is left
/// alone together with its task.
Result<void> RepairBatch::holdRows()
{
    QList<qsizetype> places;
    for (qsizetype place = 0; place < m_chunk.size(); ++place) {
        if (isRowHeld(m_chunk.at(place)) && !m_answered.contains(place))
            places += place;
    }
    if (places.isEmpty())
        return {};
    const auto editor = TRY(m_session.rowEditor());
    TRY(editor->begin());
    m_editor = editor;
    const auto held = TRY(m_editor->hold(guardsOf(places)));
    const QSet<MessageId> ids(held.begin(), held.end());
    places.removeIf([&](qsizetype place) { return ids.contains(m_chunk.at(place).row); });
    refuseUnheld(places);
    pass(m_control, "held");
    return {};
}

/// Says why, by a look beside the transaction.
void RepairBatch::refuseUnheld(const QList<qsizetype> &places)
{
    if (places.isEmpty())
        return;
    QList<MessageId> ids;
    for (const qsizetype place : places)
        ids += m_chunk.at(place).row;
    const auto store = m_session.rows();
    const auto rows
        = store ? rowsByKey(**store, ids) : Result<QHash<MessageId, Message>>(passOn(store));
    for (const qsizetype place : places) {
        const PlanItem &item = m_chunk.at(place);
        const auto now
            = rows ? rows->constFind(item.row) : QHash<MessageId, Message>::const_iterator();
        if (!rows)
            answer(place, Outcome::Claimed, u"It could not be held as it was seen"_s);
        else if (now == rows->constEnd())
            answer(place, Outcome::Gone, u"The row is gone"_s);
        else if (now->version != item.rowSeen->version)
            answer(place, Outcome::Changed, u"The row changed meanwhile"_s);
        else
            answer(place, Outcome::Claimed, u"Another session held the row at that moment"_s);
    }
}

/// What workers say of themselves stands outside of the queue's slot, where a script cannot look.
Result<void> RepairBatch::refuseRunning()
{
    const QList<qsizetype> places = open({Repair::Requeue});
    if (places.isEmpty())
        return {};
    const auto inspector = m_session.tasks();
    const auto live
        = TRY(inspector ? liveWorkers(**inspector) : Result<LiveWorkers>(passOn(inspector)));
    for (const qsizetype place : places) {
        const PlanItem &item = m_chunk.at(place);
        if (live.running.contains({item.queue.text, item.task.text}))
            answer(place, Outcome::InFlight, u"A live worker says that it runs it"_s);
    }
    return {};
}

Result<void> RepairBatch::repairTasks()
{
    const QList<qsizetype> places
        = open({Repair::Drop, Repair::Requeue, Repair::ClearLease, Repair::Settle,
                Repair::RestoreStatus, Repair::Reattach, Repair::Reopen, Repair::SetStatus});
    if (places.isEmpty())
        return {};
    const auto editor = TRY(m_session.taskEditor());
    QHash<QueueName, QList<qsizetype>> byQueue;
    for (const qsizetype place : places)
        byQueue[m_chunk.at(place).queue] += place;
    TaskRepairer repairer(editor->link());
    for (auto queue = byQueue.cbegin(); queue != byQueue.cend(); ++queue) {
        QList<RepairStep> work;
        for (const qsizetype place : queue.value()) {
            const RepairGuard &guard = m_guards.at(place);
            const bool onRow = guard.repair == Repair::Reopen || guard.repair == Repair::SetStatus;
            work += RepairStep{m_chunk.at(place).task, onRow ? Repair::None : guard.repair,
                               taskSignature(guard.signature, guard.repair)};
        }
        m_touchedQueue = true;
        const auto answers = TRY(repairer.repair(queue.key(), work));
        for (qsizetype i = 0; i < work.size(); ++i) {
            const qsizetype place = queue.value().at(i);
            const TaskAnswer &one = answers.at(i);
            if (one.kind == TaskAnswer::Kind::Changed)
                answer(place, Outcome::Changed, u"Its task is not as it was seen: "_s + one.detail);
            else if (one.kind == TaskAnswer::Kind::Full)
                answer(place, Outcome::Failed, u"The archive is full: delete old ones first"_s);
            else if (one.kind == TaskAnswer::Kind::InDoubt)
                answer(place, Outcome::InDoubt, u"It may be repaired: look again. "_s + one.detail);
            else if (one.kind != TaskAnswer::Kind::Done)
                answer(place, Outcome::Failed, one.detail);
            else if (work.at(i).repair != Repair::None)
                answer(place, Outcome::Done);
        }
    }
    pass(m_control, "repaired");
    return {};
}

Result<void> RepairBatch::repairQueues()
{
    const QList<qsizetype> places = open({Repair::FreeLock, Repair::RegisterQueue});
    if (places.isEmpty())
        return {};
    const auto editor = TRY(m_session.taskEditor());
    TaskRepairer repairer(editor->link());
    for (const qsizetype place : places) {
        const PlanItem &item = m_chunk.at(place);
        m_touchedQueue = true;
        if (m_guards.at(place).repair == Repair::RegisterQueue) {
            auto listed = repairer.registerQueue(item.queue);
            if (!listed && listed.error().effect != Error::Effect::None)
                return listed;
            answer(place, listed ? Outcome::Done : Outcome::Failed,
                   listed ? QString() : oneLine(listed.error()));
            continue;
        }
        const QByteArray id = item.task.text.toUtf8();
        const QByteArray lock = m_guards.at(place).signature.toUtf8().mid(id.size() + 1);
        const auto attempt = repairer.freeLock(item.queue, id, lock);
        if (!attempt && attempt.error().effect == Error::Effect::None) { // no node took it
            answer(place, Outcome::Failed, oneLine(attempt.error()));
            continue;
        }
        const auto freed = TRY(attempt);
        answer(place, freed ? Outcome::Done : Outcome::Changed,
               freed ? QString() : u"The lock is gone, or held again"_s);
    }
    pass(m_control, "freed");
    return {};
}

Result<void> RepairBatch::writeRows()
{
    TRY(writeAs(Repair::Reopen, &OutboxEditor::reopen, u"The row changed meanwhile"_s));
    TRY(writeAs(Repair::Release, &OutboxEditor::release, u"The lease is alive again, or gone"_s));
    TRY(writeStatus());
    pass(m_control, "written");
    return record();
}

Result<void> RepairBatch::writeAs(Repair repair, RowWriter write, const QString &otherwise)
{
    const QList<qsizetype> places = open({repair});
    if (places.isEmpty())
        return {};
    const auto written = TRY((m_editor->*write)(guardsOf(places)));
    const auto versions = versionsOf(written);
    for (const qsizetype place : places) {
        const auto version = versions.constFind(m_chunk.at(place).row);
        if (version != versions.constEnd())
            answer(place, Outcome::Done, {}, *version);
        else
            answer(place, Outcome::Changed, otherwise);
    }
    return {};
}

Result<void> RepairBatch::writeStatus()
{
    const auto &table = m_session.profile().status;
    for (const qsizetype place : open({Repair::SetStatus})) {
        if (!table) {
            answer(place, Outcome::Failed, u"The profile names no status table"_s);
            continue;
        }
        const auto set = TRY(m_editor->setStatus(
            *table, m_chunk.at(place).row, statusIn(m_guards.at(place).signature), table->done));
        answer(place, set ? Outcome::Done : Outcome::Changed,
               set ? QString() : u"The status changed meanwhile"_s);
    }
    return {};
}

Result<void> RepairBatch::record()
{
    const auto rights = TRY(m_editor->rights());
    if (!rights.audit)
        return {};
    QList<AuditRow> rows;
    for (qsizetype place = 0; place < m_chunk.size(); ++place) {
        const PlanItem &item = m_chunk.at(place);
        if (!isRowHeld(item) || m_answers.at(place).outcome != Outcome::Done)
            continue;
        rows += AuditRow{m_plan.operation,
                         m_session.who(),
                         m_session.face(),
                         word(m_plan.verb),
                         item.row.text,
                         Trace::of(item).text(),
                         auditedAfter(m_answers.at(place)).after,
                         word(item.kind) + u", "_s + m_plan.selection};
    }
    TRY(m_editor->record(rows));
    pass(m_control, "recorded");
    return {};
}

/// Rows that a relay set aside because of what was repaired are its to send again.
Result<void> RepairBatch::letGo()
{
    const auto parking = TRY(m_session.parking());
    const auto parked = TRY(parking->rows());
    const ParkedById byId = parkedById(parked);
    QList<MessageId> ids;
    for (qsizetype place = 0; place < m_chunk.size(); ++place) {
        const PlanItem &item = m_chunk.at(place);
        if (isRowHeld(item) && m_answers.at(place).outcome == Outcome::Done
            && byId.contains(item.row)
            && !byId.value(item.row).reason.startsWith(ParkedRow::byHand))
            ids += item.row;
    }
    if (ids.isEmpty())
        return {};
    if (m_editor->parkedTable().isWritable()) {
        TRY(m_editor->unpark(ids));
    }
    return parking->inFile().release(ids);
}

} // namespace

Answers repairChunk(OperatorSession &session, const Plan &plan, const QList<PlanItem> &chunk,
                    const ExportedTasks &exported, const OperationControl &control)
{
    return RepairBatch(session, plan, chunk, exported, control).carryOut();
}

} // namespace outbox
