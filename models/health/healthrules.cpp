// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/healthrules.h"

#include "models/health/healthwords.h"
#include "models/phrases.h"

#include <QMap>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using healthwords::healthText;

namespace {

/// Those that a worker would take up, now or later.
qint64 unfinished(const QueueSnapshot &queue)
{
    return queue.pending + queue.scheduled + queue.retry + queue.aggregating.value_or(0);
}

/// Tasks were taken up, and nobody is there who could end them.
bool isDeserted(const QueueSnapshot &queue)
{
    return queue.active > 0 && queue.servers == 0;
}

QString tasksWait(const QueueSnapshot &queue)
{
    const qint64 count = unfinished(queue);
    QString text = count == 0 ? healthText("no task waits yet")
        : count == 1          ? healthText("one task waits")
                              : healthText("%1 tasks wait").arg(countText(count));
    if (isDeserted(queue)) {
        text += queue.active == 1 ? healthText("; one is active")
                                  : healthText("; %1 are active").arg(countText(queue.active));
    }
    if (queue.oldestPendingSeconds)
        text += healthText("; the next one has waited %1")
                    .arg(spanText(*queue.oldestPendingSeconds));
    return text;
}

/// What keeps the tasks of one queue from running; the worst reason alone.
std::optional<HealthCause> standstill(const QueueSnapshot &queue, bool isOwn,
                                      const HealthLimits &limits)
{
    if (unfinished(queue) == 0 && !isDeserted(queue) && !isOwn)
        return std::nullopt;
    const auto finding = [&queue](HealthReason reason, const char *sentence) {
        return HealthCause{HealthLevel::Watch,
                           healthText(sentence).arg(queue.name.text, tasksWait(queue)),
                           u"state:pending"_s,
                           {},
                           reason};
    };
    if (queue.paused) {
        return finding(HealthReason::QueuePaused,
                       QT_TRANSLATE_NOOP("outbox::Health", "Queue \"%1\" is paused; %2."));
    }
    if (queue.servers == 0) {
        return finding(HealthReason::ServedByNobody,
                       QT_TRANSLATE_NOOP("outbox::Health", "No worker serves queue \"%1\"; %2."));
    }
    if (!queue.servers) {
        return finding(HealthReason::ServedByNobody,
                       QT_TRANSLATE_NOOP("outbox::Health",
                                         "Whether a worker serves queue \"%1\" is not known; %2."));
    }
    if (queue.oldestPendingSeconds.value_or(0) >= limits.oldestQueued) {
        return finding(HealthReason::QueueSlow,
                       QT_TRANSLATE_NOOP("outbox::Health", "Queue \"%1\" is behind; %2."));
    }
    return std::nullopt;
}

/// The same reason of several queues is one finding: the queue in which most tasks wait, and how
/// many others there are.
HealthCause joined(QList<std::pair<qint64, HealthCause>> alike)
{
    std::stable_sort(alike.begin(), alike.end(),
                     [](const auto &one, const auto &other) { return one.first > other.first; });
    HealthCause worst = alike.first().second;
    if (const qsizetype others = alike.size() - 1; others > 0) {
        worst.text += u' '
            + (others == 1
                   ? healthText("The same is true of one more queue.")
                   : healthText("The same is true of %1 more queues.").arg(countText(others)));
    }
    return worst;
}

/// What most of the dead tasks of the queue died of, behind a sentence that ends with their number;
/// empty where that is not known.
QString whyDead(const QueueSnapshot &queue, bool isOnlyQueue)
{
    constexpr qsizetype mostCharacters = 90; // of a cause, in a sentence
    if (!queue.deadCause || queue.deadCause->cause.isEmpty())
        return {};
    const DeadCause &seen = *queue.deadCause;
    const QString cause = seen.cause.size() > mostCharacters
        ? QString(seen.cause.left(mostCharacters) + QChar(0x2026))
        : seen.cause;
    const QString count = countText(seen.count);
    const bool isWhole = seen.read >= queue.archived;
    if (!isOnlyQueue) {
        return isWhole
            ? healthText(", %1 of them in queue \"%2\": %3").arg(count, queue.name.text, cause)
            : healthText(", %1 of the newest %2 in queue \"%3\": %4")
                  .arg(count, countText(seen.read), queue.name.text, cause);
    }
    if (queue.archived == 1)
        return healthText(": %1").arg(cause);
    if (!isWhole)
        return healthText(", %1 of the newest %2: %3").arg(count, countText(seen.read), cause);
    return seen.count == queue.archived ? healthText(", all of them: %1").arg(cause)
                                        : healthText(", %1 of them: %2").arg(count, cause);
}

std::optional<HealthCause> dead(const QList<QueueSnapshot> &queues)
{
    qint64 count = 0;
    QList<QString> names;
    for (const QueueSnapshot &queue : queues) {
        count += queue.archived;
        if (queue.archived > 0)
            names += queue.name.text;
    }
    if (count == 0)
        return std::nullopt;
    const QString place = names.size() == 1 ? healthText("queue \"%1\"").arg(names.first())
                                            : healthText("%1 queues").arg(countText(names.size()));
    const QString why = whyDead(*withMostDead(queues), names.size() == 1);
    const QString text = count == 1
        ? healthText("One task is dead in %1%2.").arg(place, why)
        : healthText("%1 tasks are dead in %2%3.").arg(countText(count), place, why);
    return HealthCause{
        HealthLevel::Watch, text, u"state:archived"_s, {}, HealthReason::DeadInQueue};
}

/// As the library keeps so many, each one more pushes out the oldest: its id stays taken.
std::optional<HealthCause> fullArchive(const QList<QueueSnapshot> &queues,
                                       const HealthLimits &limits)
{
    const auto full
        = std::find_if(queues.cbegin(), queues.cend(), [&limits](const QueueSnapshot &queue) {
              return queue.archived >= limits.fullArchive;
          });
    if (full == queues.cend())
        return std::nullopt;
    return HealthCause{
        HealthLevel::Watch,
        healthText("The archive of queue \"%1\" is full (%2 dead tasks): each one more pushes out "
                   "the oldest, whose id stays taken; Reconcile frees them.")
            .arg(full->name.text, countText(full->archived)),
        u"reconcile"_s,
        {},
        HealthReason::ArchiveFull};
}

std::optional<HealthCause> failing(const std::optional<FailureShare::Counts> &attempts,
                                   const HealthLimits &limits)
{
    if (!attempts || attempts->failed == 0
        || static_cast<double>(attempts->failed)
            < limits.failing * static_cast<double>(attempts->attempts))
        return std::nullopt;
    return HealthCause{
        HealthLevel::Watch,
        healthText("Tasks fail: %1 of the last %2 attempts. They are tried again, then dead.")
            .arg(countText(attempts->failed), countText(attempts->attempts)),
        u"task:retry"_s,
        {},
        HealthReason::TasksFail};
}

} // namespace

