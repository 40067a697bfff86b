// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relaysession.h"

#include "app/relay/rowfailure.h"
#include "app/settings/folders.h"
#include "connectors/asynq/wire/queuefence.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/outbox/fencetable.h"
#include "models/health/promise.h"
#include "models/utctext.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QHash>
#include <QMap>
#include <QSysInfo>

#include <algorithm>
#include <chrono>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What names a row of any table that the outbox refers to.
Result<QStringList> rowKeysOf(const OutboxShape &shape, OutboxStore &store)
{
    QStringList keys;
    if (shape.payloadForm != OutboxShape::PayloadForm::Reference)
        return keys;
    const auto catalog = TRY(store.catalog());
    for (const QString &name : shape.referenceTables) {
        if (const CatalogTable *table = catalog.find(TableName::fromText(name)))
            keys += table->primaryKey;
    }
    keys.removeDuplicates();
    return keys;
}

/// Beyond the time for which ids are kept: whoever has delivered nothing for so long is gone.
constexpr qint64 goneBeyondSeconds = qint64{7} * 86'400;
constexpr qint64 questionEveryMs = 10'000; ///< for a later primary

RelayAbout aboutOf(const RelayTarget &target)
{
    RelayAbout about = target.about;
    if (about.host.isEmpty())
        about.host = QSysInfo::machineHostName();
    if (about.version.isEmpty())
        about.version = QStringLiteral(OUTBOX_VERSION);
    about.started = QDateTime::currentDateTimeUtc();
    return about;
}

/// What this Redis lost of what other relays delivered.
Failure lossOf(const QList<RelayLife> &lost, const QString &table)
{
    QMap<QString, qint64> latest; // batch by queue
    for (const RelayLife &one : lost) {
        qint64 &batch = latest[one.reached.queue.text];
        batch = std::max(batch, one.reached.committed);
    }
    QStringList queues;
    for (auto batch = latest.cbegin(); batch != latest.cend(); ++batch) {
        queues += u"queue %1 has lost what it was given up to %2"_s.arg(
            batch.key(), utcText(QDateTime::fromMSecsSinceEpoch(*batch / 1000, Qt::UTC)));
    }
    constexpr qsizetype mostNamed = 10;
    if (const qsizetype more = queues.size() - mostNamed; more > 0)
        queues = queues.first(mostNamed) + QStringList{u"and %1 more queues"_s.arg(more)};
    return fail(Error::Kind::Conflict, u"starting the relay"_s,
                u"Redis was emptied, is another one or went back to older data: %1; so says the "
                "table %2, which relays wrote to before"_s.arg(queues.join(u"; "_s), table),
                asynq::QueueFence::lostCode,
                u"Reconcile first: rows that were delivered may be lost. To start the relay again "
                "accepts that; where its state folder does not outlive it, so does deleting the "
                "lines of these queues"_s);
}

/// Of other relays' lines, without those that are lost: whose relay has delivered nothing for so
/// long that it is gone, where a later line tells of the same queue. Redis keeps the order of
/// writes: what the later line tells of was written behind it.
QList<RelayLife> supersededAmong(const QList<RelayLife> &others, const QList<RelayLife> &kept,
                                 const QList<RelayLife> &lost, qint64 goneAfterSeconds)
{
    QHash<QueueName, qint64> latest;
    for (const RelayLife &one : kept) {
        qint64 &batch = latest[one.reached.queue];
        if (!lost.contains(one))
            batch = std::max(batch, one.reached.committed);
    }
    QList<RelayLife> superseded = others;
    superseded.removeIf([&](const RelayLife &one) {
        const qint64 behind = latest.value(one.reached.queue) - one.reached.committed;
        return lost.contains(one) || behind < goneAfterSeconds * 1'000'000;
    });
    constexpr qsizetype mostAtOnce = 500; // the next start goes on
    return superseded.first(std::min(superseded.size(), mostAtOnce));
}

/// Whatever is written to the master now may be lost with it.
Result<void> mayCommitUnder(MasterWatch &watch)
{
    if (!watch.isInDoubt())
        return {};
    static_cast<void>(watch.takeHold()); // this tells it
    return fail(Error::Kind::Unreachable, u"committing rows"_s,
                u"the master of Redis fails over, and what it took may be lost"_s, {},
                u"The rows were given back; the relay goes on when the failover is over"_s);
}

} // namespace

bool RelayBurst::hasDelivered() const
{
    return std::any_of(steps.begin(), steps.end(),
                       [](const RelayStep &step) { return step.committed; });
}

