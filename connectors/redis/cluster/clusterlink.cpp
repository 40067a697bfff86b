// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/cluster/clusterlink.h"

#include "connectors/redis/cluster/slots.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto mapTimeout = 1s;
constexpr int mapAgainMs = 1000;
/// Waiting for a node that does not answer takes at most a fifth of the time.
constexpr qint64 restFactor = 4;

/// What an error was made of, as far as it has a word for a cluster.
RedisReply replyOf(const Error &error)
{
    return {RedisReply::Kind::Error, 0, error.text.toUtf8(), {}};
}

} // namespace

bool concernsNode(const RedisReply &reply)
{
    static const QSet<QByteArray> words{"MOVED",       "ASK",     "TRYAGAIN",
                                        "CLUSTERDOWN", "LOADING", "MASTERDOWN",
                                        "READONLY",    "BUSY",    "UNKILLABLE"};
    return reply.isError() && words.contains(errorWord(reply));
}

bool concernsNode(const Error &error)
{
    return concernsNode(replyOf(error));
}

HostPort addressOf(const RedisConnection &connection)
{
    return {connection.endpoint().host, connection.endpoint().port};
}

ClusterLink::ClusterLink() = default;

ClusterLink::~ClusterLink() = default;

Result<void> ClusterLink::open(const RedisEndpoint &endpoint, RedisConnection::Access access,
                               const QString &clientName, std::chrono::milliseconds timeout)
{
    close();
    m_nodes.clear();
    m_endpoint = endpoint;
    m_access = access;
    m_clientName = clientName;
    m_timeout = timeout;
    m_map = {};
    m_told = {};
    m_mayAsk = true;
    return isCluster() ? readMap() : m_alone.open(endpoint, access, clientName, timeout);
}

void ClusterLink::close()
{
    m_alone.close();
    for (const std::unique_ptr<Node> &node : m_nodes)
        node->connection.close();
    m_hasMap = false;
    m_isDoubted = false;
}

bool ClusterLink::isOpen() const
{
    return isCluster() ? m_hasMap : m_alone.isOpen();
}

Result<void> ClusterLink::ensureOpen()
{
    if (!isCluster())
        return m_alone.ensureOpen();
    const bool isDue = !m_hasMap || (m_isDoubted && m_sinceMap.hasExpired(mapAgainMs));
    if (!isDue)
        return {};
    const Result<void> read = readMap();
    return m_hasMap ? Result<void>() : read;
}

Result<RedisConnection *> ClusterLink::connectionFor(const QByteArray &key)
{
    TRY(ensureOpen());
    if (!isCluster())
        return &m_alone;
    Node *node = TRY(ownerOf(key));
    TRY(connect(*node));
    return &node->connection;
}

RedisConnection *ClusterLink::openConnectionFor(const QByteArray &key)
{
    if (!isCluster())
        return m_alone.isOpen() ? &m_alone : nullptr;
    const HostPort owner = m_map.ownerOf(slotOf(key)).value_or(m_told);
    const auto known = std::find_if(m_nodes.cbegin(), m_nodes.cend(),
                                    [&](const auto &node) { return node->address == owner; });
    const bool isConnected = known != m_nodes.cend() && (*known)->connection.isOpen();
    return isConnected ? &(*known)->connection : nullptr;
}

bool ClusterLink::isAt(const QByteArray &key, const RedisConnection &connection) const
{
    const auto owner = m_map.ownerOf(slotOf(key));
    return owner ? *owner == addressOf(connection) : !m_mayAsk;
}

Result<QList<RedisConnection *>> ClusterLink::nodes()
{
    std::optional<Error> missing;
    return nodes(missing);
}

Result<QList<RedisConnection *>> ClusterLink::nodes(std::optional<Error> &missing)
{
    missing.reset();
    TRY(ensureOpen());
    if (!isCluster())
        return QList<RedisConnection *>{&m_alone};
    const QString doing = u"asking the nodes of "_s + m_endpoint.shown();
    if (const int without = m_map.countWithoutOwner(); without > 0) {
        missing = Error{Error::Kind::Unreachable,
                        doing,
                        m_mayAsk ? u"no node is known to have %1 of the slots"_s.arg(without)
                                 : u"this user may not ask which nodes there are"_s,
                        {},
                        m_mayAsk ? QString() : u"ACL SETUSER … +cluster|slots"_s};
    }
    QList<HostPort> primaries = m_map.primaries();
    if (primaries.isEmpty() && !m_mayAsk)
        primaries += m_told;
    QList<RedisConnection *> reached;
    for (const HostPort &address : std::as_const(primaries)) {
        Node &node = nodeAt(address);
        if (auto connected = connect(node))
            reached += &node.connection;
        else
            missing = connected.error();
    }
    if (!reached.isEmpty())
        return reached;
    return tl::unexpected(
        missing.value_or(Error{Error::Kind::Unreachable, doing, u"no node has a slot"_s, {}, {}}));
}

Result<QList<RedisConnection *>> ClusterLink::allNodes()
{
    std::optional<Error> missing;
    auto reached = nodes(missing);
    if (missing)
        return tl::unexpected(*missing);
    return reached;
}

