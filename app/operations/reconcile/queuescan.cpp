// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/reconcile/queuescan.h"

#include "app/operations/core/rowselection.h"
#include "app/operations/reconcile/repairchoice.h"
#include "connectors/asynq/observe/reading.h"
#include "models/phrases.h"
#include "models/system/verdict.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using asynq::Suspects;
using asynq::TaskFacts;

namespace {

constexpr int mostTriesOfIds = 2; ///< for ids that move while they are looked at

bool isUnfinished(TaskState state)
{
    return state == TaskState::Pending || state == TaskState::Scheduled || state == TaskState::Retry
        || state == TaskState::Aggregating;
}

/// Of a Cluster a cursor means something at the node alone that gave it, which stands before it.
constexpr char nodeBorder = '|';

QByteArray withNode(const QByteArray &cursor, const QByteArray &node)
{
    return node.isEmpty() ? cursor : QByteArray(node + nodeBorder + cursor);
}

/// The cursor for this node; empty, which is the beginning of the phase, for that of another one.
QByteArray cursorFor(const QByteArray &cursor, const QByteArray &node)
{
    if (node.isEmpty())
        return cursor;
    const QByteArray head = node + nodeBorder;
    return cursor.startsWith(head) ? cursor.mid(head.size()) : QByteArray();
}

/// Ids whose facts are the same in both looks.
bool stoodStill(const asynq::FactsReading &before, const asynq::FactsReading &after,
                const QByteArray &id)
{
    const auto first = before.facts.constFind(id);
    const auto second = after.facts.constFind(id);
    return first != before.facts.constEnd() && second != after.facts.constEnd()
        && asynq::signatureOf(*first) == asynq::signatureOf(*second);
}

} // namespace

/// One of the two looks at what is suspected.
struct QueueScan::Seen
{
    asynq::FactsReading tasks;
    QHash<MessageId, Message> rows;
    QDateTime now; ///< by Redis's clock
};

struct QueueScan::Walk
{
    bool scansKeys = false;
    std::optional<bool> isListed{}; ///< nullopt: that is looked up on the way
    ScanPosition position{};
};

Result<LiveWorkers> liveWorkers(AsynqInspector &inspector)
{
    const auto servers = TRY(inspector.servers());
    const auto workers = TRY(inspector.workers());
    LiveWorkers live;
    for (const QueueServer &server : servers) {
        for (auto queue = server.queues.cbegin(); queue != server.queues.cend(); ++queue)
            live.servedQueues += queue.key();
    }
    for (const QueueWorker &worker : workers)
        live.running += std::pair(worker.queue, worker.task.text);
    return live;
}

QueueScan::QueueScan(ScanContext &run, AsynqInspector &inspector, OutboxStore *rows,
                     const QueueName &queue, const LiveWorkers &live)
    : m_run(run), m_inspector(inspector), m_rows(rows), m_queue(queue), m_live(live)
{ }

Result<void> QueueScan::walk(const std::optional<ScanPosition> &from, Keys keys)
{
    Walk course;
    course.scansKeys = m_run.terms().scansQueue && keys == Keys::All;
    ScanPosition &position = course.position;
    if (from) {
        position.phase = from->phase;
        position.cursor = from->cursor;
        position.suspects = from->suspects;
    }
    if (m_inspector.isOfCluster()) { // another node has the list
        const auto listed = m_inspector.isListed(m_queue);
        if (!listed)
            m_run.noteFailure(u"Whether the queue %1 is listed"_s.arg(m_queue.text),
                              listed.error());
        course.isListed = listed.value_or(true);
    }
    // Of a Cluster it goes on at another node where the queue was moved to that one meanwhile.
    const auto walked
        = TRY(m_inspector.at(m_queue, [&](RedisConnection &node) { return walkAt(node, course); }));
    const auto judged = TRY(walked ? judge(position.suspects) : Result<bool>(false));
    if (!judged)
        m_run.report.position = position;
    return {};
}

