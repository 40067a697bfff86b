// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/timeline.h"

#include "models/enumtext.h"
#include "models/message/tombstone.h"
#include "models/phrases.h"
#include "models/system/verdict.h"
#include "models/translation.h"

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation timelineWords("outbox::Timeline");

/// Operations on the line; all of them stand in the lists beside it.
constexpr int mostOperations = 6;

constexpr auto pointKinds = enumTexts<TimelinePoint::Kind>({
    {TimelinePoint::Kind::Written, u"written", "Written"},
    {TimelinePoint::Kind::Parked, u"parked", "Parked"},
    {TimelinePoint::Kind::Processed, u"processed", "Marked processed"},
    {TimelinePoint::Kind::Claimed, u"claimed", "Claimed"},
    {TimelinePoint::Kind::Failed, u"failed", "Failed"},
    {TimelinePoint::Kind::Queued, u"queued", "In the queue"},
    {TimelinePoint::Kind::Running, u"running", "On a worker"},
    {TimelinePoint::Kind::Grouped, u"grouped", "In a group"},
    {TimelinePoint::Kind::LastTry, u"last-try", "Last try"},
    {TimelinePoint::Kind::Dead, u"dead", "Dead"},
    {TimelinePoint::Kind::Done, u"done", "Done"},
    {TimelinePoint::Kind::KeptOut, u"kept-out", "Copies kept out"},
    {TimelinePoint::Kind::TokenTaken, u"token-taken", "Token taken"},
    {TimelinePoint::Kind::Dispatched, u"dispatched", "Dispatched"},
    {TimelinePoint::Kind::DoneMark, u"done-mark", "Done mark"},
    {TimelinePoint::Kind::Operation, u"operation", "Operation"},
    {TimelinePoint::Kind::Now, u"now", "Now"},
    {TimelinePoint::Kind::Due, u"due", "Due"},
    {TimelinePoint::Kind::NextTry, u"next-try", "Next try"},
    {TimelinePoint::Kind::LeaseEnd, u"lease-end", "Lease until"},
    {TimelinePoint::Kind::Deadline, u"deadline", "Deadline"},
    {TimelinePoint::Kind::KeptUntil, u"kept-until", "Refused until"},
});

constexpr auto pointSources = enumTexts<TimelinePoint::From>({
    {TimelinePoint::From::Row, u"row", "the row"},
    {TimelinePoint::From::Task, u"task", "the task"},
    {TimelinePoint::From::Record, u"record", "a record"},
    {TimelinePoint::From::Parking, u"parking", "the list of parked rows"},
    {TimelinePoint::From::Document, u"document", "the document"},
    {TimelinePoint::From::Store, u"store", "the other store"},
    {TimelinePoint::From::Clock, u"clock", "our clock"},
});

/// A time that is null or not valid is not known.
TimelinePoint rowPoint(TimelinePoint::Kind kind, const std::optional<QDateTime> &at,
                       const QString &note = {})
{
    TimelinePoint point;
    point.kind = kind;
    point.from = TimelinePoint::From::Row;
    if (at && at->isValid())
        point.at = at->toUTC();
    point.note = note;
    return point;
}

TimelinePoint taskPoint(TimelinePoint::Kind kind, const std::optional<QDateTime> &at,
                        const QString &note = {})
{
    TimelinePoint point = rowPoint(kind, at, note);
    point.from = TimelinePoint::From::Task;
    return point;
}

/// The points of one message, in groups whose order is not yet that of time.
struct TimelineParts
{
    QList<TimelinePoint> stations; ///< in the order in which they must have happened
    QList<TimelinePoint> placed; ///< that stand where their time puts them
    QList<TimelinePoint> present; ///< what is so now; since when is not known
    QList<TimelinePoint> expected;
};

bool isOnTheWay(const Task &task)
{
    return task.state != TaskState::Completed && task.state != TaskState::Archived;
}

QString triesText(const Task &task)
{
    const QString used
        = timelineWords("%1 of %2 retries used").arg(task.retried).arg(task.maxRetry);
    return task.lastError.isEmpty() ? used : used + u": "_s + clipped(task.lastError);
}