Result<void> ClusterLink::readMap()
{
    m_sinceMap.start();
    m_isDoubted = true;
    std::optional<Error> failure;
    for (const HostPort &address : addresses()) {
        QElapsedTimer clock;
        clock.start();
        auto map = mapOf(address);
        if (!map) {
            nodeAt(address).rest = QDeadlineTimer(restFactor * clock.elapsed());
            if (!failure)
                failure = map.error();
            continue;
        }
        m_map = *std::move(map);
        m_told = address;
        m_hasMap = true;
        m_isDoubted = false;
        const QList<HostPort> primaries = m_map.primaries();
        for (const std::unique_ptr<Node> &node : m_nodes) {
            if (m_mayAsk && !primaries.contains(node->address))
                node->connection.close();
        }
        return {};
    }
    return tl::unexpected(*failure); // a Cluster has a seed
}

Result<SlotMap> ClusterLink::mapOf(const HostPort &node)
{
    const QString doing = u"asking %1 who has which slots"_s.arg(m_endpoint.ofNode(node).shown());
    RedisConnection asked;
    TRY(asked.open(m_endpoint.ofNode(node), RedisConnection::Access::ReadOnly, m_clientName,
                   mapTimeout));
    const auto replies = TRY(asked.pipeline({RedisCommand{"CLUSTER", "SLOTS"}}));
    const RedisReply &reply = replies.first();
    if (!reply.isError()) {
        m_mayAsk = true;
        auto map = TRY(SlotMap::fromReply(reply, node));
        if (!map.primaries().isEmpty())
            return map;
        return fail(Error::Kind::Unreachable, doing, u"it knows of no node with slots"_s);
    }
    if (errorWord(reply) == "NOPERM") {
        m_mayAsk = false;
        SlotMap known = m_map; // a node that is lost is forgotten: who has its slots says MOVED
        for (const std::unique_ptr<Node> &one : m_nodes) {
            if (!one->connection.isOpen())
                known.forget(one->address);
        }
        return known;
    }
    if (reply.bytes.contains("cluster support disabled"))
        return fail(Error::Kind::Refused, doing, u"this Redis is no Cluster"_s, {},
                    u"Name it redis://HOST:PORT/DB"_s);
    return tl::unexpected(errorFromReply(reply, doing, asked.asker()));
}

QList<HostPort> ClusterLink::addresses() const
{
    const QList<HostPort> primaries = m_map.primaries();
    QList<HostPort> known = primaries + m_endpoint.seeds;
    for (const HostPort &primary : primaries)
        known += m_map.replicasOf(primary);
    // Another node than the last time: what that one says may be why the map is doubted.
    if (known.removeAll(m_told) > 0)
        known += m_told;
    const auto isResting = [this](const HostPort &address) {
        return std::any_of(m_nodes.cbegin(), m_nodes.cend(), [&](const auto &node) {
            return node->address == address && !node->rest.hasExpired();
        });
    };
    std::stable_partition(known.begin(), known.end(),
                          [&](const HostPort &address) { return !isResting(address); });
    QList<HostPort> found;
    for (const HostPort &address : std::as_const(known)) {
        if (!found.contains(address))
            found += address;
    }
    return found;
}

ClusterLink::Node &ClusterLink::nodeAt(const HostPort &address)
{
    const auto known = std::find_if(m_nodes.begin(), m_nodes.end(),
                                    [&](const auto &node) { return node->address == address; });
    if (known != m_nodes.end())
        return **known;
    m_nodes.push_back(std::make_unique<Node>());
    m_nodes.back()->address = address;
    return *m_nodes.back();
}

Result<ClusterLink::Node *> ClusterLink::ownerOf(const QByteArray &key)
{
    const int slot = slotOf(key);
    const auto owner = m_map.ownerOf(slot);
    if (!owner && m_mayAsk) {
        m_isDoubted = true;
        return fail(Error::Kind::Unreachable, u"looking for the node of a key"_s,
                    u"no node of the cluster has slot %1"_s.arg(slot), u"CLUSTERDOWN"_s);
    }
    return &nodeAt(owner.value_or(m_told));
}

Result<void> ClusterLink::connect(Node &node)
{
    if (!node.connection.isOpen() && !node.rest.hasExpired())
        return fail(Error::Kind::Unreachable,
                    u"connecting to Redis at "_s + m_endpoint.ofNode(node.address).shown(),
                    u"it did not answer just now"_s);
    QElapsedTimer clock;
    clock.start();
    auto connected = node.connection.timesConnected() > 0
        ? node.connection.ensureOpen()
        : node.connection.open(m_endpoint.ofNode(node.address), m_access, m_clientName, m_timeout);
    if (!connected) {
        m_isDoubted = true;
        node.rest = QDeadlineTimer(restFactor * clock.elapsed());
    }
    return connected;
}

bool ClusterLink::follow(const RedisReply &reply, const RedisConnection &from)
{
    if (!m_map.follow(reply, addressOf(from)))
        return false;
    m_isDoubted = true;
    return true;
}

bool ClusterLink::isElsewhere(const Error &error, const RedisConnection &from, int hop)
{
    const RedisReply reply = replyOf(error);
    const bool isPassing = error.kind == Error::Kind::Unreachable || concernsNode(reply);
    m_isDoubted = m_isDoubted || isPassing;
    return hop < mostHops && follow(reply, from);
}

Error ClusterLink::ofCluster(const Error &error)
{
    if (concernsNode(error)) {
        return {Error::Kind::Unreachable, error.doing, error.text, error.code,
                u"The cluster moves these keys, or a node changes its role: look again"_s};
    }
    if (error.kind == Error::Kind::Unsupported) // which a system without a queue answers
        return {Error::Kind::Refused, error.doing, error.text, error.code, error.hint};
    return error;
}

} // namespace outbox