bool RelayBurst::hasLeftWaiting() const
{
    return std::any_of(steps.begin(), steps.end(),
                       [](const RelayStep &step) { return !step.waiting.isEmpty(); });
}

bool RelayBurst::worksWell() const
{
    const bool isInDoubt = isTrying || hasLeftWaiting();
    return end != End::Failed && end != End::Held && (!isInDoubt || hasDelivered());
}

Error RelayBurst::error() const
{
    const auto step = std::find_if(steps.rbegin(), steps.rend(),
                                   [](const RelayStep &one) { return one.error.has_value(); });
    return step == steps.rend() ? Error{} : *step->error;
}

Result<void> RelaySession::openStores(const RelayTarget &target)
{
    const auto openOne = [&target](OutboxStore &store) {
        auto opened = store.open(target.store);
        return opened ? store.use(target.shape) : opened;
    };
    TRY(openOne(m_lanes.front()));
    if (const QString why = m_lanes.front().whyIdsReturn();
        !why.isEmpty() && !target.idsNeverReturn) {
        return fail(Error::Kind::Refused, u"starting the relay"_s,
                    why + u": its message would pass for one that was delivered"_s, {},
                    u"Add a uuid column and map it as the key; or map a created column that is "
                    "never empty and never changes, with the task id {source}:{id}:{born} (SQLite: "
                    "and AUTOINCREMENT); or vouch for the keys: --ids-never-return"_s);
    }
    if (const QString why = m_lanes.front().shape().whyTimesUntold(); !why.isEmpty())
        return fail(Error::Kind::Refused, u"starting the relay"_s, why, {}, timeZoneHint);
    const auto keys = TRY(rowKeysOf(target.shape, m_lanes.front()));
    m_queue.setRowKeys(keys);
    if (!target.notifyChannel.isEmpty()) {
        TRY(m_lanes.front().listen(target.notifyChannel));
    }
    if (m_lanes.front().mayOverlap()) {
        TRY(openOne(m_lanes.back()));
    }
    return target.rules.barrier ? openOne(m_barrier) : Result<void>();
}

Result<void> RelaySession::open(const RelayTarget &target)
{
    m_relay.reset();
    m_watch.reset();
    m_target = target;
    m_target.store.servers = std::make_shared<ServerMemory>();
    m_target.store.servers->questionDue.setRemainingTime(questionEveryMs);
    TRY(openStores(m_target));
    TRY(m_parking.open(m_target.store, target.shape, target.stateFolder));
    TRY(forgetGoneRows(m_parking, m_lanes.front()));
    m_watch = masterWatchOf(target.redis, target.clientName);
    TRY(m_queue.open(target.redis, target.clientName));

    m_lost.reset();
    m_cutOff.reset();
    const bool isCluster = target.redis.isCluster();
    const auto usual = isCluster ? whyRelayMustNotUseNode : whyRelayMustNotStart;
    const auto overridden = isCluster ? whyNoRelayCanOverNode : whyNoRelayCan;
    const auto rule = target.anyEvictionPolicy ? overridden : usual;
    m_queue.checkServer([rule, onDisk = target.rules.onDisk](const RedisFacts &facts) {
        const QString why = rule(facts);
        return why.isEmpty() && onDisk ? whyDiskIsMistold(facts) : why;
    });
    TRY(m_queue.judge());
    if (target.rules.onDisk) {
        TRY(m_queue.tryDisk());
    }
    auto met = recall(target);
    if (met)
        met = meetQueues(target);
    if (!met) {
        noteLoss(met.error());
        return met;
    }

    TaskQueue &queue = target.around ? target.around(m_queue) : m_queue;
    Relay::Tools tools{{&m_lanes.front()}, &m_barrier, &queue, &m_parking, target.observer};
    if (m_lanes.back().isOpen())
        tools.lanes += &m_lanes.back();
    if (m_watch) {
        tools.mayCommit = [watch = m_watch.get()] { return mayCommitUnder(*watch); };
    }
    m_relay.emplace(std::move(tools), target.rules);
    return {};
}

