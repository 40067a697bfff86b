// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/scalingservers.h"

#include "app/settings/opening.h"
#include "app/system/sources/target.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/cluster/slots.h"
#include "tests/bench/benchreport.h"
#include "tests/support/freeport.h"
#include "tests/support/newlife.h"
#include "tests/support/redishand.h"

#include <QSet>

#include <chrono>
#include <limits>
#include <utility>
#include <vector>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostNames = 1000; ///< of queues that are tried; two of nine triples are even
constexpr qint64 idsAtOnce = 5000;
constexpr std::chrono::seconds emptyingWithin(60);
/// The last part of an id is the number of its row, in hexadecimal.
constexpr int numberDigits = 12;

const QString countingAll = u"counting rows and tasks"_s;

QByteArrayList tableNames(const ScalingRoute &route)
{
    QByteArrayList names;
    for (int outbox = 0; outbox < route.outboxes; ++outbox)
        names += ScalingServers::tableName(outbox);
    return names;
}

/// Where each row was met.
class RowLedger
{
public:
    explicit RowLedger(qint64 rows) : m_left(size_t(rows) + 1, 0), m_tasks(size_t(rows) + 1, 0) { }

    void noteRow(const QByteArray &id) { note(m_left, id); }
    void noteTask(const QByteArray &id) { note(m_tasks, id); }
    /// So many ids that are listed have no task behind them.
    void noteEmpty(qint64 ids) { m_empty += ids; }
    [[nodiscard]] Result<void> verdict() const
    {
        qint64 lost = 0;
        qint64 doubled = 0;
        for (size_t row = 1; row < m_left.size(); ++row) {
            lost += m_left[row] == 0 && m_tasks[row] == 0 ? 1 : 0;
            doubled += m_tasks[row] > 1 ? 1 : 0;
        }
        if (lost + doubled + m_strays + m_empty == 0)
            return {};
        return fail(Error::Kind::Conflict, countingAll,
                    u"%1 rows lost, %2 doubled; %3 ids of no row, %4 without a task"_s.arg(
                        QString::number(lost), QString::number(doubled), QString::number(m_strays),
                        QString::number(m_empty)));
    }

private:
    void note(std::vector<quint8> &seen, const QByteArray &id)
    {
        bool isNumber = false;
        const qint64 row = id.right(numberDigits).toLongLong(&isNumber, 16);
        if (!isNumber || row < 1 || size_t(row) >= seen.size())
            ++m_strays;
        else if (quint8 &times = seen[size_t(row)]; times < std::numeric_limits<quint8>::max())
            ++times;
    }

    std::vector<quint8> m_left; ///< how often in an outbox, by number
    std::vector<quint8> m_tasks; ///< the same of the lists of queues
    qint64 m_strays = 0;
    qint64 m_empty = 0;
};

Result<void> noteTasks(RedisConnection &hand, const QString &queue, RowLedger &ledger)
{
    const asynq::QueueKeys keys(QueueName{queue});
    qsizetype found = idsAtOnce;
    for (qint64 from = 0; found == idsAtOnce; from += idsAtOnce) {
        const auto ids = TRY(hand.command({"LRANGE", keys.pending(), QByteArray::number(from),
                                           QByteArray::number(from + idsAtOnce - 1)},
                                          countingAll));
        found = ids.elements.size();
        if (found == 0)
            break;
        RedisCommand exist{"EXISTS"};
        for (const RedisReply &id : ids.elements) {
            ledger.noteTask(id.bytes);
            exist += keys.task(id.bytes);
        }
        const auto existing = TRY(hand.command(exist, countingAll));
        ledger.noteEmpty(found - existing.integer);
    }
    return {};
}

} // namespace

QByteArray ScalingServers::tableName(int outbox)
{
    QByteArray name = "outbox";
    if (outbox > 0)
        name += '_' + QByteArray::number(outbox + 1);
    return name;
}

QString ScalingServers::taskId(qint64 number)
{
    return u"7e57d004-2b97-4e7a-b45f-"_s
        + QString::number(number, 16).rightJustified(numberDigits, u'0');
}

