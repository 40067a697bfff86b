// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/reconcile/reconciler.h"

#include "app/operations/core/rowselection.h"
#include "app/operations/reconcile/queuescan.h"
#include "app/operations/reconcile/rowscan.h"
#include "connectors/asynq/observe/queuesnapshots.h"
#include "connectors/asynq/wire/keys.h"
#include "models/phrases.h"
#include "models/system/verdict.h"

#include <algorithm>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The parts of a look, in their order. Rows come before queues: they name their queues.
enum class Stage { WaitingRows, ProcessedRows, Names, Queues, Leases, End };

class Scan
{
public:
    Scan(OperatorSession &session, const ScanOptions &terms,
         const ScanContext::Progressed &progressed, const std::stop_token &stop)
        : m_run(session, terms, progressed, stop)
    { }

    [[nodiscard]] Result<ScanReport> all();
    [[nodiscard]] Result<ScanReport> at(const Selection &selection);

private:
    [[nodiscard]] Result<void> open();
    void takeRows(RowScan::Part part, const std::optional<ScanPosition> &from);
    void takeNames(const std::optional<ScanPosition> &from);
    void takeQueues(const std::optional<ScanPosition> &from);
    void takeLeases();
    void addConditions();
    [[nodiscard]] QList<QueueName> queuesAtWork();
    void noteMissing(const QString &what, bool isThere, const Error &error);
    void addQueue(const QString &name);
    [[nodiscard]] Result<void> judgeTasks(const QHash<QueueName, QByteArrayList> &tasks);
    [[nodiscard]] Result<QByteArrayList> groupKeys(const QueueName &queue);

    ScanContext m_run;
    OutboxStore *m_rows = nullptr; ///< null: not read
    AsynqInspector *m_inspector = nullptr;
    LiveWorkers m_live;
    QList<QueueName> m_queues;
    QSet<QueueName> m_others; ///< of them, those that were found by looking
    std::optional<double> m_databaseOffset;
    std::optional<double> m_redisOffset;
};

/// Where messages wait inside documents there are no rows.
Result<OutboxStore *> rowsOf(OperatorSession &session)
{
    if (!session.profile().design)
        return session.rows();
    return fail(Error::Kind::Unsupported, u"opening the outbox"_s,
                u"messages wait inside documents"_s, {}, u"See: outboxctl documents --help"_s);
}

void Scan::addQueue(const QString &name)
{
    if (m_run.terms().queues.isEmpty() && !m_queues.contains(QueueName{name}))
        m_queues += QueueName{name};
}

/// A source that this system does not have is told; one that it has and that fails is an error.
void Scan::noteMissing(const QString &what, bool isThere, const Error &error)
{
    if (isThere)
        m_run.noteFailure(what, error);
    else
        m_run.note(u"%1 was not looked at: %2"_s.arg(what, oneLine(error)));
}

Result<void> Scan::open()
{
    const ScanOptions &terms = m_run.terms();
    m_queues = terms.queues;
    addQueue(m_run.session().profile().ownQueue().text);
    const auto rows = rowsOf(m_run.session());
    if (rows) {
        m_rows = *rows;
        if (const auto snapshot = m_rows->snapshot({1, 1}))
            m_databaseOffset = snapshot->clockOffsetSeconds;
    } else if (terms.scansRows || terms.scansOutbox) {
        const Profile &profile = m_run.session().profile();
        noteMissing(u"The outbox"_s, !profile.design && !profile.databaseUrl.isEmpty(),
                    rows.error());
    }
    if (!terms.scansQueue && !terms.scansRows)
        return rows ? Result<void>() : passOn(rows);

    const auto inspector = m_run.session().tasks();
    const auto facts = inspector ? (*inspector)->facts() : Result<RedisFacts>(passOn(inspector));
    // Without a node of a Cluster the queues of the others can be looked at.
    const bool goesOn = facts || (inspector && (*inspector)->isOfCluster());
    const auto live = goesOn ? liveWorkers(**inspector) : Result<LiveWorkers>(passOn(facts));
    if (!live) {
        if (!m_rows)
            return passOn(live);
        noteMissing(u"The queue"_s, !m_run.session().profile().redisUrl.isEmpty(), live.error());
        return {};
    }
    m_inspector = *inspector;
    m_live = *live;
    if (!facts) {
        m_run.noteFailure(u"A part of the Cluster"_s, facts.error());
        return {};
    }
    m_redisOffset = facts->clockOffsetSeconds;
    m_run.report.redis = RedisMark{facts->runId, facts->dbSize};
    return {};
}

