// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/redistrust.h"

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

} // namespace

Result<StoreDurability> durabilityOf(RedisConnection &connection, bool keysExpire)
{
    QByteArray info;
    for (const char *section : {"replication", "memory", "persistence"}) {
        const auto reply = TRY(connection.command({"INFO", section}, u"asking what Redis keeps"_s));
        info += reply.bytes + "\r\n";
    }
    const QByteArray policy = field(info, "maxmemory_policy");
    const bool evicts = policy.startsWith("allkeys") || (keysExpire && policy != "noeviction");
    if (field(info, "role") != "master") {
        return StoreDurability{
            false,
            u"This Redis is a replica: what it answers may be stale, and a message "
            "could run twice"_s};
    }
    if (evicts) {
        return StoreDurability{
            false,
            u"This Redis may evict records before their time (%1): a message could "
            "run twice"_s.arg(QString::fromLatin1(policy))};
    }
    const bool isKept = field(info, "aof_enabled") == "1";
    return StoreDurability{
        true,
        isKept ? u"Redis, primary server: every read sees what was written before; "
                 "what the last second wrote may be lost with its host, and then a "
                 "message could run twice"_s
               : u"Redis, primary server: every read sees what was written before; "
                 "without an append-only file a restart forgets records, and then a "
                 "message could run twice"_s};
}

} // namespace outbox