Result<void> ScalingServers::start(qint64 rows)
{
    m_rows = rows;
    TRY(m_postgres.start({}, true));
    m_redisPort = freePort();
    TRY(m_redis.start({u"--port"_s, QString::number(m_redisPort), u"--bind"_s, u"127.0.0.1"_s}));
    TRY(m_cluster.start(nodes));
    TRY(m_hand.open(m_postgres));
    TRY(m_hand.run("SET client_min_messages = warning")); // not a line for each table that is new
    TRY(openByHand(m_redisHand, m_redis));
    TRY(makeSeed());
    return makeMappings();
}

Result<void> ScalingServers::makeSeed()
{
    // Version 7, in the order of the rows' numbers, which stand in the last part.
    const QByteArray id = "(lpad(to_hex(1795225841000 + n / 10), 12, '0') || '7'"
                          " || lpad(to_hex(n % 10 * 400), 3, '0') || '8000'"
                          " || lpad(to_hex(n), 12, '0'))::uuid";
    const QByteArray payload = "convert_to(rpad('{\"n\":' || n || '}', 200, ' '), 'UTF8')";
    TRY(m_hand.run("CREATE UNLOGGED TABLE seed AS SELECT n, " + id
                   + " AS id, 'mail:deliver'::text AS type, " + payload
                   + " AS payload FROM generate_series(1, " + QByteArray::number(m_rows)
                   + ") AS n"));
    return {};
}

Result<void> ScalingServers::makeMappings()
{
    const ScalingRoute one{};
    TRY(clear(one));
    TRY(fill(one));
    OutboxStore store;
    StoreSettings settings;
    settings.url = TRY(DatabaseUrl::fromUrl(databaseUrl()));
    settings.applicationName = u"bench"_s;
    TRY(store.open(settings));
    OutboxShape shape = TRY(takeShape(store, Profile()));
    shape.use = OutboxShape::Use::Relay;
    shape.confirmed = u"by the benchmark"_s;
    TRY(writeTo(mappingFile(one, 0), shapeFileText(shape)));
    const ScalingRoute several{mostOutboxes, TaskPlace::Cluster};
    for (int outbox = 0; outbox < mostOutboxes; ++outbox) {
        shape.table.table = QString::fromLatin1(tableName(outbox));
        shape.queueShards = TRY(evenShards(outbox));
        m_shards += shape.queueShards;
        TRY(writeTo(mappingFile(several, outbox), shapeFileText(shape)));
    }
    return {};
}

Result<QueueShards> ScalingServers::evenShards(int outbox)
{
    for (int attempt = 0; attempt < mostNames; ++attempt) {
        const QString name = u"outbox%1-%2-"_s.arg(outbox + 1).arg(attempt);
        const QueueShards shards{name, {}, nodes, {}};
        QSet<int> owners;
        for (const QString &queue : shards.names())
            owners += nodeOf(TaskPlace::Cluster, queue);
        if (owners.size() == nodes)
            return shards;
    }
    return fail(Error::Kind::Invalid, u"naming queues"_s, u"none lie on one node each"_s);
}

Result<void> ScalingServers::clear(const ScalingRoute &route)
{
    QByteArray sql
        = "DROP TABLE IF EXISTS " + tableNames({mostOutboxes, TaskPlace::Redis}).join(", ");
    for (const QByteArray &table : tableNames(route)) {
        sql += "; CREATE TABLE " + table
            + " (id uuid PRIMARY KEY, type text NOT NULL, payload bytea NOT NULL)";
    }
    TRY(m_hand.run(sql));
    const QString doing = u"emptying the queues"_s;
    if (!forgetLives(m_folder.path()))
        return fail(Error::Kind::Invalid, doing, u"the relays' memory could not be removed"_s);
    QList<RedisConnection *> hands{&m_redisHand};
    for (int node = 0; node < nodes; ++node)
        hands += &m_cluster.hand(node);
    for (RedisConnection *hand : std::as_const(hands)) {
        const auto emptied
            = TRY(hand->pipeline({RedisCommand{"FLUSHALL", "SYNC"}}, emptyingWithin));
        if (emptied.first().isError())
            return tl::unexpected(errorFromReply(emptied.first(), doing));
    }
    return {};
}

Result<void> ScalingServers::fill(const ScalingRoute &route)
{
    for (int outbox = 0; outbox < route.outboxes; ++outbox) {
        TRY(m_hand.run("INSERT INTO " + tableName(outbox)
                       + " SELECT id, type, payload FROM seed WHERE n % "
                       + QByteArray::number(route.outboxes) + " = " + QByteArray::number(outbox)));
        TRY(m_hand.run("VACUUM ANALYZE " + tableName(outbox)));
    }
    TRY(m_hand.run("CHECKPOINT"));
    return {};
}

