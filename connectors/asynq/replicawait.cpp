// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/replicawait.h"

#include "connectors/asynq/wire/enqueuecommand.h"
#include "connectors/redis/cluster/clusterlink.h"
#include "connectors/redis/servererror.h"
#include "connectors/redis/wire.h"

#include <QDeadlineTimer>

#include <chrono>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

QList<Result<int>> countReplicas(const QList<RedisConnection *> &nodes, int replicas, int timeoutMs)
{
    const QString doing = u"waiting for %1 replicas"_s.arg(replicas);
    RedisWire wire;
    wire.begin(3);
    wire.add("WAIT");
    wire.add(qint64{replicas});
    wire.add(qint64{timeoutMs});
    QList<Result<void>> sent;
    for (RedisConnection *node : nodes)
        sent += node->send(wire.bytes(), wire.commands());
    const QDeadlineTimer deadline(std::chrono::milliseconds(timeoutMs) + std::chrono::seconds(3));
    QList<Result<int>> counts;
    for (qsizetype i = 0; i < nodes.size(); ++i) {
        RedisConnection &node = *nodes.at(i);
        if (!sent.at(i)) {
            counts += Result<int>(passOn(sent.at(i)));
            continue;
        }
        const auto replies = node.receive(deadline);
        if (!replies)
            counts += Result<int>(passOn(replies));
        else if (replies->first().isError())
            counts += Result<int>(
                tl::unexpected(errorFromReply(replies->first(), doing, node.asker())));
        else
            counts += Result<int>(static_cast<int>(replies->first().integer));
    }
    return counts;
}

QHash<QueueName, EnqueueAnswer> withoutCopies(const QHash<QueueName, AnswerPlace> &answered,
                                              int replicas, int timeoutMs)
{
    QList<RedisConnection *> nodes;
    for (const AnswerPlace &place : answered) {
        if (!nodes.contains(place.first))
            nodes += place.first;
    }
    const QList<Result<int>> counts = countReplicas(nodes, replicas, timeoutMs);
    QHash<QueueName, EnqueueAnswer> lacking;
    for (auto place = answered.cbegin(); place != answered.cend(); ++place) {
        RedisConnection &node = *place->first;
        const Result<int> &count = counts.at(nodes.indexOf(&node));
        const bool isSame = node.isOpen() && node.timesConnected() == place->second;
        if (isSame && count && *count >= replicas)
            continue;
        const Failure why = !count ? passOn(count)
            : *count < replicas    ? Failure(tooFewReplicas(*count, replicas, timeoutMs))
                                   : nobodyAnswered();
        lacking.insert(place.key(), awayQueue(why, addressOf(node).text()));
    }
    return lacking;
}

Failure nobodyAnswered()
{
    return fail(Error::Kind::Unreachable, u"waiting for replicas of Redis"_s,
                u"the connection to the node of the queue was lost meanwhile"_s);
}

Error tooFewReplicas(int have, int replicas, int timeoutMs)
{
    return {Error::Kind::Timeout,
            u"waiting for replicas of Redis"_s,
            u"%1 of %2 have the batch after %3 ms"_s.arg(have).arg(replicas).arg(timeoutMs),
            {},
            u"The rows stay in the outbox; see to the replicas"_s};
}

} // namespace outbox::asynq