void addTriesOfRow(TimelineParts &parts, const Message &row)
{
    if (row.attempts.value_or(0) <= 0 && row.error.isEmpty())
        return;
    QString note = timelineWords("the table keeps no time of a try");
    if (row.attempts)
        note += u"; "_s + timelineWords("tries: %1").arg(*row.attempts);
    if (!row.error.isEmpty())
        note += u"; "_s + clipped(row.error);
    parts.present += rowPoint(TimelinePoint::Kind::LastTry, {}, note);
}

void addStatePoint(TimelineParts &parts, const Message &row)
{
    using Kind = TimelinePoint::Kind;
    switch (row.state) {
    case MessageState::Processed:
        if (row.processed && row.processed->isValid())
            parts.placed += rowPoint(Kind::Processed, row.processed);
        else
            parts.present
                += rowPoint(Kind::Processed, {}, timelineWords("the table keeps no time of it"));
        break;
    case MessageState::Parked:
        if (row.parkedSince && row.parkedSince->isValid())
            parts.placed += rowPoint(Kind::Parked, row.parkedSince, clipped(row.note));
        else
            parts.present += rowPoint(Kind::Parked, {}, clipped(row.note));
        break;
    case MessageState::Locked:
        parts.present += rowPoint(Kind::Claimed, {},
                                  row.lockedBy ? holderText(*row.lockedBy)
                                               : timelineWords("by a session that is not visible"));
        break;
    case MessageState::Failed:
        parts.present += rowPoint(Kind::Failed, {}, timelineWords("the table keeps no time of it"));
        break;
    case MessageState::Waiting:
        parts.expected
            += rowPoint(Kind::Due, {}, timelineWords("not yet; when is not read with the row"));
        break;
    case MessageState::Pending:
    case MessageState::Unknown:
        break;
    }
}

void addRowPoints(TimelineParts &parts, const IdVerdict &facts)
{
    using Kind = TimelinePoint::Kind;
    if (!facts.row) {
        parts.stations += rowPoint(Kind::Written, {},
                                   facts.rowError ? timelineWords("the database was not read")
                                                  : timelineWords("there is no row now"));
        return;
    }
    const Message &row = *facts.row;
    const bool isTold = row.created && row.created->isValid();
    parts.stations += rowPoint(Kind::Written, row.created,
                               isTold ? QString() : timelineWords("the row does not tell it"));
    addTriesOfRow(parts, row);
    addStatePoint(parts, row);
    if (row.leaseUntil)
        parts.expected += rowPoint(Kind::LeaseEnd, row.leaseUntil, timelineWords("of the row"));
}

/// A task that is not this message's, or that cannot be read, tells no time of it.
QString whyTaskTellsNothing(const IdVerdict &facts, const QDateTime &now)
{
    const bool isThere = facts.task && facts.task->state != TaskState::None;
    VerdictTerms terms;
    terms.now = now;
    switch (forecast(facts, terms)) {
    case Forecast::Unknown:
        return timelineWords("the queue was not read, so whether it came there is not known");
    case Forecast::Blocked:
        return timelineWords("a damaged task stands under the id");
    case Forecast::Collision:
        return timelineWords("the task under the id is another message's");
    default:
        return isThere ? QString() : timelineWords("there is no task now");
    }
}

void addEndOfTask(TimelineParts &parts, const Task &task)
{
    using Kind = TimelinePoint::Kind;
    switch (task.state) {
    case TaskState::Active:
        parts.present += taskPoint(Kind::Running, {}, timelineWords("since when is not kept"));
        break;
    case TaskState::Aggregating:
        parts.present += taskPoint(Kind::Grouped, {}, timelineWords("since when is not kept"));
        break;
    case TaskState::Scheduled:
        parts.expected += taskPoint(Kind::Due, task.nextRun);
        break;
    case TaskState::Retry:
        parts.expected += taskPoint(Kind::NextTry, task.nextRun);
        break;
    case TaskState::Archived:
        parts.stations += taskPoint(Kind::Dead, task.archivedAt, triesText(task));
        break;
    case TaskState::Completed:
        parts.stations += taskPoint(Kind::Done, task.completedAt);
        break;
    default:
        break;
    }
    if (task.leaseUntil)
        parts.expected
            += taskPoint(Kind::LeaseEnd, task.leaseUntil, timelineWords("of the worker"));
    if (task.deadline && isOnTheWay(task))
        parts.expected += taskPoint(Kind::Deadline, task.deadline);
}

