// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/endpoint.h"

#include <QUrl>
#include <QUrlQuery>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString formsHint()
{
    return u"Use redis://[user@]host:6379/0, rediss://… for TLS or redis+unix:///run/redis.sock?db=0"_s;
}

/// A database number as it stands after the slash or in `?db=`.
Result<int> databaseNumber(const QString &text, const QString &doing)
{
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    if (!isNumber || number < 0) {
        return fail(Error::Kind::Invalid, doing,
                    u"what stands there is not the number of a Redis database"_s, {}, // not quoted:
                    // a password with a slash in it would stand there
                    formsHint());
    }
    return number;
}

/// Takes what stands after the `?`; each transport knows its own words.
Result<void> readOptions(RedisEndpoint &endpoint, const QUrl &url, const QString &doing)
{
    const bool tls = endpoint.transport == RedisEndpoint::Transport::Tls;
    const bool local = endpoint.transport == RedisEndpoint::Transport::Unix;
    const auto items = QUrlQuery(url.query(QUrl::FullyEncoded)).queryItems(QUrl::FullyDecoded);
    // A ? in a password that was not encoded makes options of the rest of the URL.
    const bool mayBeSecret = url.query(QUrl::FullyEncoded).contains(u'@');
    for (const auto &[name, value] : items) {
        if (name == u"db"_s && local) {
            const int database = TRY(databaseNumber(value, doing));
            endpoint.database = database;
        } else if (name == u"user"_s && local) {
            endpoint.user = value;
        } else if (name == u"ca"_s && tls) {
            endpoint.caFile = value;
        } else if (name == u"cert"_s && tls) {
            endpoint.certificateFile = value;
        } else if (name == u"key"_s && tls) {
            endpoint.keyFile = value;
        } else if (name == u"server_name"_s && tls) {
            endpoint.serverName = value;
        } else {
            return fail(Error::Kind::Invalid, doing,
                        mayBeSecret
                            ? u"an option is not known for %1://"_s.arg(url.scheme())
                            : u"the option \"%1\" is not known for %2://"_s.arg(name, url.scheme()),
                        {}, formsHint());
        }
    }
    if (endpoint.certificateFile.isEmpty() != endpoint.keyFile.isEmpty()) {
        return fail(Error::Kind::Invalid, doing, u"a client certificate needs both cert and key"_s);
    }
    return {};
}

} // namespace

Result<RedisEndpoint> RedisEndpoint::fromUrl(const QString &text)
{
    const QString doing = u"reading the Redis URL"_s;
    const QString scheme = text.section(u"://"_s, 0, 0).toLower();
    if (scheme == u"redis+sentinel"_s || scheme == u"redis+cluster"_s) {
        return fail(Error::Kind::Unsupported, doing, u"%1:// is not spoken yet"_s.arg(scheme), {},
                    scheme.endsWith(u"cluster"_s)
                        ? u"Use a Redis that is no cluster, redis://host:port/db"_s
                        : u"Name the current master with redis://host:port/db"_s);
    }

    const QUrl url(text, QUrl::StrictMode);
    RedisEndpoint endpoint;
    if (scheme == u"redis"_s)
        endpoint.transport = Transport::Tcp;
    else if (scheme == u"rediss"_s)
        endpoint.transport = Transport::Tls;
    else if (scheme == u"redis+unix"_s)
        endpoint.transport = Transport::Unix;
    else
        return fail(Error::Kind::Invalid, doing, u"this is no Redis URL"_s, {}, formsHint());
    // QUrl's own error text would quote the URL, and with it a password.
    if (!url.isValid())
        return fail(Error::Kind::Invalid, doing, u"the URL is malformed"_s, {}, formsHint());
    if (url.hasFragment()) {
        return fail(Error::Kind::Invalid, doing, u"there is a # in the URL"_s, {},
                    u"Inside a name, a path or a password write it as %23"_s);
    }

    endpoint.user = url.userName(QUrl::FullyDecoded);
    endpoint.password = url.password(QUrl::FullyDecoded);
    endpoint.passwordInUrl = !endpoint.password.isEmpty();

    if (endpoint.transport == Transport::Unix) {
        if (!url.host().isEmpty()) {
            return fail(Error::Kind::Invalid, doing, u"a unix socket has no host"_s, {},
                        u"Write three slashes: redis+unix:///run/redis.sock"_s);
        }
        endpoint.socketPath = url.path(QUrl::FullyDecoded);
        if (endpoint.socketPath.size() < 2)
            return fail(Error::Kind::Invalid, doing, u"the socket's path is missing"_s, {},
                        formsHint());
    } else {
        endpoint.host = url.host(QUrl::FullyDecoded);
        if (endpoint.host.isEmpty())
            return fail(Error::Kind::Invalid, doing, u"the host is missing"_s, {}, formsHint());
        const int port = url.port(6379);
        if (port == 0)
            return fail(Error::Kind::Invalid, doing, u"0 is no port"_s, {}, formsHint());
        endpoint.port = static_cast<quint16>(port);
        const QString path = url.path(QUrl::FullyDecoded);
        if (path.size() > 1) {
            const int database = TRY(databaseNumber(path.mid(1), doing));
            endpoint.database = database;
        }
    }
    TRY(readOptions(endpoint, url, doing));
    return endpoint;
}

QString RedisEndpoint::shown() const
{
    QUrl url;
    if (transport == Transport::Unix) {
        url.setScheme(u"redis+unix"_s);
        url.setHost(QString()); // keeps the three slashes
        url.setPath(socketPath);
        QUrlQuery query;
        if (database != 0)
            query.addQueryItem(u"db"_s, QString::number(database));
        if (!user.isEmpty())
            query.addQueryItem(u"user"_s, user);
        if (!query.isEmpty())
            url.setQuery(query);
        const QString text = url.toString(QUrl::FullyEncoded);
        return text.startsWith(u"redis+unix:///"_s) ? text : u"redis+unix://"_s + text.mid(11);
    }
    url.setScheme(transport == Transport::Tls ? u"rediss"_s : u"redis"_s);
    url.setUserName(user);
    url.setHost(host);
    url.setPort(port);
    url.setPath(u'/' + QString::number(database));
    return url.toString(QUrl::FullyEncoded);
}

} // namespace outbox
