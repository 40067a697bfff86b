// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/hostilesystem.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <utility>

namespace outbox::hostile {

using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime now = QDateTime::fromString(u"2026-11-21T14:02:11Z"_s, Qt::ISODate);

} // namespace

QByteArray payload(const QString &text)
{
    // Each row and task has it, and making one of a megabyte is not what a test of views measures.
    static std::pair<QString, QByteArray> last;
    if (last.first != text || last.second.isEmpty())
        last = {text, QJsonDocument(QJsonObject{{text, text}}).toJson()};
    return last.second;
}

Error error(const QString &text)
{
    return {Error::Kind::Refused, text, text, text, text, 3};
}

Profile profile(const QString &text)
{
    Profile one;
    one.name = one.table = one.queue = one.actingUser = one.actingRedisUser = text;
    one.databaseUrl = one.redisUrl = text;
    one.environment = Environment::Production;
    one.shape = shape(text);
    return one;
}

SourceHealth health(const QString &text)
{
    SourceHealth one;
    one.state = SourceHealth::State::Failing;
    one.lastGood = now;
    one.error = error(text);
    one.detail = text;
    return one;
}

QList<Message> messages(const QString &text)
{
    QList<Message> all;
    for (const MessageState state :
         {MessageState::Pending, MessageState::Locked, MessageState::Processed,
          MessageState::Failed, MessageState::Waiting, MessageState::Parked,
          MessageState::Unknown}) {
        Message one;
        one.id = {QString::number(all.size()) + text};
        one.type = one.error = one.queue = one.reference = one.version = one.note = text;
        one.payload = payload(text);
        one.payloadBytes = one.payload.size();
        one.processedText = text;
        one.state = state;
        one.created = now;
        one.ageSeconds = 38;
        one.attempts = 3;
        one.lockedBy = LockHolder{4711, text, 0.4, false, 0};
        one.leaseUntil = now;
        all += one;
    }
    return all;
}

QList<Task> tasks(const QString &text)
{
    QList<Task> all;
    for (const TaskState state :
         {TaskState::Pending, TaskState::Active, TaskState::Scheduled, TaskState::Retry,
          TaskState::Archived, TaskState::Completed, TaskState::Stub, TaskState::Orphan}) {
        Task one;
        one.id = {QString::number(all.size()) + text};
        one.queue = {text};
        one.type = one.lastError = one.note = text;
        one.payload = one.result = payload(text);
        one.payloadBytes = one.payload.size();
        one.stamp = text.left(100).toUtf8();
        one.state = state;
        one.keptUntil = one.nextRun = one.lastFailed = now;
        all += one;
    }
    return all;
}

FailureSample failures(const FailureQuestion &question, const QString &text)
{
    FailureSample sample;
    sample.question = question;
    sample.at = QDateTime::currentDateTimeUtc();
    sample.items = {{text, text, text, text, text, sample.at}};
    const QList<Task> failed = tasks(text);
    for (const Task &task : failed)
        sample.items += itemOf(task);
    return sample;
}

RowSearchState rowSearch(const QString &text)
{
    RowSearchState search;
    search.phase = RowSearchState::Phase::Failed;
    search.error = error(text);
    return search;
}

TaskSearchView taskSearch(const TaskRequest &request, const QString &text)
{
    TaskSearchView search;
    search.request = request;
    search.state = TaskSearchView::State::Failed;
    search.tasks = tasks(text);
    search.error = error(text);
    return search;
}

OutboxPageView page(const QString &text)
{
    OutboxPageView view;
    view.page.rows = messages(text);
    view.page.next = text;
    view.page.statements = {text, text};
    return view;
}

OutboxSnapshot counts(const QString &text)
{
    OutboxSnapshot one;
    one.at = now;
    one.pending = one.locked = one.failed = one.unknown = 7;
    one.exact = false;
    one.writerNote = text;
    one.holders = {LockHolder{4711, text, 400.0, false, 7}};
    for (const QString &member :
         {u"pending"_s, u"locked"_s, u"processed"_s, u"failed"_s, u"waiting"_s, u"unknown"_s})
        one.notes.insert(member, text);
    return one;
}