Result<void> RelaySession::recall(const RelayTarget &target)
{
    m_memory.open(Folders::standard({}, target.stateFolder).relaysFolder(), target.redis);
    m_queue.watchLives(m_memory.relay(), m_memory.lives());
    OutboxStore &store = m_lanes.front();
    const auto kept = TRY(store.keptLives()); // before Redis is asked
    QList<RelayLife> others = kept;
    others.removeIf([this](const RelayLife &one) { return one.relay == m_memory.relay(); });
    const auto lost = TRY(m_queue.lostAmong(others));
    if (!lost.isEmpty() && !m_memory.isLossTold())
        return lossOf(lost, store.fence().tableText());
    const qint64 goneAfter = target.rules.retentionSeconds + goneBeyondSeconds;
    TRY(store.forgetLives(lost));
    m_memory.takeLoss();
    // Where they stay they are only compared once more.
    static_cast<void>(store.forgetLives(supersededAmong(others, kept, lost, goneAfter)));
    QList<RelayLife> standing = kept;
    standing.removeIf([&lost](const RelayLife &one) { return lost.contains(one); });
    m_memory.add(standing);
    m_queue.watchLives(m_memory.relay(), m_memory.lives());
    m_queue.introduce(aboutOf(target), goneAfter);
    return {};
}

QStringList RelaySession::queues() const
{
    const OutboxShape &shape = m_lanes.front().shape();
    return shape.hasShards() ? shape.queueShards.names() : QStringList{m_target.rules.queue.text};
}

Result<void> RelaySession::meetQueues(const RelayTarget &target)
{
    const OutboxShape &shape = m_lanes.front().shape();
    if (shape.hasShards()) {
        const auto outbox = TRY(m_lanes.front().nameAmongAll());
        TRY(m_queue.agreeOnShards(shape.queueShards, outbox, target.shardsChanged));
    }
    for (const QString &name : queues()) {
        TRY(m_queue.meet(QueueName{name}));
    }
    return {};
}

RelayPlaces RelaySession::places() const
{
    const FenceTableAccess &fence = m_lanes.front().fence();
    RelayPlaces places{m_parking.place(), u"the table "_s + fence.tableText(), queues()};
    if (!fence.isUsed()) {
        places.memory = m_memory.place().isEmpty()
            ? u"no place: the state folder cannot be written to"_s
            : m_memory.place();
        if (!fence.obstacle().isEmpty())
            places.memory += u" (not in %1: %2)"_s.arg(fence.tableText(), fence.obstacle());
    }
    for (const QueueLife &one : m_memory.lives())
        places.unknown.removeAll(one.queue.text);
    return places;
}

void RelaySession::noteLoss(const Error &error)
{
    if (m_lost || error.code != asynq::QueueFence::lostCode)
        return;
    m_lost = error;
    // Whoever starts the relay again has been told.
    m_memory.forget();
}

Result<void> RelaySession::noteOther(Result<void> opened)
{
    if (!opened && opened.error().code == otherSystemCode)
        m_cutOff = opened.error();
    return opened;
}

Result<void> RelaySession::ensureOpen()
{
    if (m_lost)
        return tl::unexpected(*m_lost);
    if (m_cutOff)
        return tl::unexpected(*m_cutOff);
    for (OutboxStore *store : {&m_lanes.front(), &m_lanes.back(), &m_barrier}) {
        const bool isUsed = store == &m_lanes.front()
            || (store == &m_barrier ? m_target.rules.barrier : m_lanes.front().mayOverlap());
        if (!isUsed)
            continue;
        // A server that ended took all sessions with it. One that is met later costs a batch and a
        // longer wait; reading what came over it is enough to know, and closes it.
        if (store->isOpen())
            static_cast<void>(store->waitForChange(0));
        TRY(noteOther(store->ensureOpen()));
    }
    followMaster();
    lookNow(); // notifications may have been missed
    TRY(noteOther(m_parking.ensureOpen()));
    if (m_relay->parked().size() >= m_target.rules.mostParked) { // it claims no more
        TRY(forgetGoneRows(m_parking, m_lanes.front()));
    }
    return m_queue.judge();
}

Result<bool> RelaySession::beginRun()
{
    TRY(ensureOpen());
    TRY(leaveEarlierPrimary());
    return m_lanes.front().takeJobLock();
}

