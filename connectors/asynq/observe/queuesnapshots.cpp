// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/queuesnapshots.h"

#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/observe/serverinfo.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/relayfield.h"
#include "models/elapsed.h"

#include <QElapsedTimer>
#include <QSet>

#include <algorithm>
#include <optional>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 mostGroups = 100;
constexpr int mostScans = 100; ///< of a thousand queue names each

/// `known`: the queues on asynq's list, where that is not at the same node; else it is asked for.
QList<RedisCommand> sizeCommands(const QueueName &name, const std::optional<QSet<QueueName>> &known)
{
    const QueueKeys keys(name);
    const RedisCommand asksList{"SISMEMBER", allQueues, name.text.toUtf8()};
    return {{"LLEN", keys.pending()},
            {"LLEN", keys.active()},
            {"ZCARD", keys.scheduled()},
            {"ZCARD", keys.retry()},
            {"ZCARD", keys.archived()},
            {"ZCARD", keys.completed()},
            {"EXISTS", keys.paused()},
            known ? RedisCommand{"PING"} : asksList,
            {"SCARD", keys.groups()},
            {"LRANGE", keys.pending(), "-1", "-1"},
            {"GET", keys.processed()},
            {"GET", keys.failed()},
            {"HSCAN", keys.fence(), "0", "COUNT", mostRelayFields}};
}
constexpr qsizetype countedSizes = 10; ///< those above whose error fails the snapshot
constexpr qsizetype askedSizes = 13;

/// Reads one queue's part of the answer; the oldest pending id, if any, goes to `oldest`.
QueueSnapshot readSizes(const QueueName &name, const QList<RedisReply> &replies, QByteArray &oldest)
{
    QueueSnapshot snapshot;
    snapshot.name = name;
    snapshot.pending = replies.at(0).integer;
    snapshot.active = replies.at(1).integer;
    snapshot.scheduled = replies.at(2).integer;
    snapshot.retry = replies.at(3).integer;
    snapshot.archived = replies.at(4).integer;
    snapshot.completed = replies.at(5).integer;
    snapshot.paused = replies.at(6).integer != 0;
    snapshot.known = replies.at(7).integer != 0;
    if (replies.at(8).integer == 0)
        snapshot.aggregating = 0;
    oldest = replies.at(9).elements.value(0).bytes;
    snapshot.processedTotal = replies.at(10).isNil() ? 0 : numberOf(replies.at(10));
    snapshot.failedTotal = replies.at(11).isNil() ? 0 : numberOf(replies.at(11));
    if (!snapshot.processedTotal || !snapshot.failedTotal)
        snapshot.notes.insert(u"processedTotal"_s, u"the counter holds no number"_s);
    const RedisReply &fence = replies.at(12);
    snapshot.relays = relaysIn(fence);
    if (fence.isError())
        snapshot.notes.insert(u"relays"_s, u"the fence cannot be read"_s);
    else if (!isWhole(fence))
        snapshot.notes.insert(u"relays"_s, u"there are too many to be listed"_s);
    return snapshot;
}

Result<void> countGroups(RedisConnection &connection, QueueSnapshot &snapshot, const QString &doing)
{
    const auto groups = TRY(readGroups(connection, snapshot.name));
    if (!groups) {
        snapshot.notes.insert(u"aggregating"_s,
                              u"more than %1 groups: not counted"_s.arg(mostGroups));
        return {};
    }
    QList<RedisCommand> commands;
    for (const QByteArray &group : *groups)
        commands += {"ZCARD", QueueKeys(snapshot.name).group(group)};
    const auto counts = TRY(askAll(connection, commands, doing));
    qint64 sum = 0;
    for (const RedisReply &count : counts)
        sum += count.integer;
    snapshot.aggregating = sum;
    return {};
}

} // namespace

Result<QList<QueueName>> readQueueNames(RedisConnection &connection)
{
    QByteArrayList found;
    QByteArray cursor = "0";
    for (int scan = 0; scan < mostScans; ++scan) {
        const auto page = TRY(askAll(connection, {{"SSCAN", allQueues, cursor, "COUNT", "1000"}},
                                     u"listing the queues"_s));
        cursor = page.first().elements.value(0).bytes;
        for (const RedisReply &name : page.first().elements.value(1).elements)
            found += name.bytes;
        if (cursor == "0")
            break;
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()),
                found.end()); // a scan may say a name twice
    QList<QueueName> names;
    for (const QByteArray &name : std::as_const(found))
        names += QueueName{QString::fromUtf8(name)};
    return names;
}

