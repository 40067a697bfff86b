// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/documents/redistrust.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray field(const QByteArray &info, const QByteArray &name)
{
    const QByteArray begin = name + ':';
    for (const QByteArray &line : info.split('\n')) {
        if (line.startsWith(begin))
            return line.mid(begin.size()).trimmed();
    }
    return {};
}

/// Those that have keys of the store, or may have them.
Result<QList<RedisConnection *>> serversWith(ClusterLink &link, const QByteArray &key)
{
    if (key.isEmpty())
        return link.allNodes();
    RedisConnection *server = TRY(link.connectionFor(key));
    return QList<RedisConnection *>{server};
}

/// What one server says of itself.
Result<QByteArray> durabilityFields(RedisConnection &connection)
{
    const QString doing = u"asking what Redis keeps"_s;
    auto replies
        = connection.pipeline({RedisCommand{"INFO", "replication"}, RedisCommand{"INFO", "memory"},
                               RedisCommand{"INFO", "persistence"}});
    if (!replies) {
        replies.error().doing = doing;
        return passOn(replies);
    }
    QByteArray info;
    for (const RedisReply &reply : std::as_const(*replies)) {
        if (reply.isError())
            return tl::unexpected(errorFromReply(reply, doing, connection.asker()));
        info += reply.bytes + "\r\n";
    }
    return info;
}

/// Why a server cannot be relied on; empty where it can.
QString whyUnreliable(const QByteArray &info, bool keysExpire)
{
    const QByteArray policy = field(info, "maxmemory_policy");
    const bool evicts = policy.startsWith("allkeys") || (keysExpire && policy != "noeviction");
    if (field(info, "role") != "master") {
        return u"This Redis is a replica: what it answers may be stale, and a message "
               "could run twice"_s;
    }
    if (evicts) {
        return u"This Redis may evict records before their time (%1): a message could "
               "run twice"_s.arg(QString::fromLatin1(policy));
    }
    return {};
}

QString wordsOfServer(bool isKept)
{
    return isKept ? u"Redis, primary server: every read sees what was written before; "
                    "what the last second wrote may be lost with its host, and then a "
                    "message could run twice"_s
                  : u"Redis, primary server: every read sees what was written before; "
                    "without an append-only file a restart forgets records, and then a "
                    "message could run twice"_s;
}

QString wordsOfCluster(bool isKept)
{
    return isKept ? u"Redis Cluster, its primaries: what was written last may be lost with a node, "
                    "or when a replica takes its place, and then a message could run twice"_s
                  : u"Redis Cluster, its primaries: without an append-only file a node that "
                    "restarts forgets records, and so does a replica that takes its place those "
                    "that were written last; then a message could run twice"_s;
}

} // namespace

Result<StoreDurability> durabilityOf(ClusterLink &link, const QByteArray &key, bool keysExpire)
{
    const auto servers = TRY(serversWith(link, key));
    bool isKept = true;
    for (RedisConnection *server : servers) {
        const QByteArray info = TRY(durabilityFields(*server));
        if (const QString why = whyUnreliable(info, keysExpire); !why.isEmpty()) {
            const QString where
                = link.isCluster() ? addressOf(*server).text() + u": "_s : QString();
            return StoreDurability{false, where + why};
        }
        isKept = isKept && field(info, "aof_enabled") == "1";
    }
    return StoreDurability{true, link.isCluster() ? wordsOfCluster(isKept) : wordsOfServer(isKept)};
}

} // namespace outbox