RelayBurst RelaySession::work(int rows, qint64 mostRows, int budgetMs, int pollMs, RelayAim aim,
                              const std::stop_token &stop)
{
    using End = RelayBurst::End;
    RelayBurst burst;
    const QDeadlineTimer budget(budgetMs);
    m_size.setMost(rows);
    m_queue.judgeBeforeBatch();
    qint64 claimed = 0;
    std::optional<End> end;
    QDeadlineTimer &questionDue = m_target.store.servers->questionDue;
    const auto take = [&](const QList<RelayStep> &steps) {
        for (const RelayStep &step : steps) {
            if (step.error) {
                end = End::Failed;
                noteLoss(*step.error);
            }
            if (step.committed)
                questionDue = std::max(questionDue, QDeadlineTimer(questionEveryMs));
            if (step.claimed > 0 || step.error)
                burst.steps += step;
        }
    };
    const auto failed = [&](const Error &error) { take({failedStep(error)}); };
    while (!end) {
        const bool isOver = budget.hasExpired() || claimed >= mostRows;
        followMaster();
        if (stop.stop_requested()) {
            end = End::Stopped;
        } else if (isOver && !m_relay->isUnderWay()) {
            end = End::BudgetSpent;
        } else if (const auto heeded = heedWatch(); !heeded) {
            failed(heeded.error());
        } else if (m_watch && m_watch->isHeld()) {
            end = End::Held;
        } else if (!m_idleUntil.hasExpired()) {
            const qint64 left = std::min(budget.remainingTime(), m_idleUntil.remainingTime());
            if (const auto waited = waitWhileIdle(left, stop); !waited)
                failed(waited.error());
        } else if (const auto full = isQueueFull(); !full) {
            failed(full.error());
        } else if (*full) {
            end = End::QueueFull;
        } else {
            const int most
                = static_cast<int>(std::clamp<qint64>(mostRows - claimed, 1, m_size.next()));
            const qint64 mostBegun = qint64{2} * most; // one is taken, and one is begun behind it
            const QList<RelayStep> steps
                = m_relay->turn(most, isOver || claimed + mostBegun > mostRows);
            take(steps);
            if (const Relay::LastClaim &last = m_relay->lastClaim(); last.rows >= 0) {
                claimed += last.rows;
                m_size.tookOf(last.asked, last.rows, last.bytes);
            }
            if (end == End::Failed && burst.error().kind == Error::Kind::Timeout)
                m_size.tookTooLong(most);
            const bool foundNone = !end && m_relay->lastClaim().rows == 0;
            if (foundNone && (steps.isEmpty() || steps.last().claimed > 0)) {
                m_idleUntil.setRemainingTime(std::min<qint64>(pollMs, m_relay->sweepDueMs()));
            } else if (foundNone) { // from the beginning
                const qint64 restMs = m_relay->queueRestMs().value_or(pollMs);
                m_idleUntil.setRemainingTime(std::min<qint64>(pollMs, restMs));
                const auto drained = aim == RelayAim::Drained
                    ? m_relay->isDrained()
                    : Result<bool>(aim == RelayAim::NothingDue && !m_relay->isQueueAway());
                if (!drained)
                    failed(drained.error());
                else if (*drained)
                    end = End::Drained;
            }
        }
    }
    burst.isTrying = m_relay->isTrying();
    burst.isQueueResting = m_relay->isQueueResting();
    burst.facts = takeNewFacts();
    burst.end = *end;
    end.reset();
    take(m_relay->settle());
    burst.news = takeNews(burst.steps);
    if (end)
        burst.end = *end;
    if (!stop.stop_requested())
        burst.rowsWaiting = countWaiting(burst);
    if (!m_lost)
        m_memory.keep(m_queue.lives());
    return burst;
}

QString RelaySession::takeNews(const QList<RelayStep> &steps)
{
    ServerMemory &servers = *m_target.store.servers;
    QStringList news;
    if (!servers.news.isEmpty())
        news += std::exchange(servers.news, {});
    if (!servers.hasSeveralWriters)
        return news.join(u"; "_s);
    const QString &rolledBack = databaseOf(m_target.store.url.dialect).rolledBackCode;
    for (const RelayStep &step : steps) {
        const bool isConflict = step.error && step.error->code == rolledBack;
        if (step.claimed > 0 || isConflict)
            m_conflicts.took(isConflict);
    }
    const QString notice = m_conflicts.takeNotice(std::chrono::steady_clock::now());
    if (!notice.isEmpty())
        news += notice;
    return news.join(u"; "_s);
}

Result<void> RelaySession::heedWatch()
{
    if (m_watch && m_watch->takeHold()) {
        return fail(Error::Kind::Unreachable, u"claiming rows"_s,
                    u"the master of Redis fails over"_s, {},
                    u"The relay goes on when that is over"_s);
    }
    if (m_watch && m_watch->takeSilence()) {
        return fail(Error::Kind::Unreachable, u"listening to the sentinels"_s,
                    u"none of them was heard for 5 s: a failover would be noticed too late"_s, {},
                    u"The relay goes on meanwhile; see to the sentinels, and to what their user "
                    "may subscribe to"_s);
    }
    return {};
}