Result<bool> QueueScan::walkAt(RedisConnection &node, Walk &course)
{
    const ScanOptions &terms = m_run.terms();
    ScanPosition &position = course.position;
    const QByteArray place
        = m_inspector.isOfCluster() ? addressOf(node).text().toUtf8() : QByteArray();
    asynq::QueueSurvey survey(node, m_queue, terms.leasePatienceMs / 1000, course.scansKeys);
    if (course.isListed)
        survey.setListed(*course.isListed);
    survey.resumeAt(position.phase, cursorFor(position.cursor, place), position.suspects);
    const auto keepPosition = [&] {
        position.phase = survey.phase();
        position.cursor = withNode(survey.cursor(), place);
        position.suspects.insert(survey.suspects());
    };
    while (!survey.isDone()) {
        m_run.tell(survey.phaseText(), survey.suspects().size());
        const auto page = survey.next();
        if (!page) {
            keepPosition();
            return passOn(page);
        }
        m_run.report.tasks += page->tasks.size();
        m_run.report.keys += page->keys;
        for (const QString &sentence : page->notes)
            m_run.note(sentence);
        if (terms.scansQueue)
            addAboutKeys(page->findings);
        TRY(join(page->tasks, position.suspects)); // which adds to them
        if (!m_run.rest(terms.pauseMs)) {
            keepPosition();
            return false;
        }
    }
    keepPosition();
    return true;
}

/// Archived tasks with a row, and unfinished ones without. Other producers may share the queue:
/// only a task that is kept after its end can be a relay's.
Result<void> QueueScan::join(const QList<Task> &tasks, Suspects &suspects)
{
    if (!m_rows || !m_run.terms().scansRows)
        return {};
    QList<MessageId> ids;
    QList<const Task *> asked;
    for (const Task &task : tasks) {
        const bool wanted = task.state == TaskState::Archived
            || (keepsRows() && task.retentionSeconds > 0 && isUnfinished(task.state));
        const auto row = wanted ? m_run.session().shape().keyIn(task.id) : std::nullopt;
        if (!row)
            continue;
        ids += *row;
        asked += &task;
    }
    if (ids.isEmpty())
        return {};
    const auto rows = TRY(rowsByKey(*m_rows, ids));
    for (qsizetype i = 0; i < ids.size(); ++i) {
        const auto row = rows.constFind(ids.at(i));
        const bool hasRow
            = row != rows.cend() && m_run.session().shape().isTaskOf(asked.at(i)->id, row->task);
        if (hasRow == (asked.at(i)->state == TaskState::Archived))
            suspects[asked.at(i)->id.text.toUtf8()];
        int &shortest = m_run.report.shortestRetention;
        const int retention = static_cast<int>(
            std::min<qint64>(asked.at(i)->retentionSeconds, std::numeric_limits<int>::max()));
        if (hasRow)
            shortest = shortest < 0 ? retention : std::min(shortest, retention);
    }
    return {};
}

/// What stands in the queue.
Result<QueueScan::Seen> QueueScan::lookAt(RedisConnection &node, const Suspects &suspects)
{
    Seen seen;
    const auto server
        = TRY(asynq::askAll(node, {{"TIME"}, {"EXISTS", asynq::QueueKeys(m_queue).deadlines()}},
                            u"looking again at suspects of %1"_s.arg(m_queue.text)));
    seen.now = asynq::redisTime(server.at(0));
    m_hasLeases = server.at(1).integer == 0;
    const auto archive
        = TRY(asynq::ask(node, {{"ZCARD", asynq::QueueKeys(m_queue).archived()}}, u"counting"_s));
    m_archived = archive.first().integer; // 0 where it is no sorted set: that is told by the walk
    seen.tasks = TRY(asynq::readFacts(node, m_queue, suspects));
    return seen;
}