void Scan::takeRows(RowScan::Part part, const std::optional<ScanPosition> &from)
{
    if (!m_rows)
        return;
    RowScan look(m_run, *m_rows, m_run.terms().scansRows ? m_inspector : nullptr);
    if (auto walked = look.walk(part, from); !walked)
        m_run.noteFailure(u"Part of the outbox"_s, walked.error());
    QStringList named(look.queues().begin(), look.queues().end());
    named.sort();
    for (const QString &name : std::as_const(named))
        addQueue(name);
}

/// Every queue that exists, also those that asynq:queues does not name. Of those that neither the
/// profile nor a row names the lists are walked through, but not all keys of Redis for each.
void Scan::takeNames(const std::optional<ScanPosition> &from)
{
    if (!m_inspector || !m_run.terms().queues.isEmpty() || !m_run.terms().scansQueue)
        return;
    QByteArray cursor = from ? from->cursor : QByteArray("0");
    do {
        m_run.tell(u"queues"_s, 0);
        const auto names = m_inspector->walkToQueues(cursor);
        if (!names)
            return m_run.noteFailure(u"The list of queues"_s, names.error());
        for (const QueueName &name : *names) {
            if (!m_queues.contains(name))
                m_others += name;
            addQueue(name.text);
        }
        if (cursor != "0" && !m_run.rest(m_run.terms().pauseMs)) {
            m_run.report.position = ScanPosition();
            m_run.report.position->cursor = cursor;
            return;
        }
    } while (cursor != "0");
}

void Scan::takeQueues(const std::optional<ScanPosition> &from)
{
    if (!m_inspector)
        return;
    const int first = from ? from->queue : 0;
    for (int number = first; number < m_queues.size(); ++number) {
        QueueScan queue(m_run, *m_inspector, m_rows, m_queues.at(number), m_live);
        const auto keys = m_others.contains(m_queues.at(number)) ? QueueScan::Keys::Lists
                                                                 : QueueScan::Keys::All;
        if (auto walked = queue.walk(number == first ? from : std::nullopt, keys); !walked)
            m_run.noteFailure(u"Part of the queue %1"_s.arg(m_queues.at(number).text),
                              walked.error());
        if (m_run.report.position) {
            m_run.report.position->queue = number;
            return;
        }
    }
    if (!m_others.isEmpty()) {
        m_run.note(
            u"Of %1 other queues the lists were looked at, and not all keys of Redis: name "
            "a queue to look for its stray hashes and locks"_s.arg(countText(m_others.size())));
    }
}

/// What stood wrong for too short a time is looked at once more when it is ripe.
void Scan::takeLeases()
{
    if (!m_inspector || m_run.report.watched.isEmpty())
        return;
    const ScanOptions &terms = m_run.terms();
    QSet<QString> said;
    for (const Finding &finding : std::as_const(m_run.report.findings))
        said += finding.task.text;
    const auto isUnripe = [&](const Finding &watched) { return !said.contains(watched.task.text); };
    QDateTime ripe;
    for (const Finding &watched : std::as_const(m_run.report.watched)) {
        const QDateTime own = watched.since.value_or(QDateTime()).addMSecs(terms.leasePatienceMs);
        if (isUnripe(watched) && (ripe.isNull() || own > ripe))
            ripe = own;
    }
    if (ripe.isNull())
        return;
    // Redis's clock counts: its offset to ours was measured at the beginning.
    const QDateTime now = QDateTime::currentDateTimeUtc().addMSecs(
        static_cast<qint64>(m_redisOffset.value_or(0) * 1000));
    const qint64 wait = now.msecsTo(ripe) + 1;
    const bool hasTime = terms.budgetMs <= 0 || m_run.tookMs() + wait < terms.budgetMs;
    if (!terms.waitsForLeases || !hasTime) {
        m_run.note(u"%1 tasks would be findings (K3, K4) if they stay as they are: look again "
                   "after %2"_s.arg(countText(std::count_if(m_run.report.watched.begin(),
                                                            m_run.report.watched.end(), isUnripe)),
                                    ripe.toString(Qt::ISODate)));
        return;
    }
    m_run.tell(u"waiting for leases"_s, m_run.report.watched.size());
    if (!m_run.rest(wait)) {
        m_run.report.position = ScanPosition();
        return;
    }
    for (const QueueName &queue : std::as_const(m_queues)) {
        QueueScan look(m_run, *m_inspector, m_rows, queue, m_live);
        const auto judged = look.judgeWatched();
        if (!judged)
            m_run.noteFailure(u"Part of the queue %1"_s.arg(queue.text), judged.error());
        else if (!*judged)
            m_run.report.position = ScanPosition();
    }
}