void RelaySession::followMaster()
{
    if (m_watch && m_watch->takeMove())
        m_queue.close();
}

std::optional<qint64> RelaySession::countWaiting(const RelayBurst &burst)
{
    constexpr int everyMs = 60'000;
    const bool isFailing = burst.end == RelayBurst::End::Failed
        && (m_relay->isQueueResting() || burst.error().kind == Error::Kind::Unreachable);
    const bool isAway = isFailing || burst.hasLeftWaiting();
    const bool isDue = !m_sinceCounted.isValid() || m_sinceCounted.hasExpired(everyMs);
    if (!isAway || !isDue || !m_lanes.front().isOpen())
        return {};
    m_sinceCounted.start();
    QList<MessageId> parked;
    for (const ParkedRow &row : m_relay->parked())
        parked += row.id;
    const auto counted = m_lanes.front().snapshot(liveCaps, parked);
    return counted ? counted->backlog() : std::nullopt;
}

Result<bool> RelaySession::isQueueFull()
{
    constexpr int everyMs = 100;
    if (m_target.deepestQueue <= 0
        || (m_sinceBacklog.isValid() && !m_sinceBacklog.hasExpired(everyMs)))
        return false;
    QSet<QueueName> queues = m_queue.lastQueues(); // the next rows may go there again
    if (!m_target.shape.hasShards()) {
        queues += m_target.rules.queue;
    } else if (queues.isEmpty()) { // nothing was sent yet: each may be full
        for (const QString &name : m_target.shape.queueShards.names())
            queues += QueueName{name};
    }
    for (const QueueName &queue : std::as_const(queues)) {
        const auto waiting = m_queue.backlog(queue);
        if (!waiting && waiting.error().code == "WRONGTYPE"_L1)
            continue; // it is broken and takes no task: the relay finds out
        const bool isAway = !waiting && m_target.redis.isCluster()
            && (waiting.error().kind == Error::Kind::Unreachable
                || waiting.error().kind == Error::Kind::Timeout
                || waiting.error().kind == Error::Kind::Refused);
        if (isAway)
            continue; // so does a queue whose node is away, or refuses all
        if (!waiting)
            return passOn(waiting);
        if (*waiting >= m_target.deepestQueue)
            return true;
    }
    m_sinceBacklog.start();
    return false;
}

Result<void> RelaySession::waitWhileIdle(qint64 milliseconds, const std::stop_token &stop)
{
    constexpr qint64 sliceMs = 50;
    const QDeadlineTimer deadline(milliseconds);
    TRY(leaveEarlierPrimary());
    while (!stop.stop_requested() && !deadline.hasExpired()) {
        const auto slice = static_cast<int>(std::min(deadline.remainingTime(), sliceMs));
        const auto changed = TRY(m_lanes.front().waitForChange(slice));
        if (changed) {
            m_idleUntil = QDeadlineTimer(0);
            break;
        }
    }
    return {};
}

Result<void> RelaySession::leaveEarlierPrimary()
{
    QDeadlineTimer &due = m_target.store.servers->questionDue;
    if (!due.hasExpired())
        return {};
    QElapsedTimer clock;
    clock.start();
    auto asked = m_lanes.front().leaveEarlierPrimary();
    // Where hosts or their names give no answer, a tenth of the time at most is spent on that.
    due.setRemainingTime(std::max(questionEveryMs, 10 * clock.elapsed()));
    return asked;
}

void RelaySession::cutOff(const Error &error)
{
    interrupt();
    m_cutOff = error;
}

void RelaySession::close()
{
    m_relay.reset();
    m_watch.reset();
    if (!m_lost && !m_cutOff) // before the name may be another process's
        m_queue.tellEnd();
    m_memory.close(m_lost ? QList<QueueLife>() : m_queue.lives());
    m_queue.close();
    m_parking.close();
    for (OutboxStore *store : {&m_lanes.front(), &m_lanes.back(), &m_barrier})
        store->close();
}

void RelaySession::interrupt() noexcept
{
    for (OutboxStore *store : {&m_lanes.front(), &m_lanes.back(), &m_barrier})
        store->interrupt();
    m_parking.interrupt();
}

} // namespace outbox
