// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/shardrecord.h"

#include "connectors/asynq/wire/keys.h"

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString comparingShards = u"comparing the shards with those on record"_s;

/// `command` names `key`, and no key of another queue.
Result<RedisReply> askAt(ClusterLink &link, const QByteArray &key, const RedisCommand &command)
{
    auto reply = link.at(key, [&](RedisConnection &connection) -> Result<RedisReply> {
        TRY(connection.ensureOpen());
        return connection.command(command, comparingShards);
    });
    // Batches for the other shards could go, but not before the shards are known to be the same.
    if (!reply && link.isOfNode(reply.error()) && reply.error().hint.isEmpty())
        reply.error().hint = u"Start the relay again when this node of the Cluster answers"_s;
    return reply;
}

/// How many of these queues hold a task, in whatever state.
Result<int> queuesWithTasks(ClusterLink &link, const QueueShards &shards)
{
    int filled = 0;
    for (const QString &name : shards.names()) {
        const QueueKeys keys(QueueName{name});
        const RedisCommand command{"EXISTS",         keys.pending(), keys.active(),
                                   keys.scheduled(), keys.retry(),   keys.archived(),
                                   keys.completed(), keys.groups(),  keys.aggregationSets()};
        const auto reply = TRY(askAt(link, keys.pending(), command));
        if (reply.integer > 0)
            ++filled;
    }
    return filled;
}

} // namespace

Result<void> agreeOnShards(ClusterLink &link, const QueueShards &shards, const QString &outbox,
                           bool isVouchedFor)
{
    const QByteArray record = QueueKeys(QueueName{shards.name(0)}).fence();
    const QByteArray field = "shards " + outbox.toUtf8();
    const QByteArray rule = shards.rule().toUtf8();
    const auto reply = TRY(askAt(link, record, {"HGET", record, field}));
    if (reply.bytes == rule)
        return {};
    if (!reply.bytes.isEmpty() && !isVouchedFor) {
        const auto before = TRY(QueueShards::fromText(
            shards.before + u"{shard:"_s + QString::fromUtf8(reply.bytes) + u'}' + shards.after));
        const auto filled = TRY(queuesWithTasks(link, before));
        if (filled > 0) {
            return fail(
                Error::Kind::Refused, u"starting the relay"_s,
                u"the rows of this table went to \"%1\" until now, and %2 of these queues hold "
                "tasks: with \"%3\" a row whose task stands there could be sent again"_s.arg(
                    before.text(), QString::number(filled), shards.text()),
                {},
                u"Let workers empty these queues and the retention pass; or see to it that no "
                "row which may be sent has a task there, and start it with --shards-changed"_s);
        }
    }
    TRY(askAt(link, record, {"HSET", record, field, rule}));
    return {};
}

} // namespace outbox::asynq
