// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/core/rowselection.h"

#include "app/operations/core/planning.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"
#include "models/phrases.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int rowsOfPage = 5'000;
constexpr qint64 mostRowsSearched = 200'000; ///< rows, where a filter must be searched for in them

Result<QHash<MessageId, Message>> rowsById(OutboxStore &store, const QList<MessageId> &ids)
{
    QHash<MessageId, Message> rows;
    rows.reserve(ids.size());
    for (qsizetype from = 0; from < ids.size(); from += rowsOfPage) {
        PageRequest request;
        request.ids = ids.mid(from, rowsOfPage);
        request.limit = rowsOfPage;
        request.payloadPrefixBytes = 0;
        request.withVersions = true;
        const auto page = TRY(store.page(request));
        for (const Message &row : page.rows)
            rows.insert(row.id, row);
    }
    return rows;
}

QList<MessageId> withoutRepeats(const QList<MessageId> &ids)
{
    QSet<MessageId> seen;
    QList<MessageId> unique;
    for (const MessageId &id : ids) {
        if (!seen.contains(id)) {
            seen.insert(id);
            unique += id;
        }
    }
    return unique;
}

RowWithTask seenRow(OperatorSession &session, const MessageId &id,
                    const std::optional<Message> &row)
{
    RowWithTask seen;
    seen.id = id;
    seen.row = row;
    Message known = row.value_or(Message());
    if (!row)
        known.task = session.shape().taskIdFor(id.text, std::nullopt);
    seen.task = known.task;
    seen.queue = queueFor(session, known);
    return seen;
}

/// Leaves the rows whose tasks are as the filter asks. Fails where that cannot be told.
Result<void> keepByTask(const CheckNode &asking, bool uuidKeys, QList<RowWithTask> &rows)
{
    if (asking.isEverything())
        return {};
    QList<RowWithTask> kept;
    for (RowWithTask &seen : rows) {
        if (!seen.taskSeen)
            return Failure(seen.taskError.value_or(Error()));
        if (truthOf(asking, *seen.row, uuidKeys, seen.taskSeen->state) == Truth::Yes)
            kept += std::move(seen);
    }
    rows = std::move(kept);
    return {};
}

/// What a search did not see.
QStringList unsearched(qint64 searched, qint64 undecided, bool isAll)
{
    QStringList warnings;
    if (!isAll) {
        warnings += u"Only the oldest %1 rows were searched: others may match too. A state, a type "
                    "or a time in the filter narrows it"_s.arg(countText(searched));
    }
    if (undecided > 0) {
        warnings += u"%1 rows are left out: their payloads are too long to be searched"_s.arg(
            countText(undecided));
    }
    return warnings;
}

/// Fills in what stands under the tasks, queue by queue; one that cannot be read is told.
void addTasks(OperatorSession &session, QList<RowWithTask> &rows)
{
    const auto byQueue = placesByQueue(rows);
    const auto inspector = session.tasks();
    for (auto queue = byQueue.cbegin(); queue != byQueue.cend(); ++queue) {
        QList<TaskId> ids;
        for (const qsizetype place : queue.value())
            ids += rows.at(place).task;
        const Result<QList<TaskSeen>> seen = inspector ? (*inspector)->observe(queue.key(), ids)
                                                       : Result<QList<TaskSeen>>(passOn(inspector));
        for (qsizetype i = 0; i < ids.size(); ++i) {
            RowWithTask &row = rows[queue.value().at(i)];
            if (seen)
                row.taskSeen = seen->at(i);
            else
                row.taskError = seen.error();
        }
    }
}

/// Puts back what the table itself says of rows that are parked: that guards what is done to them.
Result<void> readParkedAnew(OutboxStore &store, QList<RowWithTask> &rows)
{
    QHash<MessageId, qsizetype> places;
    for (qsizetype place = 0; place < rows.size(); ++place) {
        if (rows.at(place).row->state == MessageState::Parked)
            places.insert(rows.at(place).id, place);
    }
    if (places.isEmpty())
        return {};
    const auto found = TRY(rowsById(store, places.keys()));
    for (auto place = places.cbegin(); place != places.cend(); ++place) {
        const auto row = found.constFind(place.key());
        if (row != found.cend()) // else it went since: the guard finds out
            rows[*place].row = *row;
    }
    return {};
}

Result<QList<RowWithTask>> lookByFilter(OperatorSession &session, const QString &filter,
                                        const QList<MessageState> &states, QStringList &warnings)
{
    PageRequest base;
    base.newestFirst = false;
    base.limit = rowsOfPage;
    base.payloadPrefixBytes = 0;
    base.withVersions = true;
    auto request = TRY(pageRequestFromFilter(filter, base, QDateTime::currentDateTime()));
    const auto checks = TRY(checksOf(request.filter, FilterSubject::Rows, request.at));
    if (!request.filter.mentions(u"state"_s))
        request.states = states;
    const auto store = TRY(session.rows());
    // Where it asks for a state, as the lists tell it: what a relay gave up is parked, not pending.
    std::optional<QList<ParkedRow>> parked;
    if (request.filter.mentions(u"state"_s)) {
        const auto parking = TRY(session.parking());
        parked = TRY(parking->rows());
    }

    QList<RowWithTask> rows;
    bool isCut = false;
    qint64 searched = 0;
    qint64 undecided = 0;
    QSet<MessageId> known; // a row that moved in the order while we paged may come twice
    do {
        const auto page = TRY(parked ? store->page(request, *parked) : store->page(request));
        for (const Message &row : page.rows) {
            if (rows.size() >= session.profile().mostItems) {
                isCut = true;
                break;
            }
            if (!known.contains(row.id)) {
                known.insert(row.id);
                rows += seenRow(session, row.id, row);
            }
        }
        searched += page.searched;
        undecided += page.undecided;
        request.after = isCut ? QString() : page.next;
    } while (!request.after.isEmpty() && searched < mostRowsSearched);
    TRY(readParkedAnew(*store, rows));
    if (isCut)
        warnings += cutWarning(session.profile());
    warnings += unsearched(searched, undecided, request.after.isEmpty());
    addTasks(session, rows);
    TRY(keepByTask(queuePart(checks), session.shape().hasUuidKeys(), rows));
    return rows;
}

} // namespace