void addTaskPoints(TimelineParts &parts, const IdVerdict &facts, const QDateTime &now)
{
    using Kind = TimelinePoint::Kind;
    const QString nothing = whyTaskTellsNothing(facts, now);
    const bool wasSent = !facts.row || facts.row->state == MessageState::Processed;
    if (!nothing.isEmpty()) {
        if (wasSent || facts.taskError) // else a row that waits: it was not sent yet
            parts.stations += taskPoint(Kind::Queued, {}, nothing);
        return;
    }
    const Task &task = *facts.task;
    if (isTombstone(task.type)) {
        parts.placed += taskPoint(Kind::KeptOut, task.completedAt,
                                  timelineWords("by a purge, or a replay that was undone"));
    } else {
        const TimelinePoint queued = task.pendingSince
            ? taskPoint(Kind::Queued, task.pendingSince)
            : taskPoint(Kind::Queued, {},
                        timelineWords("the queue keeps it only while the task is pending"));
        const bool isAgain = task.pendingSince && task.lastFailed;
        if (!isAgain)
            parts.stations += queued;
        if (task.lastFailed)
            parts.stations += taskPoint(Kind::LastTry, task.lastFailed, triesText(task));
        if (isAgain)
            parts.stations += queued;
        addEndOfTask(parts, task);
    }
    if (task.state != TaskState::Completed)
        return;
    if (const auto until = idKeptUntil(task))
        parts.expected
            += taskPoint(Kind::KeptUntil, until,
                         *until > now ? QString() : timelineWords("refused until a janitor runs"));
}

/// Of operations the newest: an export stands beside its operation, with the same time.
void addTraces(TimelineParts &parts, const IdVerdict &facts)
{
    int operations = 0;
    for (const IdTrace &trace : facts.traces) {
        TimelinePoint point = rowPoint(TimelinePoint::Kind::Operation, trace.at, trace.text);
        point.from = TimelinePoint::From::Record;
        switch (trace.place) {
        case IdTrace::Place::Export:
            continue;
        case IdTrace::Place::Parked:
            point.kind = TimelinePoint::Kind::Parked;
            point.from = TimelinePoint::From::Parking;
            break;
        case IdTrace::Place::Record:
        case IdTrace::Place::Database:
            if (++operations > mostOperations)
                continue;
            break;
        }
        parts.placed += point;
    }
}

/// Before the first point that is later. A station that must have come before it stays before it;
/// an operation may be older than the row.
void placeByTime(QList<TimelinePoint> &line, const TimelinePoint &point)
{
    const bool mayBeFirst = point.kind == TimelinePoint::Kind::Operation;
    auto place = line.begin() + (mayBeFirst ? 0 : 1);
    while (place != line.end() && (!point.at || !place->at || *place->at <= *point.at))
        ++place;
    line.insert(place, point);
}

/// What the gap was: where the message stood, or how often it was tried.
QString gapWords(const TimelinePoint &before, const TimelinePoint &point, const IdVerdict &facts,
                 double seconds)
{
    using Kind = TimelinePoint::Kind;
    const QString span = spanText(seconds);
    const bool isInOutbox = facts.row && facts.row->state != MessageState::Processed;
    if (before.kind == Kind::Written) {
        if (point.kind == Kind::Processed || point.kind == Kind::Parked
            || (point.kind == Kind::Now && isInOutbox))
            return timelineWords("%1 in the outbox").arg(span);
        if (point.kind == Kind::Queued)
            return timelineWords("%1 until in the queue").arg(span);
        const bool isCounted = facts.task && facts.task->state != TaskState::Archived;
        if (point.kind == Kind::LastTry && isCounted && facts.task->retried == 1)
            return timelineWords("1 try in %1").arg(span);
        if (point.kind == Kind::LastTry && isCounted && facts.task->retried > 1)
            return timelineWords("%1 tries in %2").arg(facts.task->retried).arg(span);
    }
    if (before.kind == Kind::Now)
        return timelineWords("in %1").arg(span);
    return point.kind == Kind::Now ? timelineWords("%1 ago").arg(span) : span;
}

