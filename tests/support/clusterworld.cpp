// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/clusterworld.h"

#include "connectors/redis/cluster/slots.h"
#include "tests/support/freeport.h"
#include "tests/support/redishand.h"

#include <QElapsedTimer>

#include <algorithm>
#include <thread>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 readyMs = 30'000;
constexpr int mostStarts = 5; ///< a port may be taken before the server has it

const QString gettingReady = u"getting a cluster ready"_s;

/// The number behind `name` in what INFO says; -1 where there is none.
qint64 numberIn(const QByteArray &info, const QByteArray &name)
{
    const qsizetype at = info.indexOf(QByteArray("\n" + name + ':'));
    if (at < 0)
        return -1;
    const qsizetype from = at + name.size() + 2;
    return info.mid(from, info.indexOf('\r', from) - from).toLongLong();
}

} // namespace

Result<void> ClusterWorld::start(int primaries, int replicas, const RedisTls &tls)
{
    m_nodes.clear();
    m_tls = tls;
    m_primaries = primaries;
    m_owners.assign(slotCount, 0);
    for (int slot = 0; slot < slotCount; ++slot)
        m_owners[size_t(slot)] = slot * primaries / slotCount;
    for (int node = 0; node < primaries * (1 + replicas); ++node) {
        if (auto added = addNode(); !added)
            return added;
    }
    if (auto joined = join(); !joined)
        return joined;
    if (replicas > 0) {
        if (auto followed = follow(); !followed)
            return followed;
    }
    return until({"CLUSTER", "INFO"}, {"cluster_state:ok", "cluster_slots_assigned:16384"});
}

QStringList ClusterWorld::arguments(quint16 port) const
{
    return m_tls.arguments(port)
        + QStringList{u"--cluster-enabled"_s,
                      u"yes"_s,
                      u"--bind"_s,
                      u"127.0.0.1"_s,
                      u"--cluster-node-timeout"_s,
                      u"2000"_s,
                      u"--cluster-require-full-coverage"_s,
                      u"no"_s,
                      u"--repl-diskless-sync-delay"_s,
                      u"0"_s};
}

Result<void> ClusterWorld::addNode()
{
    Result<void> started;
    for (int attempt = 0; attempt < mostStarts; ++attempt) {
        auto node = std::make_unique<Node>();
        // The nodes talk to each other on a port that is 10,000 higher.
        node->port = static_cast<quint16>(freePort() % 20'000 + 10'000);
        started = node->server.start(arguments(node->port));
        if (!started && started.error().kind == Error::Kind::Unsupported)
            return started;
        if (!started)
            continue;
        if (const auto opened = openByHand(node->hand, node->server); !opened)
            return passOn(opened);
        const auto id = node->hand.command({"CLUSTER", "MYID"}, gettingReady);
        if (!id)
            return passOn(id);
        node->id = id->bytes;
        m_nodes.push_back(std::move(node));
        return {};
    }
    return started;
}

Result<void> ClusterWorld::join()
{
    for (int node = 0; node < int(m_nodes.size()); ++node) {
        QList<RedisCommand> commands{{"CLUSTER", "SET-CONFIG-EPOCH", QByteArray::number(node + 1)}};
        RedisCommand owned{"CLUSTER", "ADDSLOTS"};
        for (int slot = 0; slot < slotCount; ++slot) {
            if (ownerOf(slot) == node)
                owned += QByteArray::number(slot);
        }
        if (owned.size() > 2)
            commands += owned;
        if (node > 0)
            commands += {"CLUSTER", "MEET", "127.0.0.1", QByteArray::number(portOf(0))};
        const auto replies = hand(node).pipeline(commands);
        if (!replies)
            return passOn(replies);
        for (const RedisReply &reply : *replies) {
            if (reply.isError())
                return tl::unexpected(errorFromReply(reply, gettingReady));
        }
    }
    return until(
        {"CLUSTER", "INFO"},
        {QByteArray("cluster_known_nodes:" + QByteArray::number(qsizetype(m_nodes.size()))),
         "cluster_state:ok"});
}

