// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/verdict.h"

#include "models/enumtext.h"
#include "models/message/tombstone.h"
#include "models/phrases.h"
#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto tracePlaces = enumTexts<IdTrace::Place>({
    {IdTrace::Place::Database, u"database", "In outbox_audit"},
    {IdTrace::Place::Parked, u"parked", "Parked"},
    {IdTrace::Place::Export, u"export", "In the export"},
    {IdTrace::Place::Record, u"record", "On record here"},
});

} // namespace

QString word(IdTrace::Place place)
{
    return tracePlaces.word(place);
}

QString label(IdTrace::Place place)
{
    return tracePlaces.label(place, "outbox::IdTrace");
}

namespace {

constexpr Translation verdictText("outbox::Verdict");

bool isThere(const std::optional<Task> &task)
{
    return task && task->state != TaskState::None;
}

bool isDamaged(const Task &task)
{
    return task.damaged || task.state == TaskState::Stub || task.state == TaskState::Orphan
        || task.state == TaskState::WrongType;
}

QString because(const QString &error)
{
    return error.isEmpty() ? QString() : u": "_s + clipped(error);
}

QString times(int count)
{
    switch (count) {
    case 1:
        return verdictText("once");
    case 2:
        return verdictText("twice");
    default:
        return verdictText("%1 times").arg(count);
    }
}

QString heldText(const Message &row)
{
    return row.lockedBy ? holderText(*row.lockedBy)
                        : verdictText("Held by a session that is not visible");
}

QString damageText(const Task &task)
{
    switch (task.state) {
    case TaskState::Stub:
        return verdictText("A damaged task blocks this id (no message in it).");
    case TaskState::Orphan:
        return verdictText("A damaged task blocks this id (in no list).");
    case TaskState::WrongType:
        return verdictText("A key of the wrong type blocks this id.");
    default:
        return verdictText("A damaged task blocks this id (its message cannot be read).");
    }
}

QString retryText(const Task &task, const QDateTime &now)
{
    const QString next = task.nextRun
        ? verdictText(", next try in %1")
              .arg(spanText(static_cast<double>(now.msecsTo(*task.nextRun)) / 1000))
        : QString();
    return verdictText("Failed %1%2%3.").arg(times(task.retried), next, because(task.lastError));
}

QString completedText(const Task &task, const QDateTime &now)
{
    const QString done = task.completedAt
        ? verdictText("Completed %1").arg(momentText(*task.completedAt, now))
        : verdictText("Completed");
    const auto until = idKeptUntil(task);
    if (!until)
        return verdictText("%1; its id is refused while it is kept.").arg(done);
    if (*until > now)
        return verdictText("%1; refused until about %2.").arg(done, aboutMomentText(*until, now));
    return verdictText("%1; its window ended %2, but it is refused until a janitor runs.")
        .arg(done, aboutMomentText(*until, now));
}

QString tombstoneText(const Task &task, const QDateTime &now)
{
    const QString record = verdictText("A record of a purge, or of a replay that was undone, "
                                       "keeps copies of it out");
    const auto until = idKeptUntil(task);
    if (!until)
        return verdictText("%1 while it is kept.").arg(record);
    return *until > now
        ? verdictText("%1 until about %2.").arg(record, aboutMomentText(*until, now))
        : verdictText("%1 until a janitor runs.").arg(record);
}

QString taskText(const Task &task, const QDateTime &now)
{
    if (isTombstone(task.type))
        return tombstoneText(task, now);
    switch (task.state) {
    case TaskState::Pending:
        return task.pendingSince
            ? verdictText("In the queue since %1.")
                  .arg(spanText(static_cast<double>(task.pendingSince->msecsTo(now)) / 1000))
            : verdictText("In the queue.");
    case TaskState::Active:
        return verdictText("Running on a worker.");
    case TaskState::Scheduled:
        return task.nextRun ? verdictText("Scheduled for %1.").arg(momentText(*task.nextRun, now))
                            : verdictText("Scheduled.");
    case TaskState::Retry:
        return retryText(task, now);
    case TaskState::Archived: {
        const QString since = task.archivedAt
            ? verdictText(" since %1").arg(momentText(*task.archivedAt, now))
            : QString();
        return verdictText("Dead in queue%1 after %2 of %3 retries%4.")
            .arg(since)
            .arg(task.retried)
            .arg(task.maxRetry)
            .arg(because(task.lastError));
    }
    case TaskState::Completed:
        return completedText(task, now);
    case TaskState::Aggregating:
        return verdictText("Waits in a group of the queue.");
    default:
        return damageText(task);
    }
}

QString parkedText(const Message &row, const QDateTime &now)
{
    const QString since = row.parkedSince
        ? verdictText("Parked since %1").arg(momentText(*row.parkedSince, now))
        : verdictText("Parked");
    return verdictText("%1: no relay sends it until it is unparked%2.")
        .arg(since, row.note.isEmpty() ? QString() : u" ("_s + clipped(row.note) + u')');
}

QString rowText(const Message &row, const VerdictTerms &terms)
{
    switch (row.state) {
    case MessageState::Pending:
        return row.ageSeconds ? verdictText("Waiting in the outbox for %1; not locked.")
                                    .arg(spanText(*row.ageSeconds))
                              : verdictText("Waiting in the outbox; not locked.");
    case MessageState::Locked:
        return heldText(row) + u'.';
    case MessageState::Waiting:
        return row.attempts.value_or(0) > 0
            ? verdictText("Not due yet; tried %1%2.").arg(times(*row.attempts), because(row.error))
            : verdictText("Not due yet%1.").arg(because(row.error));
    case MessageState::Failed:
        return row.attempts.value_or(0) > 0
            ? verdictText("Failed, tried %1%2.").arg(times(*row.attempts), because(row.error))
            : verdictText("Failed%1.").arg(because(row.error));
    case MessageState::Parked:
        return parkedText(row, terms.now);
    case MessageState::Processed: {
        const QString marked = row.processed
            ? verdictText("Marked processed %1").arg(momentText(*row.processed, terms.now))
            : verdictText("Marked processed");
        const bool inWindow
            = row.processed && row.processed->addSecs(terms.retentionSeconds) > terms.now;
        return inWindow
            ? verdictText("%1, but no task: inside the dedup window this is suspicious (K8).")
                  .arg(marked)
            : verdictText("%1; its id is free again.").arg(marked);
    }
    case MessageState::Unknown:
        break;
    }
    return verdictText("The state of the row is not known%1.").arg(because(row.note));
}

QString bothText(const Message &row, const Task &task, const VerdictTerms &terms)
{
    const QDateTime &now = terms.now;
    if (isDamaged(task))
        return damageText(task) + u' ' + verdictText("The row is kept.");
    if (isTombstone(task.type) && row.state != MessageState::Processed)
        return rowText(row, terms) + u' ' + tombstoneText(task, terms.now);
    if (!isTombstone(task.type) && collides(row, task))
        return verdictText("Another message owns this id. The row stays in the outbox.");
    if (row.state == MessageState::Processed)
        return taskText(task, now);
    if (row.state == MessageState::Parked)
        return parkedText(row, now) + u' ' + taskText(task, now);
    if (row.state == MessageState::Locked)
        return verdictText("%1; already in the queue, the commit is under way.").arg(heldText(row));
    return verdictText(
        "Already in the queue; the outbox row stays because the last commit is in doubt. "
        "The next pass ends it.");
}

QString sentenceOf(const IdVerdict &facts, const VerdictTerms &terms)
{
    if (facts.taskError) {
        const QString unread
            = verdictText("The queue was not read (%1).").arg(clipped(facts.taskError->text));
        if (facts.rowError) {
            return verdictText("Unknown: neither the database nor the queue answered (%1; %2).")
                .arg(clipped(facts.rowError->text), clipped(facts.taskError->text));
        }
        return facts.row && facts.row->state != MessageState::Processed
            ? rowText(*facts.row, terms) + u' ' + unread
            : unread;
    }
    if (facts.rowError) {
        const QString unread
            = verdictText("The database was not read (%1).").arg(clipped(facts.rowError->text));
        return isThere(facts.task) ? taskText(*facts.task, terms.now) + u' ' + unread : unread;
    }
    if (facts.row && isThere(facts.task))
        return bothText(*facts.row, *facts.task, terms);
    if (isThere(facts.task))
        return taskText(*facts.task, terms.now);
    if (facts.row)
        return rowText(*facts.row, terms);
    if (!facts.traces.isEmpty()) {
        const IdTrace &last = facts.traces.constFirst();
        const QString when
            = last.at.isValid() ? u", "_s + momentText(last.at, terms.now) : QString();
        return verdictText("No row and no task now. %1: %2%3.")
            .arg(label(last.place), clipped(last.text), when);
    }
    return terms.rowsAreDeleted
        ? verdictText("No row and no task: delivered and expired, or never written here.")
        : verdictText("No row and no task: never written here, or purged.");
}

QString replayText(Forecast forecast, const IdVerdict &facts, const VerdictTerms &terms)
{
    switch (forecast) {
    case Forecast::Accepted:
        if (facts.rowError)
            return verdictText(
                "its id is free, it will be queued; whether it ran before is not known");
        return facts.row ? verdictText("it will be queued")
                         : verdictText("its id is free, it will be queued");
    case Forecast::SecondExecution:
        return verdictText("queued, and run a second time");
    case Forecast::InFlight:
        return verdictText("already in the queue, nothing to do");
    case Forecast::RefusedUntil: {
        const auto until = idKeptUntil(*facts.task);
        return until ? verdictText("refused until about %1").arg(aboutMomentText(*until, terms.now))
                     : verdictText("refused while it is kept");
    }
    case Forecast::RefusedExpired:
        return verdictText("refused until a janitor runs");
    case Forecast::Dead:
        return verdictText("dead in queue: refused by its own id");
    case Forecast::Collision:
        return verdictText("collision: another message owns the id");
    case Forecast::Parked:
        return verdictText("no, its row is parked: unpark it, and a relay sends it");
    case Forecast::Blocked:
        return verdictText("blocked by a damaged task");
    case Forecast::Unknown:
        break;
    }
    return verdictText("unknown: the queue did not answer");
}

constexpr auto forecasts = enumTexts<Forecast>({
    {Forecast::Accepted, u"accepted"},
    {Forecast::SecondExecution, u"second-execution"},
    {Forecast::InFlight, u"in-flight"},
    {Forecast::RefusedUntil, u"refused"},
    {Forecast::RefusedExpired, u"refused-expired"},
    {Forecast::Dead, u"dead"},
    {Forecast::Collision, u"collision"},
    {Forecast::Parked, u"parked"},
    {Forecast::Blocked, u"blocked"},
    {Forecast::Unknown, u"unknown"},
});

} // namespace