/// Those that were asked for, and of the others those in which something waits: one that was used
/// years ago needs no server.
QList<QueueName> Scan::queuesAtWork()
{
    const ScanOptions &terms = m_run.terms();
    if (!terms.queues.isEmpty())
        return m_queues;
    const auto sizes = m_inspector->snapshot(m_queues);
    if (!sizes)
        return m_queues;
    QList<QueueName> names;
    for (const QueueSnapshot &one : *sizes) {
        const qint64 waiting
            = one.pending + one.active + one.scheduled + one.retry + one.aggregating.value_or(1);
        if (waiting > 0 || m_run.session().profile().sendsTo(one.name))
            names += one.name;
    }
    return names;
}

void Scan::addConditions()
{
    ConditionFacts facts;
    if (m_inspector && m_run.terms().scansQueue) {
        facts.queues = queuesAtWork();
        facts.servedQueues = m_live.servedQueues;
    }
    facts.databaseOffset = m_databaseOffset;
    facts.redisOffset = m_redisOffset;
    facts.redis = m_run.report.redis;
    facts.redisBefore = m_run.terms().redisBefore;
    facts.retentionSeconds = m_run.session().profile().retentionSeconds;
    facts.shortestRetention = m_run.report.shortestRetention;
    facts.retryHorizonSeconds = m_run.terms().retryHorizonSeconds;
    for (const Finding &finding : conditionsOf(facts))
        m_run.add(finding);
}

Result<ScanReport> Scan::all()
{
    std::optional<ScanPosition> from;
    if (m_run.terms().resume)
        from = m_run.terms().resume->position;
    TRY(open());
    if (from && !from->queues.isEmpty())
        m_queues = from->queues;
    const int last = static_cast<int>(Stage::End);
    for (int stage = from ? from->stage : 0; stage < last && !m_run.report.position; ++stage) {
        switch (static_cast<Stage>(stage)) {
        case Stage::WaitingRows:
            takeRows(RowScan::Part::Waiting, from);
            break;
        case Stage::ProcessedRows:
            if (m_run.terms().scansRows
                && m_run.session().shape().processedHow != OutboxShape::ProcessedHow::Deleted) {
                takeRows(RowScan::Part::Processed, from);
            }
            break;
        case Stage::Names:
            takeNames(from);
            break;
        case Stage::Queues:
            takeQueues(from);
            break;
        case Stage::Leases:
            takeLeases();
            break;
        case Stage::End:
            break;
        }
        from.reset();
        if (m_run.report.position) {
            m_run.report.position->stage = stage;
            m_run.report.position->queues = m_queues;
        }
    }
    if (!m_run.report.position)
        addConditions();
    m_run.finish();
    return m_run.report;
}

/// Members of groups are found by the group's key only.
Result<QByteArrayList> Scan::groupKeys(const QueueName &queue)
{
    const auto names = TRY(m_inspector->at(
        queue, [&](RedisConnection &node) { return asynq::readGroups(node, queue); }));
    QByteArrayList keys;
    for (const QByteArray &name : names.value_or(QByteArrayList()))
        keys += asynq::QueueKeys(queue).group(name);
    return keys;
}

Result<void> Scan::judgeTasks(const QHash<QueueName, QByteArrayList> &tasks)
{
    m_queues = tasks.keys();
    for (const QueueName &name : std::as_const(m_queues)) {
        const auto groups = TRY(groupKeys(name));
        asynq::Suspects suspects;
        for (const QByteArray &id : tasks.value(name))
            suspects.insert(id, groups);
        QueueScan look(m_run, *m_inspector, m_rows, name, m_live);
        TRY(look.judge(suspects));
    }
    takeLeases();
    return {};
}