Result<QList<QueueName>> scanQueueNames(RedisConnection &connection, QByteArray &cursor)
{
    static constexpr QByteArrayView head = "asynq:{";
    static constexpr QByteArrayView tail = "}:";
    const auto step = TRY(
        askAll(connection, {{"SCAN", cursor, "MATCH", "asynq:{*}:[acglprs]*", "COUNT", "1000"}},
               u"looking for queues"_s));
    const QList<RedisReply> &parts = step.first().elements;
    if (parts.size() != 2) {
        return fail(Error::Kind::Protocol, u"looking for queues"_s,
                    u"the answer to a scan makes no sense"_s);
    }
    cursor = parts.at(0).bytes;
    QList<QueueName> names;
    for (const RedisReply &key : parts.at(1).elements) {
        const qsizetype end = key.bytes.lastIndexOf(tail);
        const QueueName name{QString::fromUtf8(key.bytes.mid(head.size(), end - head.size()))};
        const QueueKeys keys(name);
        const QByteArrayList fixed{keys.pending(),        keys.active(), keys.lease(),
                                   keys.scheduled(),      keys.retry(),  keys.archived(),
                                   keys.completed(),      keys.groups(), keys.paused(),
                                   keys.aggregationSets()};
        if (fixed.contains(key.bytes) && !names.contains(name))
            names += name;
    }
    return names;
}

Result<std::optional<QByteArrayList>> readGroups(RedisConnection &connection,
                                                 const QueueName &queue)
{
    const QByteArray key = QueueKeys(queue).groups();
    const auto scan = TRY(askAll(connection, {{"SCARD", key}, {"SSCAN", key, "0", "COUNT", "1000"}},
                                 u"looking at the groups of %1"_s.arg(queue.text)));
    if (scan.at(0).integer > mostGroups || scan.at(1).elements.value(0).bytes != "0")
        return std::optional<QByteArrayList>();
    QByteArrayList groups;
    for (const RedisReply &group : scan.at(1).elements.value(1).elements)
        groups += group.bytes;
    std::sort(groups.begin(), groups.end());
    return std::optional(groups);
}

namespace {

/// Without what servers say. `known` as for `sizeCommands`.
Result<QList<QueueSnapshot>> readAllSizes(RedisConnection &connection,
                                          const QList<QueueName> &names,
                                          const std::optional<QSet<QueueName>> &known)
{
    const QString doing = u"looking at the queues"_s;
    QList<RedisCommand> commands{{"TIME"}};
    for (const QueueName &name : names)
        commands += sizeCommands(name, known);
    const auto replies = TRY(ask(connection, commands, doing));
    if (replies.first().isError())
        return tl::unexpected(errorFromReply(replies.first(), doing, connection.asker()));
    const QDateTime now = redisTime(replies.first());

    QList<QueueSnapshot> snapshots;
    QList<RedisCommand> ages; // HGET even of "t:" for an empty queue: one reply a queue
    for (qsizetype i = 0; i < names.size(); ++i) {
        const QList<RedisReply> part = replies.mid(1 + i * askedSizes, askedSizes);
        for (const RedisReply &reply : part.first(countedSizes)) {
            if (reply.isError()) {
                return tl::unexpected(errorFromReply(
                    reply, u"looking at the queue %1"_s.arg(names.at(i).text), connection.asker()));
            }
        }
        QByteArray oldest;
        snapshots += readSizes(names.at(i), part, oldest);
        if (known)
            snapshots.last().known = known->contains(names.at(i));
        ages += {"HGET", QueueKeys(names.at(i)).task(oldest), "pending_since"};
    }
    const auto since = TRY(ask(connection, ages, doing));
    for (qsizetype i = 0; i < snapshots.size(); ++i) {
        QueueSnapshot &snapshot = snapshots[i];
        snapshot.at = now;
        if (const auto waits = nanosecondsOf(since.at(i)); waits && snapshot.pending > 0) {
            const double age = static_cast<double>(waits->msecsTo(now)) / 1000;
            snapshot.oldestPendingSeconds = std::max(age, 0.0);
        } else if (snapshot.pending > 0) {
            snapshot.notes.insert(u"oldestPendingSeconds"_s,
                                  u"the next task does not say since when it waits"_s);
        }
        if (!snapshot.aggregating) {
            TRY(countGroups(connection, snapshot, doing));
        }
    }
    return snapshots;
}

/// The same of a Cluster, queue by queue.
Result<QList<QueueSnapshot>> readSizesAtNodes(ClusterLink &link, const QList<QueueName> &names)
{
    const auto listed = TRY(link.at(allQueues, readQueueNames));
    const std::optional known = QSet<QueueName>(listed.cbegin(), listed.cend());
    QList<QueueSnapshot> snapshots;
    for (const QueueName &name : names) {
        const auto look
            = [&](RedisConnection &connection) { return readAllSizes(connection, {name}, known); };
        snapshots += TRY(link.at(QueueKeys(name).pending(), look));
    }
    return snapshots;
}

} // namespace

Result<QList<QueueSnapshot>> readSnapshots(ClusterLink &link, const QList<QueueName> &names)
{
    QElapsedTimer clock;
    clock.start();
    auto snapshots = TRY(link.isCluster() ? readSizesAtNodes(link, names)
                                          : readAllSizes(link.alone(), names, {}));
    const auto servers = readServers(link);
    for (QueueSnapshot &snapshot : snapshots) {
        if (servers) {
            snapshot.servers = static_cast<int>(
                std::count_if(servers->begin(), servers->end(), [&](const QueueServer &server) {
                    return server.queues.contains(snapshot.name.text);
                }));
        } else {
            snapshot.notes.insert(u"servers"_s, servers.error().text);
        }
        snapshot.tookMs = millisecondsOf(clock);
    }
    return snapshots;
}

} // namespace outbox::asynq