QList<HealthCause> queueFindings(const QList<QueueSnapshot> &queues, const HealthInput &input,
                                 const HealthLimits &limits)
{
    QMap<HealthReason, QList<std::pair<qint64, HealthCause>>> byReason;
    for (const QueueSnapshot &queue : queues) {
        if (const auto found = standstill(queue, queue.name.text == input.ownQueue, limits))
            byReason[found->reason] += std::pair(unfinished(queue), *found);
    }
    QList<HealthCause> findings;
    for (const auto &alike : std::as_const(byReason))
        findings += joined(alike);
    for (const auto &found :
         {failing(input.attempts, limits), fullArchive(queues, limits), dead(queues)}) {
        if (found)
            findings += *found;
    }
    return findings;
}

namespace {

/// "Relays of two versions are at work: 0.8.0 (web2), 0.9.0 (web1, web3)." Empty: of one.
QString versionNote(const QList<ListedRelay> &relays, const QDateTime &now)
{
    constexpr qsizetype mostHosts = 3;
    constexpr qsizetype mostVersions = 4;
    QMap<QString, QStringList> hosts; // by version
    for (const ListedRelay &relay : relays) {
        if (!relay.entry.about || !wasAtWorkLately(relay.entry, now))
            continue;
        QStringList &known = hosts[relay.entry.about->version];
        if (!known.contains(relay.entry.about->host))
            known += relay.entry.about->host;
    }
    if (hosts.size() < 2)
        return {};
    QStringList versions;
    for (auto version = hosts.cbegin(); version != hosts.cend(); ++version) {
        if (versions.size() == mostVersions) {
            versions += u"\u2026"_s;
            break;
        }
        QStringList named = version->first(std::min(version->size(), mostHosts));
        if (version->size() > mostHosts)
            named += u"\u2026"_s;
        versions += u"%1 (%2)"_s.arg(version.key(), named.join(u", "_s));
    }
    return healthText("Relays of %1 versions are at work: %2.")
        .arg(countText(hosts.size()), versions.join(u", "_s));
}

} // namespace

QList<HealthCause> relayListFindings(const QList<QueueSnapshot> &queues,
                                     const OutboxSnapshot *outbox, const HealthInput &input,
                                     const HealthLimits &limits)
{
    const QueueSnapshot *own = queueNamed(queues, QueueName{input.ownQueue});
    if (!own)
        return {};
    const QString page = u"relay"_s;
    const QList<ListedRelay> relays = listRelays(
        queues, own->name, outbox ? longestWait(*outbox) : std::nullopt, limits.relaySilent);
    QList<HealthCause> found;
    QList<ListedRelay> silent;
    std::copy_if(relays.cbegin(), relays.cend(), std::back_inserter(silent),
                 [&own](const ListedRelay &relay) {
                     return relay.activity == RelayActivity::Silent
                         && wasAtWorkLately(relay.entry, own->at);
                 });
    if (!silent.isEmpty()) {
        const RelayEntry &first = silent.constFirst().entry;
        QString text
            = healthText("Relay silent: %1 has sent nothing since %2, and %3.")
                  .arg(relayName(first), momentText(first.lastBatch, input.now),
                       healthwords::inside(healthwords::waiting(*outbox, input.ofDocuments)));
        if (const qsizetype others = silent.size() - 1; others > 0) {
            text += u' '
                + (others == 1
                       ? healthText("The same is true of one more relay.")
                       : healthText("The same is true of %1 more relays.").arg(countText(others)));
        }
        found += HealthCause{HealthLevel::Watch, text, page, {}, HealthReason::RelaySilent};
    }
    if (const QString note = versionNote(relays, own->at); !note.isEmpty())
        found += HealthCause{HealthLevel::Ok, note, page, {}, HealthReason::RelayVersions};
    return found;
}

