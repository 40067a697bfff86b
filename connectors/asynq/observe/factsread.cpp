// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/factsread.h"

#include "connectors/asynq/observe/containersearch.h"
#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"

#include <algorithm>
#include <array>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype factsAtOnce = 100;
constexpr qsizetype mostSets = 1000;
constexpr std::array scoredStates{TaskState::Scheduled, TaskState::Retry, TaskState::Archived,
                                  TaskState::Completed};
constexpr qsizetype factsHeadCommands = 4 + scoredStates.size();

using Facts = QHash<QByteArray, TaskFacts>;

/// A score, or null where there is none; also where the key is of the wrong type.
QByteArray scoreOf(const RedisReply &reply)
{
    return reply.kind == RedisReply::Kind::Bulk ? reply.bytes : QByteArray();
}

TaskFacts factsOf(const QByteArray &id, const QList<RedisReply> &replies)
{
    TaskFacts facts;
    facts.id = id;
    facts.keyType = replies.at(0).bytes;
    const QList<RedisReply> fields = replies.at(1).elements; // none for a key of another type
    facts.state = fields.value(0).bytes;
    facts.group = fields.value(1).bytes;
    facts.uniqueKey = fields.value(2).bytes;
    facts.pendingSince = fields.value(3).bytes;
    facts.messageBytes = replies.at(2).isError() ? 0 : replies.at(2).integer;
    facts.lease = scoreOf(replies.at(3));
    for (std::size_t i = 0; i < scoredStates.size(); ++i) {
        const QByteArray score = scoreOf(replies.at(4 + static_cast<qsizetype>(i)));
        if (!score.isNull())
            facts.places += Place{scoredStates.at(i), score, {}};
    }
    return facts;
}

class FactsReader
{
public:
    FactsReader(RedisConnection &connection, const QueueName &queue, const Suspects &suspects)
        : m_connection(connection), m_keys(queue), m_suspects(suspects), m_ids(suspects.keys()),
          m_doing(u"looking again at %1 tasks of %2"_s.arg(suspects.size()).arg(queue.text))
    { }

