// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/addressparser.h"

#include "connectors/redis/endpoint.h"
#include "connectors/sql/driver/databaseurl.h"

#include <QUrl>

#include <limits>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString portsOfHosts = u"port"_s;

DatabaseParts::Kind kindOf(DatabaseUrl::Dialect dialect)
{
    switch (dialect) {
    case DatabaseUrl::Dialect::PostgreSql:
        return DatabaseParts::Kind::PostgreSql;
    case DatabaseUrl::Dialect::MariaDb:
        return DatabaseParts::Kind::MariaDb;
    case DatabaseUrl::Dialect::Sqlite:
        break;
    }
    return DatabaseParts::Kind::Sqlite;
}

DatabaseUrl::Dialect dialectOf(DatabaseParts::Kind kind)
{
    switch (kind) {
    case DatabaseParts::Kind::PostgreSql:
        return DatabaseUrl::Dialect::PostgreSql;
    case DatabaseParts::Kind::MariaDb:
        return DatabaseUrl::Dialect::MariaDb;
    case DatabaseParts::Kind::Sqlite:
        break;
    }
    return DatabaseUrl::Dialect::Sqlite;
}

std::optional<DatabaseParts> databasePartsOf(const QString &address)
{
    if (address.trimmed().isEmpty())
        return DatabaseParts();
    const auto url = DatabaseUrl::fromUrl(address);
    if (!url)
        return std::nullopt;
    const QString port = url->port > 0 ? QString::number(url->port) : QString();
    return DatabaseParts{kindOf(url->dialect), url->host,
                         url->hasSeveralHosts() ? url->options.value(portsOfHosts) : port,
                         url->database, url->user};
}

QString databaseAddressOf(const QString &address, const DatabaseParts &parts)
{
    if (parts.host.isEmpty() && parts.port.isEmpty() && parts.database.isEmpty()
        && parts.user.isEmpty())
        return {};
    DatabaseUrl url;
    const auto before = DatabaseUrl::fromUrl(address);
    if (before && before->dialect == dialectOf(parts.kind)) // its options fit
        url = *before;
    url.dialect = dialectOf(parts.kind);
    url.host = parts.host;
    url.database = parts.database;
    url.user = parts.user;
    url.port = 0;
    url.options.remove(portsOfHosts);
    if (const int port = parts.port.toInt(); port > 0 && !url.hasSeveralHosts())
        url.port = port;
    else if (!parts.port.isEmpty()) // of several hosts, or none at all: whoever reads it says so
        url.options[portsOfHosts] = parts.port;
    return url.shown();
}

RedisParts::Kind kindOf(const RedisEndpoint &endpoint)
{
    if (endpoint.sentinels)
        return RedisParts::Kind::Sentinels;
    if (endpoint.isCluster())
        return RedisParts::Kind::Cluster;
    return endpoint.transport == RedisEndpoint::Transport::Unix ? RedisParts::Kind::Socket
                                                                : RedisParts::Kind::Server;
}

std::optional<RedisParts> redisPartsOf(const QString &address)
{
    if (address.trimmed().isEmpty())
        return RedisParts();
    const auto endpoint = RedisEndpoint::fromUrl(address.trimmed());
    if (!endpoint)
        return std::nullopt;
    RedisParts parts;
    parts.kind = kindOf(*endpoint);
    parts.user = endpoint->user;
    parts.tls = endpoint->transport == RedisEndpoint::Transport::Tls;
    if (endpoint->database != 0)
        parts.database = QString::number(endpoint->database);
    switch (parts.kind) {
    case RedisParts::Kind::Sentinels:
        parts.hosts = hostListText(endpoint->sentinels->hosts);
        parts.master = endpoint->sentinels->master;
        break;
    case RedisParts::Kind::Cluster:
        parts.hosts = hostListText(endpoint->seeds);
        break;
    case RedisParts::Kind::Socket:
        parts.hosts = endpoint->socketPath;
        break;
    case RedisParts::Kind::Server:
    case RedisParts::Kind::None:
        parts.hosts = endpoint->host;
        parts.port = QString::number(endpoint->port);
        break;
    }
    return parts;
}