QList<QueueSnapshot> queues(const QString &text)
{
    QueueSnapshot one;
    one.at = now;
    one.name = {text};
    one.pending = one.retry = one.archived = 7;
    one.notes = {{u"aggregating"_s, text}, {u"pending"_s, text}};
    QueueSnapshot other = one;
    other.name = {u"b"_s + text};
    other.paused = true;
    other.known = false;
    return {one, other};
}

QList<QueueServer> servers(const QString &text)
{
    QueueServer one;
    one.host = one.serverId = one.status = text;
    one.queues = {{text, 6}};
    one.started = now;
    return {one};
}

QList<QueueWorker> workers(const QString &text)
{
    QueueWorker one;
    one.serverId = one.type = one.queue = text;
    one.task = {text};
    one.started = one.deadline = now;
    return {one};
}

RedisFacts redis(const QString &text)
{
    RedisFacts one;
    one.version = one.role = one.runId = one.maxMemoryPolicy = text;
    one.aofLastWriteStatus = one.rdbLastSaveStatus = text;
    return one;
}

IdVerdict verdict(const QString &text)
{
    IdVerdict one;
    one.message = {text};
    one.taskId = {text};
    one.queue = {text};
    one.row = messages(text).constFirst();
    one.task = tasks(text).constFirst();
    one.rowError = one.taskError = error(text);
    one.sentence = one.replay = text;
    return one;
}

QList<Activity> activities(const QString &text)
{
    QList<Activity> all;
    for (const Activity::State state :
         {Activity::State::Running, Activity::State::Done, Activity::State::Failed,
          Activity::State::InDoubt, Activity::State::Noted, Activity::State::RecordChanged}) {
        Activity one;
        one.operation = QString::number(all.size()) + text;
        one.at = now;
        one.who = one.face = one.profile = one.target = one.what = one.note = text;
        one.error = one.exportFile = one.undoOf = text;
        one.verb = Verb::Purge;
        one.state = state;
        one.counts = {{u"done"_s, 2}};
        one.count = 2;
        one.items = {{text, text, text, text, text}};
        one.doubtful = one.items;
        one.statements = {text};
        all += one;
    }
    return all;
}

QList<RelayStep> steps(const QString &text)
{
    RelayStep one;
    one.at = now;
    one.number = 1;
    one.claimed = 2;
    one.parked = {{{text}, text, 3, now, text}};
    one.failed = one.parked;
    RelayStep broken = one;
    broken.number = 2;
    broken.error = error(text);
    return {one, broken};
}

ScanReport report(const QString &text)
{
    ScanReport one;
    one.at = now;
    one.rows = one.tasks = one.keys = 7;
    one.notes = {text, text};
    for (const FindingKind kind : {FindingKind::StubHash, FindingKind::OrphanHash,
                                   FindingKind::TwoContainers, FindingKind::StateDiffers}) {
        Finding found;
        found.kind = kind;
        found.row = {text};
        found.task = {text};
        found.queue = {text};
        found.subject = found.evidence = found.signature = found.reason = text;
        found.repair = Repair::Drop;
        found.expected = Outcome::Done;
        one.findings += found;
    }
    return one;
}

Plan plan(const QString &text)
{
    Plan one;
    one.operation = one.profile = one.target = one.selection = text;
    one.environment = Environment::Production;
    one.verb = Verb::Purge;
    one.at = now;
    one.statements = one.commands = one.warnings = {text};
    one.undo = text;
    one.exportsFirst = true;
    for (const Outcome outcome : {Outcome::Done, Outcome::Claimed, Outcome::Collision}) {
        PlanItem item;
        item.row = {QString::number(one.items.size()) + text};
        item.task = {text};
        item.queue = {text};
        item.type = item.reason = item.evidence = text;
        item.kind = FindingKind::StubHash;
        item.rowSeen = RowSnapshot{MessageState::Processed, text, now, 190, std::nullopt};
        item.expected = outcome;
        one.items += item;
    }
    return one;
}

