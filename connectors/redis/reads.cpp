// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/reads.h"

#include <QSet>

namespace outbox {

bool onlyReads(const QByteArrayList &command)
{
    static const QSet<QByteArray> reads{
        "DBSIZE", "ECHO",          "EXISTS", "GET",       "GETRANGE", "HEXISTS",
        "HGET",   "HLEN",          "HMGET",  "HSCAN",     "HSTRLEN",  "INFO",
        "LINDEX", "LLEN",          "LPOS",   "LRANGE",    "MGET",     "PING",
        "PTTL",   "SCAN",          "SCARD",  "SISMEMBER", "SSCAN",    "STRLEN",
        "TIME",   "TTL",           "TYPE",   "ZCARD",     "ZCOUNT",   "ZRANDMEMBER",
        "ZRANGE", "ZRANGEBYSCORE", "ZRANK",  "ZREVRANGE", "ZSCAN",    "ZSCORE",
    };
    static const QSet<QByteArray> readsByTwoWords{
        "CLIENT ID",         "CLIENT GETNAME",     "CLIENT SETNAME",
        "CLUSTER SLOTS",     "MEMORY USAGE",       "OBJECT ENCODING",
        "SENTINEL MASTER",   "SENTINEL MASTERS",   "SENTINEL GET-MASTER-ADDR-BY-NAME",
        "SENTINEL REPLICAS", "SENTINEL SENTINELS",
    };
    if (command.isEmpty())
        return false;
    const QByteArray name = command.first().toUpper();
    if (reads.contains(name))
        return true;
    return command.size() > 1 && readsByTwoWords.contains(name + ' ' + command.at(1).toUpper());
}

} // namespace outbox
