// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/documents/dedupkeys.h"

#include "connectors/redis/documents/redistrust.h"
#include "connectors/redis/servererror.h"

#include <QHash>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> DedupKeys::open(const RedisEndpoint &endpoint, RedisConnection::Access access,
                             const QString &clientName, const DoneKeys &keys)
{
    const QString doing = u"opening the dedup store"_s;
    m_keys = keys;
    if (keys.prefix.isEmpty())
        return fail(Error::Kind::Invalid, doing, u"its keys have no prefix"_s);
    TRY(m_link.open(endpoint, access, clientName));
    m_trust = TRY(durabilityOf(m_link, {}, keys.ttlMs > 0));
    return {};
}

Result<RedisReply> DedupKeys::askFor(const RedisCommand &command, const QString &doing)
{
    const auto askThere = [&](RedisConnection &server) -> Result<RedisReply> {
        TRY(server.ensureOpen());
        return server.command(command, doing);
    };
    return m_link.at(command.at(1), askThere);
}

Result<QSet<QString>> DedupKeys::have(const QStringList &ids)
{
    const QString doing = u"asking the dedup store for %1 ids"_s.arg(ids.size());
    QHash<RedisConnection *, QStringList> byServer;
    for (const QString &id : ids) {
        RedisConnection *server = TRY(m_link.connectionFor(key(id)));
        byServer[server] += id;
    }
    QSet<QString> found;
    for (auto part = byServer.cbegin(); part != byServer.cend(); ++part) {
        RedisConnection &server = *part.key();
        QList<RedisCommand> commands;
        for (const QString &id : part.value())
            commands += RedisCommand{"EXISTS", key(id)};
        const auto replies = server.pipeline(commands);
        if (!replies) {
            m_link.doubtMap(); // another node may have taken its place
            return passOn(replies);
        }
        for (qsizetype i = 0; i < replies->size(); ++i) {
            RedisReply reply = replies->at(i);
            if (m_link.isCluster() && concernsNode(reply)) // the slot may be elsewhere by now
                reply = TRY(askFor(commands.at(i), doing));
            if (reply.isError()) {
                return tl::unexpected(
                    errorFromReply(reply, doing, server.asker({}, m_keys.prefix + '*')));
            }
            if (reply.integer == 1)
                found.insert(part.value().at(i));
        }
    }
    return found;
}

Result<void> DedupKeys::add(const QString &id)
{
    RedisCommand command{"SET", key(id), "1"};
    if (m_keys.ttlMs > 0)
        command += {"PX", QByteArray::number(m_keys.ttlMs)};
    TRY(askFor(command, u"adding %1 to the dedup store"_s.arg(id)));
    return {};
}

} // namespace outbox