QString ScalingServers::queueUrl(TaskPlace place) const
{
    return place == TaskPlace::Cluster ? m_cluster.url()
                                       : u"redis://127.0.0.1:%1"_s.arg(m_redisPort);
}

QString ScalingServers::mappingFile(const ScalingRoute &route, int outbox) const
{
    return m_folder.filePath(route.outboxes == 1 ? u"alone.json"_s
                                                 : u"outbox-%1.json"_s.arg(outbox));
}

QStringList ScalingServers::relayArguments(const ScalingRoute &route, int outbox) const
{
    return {u"--json"_s,
            u"--database"_s,
            databaseUrl(),
            u"--shape"_s,
            mappingFile(route, outbox),
            u"--redis"_s,
            queueUrl(route.to),
            u"--config-dir"_s,
            m_folder.path(),
            u"--state-dir"_s,
            m_folder.path()};
}

QStringList ScalingServers::queuesOf(const ScalingRoute &route, int outbox) const
{
    return route.outboxes == 1 ? QStringList{u"default"_s} : m_shards.at(outbox).names();
}

int ScalingServers::nodeOf(TaskPlace place, const QString &queue) const
{
    if (place == TaskPlace::Redis)
        return 0;
    return m_cluster.ownerOf(slotOf(asynq::QueueKeys(QueueName{queue}).pending()));
}

RedisConnection &ScalingServers::handOf(TaskPlace place, int node)
{
    return place == TaskPlace::Redis ? m_redisHand : m_cluster.hand(node);
}

CpuSpent ScalingServers::cpu(TaskPlace place)
{
    CpuSpent spent{cpuSecondsOfTree(m_postgres.pid()), 0, 0};
    if (place == TaskPlace::Redis) {
        spent.redis = cpuSecondsOfTree(m_redis.pid());
        return spent;
    }
    for (int node = 0; node < nodes; ++node)
        spent.redis += cpuSecondsOfTree(m_cluster.server(node).pid());
    return spent;
}

Result<QList<qint64>> ScalingServers::waitingTasks(const ScalingRoute &route)
{
    QList<QList<RedisCommand>> asked(route.to == TaskPlace::Redis ? 1 : nodes);
    for (int outbox = 0; outbox < route.outboxes; ++outbox) {
        for (const QString &queue : queuesOf(route, outbox)) {
            asked[nodeOf(route.to, queue)]
                += RedisCommand{"LLEN", asynq::QueueKeys(QueueName{queue}).pending()};
        }
    }
    QList<qint64> waiting;
    for (int node = 0; node < int(asked.size()); ++node) {
        waiting += 0;
        const auto lengths = TRY(handOf(route.to, node).pipeline(asked.at(node)));
        for (const RedisReply &length : lengths) {
            if (length.isError())
                return tl::unexpected(errorFromReply(length, countingAll));
            waiting.last() += length.integer;
        }
    }
    return waiting;
}

Result<void> ScalingServers::awaitCommits(const ScalingRoute &route)
{
    // This lock waits for everybody who has written, and lets nobody else wait for long.
    TRY(m_hand.run("BEGIN; LOCK TABLE " + tableNames(route).join(", ") + " IN SHARE MODE; COMMIT"));
    return {};
}

Result<qint64> ScalingServers::rowsLeft(const ScalingRoute &route)
{
    qint64 left = 0;
    for (const QByteArray &table : tableNames(route))
        left += TRY(m_hand.number("SELECT count(*) FROM " + table));
    return left;
}

Result<void> ScalingServers::expectOnce(const ScalingRoute &route)
{
    RowLedger ledger(m_rows);
    for (int outbox = 0; outbox < route.outboxes; ++outbox) {
        const auto ids = TRY(m_hand.run("SELECT id FROM " + tableName(outbox)));
        for (int row = 0; row < PQntuples(ids.get()); ++row)
            ledger.noteRow(PQgetvalue(ids.get(), row, 0));
        for (const QString &queue : queuesOf(route, outbox)) {
            TRY(noteTasks(handOf(route.to, nodeOf(route.to, queue)), queue, ledger));
        }
    }
    return ledger.verdict();
}

} // namespace outbox