Result<void> ClusterWorld::follow()
{
    for (int node = m_primaries; node < int(m_nodes.size()); ++node) {
        const QByteArray primary = m_nodes.at(size_t(node % m_primaries))->id;
        const auto done = hand(node).command({"CLUSTER", "REPLICATE", primary}, gettingReady);
        if (!done)
            return passOn(done);
    }
    for (int node = m_primaries; node < int(m_nodes.size()); ++node) {
        QElapsedTimer clock;
        clock.start();
        bool isUp = false;
        while (!isUp && clock.elapsed() < readyMs) {
            const auto told = hand(node).command({"INFO", "replication"}, gettingReady);
            isUp = told && told->bytes.contains("master_link_status:up");
            std::this_thread::yield();
        }
        if (!isUp)
            return fail(Error::Kind::Timeout, gettingReady, u"a replica does not follow"_s);
    }
    return {};
}

Result<void> ClusterWorld::until(const RedisCommand &command, const QByteArrayList &words)
{
    QElapsedTimer clock;
    clock.start();
    for (const std::unique_ptr<Node> &node : m_nodes) {
        QByteArray told;
        const auto isThere = [&told](const QByteArray &word) { return told.contains(word); };
        while (!std::all_of(words.begin(), words.end(), isThere)) {
            if (clock.elapsed() > readyMs)
                return fail(Error::Kind::Timeout, gettingReady, QString::fromUtf8(told));
            if (const auto reply = node->hand.command(command, gettingReady))
                told = reply->bytes;
            std::this_thread::yield();
        }
    }
    return {};
}

QString ClusterWorld::url() const
{
    const QString hosts = u"127.0.0.1:%1,127.0.0.1:%2"_s.arg(portOf(0)).arg(portOf(1));
    return m_tls.isUsed() ? u"rediss+cluster://%1?%2"_s.arg(hosts, m_tls.options)
                          : QString(u"redis+cluster://"_s + hosts);
}

int ClusterWorld::ownerOf(int slot) const
{
    return m_owners.at(size_t(slot));
}

QByteArray ClusterWorld::keyAt(int node, const QByteArray &name) const
{
    for (int i = 0;; ++i) {
        const QByteArray key = name + QByteArray::number(i);
        if (ownerOf(slotOf(key)) == node)
            return key;
    }
}

QList<int> ClusterWorld::owners() const
{
    QList<int> found;
    for (int node = 0; node < int(m_nodes.size()); ++node) {
        const bool hasSlots = std::find(m_owners.begin(), m_owners.end(), node) != m_owners.end();
        if (hasSlots && m_nodes.at(size_t(node))->server.isRunning())
            found += node;
    }
    return found;
}

Result<RedisReply> ClusterWorld::ask(const RedisCommand &command)
{
    for (const std::unique_ptr<Node> &node : m_nodes) {
        if (!node->server.isRunning() || !node->hand.ensureOpen())
            continue;
        const auto replies = node->hand.pipeline({RedisCommand(command)});
        if (!replies)
            return passOn(replies);
        const QByteArray word = replies->first().errorPrefix();
        if (word != "MOVED" && word != "ASK" && word != "CLUSTERDOWN")
            return replies->first();
    }
    return fail(Error::Kind::Unreachable, u"asking the cluster"_s, u"no node answers for that"_s);
}

qint64 ClusterWorld::number(const RedisCommand &command)
{
    const auto reply = ask(command);
    return reply && reply->kind == RedisReply::Kind::Integer ? reply->integer : -1;
}

Result<void> ClusterWorld::beginMove(int slot, int to)
{
    m_move = {QByteArray::number(slot), ownerOf(slot), to};
    const QByteArray from = m_nodes.at(size_t(m_move.from))->id;
    const auto awaited = hand(to).command({"CLUSTER", "SETSLOT", m_move.slot, "IMPORTING", from},
                                          u"moving a slot"_s);
    if (!awaited)
        return passOn(awaited);
    const auto begun
        = hand(m_move.from)
              .command({"CLUSTER", "SETSLOT", m_move.slot, "MIGRATING", m_nodes.at(size_t(to))->id},
                       u"moving a slot"_s);
    return begun ? Result<void>() : passOn(begun);
}