std::optional<QDateTime> idKeptUntil(const Task &task)
{
    if (task.keptUntil)
        return task.keptUntil;
    if (task.completedAt)
        return task.completedAt->addSecs(task.retentionSeconds);
    return std::nullopt;
}

QString holderText(const LockHolder &holder)
{
    if (holder.several)
        return verdictText("Held by several sessions");
    QString who = verdictText("another session");
    if (!holder.application.isEmpty() && holder.pid > 0)
        who = verdictText("%1 (process %2)").arg(holder.application).arg(holder.pid);
    else if (holder.pid > 0)
        who = verdictText("process %1").arg(holder.pid);
    else if (!holder.application.isEmpty())
        who = holder.application;
    return holder.sinceSeconds
        ? verdictText("Held by %1 since %2").arg(who, spanText(*holder.sinceSeconds))
        : verdictText("Held by %1").arg(who);
}

QString word(Forecast forecast)
{
    return forecasts.word(forecast);
}

bool collides(const Message &row, const Task &task)
{
    if (task.type.isEmpty() && task.payload.isEmpty() && task.payloadBytes > 0)
        return false; // its message is too long to be read: there is nothing to compare with
    if (!row.type.isEmpty() && row.type != task.type)
        return true;
    if (row.payloadBytes < 0)
        return false; // the referenced row is gone: there is nothing to compare with
    if (row.payloadBytes != task.payloadBytes)
        return true;
    const bool whole
        = row.payload.size() == row.payloadBytes && task.payload.size() == task.payloadBytes;
    return whole && row.payload != task.payload;
}