    [[nodiscard]] Result<FactsReading> look()
    {
        if (m_ids.isEmpty())
            return FactsReading();
        TRY(readSets());
        auto before = TRY(heads());
        TRY(addGroups(before));
        Facts lists = before;
        TRY(addLists(lists));
        auto after = TRY(heads());
        TRY(addGroups(after));

        FactsReading look;
        for (const QByteArray &id : m_ids) {
            if (before.value(id) == after.value(id))
                look.facts.insert(id, lists.value(id));
            else
                look.moving += id;
        }
        TRY(addMessages(look));
        return look;
    }

private:
    [[nodiscard]] QList<RedisCommand> headOf(const QByteArray &id) const
    {
        const QByteArray key = m_keys.task(id);
        QList<RedisCommand> commands{
            {"TYPE", key},
            {"HMGET", key, "state", "group", "unique_key", "pending_since"},
            {"HSTRLEN", key, "msg"},
            {"ZSCORE", m_keys.lease(), id},
        };
        for (const TaskState state : scoredStates)
            commands += {"ZSCORE", m_keys.container(state), id};
        return commands;
    }
    [[nodiscard]] Result<Facts> heads()
    {
        Facts facts;
        for (qsizetype from = 0; from < m_ids.size(); from += factsAtOnce) {
            const QByteArrayList some = m_ids.mid(from, factsAtOnce);
            QList<RedisCommand> commands;
            for (const QByteArray &id : some)
                commands += headOf(id);
            const auto replies = TRY(ask(m_connection, commands, m_doing));
            for (qsizetype i = 0; i < some.size(); ++i) {
                const QList<RedisReply> own = replies.mid(i * factsHeadCommands, factsHeadCommands);
                if (own.at(0).isError())
                    return tl::unexpected(errorFromReply(own.at(0), m_doing, m_connection.asker()));
                facts.insert(some.at(i), factsOf(some.at(i), own));
            }
        }
        return facts;
    }
    [[nodiscard]] Result<void> addGroups(Facts &facts)
    {
        QList<RedisCommand> commands;
        QList<std::pair<QByteArray, QByteArray>> asked;
        const auto flush = [&]() -> Result<void> {
            const auto replies = TRY(ask(m_connection, commands, m_doing));
            for (qsizetype i = 0; i < asked.size(); ++i) {
                const QByteArray score = scoreOf(replies.at(i));
                if (!score.isNull())
                    facts[asked.at(i).first].places
                        += Place{TaskState::Aggregating, score, asked.at(i).second};
            }
            commands.clear();
            asked.clear();
            return {};
        };
        for (const QByteArray &id : m_ids) {
            for (const QByteArray &key : groupsOf(facts.value(id))) {
                commands += {"ZSCORE", key, id};
                asked += {id, key};
            }
            if (commands.size() >= factsAtOnce) {
                TRY(flush());
            }
        }
        return flush();
    }
    [[nodiscard]] Result<void> readSets()
    {
        const auto sets
            = TRY(ask(m_connection,
                      {{"ZRANGE", m_keys.aggregationSets(), "0", QByteArray::number(mostSets - 1)}},
                      m_doing));
        for (const RedisReply &set : sets.first().elements)
            m_sets += set.bytes;
        return {};
    }
    [[nodiscard]] QByteArrayList groupsOf(const TaskFacts &facts) const
    {
        QByteArrayList keys = m_suspects.value(facts.id);
        if (!facts.group.isEmpty()) {
            keys += m_keys.group(facts.group);
            const QByteArray prefix = keys.last() + ':';
            std::copy_if(m_sets.begin(), m_sets.end(), std::back_inserter(keys),
                         [&](const QByteArray &set) { return set.startsWith(prefix); });
        }
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
        return keys;
    }
    [[nodiscard]] Result<void> addLists(Facts &facts)
    {
        const QSet<QByteArray> wanted(m_ids.begin(), m_ids.end());
        // The first states in the order of a signature come last, each put in front.
        for (const TaskState state : {TaskState::Active, TaskState::Pending}) {
            const auto found = findInList(m_connection, m_keys.container(state), wanted);
            if (!found && found.error().code == "WRONGTYPE"_L1)
                continue; // a finding of its own
            if (!found)
                return passOn(found);
            for (const QByteArray &id : *found)
                facts[id].places.prepend(Place{state, {}, {}});
        }
        return {};
    }
    [[nodiscard]] Result<void> addMessages(FactsReading &look)
    {
        QList<RedisCommand> commands;
        QByteArrayList asked;
        qint64 sum = 0;
        const auto flush = [&]() -> Result<void> {
            const auto replies = TRY(ask(m_connection, commands, m_doing));
            for (qsizetype i = 0; i < asked.size(); ++i) {
                if (takeMessage(replies.at(i).bytes, look.facts[asked.at(i)]))
                    continue;
                look.facts.remove(asked.at(i));
                look.moving += asked.at(i);
            }
            commands.clear();
            asked.clear();
            sum = 0;
            return {};
        };
        const QByteArrayList ids = look.facts.keys();
        for (const QByteArray &id : ids) {
            const qint64 bytes = look.facts.value(id).messageBytes;
            if (bytes == 0 || bytes > mostMessageBytes)
                continue;
            if (sum + bytes > mostMessageBytes || asked.size() >= factsAtOnce) {
                TRY(flush());
            }
            commands += {"HGET", m_keys.task(id), "msg"};
            asked += id;
            sum += bytes;
        }
        return flush();
    }

    RedisConnection &m_connection;
    const QueueKeys m_keys;
    const Suspects &m_suspects;
    const QByteArrayList m_ids;
    const QString m_doing;
    QByteArrayList m_sets; ///< aggregation sets
};

} // namespace

bool takeMessage(const QByteArray &bytes, TaskFacts &facts)
{
    if (bytes.size() != facts.messageBytes)
        return false;
    facts.digest = digestOf(bytes);
    const auto message = decode(bytes);
    facts.decodable = message.has_value();
    if (message) {
        describe(*message, 0, facts.message);
        if (!message->uniqueKey.isEmpty())
            facts.uniqueKey = message->uniqueKey.toUtf8();
    }
    return true;
}

Result<FactsReading> readFacts(RedisConnection &connection, const QueueName &queue,
                               const Suspects &suspects)
{
    return FactsReader(connection, queue, suspects).look();
}

} // namespace outbox::asynq