Result<ScanReport> Scan::at(const Selection &selection)
{
    TRY(open());
    const OutboxShape &shape = m_run.session().shape();
    const QueueName usual{m_run.session().profile().queue};
    QHash<QueueName, QByteArrayList> tasks;
    // Where the row is not known: where a column of it decides, the task may be in any shard.
    const auto lookForGone = [&](const TaskId &task) {
        const bool isAnywhere = shape.hasShards() && shape.queueOfTask(task).isEmpty();
        if (!selection.queue.isEmpty() || !isAnywhere) {
            tasks[selection.queue.isEmpty() ? queueOfTyped(shape, task, usual) : selection.queue]
                += task.text.toUtf8();
            return;
        }
        for (const QString &name : shape.queueShards.names())
            tasks[QueueName{name}] += task.text.toUtf8();
    };
    QList<MessageId> ids = selection.rows;
    for (const TaskId &task : selection.tasks) {
        lookForGone(task);
        if (const auto row = shape.keyIn(task); row && !ids.contains(*row))
            ids += *row;
    }
    const auto rows = TRY(m_rows ? rowsByKey(*m_rows, ids) : QHash<MessageId, Message>());
    for (const MessageId &id : selection.rows) {
        const Message row = rows.value(id);
        const TaskId task = row.id.isEmpty() ? shape.taskIdFor(id.text, std::nullopt) : row.task;
        if (task.isEmpty())
            continue;
        if (row.queue.isEmpty())
            lookForGone(task);
        else
            tasks[QueueName{row.queue}] += task.text.toUtf8();
    }
    if (m_rows) {
        RowScan look(m_run, *m_rows, m_inspector);
        TRY(look.judge(ids));
    }
    if (m_inspector) {
        TRY(judgeTasks(tasks));
    }
    m_run.finish();
    return m_run.report;
}

constexpr double mostSkewSeconds = 2;

Finding condition(FindingKind kind, const QString &subject, const QString &evidence)
{
    Finding finding;
    finding.kind = kind;
    finding.subject = subject;
    finding.evidence = evidence;
    finding.reason = textOf(kind).repair;
    return finding;
}

std::optional<Finding> retention(const ConditionFacts &facts)
{
    const qint64 seen
        = facts.shortestRetention < 0 ? facts.retentionSeconds : qint64(facts.shortestRetention);
    const qint64 shortest = std::min(seen, facts.retentionSeconds);
    if (shortest >= facts.retryHorizonSeconds)
        return std::nullopt;
    return condition(FindingKind::ShortRetention, u"retention"_s,
                     u"ids are kept for %1 at the shortest; a relay may need %2 to try again"_s.arg(
                         spanText(static_cast<double>(shortest)),
                         spanText(static_cast<double>(facts.retryHorizonSeconds))));
}

std::optional<Finding> clocks(const ConditionFacts &facts)
{
    const double database = facts.databaseOffset.value_or(0);
    const double redis = facts.redisOffset.value_or(0);
    const bool both = facts.databaseOffset && facts.redisOffset;
    const double between = both ? std::abs(database - redis) : 0;
    if (std::max({std::abs(database), std::abs(redis), between}) <= mostSkewSeconds)
        return std::nullopt;
    QStringList parts;
    if (facts.databaseOffset)
        parts += u"database %1 s"_s.arg(database, 0, 'f', 1);
    if (facts.redisOffset)
        parts += u"Redis %1 s"_s.arg(redis, 0, 'f', 1);
    return condition(FindingKind::ClockSkew, u"clocks"_s,
                     u"against this computer: %1"_s.arg(parts.join(u", "_s)));
}

/// Another process with less than half of the keys; a planned restart keeps them.
std::optional<Finding> lostData(const ConditionFacts &facts)
{
    if (!facts.redis || !facts.redisBefore)
        return std::nullopt;
    const auto &[runId, keys] = *facts.redis;
    const auto &[runIdBefore, keysBefore] = *facts.redisBefore;
    const bool emptied = keysBefore > 0 && keys == 0;
    if (!emptied && (runId == runIdBefore || keys * 2 >= keysBefore))
        return std::nullopt;
    return condition(FindingKind::RedisLostData, runId,
                     u"%1 keys now, %2 before%3"_s.arg(
                         countText(keys), countText(keysBefore),
                         runId == runIdBefore ? QString() : u", and it is another process"_s));
}

} // namespace

QList<Finding> conditionsOf(const ConditionFacts &facts)
{
    QList<Finding> findings;
    for (const auto &found : {retention(facts), clocks(facts), lostData(facts)}) {
        if (found)
            findings += *found;
    }
    for (const QueueName &queue : facts.queues) {
        if (facts.servedQueues.contains(queue.text))
            continue;
        Finding finding
            = condition(FindingKind::ServedByNobody, queue.text, u"no live server names it"_s);
        finding.queue = queue;
        findings += finding;
    }
    return findings;
}

Result<ScanReport> reconciled(OperatorSession &session, const ScanOptions &terms,
                              const ScanContext::Progressed &progressed,
                              const std::stop_token &stop)
{
    return Scan(session, terms, progressed, stop).all();
}

Result<ScanReport> reconciledAt(OperatorSession &session, const ScanOptions &terms,
                                const Selection &selection, const std::stop_token &stop)
{
    return Scan(session, terms, {}, stop).at(selection);
}

} // namespace outbox