Forecast forecast(const IdVerdict &facts, const VerdictTerms &terms)
{
    if (facts.taskError)
        return Forecast::Unknown;
    if (!isThere(facts.task)) {
        const bool before = facts.row && facts.row->state == MessageState::Processed;
        if (facts.row && facts.row->state == MessageState::Parked)
            return Forecast::Parked;
        return before ? Forecast::SecondExecution : Forecast::Accepted;
    }
    const Task &task = *facts.task;
    if (isDamaged(task))
        return Forecast::Blocked;
    if (!isTombstone(task.type) && facts.row && collides(*facts.row, task))
        return Forecast::Collision;
    switch (task.state) {
    case TaskState::Completed: {
        const auto until = idKeptUntil(task);
        return until && *until <= terms.now ? Forecast::RefusedExpired : Forecast::RefusedUntil;
    }
    case TaskState::Archived:
        return Forecast::Dead;
    default:
        return Forecast::InFlight;
    }
}

TaskId taskOfTyped(const OutboxShape &shape, const MessageId &typed)
{
    const TaskId task = shape.taskIdFor(shape.keyOf(typed.text).text, std::nullopt);
    const auto key = shape.keyIn({typed.text});
    return task.isEmpty() || (key && *key != typed) ? TaskId{typed.text} : task;
}

QueueName queueOfTyped(const OutboxShape &shape, const TaskId &task, const QueueName &usual)
{
    const QString queue = shape.queueOfTask(task);
    return queue.isEmpty() ? usual : QueueName{queue};
}

void noteRow(IdVerdict &verdict, const Result<std::optional<Message>> &row)
{
    if (row)
        verdict.row = *row;
    else
        verdict.rowError = row.error();
    if (!verdict.row)
        return;
    verdict.taskId = verdict.row->task;
    if (!verdict.row->queue.isEmpty())
        verdict.queue.text = verdict.row->queue;
}

void noteTask(IdVerdict &verdict, const Result<std::optional<Task>> &task)
{
    if (task)
        verdict.task = *task;
    else
        verdict.taskError = task.error();
    if (!verdict.task)
        return;
    verdict.queue = verdict.task->queue;
    verdict.taskId = verdict.task->id;
}

IdVerdict judged(IdVerdict facts, const VerdictTerms &terms)
{
    facts.sentence = sentenceOf(facts, terms);
    facts.replay = replayText(forecast(facts, terms), facts, terms);
    return facts;
}

} // namespace outbox