Result<qint64> ClusterWorld::moveKeys(int most)
{
    const auto keys
        = hand(m_move.from)
              .command({"CLUSTER", "GETKEYSINSLOT", m_move.slot, QByteArray::number(most)},
                       u"moving a slot"_s);
    if (!keys)
        return passOn(keys);
    if (!keys->elements.isEmpty()) {
        RedisCommand migrate{"MIGRATE", "127.0.0.1", QByteArray::number(portOf(m_move.to)), "", "0",
                             "5000",    "KEYS"};
        for (const RedisReply &key : keys->elements)
            migrate += key.bytes;
        if (const auto moved = hand(m_move.from).command(migrate, u"moving a slot"_s); !moved)
            return passOn(moved);
    }
    const auto left = hand(m_move.from)
                          .command({"CLUSTER", "COUNTKEYSINSLOT", m_move.slot}, u"moving a slot"_s);
    return left ? Result<qint64>(left->integer) : passOn(left);
}

Result<void> ClusterWorld::endMove()
{
    const QByteArray to = m_nodes.at(size_t(m_move.to))->id;
    QList<int> order{m_move.to, m_move.from};
    const QList<int> others = owners(); // a node that is away hears of it when it is back
    for (const int node : others) {
        if (!order.contains(node))
            order += node;
    }
    for (const int node : std::as_const(order)) {
        const auto told = hand(node).command({"CLUSTER", "SETSLOT", m_move.slot, "NODE", to},
                                             u"moving a slot"_s);
        if (!told)
            return passOn(told);
    }
    m_owners[size_t(m_move.slot.toInt())] = m_move.to;
    return {};
}

Result<void> ClusterWorld::finishMove()
{
    constexpr int most = 1000;
    Result<qint64> left = moveKeys(most);
    while (left && *left > 0)
        left = moveKeys(most);
    return left ? endMove() : passOn(left);
}

bool ClusterWorld::isKnownToAll(const QByteArray &key)
{
    const int owner = ownerOf(slotOf(key));
    const QByteArray place = ':' + QByteArray::number(portOf(owner));
    for (int node = 0; node < int(m_nodes.size()); ++node) {
        if (!server(node).isRunning())
            continue;
        if (!hand(node).ensureOpen())
            return false;
        const auto replies = hand(node).pipeline({RedisCommand{"EXISTS", key}});
        if (!replies)
            return false;
        const RedisReply &told = replies->first();
        const bool isMoved = told.errorPrefix() == "MOVED" && told.bytes.endsWith(place);
        if (node == owner ? told.isError() : !isMoved)
            return false;
    }
    return true;
}

int ClusterWorld::partnerOf(int node) const
{
    return node < m_primaries ? node + m_primaries : node - m_primaries;
}

QByteArray ClusterWorld::replicationOf(int node)
{
    if (!server(node).isRunning() || !hand(node).ensureOpen())
        return {};
    const auto told = hand(node).command({"INFO", "replication"}, u"asking a node"_s);
    return told ? told->bytes : QByteArray();
}

bool ClusterWorld::hasHeir(int dead)
{
    const int heir = partnerOf(dead);
    if (!replicationOf(heir).contains("role:master"))
        return false;
    std::replace(m_owners.begin(), m_owners.end(), dead, heir);
    return true;
}

Result<void> ClusterWorld::revive(int node)
{
    hand(node).close();
    if (auto started = server(node).start(arguments(portOf(node))); !started)
        return started;
    const auto opened = openByHand(hand(node), server(node));
    return opened ? Result<void>() : passOn(opened);
}

bool ClusterWorld::isCopy(int node)
{
    const qint64 wanted = numberIn(replicationOf(partnerOf(node)), "master_repl_offset");
    const QByteArray own = replicationOf(node);
    return wanted >= 0 && own.contains("role:slave") && own.contains("master_link_status:up")
        && numberIn(own, "slave_repl_offset") >= wanted;
}

} // namespace outbox
