// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/edit/queuenode.h"

#include "connectors/asynq/observe/reading.h"
#include "connectors/redis/cluster/slots.h"

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr char mostMergedSets[] = "99"; ///< the place of the last one that a script looks into

/// Where the slot of `key` is being moved to, as the node says that has it still. Nothing stands
/// under the key.
std::optional<HostPort> targetOfMove(RedisConnection &node, const QByteArray &key)
{
    const auto replies = node.pipeline({RedisCommand{"EXISTS", key}});
    return replies ? askIn(replies->first(), addressOf(node)) : std::nullopt;
}

} // namespace

QueueNode::QueueNode(ClusterLink &link, const QueueName &queue)
    : m_link(link), m_queue(queue), m_keys(queue)
{ }

Result<void> QueueNode::enlist(const QString &doing)
{
    const RedisCommand add{"SADD", allQueues, m_queue.text.toUtf8()};
    const auto added = at(allQueues, false, [&](RedisConnection &connection) {
        return askAll(connection, {add}, doing);
    });
    return added ? Result<void>() : passOn(added);
}

Error QueueNode::refusedBy(RedisConnection &node, const QByteArray &key, const Error &heard) const
{
    const bool isList = key == allQueues;
    const QString what = isList ? u"the list of queues"_s : u"queue "_s + m_queue.text;
    const bool isAsk = heard.code == "ASK"_L1;
    if (!isAsk && heard.code != "TRYAGAIN"_L1) {
        return {Error::Kind::Unreachable,
                heard.doing,
                u"the node of %1 does not take this now: %2"_s.arg(what, heard.text),
                heard.code,
                u"Nothing was done: try again"_s,
                -1,
                Error::Effect::None};
    }
    const RedisReply reply{RedisReply::Kind::Error, 0, heard.text.toUtf8(), {}};
    const auto named = isAsk ? askIn(reply, addressOf(node)) : std::nullopt;
    const auto target = named || isList ? named : targetOfMove(node, m_keys.rightsTry());
    const QString where = target ? u" to "_s + target->text() : QString();
    return {Error::Kind::Refused,
            heard.doing,
            u"slot %1 of %2 is being moved%3; try again when it has moved"_s.arg(
                QString::number(slotOf(key)), what, where),
            heard.code,
            {},
            -1,
            Error::Effect::None};
}

Result<QByteArrayList> keysBeside(QueueNode &node, const QByteArrayList &tasks,
                                  const QString &doing)
{
    const QueueKeys &keys = node.keys();
    QList<RedisCommand> commands{
        RedisCommand{"ZRANGE", keys.aggregationSets(), "0", mostMergedSets}};
    for (const QByteArray &task : tasks)
        commands += {"HMGET", keys.task(task), "state", "group", "unique_key"};
    const auto askForTasks = [&](RedisConnection &connection) -> Result<QList<RedisReply>> {
        const auto answers = TRY(ask(connection, commands, doing));
        for (const RedisReply &answer : answers) {
            if (answer.isError() && errorWord(answer) != "WRONGTYPE") // the script will tell
                return tl::unexpected(errorFromReply(answer, doing, connection.asker()));
        }
        return answers;
    };
    const auto replies = TRY(node.look(askForTasks));
    QByteArrayList found;
    QByteArrayList groups;
    for (qsizetype i = 1; i < replies.size(); ++i) {
        const RedisReply &hash = replies.at(i);
        if (hash.elements.value(0).bytes == "aggregating") {
            const QByteArray group = keys.group(hash.elements.value(1).bytes);
            if (!groups.contains(group))
                groups += group;
        }
        if (const QByteArray lock = hash.elements.value(2).bytes;
            lock.startsWith(keys.lockPrefix()))
            found += lock;
    }
    for (const QByteArray &group : std::as_const(groups)) {
        found += group;
        const QByteArray prefix = group + ':';
        for (const RedisReply &set : replies.first().elements) {
            if (set.bytes.startsWith(prefix))
                found += set.bytes;
        }
    }
    return found;
}

} // namespace outbox::asynq
