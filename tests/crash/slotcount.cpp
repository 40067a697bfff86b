// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/slotcount.h"

#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/cluster/slots.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 idsAtOnce = 1000;
const QString countingTasks = u"counting the tasks of a cluster"_s;

/// One list of a queue, and what its tasks must say of themselves.
struct IdList
{
    QByteArray key;
    QByteArray state;
    bool isSorted = false; ///< a sorted set
};

QList<IdList> listsOf(const asynq::QueueKeys &keys)
{
    return {{keys.pending(), "pending", false},    {keys.active(), "active", false},
            {keys.scheduled(), "scheduled", true}, {keys.retry(), "retry", true},
            {keys.archived(), "archived", true},   {keys.completed(), "completed", true}};
}

class SlotWalk
{
public:
    SlotWalk(ClusterWorld &world, const SlotRows &rows)
        : m_world(world), m_rows(rows), m_listed(size_t(rows.rows) + 1, 0),
          m_tasks(size_t(rows.rows) + 1, 0)
    { }
    [[nodiscard]] Result<void> walkNode(int node);
    [[nodiscard]] Result<void> walkQueue(int queue);
    [[nodiscard]] SlotCount sum(const QSet<qint64> &left);

private:
    /// The row of a task; 0 where there is none, or its queue is another one.
    [[nodiscard]] qint64 rowOf(const QByteArray &id, int queue) const;
    void note(std::vector<quint8> &seen, qint64 row);
    [[nodiscard]] Result<QList<RedisReply>> ask(int node, const QList<RedisCommand> &commands);
    [[nodiscard]] Result<void> checkTasks(int node, int queue, const QByteArrayList &ids,
                                          const QByteArray &state);

    ClusterWorld &m_world;
    const SlotRows &m_rows;
    std::vector<quint8> m_listed; ///< how often, by row
    std::vector<quint8> m_tasks; ///< the same of what stands behind an id
    SlotCount m_count;
};

qint64 SlotWalk::rowOf(const QByteArray &id, int queue) const
{
    const qint64 row = id.toLongLong();
    const bool isOurs = row >= 1 && row <= m_rows.rows && QByteArray::number(row) == id;
    return isOurs && row % m_rows.queues == queue ? row : 0;
}

void SlotWalk::note(std::vector<quint8> &seen, qint64 row)
{
    if (row == 0)
        ++m_count.strays;
    else if (quint8 &times = seen[size_t(row)]; times < std::numeric_limits<quint8>::max())
        ++times;
}

Result<QList<RedisReply>> SlotWalk::ask(int node, const QList<RedisCommand> &commands)
{
    RedisConnection &hand = m_world.hand(node);
    if (const auto open = hand.ensureOpen(); !open)
        return passOn(open);
    auto replies = hand.pipeline(commands);
    if (!replies)
        return replies;
    for (const RedisReply &reply : std::as_const(*replies)) {
        if (reply.isError()) {
            return fail(Error::Kind::Protocol, countingTasks,
                        u"node %1: "_s.arg(node) + QString::fromUtf8(reply.bytes));
        }
    }
    return replies;
}

Result<void> SlotWalk::walkNode(int node)
{
    std::vector<bool> isHere(size_t(m_rows.rows) + 1, false); // SCAN may name a key twice
    QByteArray cursor = "0";
    do {
        const auto replies = ask(node,
                                 {RedisCommand{"SCAN", cursor, "MATCH", "asynq:{q*}:t:*", "COUNT",
                                               QByteArray::number(idsAtOnce)}});
        if (!replies)
            return passOn(replies);
        const QList<RedisReply> &parts = replies->first().elements;
        if (parts.size() != 2)
            return fail(Error::Kind::Protocol, countingTasks, u"SCAN has no two parts"_s);
        cursor = parts.first().bytes;
        for (const RedisReply &found : parts.last().elements) {
            const QByteArray &key = found.bytes;
            const qsizetype begin = key.indexOf("{q") + 2;
            const qsizetype end = key.indexOf("}:t:");
            bool isNumber = false;
            const int queue = key.mid(begin, end - begin).toInt(&isNumber);
            const qint64 row = isNumber ? rowOf(key.mid(end + 4), queue) : 0;
            if (row == 0 || !isHere[size_t(row)])
                note(m_tasks, row);
            isHere[size_t(row)] = true;
        }
    } while (cursor != "0");
    return {};
}