void nameGap(TimelinePoint &point, const TimelinePoint *before, const IdVerdict &facts)
{
    measureGap(point, before);
    if (!point.gapSeconds)
        return;
    // The database's own clock knows best how long a row has waited.
    if (before->kind == TimelinePoint::Kind::Written && point.kind == TimelinePoint::Kind::Now
        && facts.row && facts.row->ageSeconds)
        point.gapSeconds = std::max(*facts.row->ageSeconds, 0.0);
    point.gap = gapWords(*before, point, facts, *point.gapSeconds);
}

} // namespace

QString word(TimelinePoint::Kind kind)
{
    return pointKinds.word(kind);
}

QString label(TimelinePoint::Kind kind)
{
    return pointKinds.label(kind, "outbox::Timeline");
}

QString word(TimelinePoint::From from)
{
    return pointSources.word(from);
}

QString label(TimelinePoint::From from)
{
    return pointSources.label(from, "outbox::Timeline");
}

QList<TimelinePoint> timelineOf(const IdVerdict &facts, const QDateTime &now)
{
    TimelineParts parts;
    addRowPoints(parts, facts);
    addTaskPoints(parts, facts, now);
    addTraces(parts, facts);
    TimelinePoint present;
    present.at = now.toUTC();
    std::stable_sort(parts.expected.begin(), parts.expected.end(),
                     [](const TimelinePoint &a, const TimelinePoint &b) {
                         return a.at && (!b.at || *a.at < *b.at);
                     });
    QList<TimelinePoint> future;
    for (TimelinePoint &point : parts.expected) {
        point.isFuture = !point.at || *point.at > *present.at;
        if (!point.isFuture && point.note.isEmpty())
            point.note = timelineWords("this time is over");
        (point.isFuture ? future : parts.placed) += point;
    }
    QList<TimelinePoint> line = parts.stations;
    for (const TimelinePoint &point : std::as_const(parts.placed))
        placeByTime(line, point);
    line += parts.present;
    line += present;
    line += future;
    const TimelinePoint *known = nullptr;
    for (qsizetype at = 0; at < line.size(); ++at) {
        TimelinePoint &point = line[at];
        if (!point.at && point.note.isEmpty())
            point.note = timelineWords("no source tells its time");
        if (at > 0)
            nameGap(point, known, facts);
        if (point.at)
            known = &point;
    }
    return line;
}

void measureGap(TimelinePoint &point, const TimelinePoint *before,
                const std::optional<double> &told)
{
    if (!point.at || !before) {
        point.gap = timelineWords("not known");
        return;
    }
    const double seconds
        = told ? *told : static_cast<double>(before->at->msecsTo(*point.at)) / 1000;
    if (seconds <= -clockGrainSeconds)
        point.gap = timelineWords("clock differs: %1 earlier").arg(spanText(-seconds));
    else
        point.gapSeconds = std::max(seconds, 0.0);
}

QString pointTimeText(const TimelinePoint &point, const QDateTime &now)
{
    if (!point.at)
        return timelineWords("not known");
    if (point.kind == TimelinePoint::Kind::KeptUntil)
        return timelineWords("about %1").arg(aboutMomentText(*point.at, now));
    return momentText(*point.at, now);
}

QString pointText(const TimelinePoint &point, const QDateTime &now)
{
    QString text = label(point.kind) + u' ' + pointTimeText(point, now);
    if (!point.at)
        text = timelineWords("%1: time not known").arg(label(point.kind));
    else if (point.from != TimelinePoint::From::Clock)
        text = timelineWords("%1, as %2 tells").arg(text, label(point.from));
    return point.note.isEmpty() ? text : text + u" ("_s + point.note + u')';
}

QString timelineText(const QList<TimelinePoint> &line, const QDateTime &now)
{
    QStringList texts;
    for (const TimelinePoint &point : line) {
        if (point.at && !point.gap.isEmpty())
            texts += point.gap;
        texts += pointText(point, now);
    }
    return texts.join(u"; "_s);
}

} // namespace outbox