Result<QueueScan::Seen> QueueScan::look(const Suspects &suspects)
{
    auto seen = TRY(
        m_inspector.at(m_queue, [&](RedisConnection &node) { return lookAt(node, suspects); }));
    if (!m_rows)
        return seen;
    QList<MessageId> ids;
    for (const QByteArray &id : suspects.keys()) {
        if (const auto row = m_run.session().shape().keyIn({QString::fromUtf8(id)}))
            ids += *row;
    }
    seen.rows = TRY(rowsByKey(*m_rows, ids));
    return seen;
}

std::optional<Message> QueueScan::rowIn(const Seen &seen, const QByteArray &id) const
{
    const auto key = m_run.session().shape().keyIn({QString::fromUtf8(id)});
    const auto row = key ? seen.rows.constFind(*key) : seen.rows.constEnd();
    const bool isIts = row != seen.rows.constEnd()
        && m_run.session().shape().isTaskOf({QString::fromUtf8(id)}, row->task);
    return isIts ? std::optional(*row) : std::nullopt;
}

Result<bool> QueueScan::judge(const Suspects &suspects)
{
    Suspects left = suspects;
    for (int attempt = 0; attempt < mostTriesOfIds && !left.isEmpty(); ++attempt) {
        m_run.tell(u"second look at %1"_s.arg(m_queue.text), left.size());
        const auto before = TRY(look(left));
        if (!m_run.restBetweenReadings())
            return false;
        const auto after = TRY(look(left));
        Suspects moved;
        for (auto suspect = left.cbegin(); suspect != left.cend(); ++suspect) {
            const auto row = rowIn(after, suspect.key());
            const auto rowBefore = rowIn(before, suspect.key());
            const bool rowStood = row.has_value() == rowBefore.has_value()
                && (!row || (row->version == rowBefore->version && row->state == rowBefore->state));
            if (!rowStood || !stoodStill(before.tasks, after.tasks, suspect.key())) {
                moved.insert(suspect.key(), suspect.value());
                continue;
            }
            TRY(consider(after.tasks.facts.value(suspect.key()), row, after.now));
        }
        left = moved;
    }
    return true;
}

Result<void> QueueScan::consider(const TaskFacts &facts, const std::optional<Message> &row,
                                 const QDateTime &now)
{
    const auto found = asynq::diagnose(facts, now.toSecsSinceEpoch(),
                                       m_run.terms().leasePatienceMs / 1000, m_hasLeases);
    if (!found) {
        considerSound(facts, row);
        return {};
    }
    if (!m_run.terms().scansQueue)
        return {};
    Finding finding = findingOf(*found, facts, row);
    if (asynq::isWatched(*found)) {
        finding.since = ripeSince(finding, now);
        if (!finding.since)
            return {};
    }
    RepairTerms terms;
    terms.rowsRead = m_rows != nullptr;
    terms.row = row;
    terms.goesElsewhere = row && queueFor(m_run.session(), *row) != m_queue;
    terms.isServed = m_live.servedQueues.contains(m_queue.text);
    terms.archiveHasRoom = m_archived + m_reattached < asynq::archiveLimit;
    terms.runsNow = m_live.running.contains({m_queue.text, finding.task.text});
    if (row && row->state != MessageState::Processed
        && (*found == FindingKind::OrphanHash || *found == FindingKind::TrimmedOrphan)) {
        terms.isSameMessage = TRY(isSameMessage(*row, facts));
    }
    const Finding choice = repairFor(*found, facts, terms);
    if (choice.repair == Repair::Reattach)
        ++m_reattached;
    finding.repair = choice.repair;
    finding.expected = choice.expected;
    finding.reason = choice.reason;
    m_run.add(finding);
    return {};
}