Result<void> SlotWalk::walkQueue(int queue)
{
    const asynq::QueueKeys keys(QueueName{SlotRows::queueName(queue)});
    const int node = m_world.ownerOf(slotOf(keys.pending()));
    const QList<IdList> lists = listsOf(keys);
    for (const IdList &list : lists) {
        const QByteArray range = list.isSorted ? "ZRANGE" : "LRANGE";
        QByteArrayList ids;
        for (qint64 from = 0; from == 0 || !ids.isEmpty(); from += idsAtOnce) {
            const auto replies = ask(node,
                                     {RedisCommand{range, list.key, QByteArray::number(from),
                                                   QByteArray::number(from + idsAtOnce - 1)}});
            if (!replies)
                return passOn(replies);
            ids.clear();
            for (const RedisReply &id : replies->first().elements) {
                ids += id.bytes;
                note(m_listed, rowOf(id.bytes, queue));
            }
            if (auto checked = checkTasks(node, queue, ids, list.state); !checked)
                return checked;
        }
    }
    return {};
}

Result<void> SlotWalk::checkTasks(int node, int queue, const QByteArrayList &ids,
                                  const QByteArray &state)
{
    if (ids.isEmpty())
        return {};
    const asynq::QueueKeys keys(QueueName{SlotRows::queueName(queue)});
    QList<RedisCommand> commands;
    for (const QByteArray &id : ids)
        commands += RedisCommand{"HMGET", keys.task(id), "state", "msg"};
    const auto replies = ask(node, commands);
    if (!replies)
        return passOn(replies);
    for (qsizetype at = 0; at < ids.size(); ++at) {
        const QList<RedisReply> &fields = replies->at(at).elements;
        if (fields.size() != 2 || fields.first().isNil())
            continue; // there is no task, which `walkNode` finds out
        const QByteArray payload = "row-" + ids.at(at) + '.';
        if (fields.first().bytes != state || !fields.last().bytes.contains(payload))
            ++m_count.altered;
    }
    return {};
}

SlotCount SlotWalk::sum(const QSet<qint64> &left)
{
    m_count.left = left.size();
    for (qint64 row = 1; row <= m_rows.rows; ++row) {
        const int listed = m_listed[size_t(row)];
        const int tasks = m_tasks[size_t(row)];
        if (listed > 1 || tasks > 1)
            ++m_count.doubled;
        else if ((listed == 0 || tasks == 0) && !left.contains(row))
            ++m_count.lost;
    }
    return m_count;
}

} // namespace

QString SlotRows::queueName(int queue)
{
    return u"q%1"_s.arg(queue);
}

QByteArrayList SlotRows::pendingKeys() const
{
    QByteArrayList found;
    for (int queue = 0; queue < queues; ++queue)
        found += asynq::QueueKeys(QueueName{queueName(queue)}).pending();
    return found;
}

Result<SlotCount> countSlots(ClusterWorld &world, const SlotRows &rows, const QSet<qint64> &left)
{
    SlotWalk walk(world, rows);
    const QList<int> owners = world.owners();
    for (const int node : owners) {
        if (const auto walked = walk.walkNode(node); !walked)
            return passOn(walked);
    }
    for (int queue = 0; queue < rows.queues; ++queue) {
        if (const auto walked = walk.walkQueue(queue); !walked)
            return passOn(walked);
    }
    return walk.sum(left);
}

} // namespace outbox::crash
