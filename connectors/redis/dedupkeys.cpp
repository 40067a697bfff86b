// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/dedupkeys.h"

#include "connectors/redis/redistrust.h"
#include "connectors/redis/servererror.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> DedupKeys::open(const RedisEndpoint &endpoint, RedisConnection::Access access,
                             const QString &clientName, const DoneKeys &keys)
{
    const QString doing = u"opening the dedup store"_s;
    m_keys = keys;
    if (keys.prefix.isEmpty())
        return fail(Error::Kind::Invalid, doing, u"its keys have no prefix"_s);
    TRY(m_connection.open(endpoint, access, clientName));
    m_trust = TRY(durabilityOf(m_connection, keys.ttlMs > 0));
    return {};
}

Result<QSet<QString>> DedupKeys::have(const QStringList &ids)
{
    const QString doing = u"asking the dedup store for %1 ids"_s.arg(ids.size());
    QSet<QString> found;
    QList<RedisCommand> commands;
    for (const QString &id : ids)
        commands += RedisCommand{"EXISTS", key(id)};
    if (commands.isEmpty())
        return found;
    TRY(m_connection.ensureOpen());
    const auto replies = TRY(m_connection.pipeline(commands));
    for (qsizetype i = 0; i < ids.size(); ++i) {
        if (replies.at(i).isError())
            return tl::unexpected(
                errorFromReply(replies.at(i), doing, m_connection.asker({}, m_keys.prefix + '*')));
        if (replies.at(i).integer == 1)
            found.insert(ids.at(i));
    }
    return found;
}

Result<void> DedupKeys::add(const QString &id)
{
    RedisCommand command{"SET", key(id), "1"};
    if (m_keys.ttlMs > 0)
        command += {"PX", QByteArray::number(m_keys.ttlMs)};
    TRY(m_connection.ensureOpen());
    TRY(m_connection.command(command, u"adding %1 to the dedup store"_s.arg(id)));
    return {};
}

} // namespace outbox