/// As it was typed: whoever tries it hears what is wrong with it.
QString typedAddress(const RedisParts &parts)
{
    using Kind = RedisParts::Kind;
    if (parts.kind == Kind::Socket)
        return u"redis+unix://%1?db=%2"_s.arg(parts.hosts, parts.database);
    QString place = parts.hosts;
    if (parts.kind == Kind::Server && !parts.port.isEmpty())
        place += u':' + parts.port;
    if (parts.kind == Kind::Sentinels)
        place += u'/' + parts.master;
    if (parts.kind != Kind::Cluster && !parts.database.isEmpty())
        place += u'/' + parts.database;
    if (!parts.user.isEmpty())
        place = QString::fromLatin1(QUrl::toPercentEncoding(parts.user)) + u'@' + place;
    const QString way = parts.kind == Kind::Sentinels ? u"+sentinel"_s
        : parts.kind == Kind::Cluster                 ? u"+cluster"_s
                                                      : QString();
    return u"%1%2://%3"_s.arg(parts.tls ? u"rediss"_s : u"redis"_s, way, place);
}

/// The number in a field, `usual` where nothing stands there; nullopt where it is none that may.
std::optional<int> numberIn(const QString &field, int usual, int least, int most)
{
    if (field.isEmpty())
        return usual;
    bool isNumber = false;
    const int number = field.toInt(&isNumber);
    return isNumber && number >= least && number <= most ? std::optional(number) : std::nullopt;
}

/// What an address of the same kind says beside these parts stays; nullopt where one of them is no
/// part of an address.
std::optional<RedisEndpoint> endpointWith(const QString &address, const RedisParts &parts)
{
    using Kind = RedisParts::Kind;
    using Transport = RedisEndpoint::Transport;
    const bool isCluster = parts.kind == Kind::Cluster;
    const auto port = numberIn(parts.kind == Kind::Server ? parts.port : QString(), usualRedisPort,
                               1, std::numeric_limits<quint16>::max());
    const auto database
        = numberIn(isCluster ? QString() : parts.database, 0, 0, std::numeric_limits<int>::max());
    const auto hosts = isCluster || parts.kind == Kind::Sentinels
        ? hostsOf(parts.hosts, isCluster ? usualRedisPort : usualSentinelPort)
        : Result<QList<HostPort>>(QList<HostPort>());
    if (!port || !database || !hosts)
        return std::nullopt;
    RedisEndpoint endpoint;
    const auto before = RedisEndpoint::fromUrl(address.trimmed());
    if (before && kindOf(*before) == parts.kind)
        endpoint = *before;
    const bool wasTls = endpoint.transport == Transport::Tls;
    endpoint.user = parts.user;
    endpoint.database = *database;
    endpoint.transport = parts.tls ? Transport::Tls : Transport::Tcp;
    if (!parts.tls) { // its options cannot be said without it
        for (QString *one :
             {&endpoint.caFile, &endpoint.certificateFile, &endpoint.keyFile, &endpoint.serverName})
            one->clear();
    }
    if (parts.kind == Kind::Socket) {
        endpoint.transport = Transport::Unix;
        endpoint.socketPath = parts.hosts;
    } else if (parts.kind == Kind::Server) {
        endpoint.host = parts.hosts;
        endpoint.port = static_cast<quint16>(*port);
    } else if (isCluster) {
        endpoint.seeds = *hosts;
    } else {
        SentinelGroup group = endpoint.sentinels.value_or(SentinelGroup());
        group.hosts = *hosts;
        group.master = parts.master;
        if (parts.tls != wasTls || !parts.tls)
            group.tls = parts.tls;
        endpoint.sentinels = group;
    }
    return endpoint;
}

QString redisAddressOf(const QString &address, const RedisParts &parts)
{
    if (parts.kind == RedisParts::Kind::None || parts.hosts.isEmpty())
        return {};
    const auto endpoint = endpointWith(address, parts);
    const QString text = endpoint ? endpoint->shown() : QString();
    return RedisEndpoint::fromUrl(text) ? text : typedAddress(parts);
}

} // namespace

AddressParser addressParser()
{
    return {databasePartsOf, redisPartsOf, databaseAddressOf, redisAddressOf};
}

} // namespace outbox