Receipt receipt(const Plan &plan, const QString &text)
{
    Receipt one;
    one.operation = plan.operation;
    one.verb = plan.verb;
    one.started = one.ended = now;
    for (const PlanItem &item : plan.items)
        one.items += ReceiptItem{item.row, item.task, item.queue, item.expected, text, text};
    one.exportFile = text;
    one.error = error(text);
    one.undoable = true;
    return one;
}

DesignView documents(const QString &text, DesignList list)
{
    DesignView view;
    view.at = now;
    view.list = list;
    view.summary.documents = view.summary.undispatched = 3;
    view.summary.largest.id = view.summary.largest.version = text;
    view.summary.store = StoreDurability{false, text};
    for (const OutboxEntry::State state :
         {OutboxEntry::State::Undispatched, OutboxEntry::State::Dispatched,
          OutboxEntry::State::Malformed}) {
        OutboxEntry entry;
        entry.incoming = QString::number(view.entries.size()) + text;
        entry.state = state;
        entry.messages = {OutgoingMessage{text, text, payload(text), text, text}};
        entry.token = entry.problem = text;
        entry.json = payload(text);
        view.entries += SeenEntry{text, text, entry, {NextStep::Act::LeaveAlone, {}, text}, 38};
    }
    if (list == DesignList::Tokens) {
        TokenReport report;
        report.notes = {text};
        report.tokens = {JudgedToken{{text, text, text, now}, TokenReach::Unknown, text}};
        view.tokens = report;
    }
    return view;
}

OutboxShape shape(const QString &text)
{
    OutboxShape one;
    one.name = one.family = one.confirmed = text;
    one.table = {text, text};
    one.keyColumn = one.typeColumn = one.payloadColumn = one.errorColumn = text;
    one.createdColumn = one.queueColumn = one.attemptsColumn = text;
    one.order = {text};
    one.processedHow = OutboxShape::ProcessedHow::Status;
    one.processedColumn = text;
    one.processedValues = {text};
    return one;
}

TableSurvey survey(const QString &text)
{
    TableSurvey one;
    one.table.name = {text, text};
    CatalogColumn column;
    column.name = column.type = column.defaultText = column.plainType = text;
    column.labels = {text};
    column.meanings = {{text, text}};
    one.table.columns = {column};
    one.table.primaryKey = {text};
    one.finding.shape = shape(text);
    one.finding.reasons = {{u"key"_s, {text}}, {u"processed"_s, {text}}, {u"table"_s, {text}}};
    one.finding.questions = {text};
    one.samples = {{text, {text, text}}};
    return one;
}

MappingPreview preview(const QString &text)
{
    MappingPreview one;
    one.rows = messages(text);
    one.counts = counts(text);
    one.statusColumn = text;
    one.values = {{text, 7}};
    return one;
}

Everything everything(const QString &text)
{
    Everything all;
    all.error = error(text);
    all.profile = profile(text);
    all.health = health(text);
    all.payload = payload(text);
    all.messages = messages(text);
    all.tasks = tasks(text);
    all.page = page(text);
    all.counts = counts(text);
    all.queues = queues(text);
    all.servers = servers(text);
    all.workers = workers(text);
    all.redis = redis(text);
    all.verdict = verdict(text);
    all.activities = activities(text);
    all.steps = steps(text);
    all.report = report(text);
    all.plan = plan(text);
    all.receipt = receipt(all.plan, text);
    for (const DesignList list :
         {DesignList::Unsettled, DesignList::Dispatched, DesignList::Tokens})
        all.documents.insert(list, documents(text, list));
    all.shape = shape(text);
    all.survey = survey(text);
    all.preview = preview(text);
    return all;
}

} // namespace outbox::hostile