namespace {

HealthCause finding(HealthLevel level, HealthReason reason, const QString &text)
{
    return {level, text, {}, {}, reason};
}

/// Why nothing can be written; empty where it can, as far as is known.
QString whyRefused(const HealthInput &input, const RedisFacts *redis)
{
    for (const std::optional<Error> &error : {input.queueError, input.relayError}) {
        if (!error)
            continue;
        if (error->code == "OOM"_L1)
            return healthText("out of memory");
        if (error->code == "READONLY"_L1)
            return healthText("it is a replica");
        if (error->code == "MISCONF"_L1)
            return healthText("it cannot save to its disk");
        if (error->code == "NOREPLICAS"_L1)
            return healthText("too few replicas");
    }
    if (!redis)
        return {};
    if (redis->role == "slave"_L1)
        return healthText("it is a replica");
    if (redis->aofEnabled && redis->aofLastWriteStatus == "err"_L1)
        return healthText("it cannot write its append-only file");
    const bool isFull = redis->maxMemory > 0 && redis->usedMemory >= redis->maxMemory
        && !evictsTasks(redis->maxMemoryPolicy);
    return isFull ? healthText("out of memory") : QString();
}

HealthCause eviction(const RedisFacts &redis)
{
    if (redis.maxMemory > 0) {
        return finding(HealthLevel::Broken, HealthReason::EvictionOn,
                       healthText("Redis may evict queued messages (%1): messages can be lost.")
                           .arg(redis.maxMemoryPolicy));
    }
    return finding(HealthLevel::Watch, HealthReason::EvictionLooms,
                   healthText("Redis would evict queued messages (%1) if a memory limit were set.")
                       .arg(redis.maxMemoryPolicy));
}

HealthCause lost(const RedisLoss &loss, const QDateTime &now)
{
    const QString at = momentText(loss.at, now);
    if (isOfMost(loss)) {
        return finding(
            HealthLevel::Broken, HealthReason::RedisLostRecords,
            healthText("Redis lost its contents at %1: of %2 keys %3 were left. What was "
                       "queued may be gone.")
                .arg(at, countText(loss.before), countText(loss.after)));
    }
    return finding(
        HealthLevel::Watch, HealthReason::RedisLostRecords,
        healthText("Redis began again at %1 with %2 keys of %3, and keeps no append-only "
                   "file: what came in since its last save may be gone.")
            .arg(at, countText(loss.after), countText(loss.before)));
}

} // namespace

bool isOfMost(const RedisLoss &loss)
{
    constexpr qint64 aFew = 100;
    return loss.after == 0 || (loss.before >= aFew && loss.after * 2 <= loss.before);
}

std::optional<RedisLoss> lossBetween(const RedisFacts &before, const RedisFacts &now,
                                     const QDateTime &at)
{
    const RedisLoss loss{at, before.dbSize, now.dbSize};
    if (before.runId.isEmpty() || loss.after >= loss.before)
        return std::nullopt;
    if (before.runId == now.runId) // a queue leaves its name behind, so it is not emptied by work
        return loss.after == 0 ? std::optional(loss) : std::nullopt;
    return isOfMost(loss) || !now.aofEnabled ? std::optional(loss) : std::nullopt;
}

QList<HealthCause> redisFindings(const HealthInput &input, const RedisFacts *redis,
                                 const HealthLimits &limits)
{
    QList<HealthCause> found;
    if (const auto &loss = input.redisLoss; loss
        && (isOfMost(*loss) || static_cast<double>(loss->at.secsTo(input.now)) < limits.partLost))
        found += lost(*loss, input.now);
    if (const QString why = whyRefused(input, redis); !why.isEmpty()) {
        found
            += finding(HealthLevel::Broken, HealthReason::WritesRefused,
                       healthText("Redis refuses writes (%1): nothing can be delivered.").arg(why));
    }
    if (redis && evictsTasks(redis->maxMemoryPolicy))
        found += eviction(*redis);
    if (redis && redis->rdbLastSaveStatus == "err"_L1) {
        found += finding(HealthLevel::Watch, HealthReason::SnapshotFailing,
                         healthText("The last snapshot of Redis failed; it may refuse writes."));
    }
    return found;
}

} // namespace outbox