/// A sound task may still not fit its row.
void QueueScan::considerSound(const TaskFacts &facts, const std::optional<Message> &row)
{
    if (!m_run.terms().scansRows || facts.places.isEmpty())
        return;
    const TaskState state = facts.places.first().state;
    if (state == TaskState::Archived && row) {
        Finding finding = findingOf(FindingKind::DeadWithRow, facts, row);
        finding.evidence = u"%1, after %2 of %3 retries: %4"_s.arg(
            finding.evidence, QString::number(facts.message.retried),
            QString::number(facts.message.maxRetry), clipped(facts.message.lastError));
        finding.expected = Outcome::Dead;
        finding.reason = u"Run it in the queue, or replace it: that is for a person to decide."_s;
        m_run.add(finding);
    } else if (isUnfinished(state) && !row && keepsRows() && facts.message.retentionSeconds > 0
               && m_run.session().shape().keyIn({QString::fromUtf8(facts.id)})) {
        Finding finding = findingOf(FindingKind::TaskWithoutRow, facts, row);
        finding.reason = u"Delete it in the queue if its business change does not exist; another "
                         "producer may use ids of the same form."_s;
        m_run.add(finding);
    }
}

std::optional<QDateTime> QueueScan::ripeSince(Finding mine, const QDateTime &now)
{
    const auto isOfTask = [&](const Finding &other) {
        return other.task == mine.task && other.queue == mine.queue;
    };
    const auto isSame = [&](const Finding &other) {
        return isOfTask(other) && other.signature == mine.signature;
    };
    QDateTime since = now;
    for (const QList<Finding> *list :
         {&m_run.terms().watched, &std::as_const(m_run.report).watched}) {
        const auto known = std::find_if(list->begin(), list->end(), isSame);
        if (known != list->end())
            since = std::min(since, known->since.value_or(now));
    }
    m_run.report.watched.removeIf(isOfTask);
    mine.since = since;
    m_run.report.watched += std::move(mine);
    return since.msecsTo(now) >= m_run.terms().leasePatienceMs ? std::optional(since)
                                                               : std::nullopt;
}

Result<bool> QueueScan::judgeWatched()
{
    Suspects suspects;
    for (const Finding &watched : std::as_const(m_run.report.watched)) {
        if (watched.queue == m_queue)
            suspects.insert(watched.task.text.toUtf8(), {});
    }
    return judge(suspects);
}

Result<bool> QueueScan::isSameMessage(const Message &row, const TaskFacts &facts)
{
    const auto whole = TRY(m_rows->find(row.id));
    const auto task = TRY(m_inspector.find(m_queue, {QString::fromUtf8(facts.id)}));
    return whole && task && !collides(*whole, *task);
}

Finding QueueScan::findingOf(FindingKind kind, const TaskFacts &facts,
                             const std::optional<Message> &row) const
{
    Finding finding;
    finding.kind = kind;
    finding.task.text = QString::fromUtf8(facts.id);
    finding.queue = m_queue;
    finding.evidence = asynq::evidenceOf(facts);
    finding.signature = QString::fromUtf8(asynq::signatureOf(facts));
    finding.taskSeen = asynq::seenOf(facts);
    if (row) {
        finding.row = row->id;
        finding.rowSeen = seenOf(*row);
        finding.evidence += u"; "_s + rowText(*row);
    } else if (m_rows) {
        finding.evidence += u"; there is no row"_s;
    }
    return finding;
}

void QueueScan::addAboutKeys(QList<Finding> findings)
{
    for (Finding &finding : findings) {
        switch (finding.kind) {
        case FindingKind::QueueNotListed:
            finding.repair = Repair::RegisterQueue;
            finding.expected = Outcome::Done;
            finding.signature = finding.subject;
            finding.reason = u"Puts the queue on the list; what a deleted queue left behind comes "
                             "back with it."_s;
            break;
        case FindingKind::LockWithoutTask:
            finding.repair = Repair::FreeLock;
            finding.expected = Outcome::Done;
            finding.reason
                = u"Removes the lock if it still names this task and no task holds it."_s;
            break;
        case FindingKind::LeaseNobodyRecovers:
            finding.reason = u"Start a server for the queue: it puts the group back."_s;
            break;
        case FindingKind::ArchiveTooLarge:
            finding.reason = u"Delete the oldest archived tasks; they are exported first."_s;
            break;
        default:
            finding.reason
                = u"Foreign data is never touched: keep it with DUMP, then rename the key."_s;
            break;
        }
        m_run.add(finding);
    }
}

} // namespace outbox
