// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/shardsums.h"

#include "models/phrases.h"

#include <QSet>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

qint64 depthOf(const QueueSnapshot &queue)
{
    return QueueSums(QList<QueueSnapshot>{queue}).depth();
}

/// Not known where one of the two is not.
void addKnown(std::optional<qint64> &sum, const std::optional<qint64> &more)
{
    sum = sum && more ? std::optional(*sum + *more) : std::nullopt;
}

void addShard(QueueSnapshot &sum, const QueueSnapshot &shard)
{
    sum.at = std::max(sum.at, shard.at);
    sum.pending += shard.pending;
    sum.active += shard.active;
    sum.scheduled += shard.scheduled;
    sum.retry += shard.retry;
    sum.archived += shard.archived;
    sum.completed += shard.completed;
    addKnown(sum.aggregating, shard.aggregating);
    addKnown(sum.processedTotal, shard.processedTotal);
    addKnown(sum.failedTotal, shard.failedTotal);
    sum.known = sum.known || shard.known;
    sum.paused = sum.paused || shard.paused;
    if (shard.oldestPendingSeconds) {
        sum.oldestPendingSeconds
            = std::max(sum.oldestPendingSeconds.value_or(0), *shard.oldestPendingSeconds);
    }
    sum.servers = sum.servers && shard.servers
        ? std::optional(std::min(*sum.servers, *shard.servers))
        : std::nullopt;
    sum.tookMs = std::max(sum.tookMs, shard.tookMs);
}

} // namespace

QList<QueueSnapshot> withSummedShards(const QList<QueueSnapshot> &queues, const QueueShards &shards)
{
    QSet<QString> names;
    for (int shard = 0; shard < shards.count; ++shard)
        names += shards.name(shard);
    QList<QueueSnapshot> parts;
    QList<QueueSnapshot> all;
    for (const QueueSnapshot &queue : queues) {
        if (names.contains(queue.name.text))
            parts += queue;
        else
            all += queue;
    }
    if (parts.isEmpty())
        return queues;
    QueueSnapshot sum = parts.constFirst();
    for (qsizetype part = 1; part < parts.size(); ++part)
        addShard(sum, parts.at(part));
    const auto most = std::max_element(parts.cbegin(), parts.cend(),
                                       [](const QueueSnapshot &one, const QueueSnapshot &other) {
                                           return depthOf(one) < depthOf(other);
                                       });
    const auto there = std::count_if(parts.cbegin(), parts.cend(),
                                     [](const QueueSnapshot &queue) { return queue.known; });
    sum.name.text = shards.text();
    sum.notes.clear();
    for (const QueueSnapshot &shard : parts) {
        if (const QString why = shard.notes.value(u"relays"_s); !why.isEmpty())
            sum.notes[u"relays"_s] = why;
    }
    sum.notes[u"shards"_s] = u"%1 of %2 queues are there; %3 has most to do, %4 tasks"_s.arg(
        countText(there), countText(shards.count), most->name.text, countText(depthOf(*most)));
    all.prepend(sum);
    return all;
}

std::optional<QueueSnapshot> ownQueueIn(const QList<QueueSnapshot> &queues, const QueueName &own,
                                        const QueueShards &shards)
{
    const QueueSnapshot *found = queueNamed(queues, own);
    if (!found)
        return std::nullopt;
    return shards.isEmpty() ? *found : withSummedShards(queues, shards).constFirst();
}

} // namespace outbox