bool RowWithTask::isClaimed() const
{
    // A pending row may name the owner of a lease that is over; a processed one is named a holder
    // only while a session holds it.
    return row
        && (row->state == MessageState::Locked
            || (row->state == MessageState::Processed && row->lockedBy));
}

IdVerdict RowWithTask::facts() const
{
    IdVerdict facts;
    facts.message = id;
    facts.taskId = task;
    facts.queue = queue;
    facts.row = row;
    facts.taskError = taskError;
    if (!taskSeen)
        return facts;
    Task found;
    found.id = task;
    found.queue = queue;
    found.type = taskSeen->type;
    found.payloadBytes = taskSeen->payloadBytes;
    found.state = taskSeen->state;
    found.keptUntil = taskSeen->keptUntil;
    found.retried = taskSeen->retried;
    found.maxRetry = taskSeen->maxRetry;
    found.lastError = taskSeen->lastError;
    found.damaged = taskSeen->damaged;
    if (taskSeen->type.isEmpty() && row) { // too large to be read: taken for the same message
        found.type = row->type;
        found.payloadBytes = row->payloadBytes;
    }
    facts.task = found;
    return facts;
}

PlanItem RowWithTask::item() const
{
    PlanItem item;
    item.row = id;
    item.task = task;
    item.queue = queue;
    item.taskSeen = taskSeen;
    if (row) {
        item.type = row->type;
        item.rowSeen = RowSnapshot{row->state,        row->version,  row->processed,
                                   row->payloadBytes, row->lockedBy, row->processedText};
    }
    return item;
}

Result<QList<RowWithTask>> readRowsOf(OperatorSession &session, const Selection &selection,
                                      const QList<MessageState> &states, QStringList &warnings)
{
    if (selection.rows.isEmpty())
        return lookByFilter(session, selection.filter, states, warnings);
    const auto store = TRY(session.rows());
    QList<MessageId> meant;
    for (const MessageId &typed : selection.rows)
        meant += store->idOf(typed);
    const QList<MessageId> ids = withoutRepeats(meant);
    if (ids.size() > session.profile().mostItems)
        warnings += cutWarning(session.profile());
    return readRowsOf(session, ids.mid(0, session.profile().mostItems));
}

Result<QList<RowWithTask>> readRowsOf(OperatorSession &session, const QList<MessageId> &ids,
                                      const QHash<MessageId, TaskId> &tasks)
{
    const auto store = TRY(session.rows());
    const auto found = TRY(rowsById(*store, ids));
    QList<RowWithTask> rows;
    rows.reserve(ids.size());
    for (const MessageId &id : ids) {
        const auto row = found.constFind(id);
        rows += seenRow(session, id, row == found.cend() ? std::nullopt : std::optional(*row));
        if (row == found.cend() && tasks.contains(id)) {
            Message gone;
            gone.task = tasks.value(id);
            rows.last().task = gone.task;
            rows.last().queue = queueFor(session, gone);
        }
    }
    addTasks(session, rows);
    return rows;
}

Result<QList<TaskSeen>> readTasksOf(OperatorSession &session, const QList<PlanItem> &items)
{
    const auto byQueue = placesByQueue(items);
    const auto inspector = TRY(session.tasks());
    QList<TaskSeen> tasks(items.size());
    for (auto queue = byQueue.cbegin(); queue != byQueue.cend(); ++queue) {
        QList<TaskId> ids;
        for (const qsizetype place : queue.value())
            ids += items.at(place).task;
        const auto seen = TRY(inspector->observe(queue.key(), ids));
        for (qsizetype i = 0; i < ids.size(); ++i)
            tasks[queue.value().at(i)] = seen.at(i);
    }
    return tasks;
}

QueueName queueFor(const OperatorSession &session, const Message &row)
{
    const QueueName usual{session.profile().queue};
    return row.queue.isEmpty() ? queueOfTyped(session.shape(), row.task, usual)
                               : QueueName{row.queue};
}

VerdictTerms verdictTermsOf(OperatorSession &session)
{
    return {QDateTime::currentDateTimeUtc(), session.profile().retentionSeconds,
            session.shape().processedHow == OutboxShape::ProcessedHow::Deleted};
}

Result<ParkedById> parkedRowsOf(OperatorSession &session)
{
    const auto parking = TRY(session.parking());
    const auto rows = TRY(parking->rows());
    return parkedById(rows);
}

} // namespace outbox
