// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/endpoint.h"

#include <QRegularExpression>
#include <QUrl>
#include <QUrlQuery>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString formsHint()
{
    return u"Use redis://[user@]host:6379/0, rediss://… for TLS, redis+unix:///run/redis.sock?db=0 "
           u"or redis+cluster://[user@]host:6379,host:6379"_s;
}

QString sentinelFormsHint()
{
    return u"Use redis+sentinel://[user@]host1:26379,host2,host3/NAME/0, or rediss+sentinel://… "
           "for TLS"_s;
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

/// The spelling of sentinels that asynq has.
bool isOfAsynq(const QUrl &url)
{
    return url.scheme() == u"redis-sentinel"_s;
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
        } else if (name == u"sentinel_user"_s && endpoint.sentinels) {
            endpoint.sentinels->user = value;
        } else if (name == u"sentinel_tls"_s && tls && endpoint.sentinels
                   && (value == u"yes"_s || value == u"no"_s)) {
            endpoint.sentinels->tls = value == u"yes"_s;
        } else if (name == u"master"_s && isOfAsynq(url)) {
            endpoint.sentinels->master = value;
        } else if (name == u"read"_s && endpoint.isCluster()) {
            return fail(Error::Kind::Unsupported, doing, u"looks at replicas are not there yet"_s,
                        {}, u"Leave read= out: then the primaries are looked at"_s);
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

/// Takes the hosts out of the text of an address, and leaves one in their place.
QString takeHosts(QString &text)
{
    const qsizetype scheme = text.indexOf(u"://"_s);
    if (scheme < 0)
        return {};
    const qsizetype first = scheme + 3;
    qsizetype end = first;
    while (end < text.size() && !QStringView(u"/?#").contains(text.at(end)))
        ++end;
    const qsizetype at = QStringView(text).first(end).lastIndexOf(u'@');
    const qsizetype begin = std::max(first, at + 1);
    QString hosts = text.mid(begin, end - begin);
    text.replace(begin, end - begin, u"hosts"_s);
    return hosts;
}

Result<QList<HostPort>> readHosts(const QString &hosts, quint16 defaultPort, const QString &doing)
{
    auto found = hostsOf(hosts, defaultPort);
    if (!found)
        found.error().doing = doing;
    return found;
}

/// Takes what only an address of a Cluster has. `url` has one host in the place of `hosts`.
Result<void> readCluster(RedisEndpoint &endpoint, const QUrl &url, const QString &hosts,
                         const QString &doing)
{
    endpoint.seeds = TRY(readHosts(hosts, usualRedisPort, doing));
    endpoint.host = endpoint.seeds.first().host;
    endpoint.port = endpoint.seeds.first().port;
    const QString path = url.path(QUrl::FullyDecoded);
    if (path.isEmpty() || path == u"/"_s || path == u"/0"_s)
        return {};
    return fail(Error::Kind::Invalid, doing, u"a Redis Cluster has no database but 0"_s, {},
                formsHint());
}

/// The same of sentinels.
Result<void> readSentinels(RedisEndpoint &endpoint, const QUrl &url, const QString &hosts,
                           const QString &doing)
{
    SentinelGroup &group = endpoint.sentinels.emplace();
    group.hosts = TRY(readHosts(hosts, usualSentinelPort, doing));
    group.tls = endpoint.transport == RedisEndpoint::Transport::Tls;
    endpoint.host.clear();
    QStringList path = url.path(QUrl::FullyDecoded).mid(1).split(u'/');
    if (isOfAsynq(url)) { // there is no word in it for those of the data nodes
        group.user = std::exchange(endpoint.user, QString());
        group.password = std::exchange(endpoint.password, QString());
    } else {
        group.master = path.takeFirst();
    }
    if (const QString number = path.join(u'/'); !number.isEmpty()) {
        const int database = TRY(databaseNumber(number, doing));
        endpoint.database = database;
    }
    return {};
}

/// What Redis lets the name of a master be.
bool isMasterName(const QString &name)
{
    static const QRegularExpression form(u"\\A[A-Za-z0-9._-]+\\z"_s);
    return form.match(name).hasMatch();
}

void addOption(QStringList &options, const QString &name, const QString &value)
{
    if (!value.isEmpty())
        options += QString(name + u'=' + QString::fromLatin1(QUrl::toPercentEncoding(value)));
}

/// "user@", or nothing.
QString userPart(const RedisEndpoint &endpoint)
{
    return endpoint.user.isEmpty()
        ? QString()
        : QString::fromLatin1(QUrl::toPercentEncoding(endpoint.user)) + u'@';
}

/// Those of TLS.
QStringList tlsOptions(const RedisEndpoint &endpoint)
{
    QStringList options;
    addOption(options, u"ca"_s, endpoint.caFile);
    addOption(options, u"cert"_s, endpoint.certificateFile);
    addOption(options, u"key"_s, endpoint.keyFile);
    addOption(options, u"server_name"_s, endpoint.serverName);
    return options;
}

QString withOptions(const QString &text, const QStringList &options)
{
    return options.isEmpty() ? text : text + u'?' + options.join(u'&');
}

/// Those of several hosts, with all that is read but passwords.
QString shownWithHosts(const RedisEndpoint &endpoint, const QString &begin)
{
    QStringList options = tlsOptions(endpoint);
    QString hosts = hostListText(endpoint.seeds);
    if (endpoint.sentinels) {
        const bool isTls = endpoint.transport == RedisEndpoint::Transport::Tls;
        addOption(options, u"sentinel_user"_s, endpoint.sentinels->user);
        addOption(options, u"sentinel_tls"_s,
                  isTls && !endpoint.sentinels->tls ? u"no"_s : QString());
        hosts = endpoint.sentinels->text() + u'/' + QString::number(endpoint.database);
    }
    return withOptions(begin + userPart(endpoint) + hosts, options);
}

} // namespace

QString SentinelGroup::text() const
{
    return hostListText(hosts) + u'/' + master;
}

Result<RedisEndpoint> RedisEndpoint::fromUrl(const QString &text)
{
    const QString doing = u"reading the Redis URL"_s;
    const QString scheme = text.section(u"://"_s, 0, 0).toLower();
    const bool bySentinels = scheme.endsWith(u"sentinel"_s);
    const bool isOfCluster = scheme.endsWith(u"+cluster"_s);

    RedisEndpoint endpoint;
    if (scheme == u"redis"_s || scheme == u"redis+sentinel"_s || scheme == u"redis-sentinel"_s
        || scheme == u"redis+cluster"_s)
        endpoint.transport = Transport::Tcp;
    else if (scheme == u"rediss"_s || scheme == u"rediss+sentinel"_s
             || scheme == u"rediss+cluster"_s)
        endpoint.transport = Transport::Tls;
    else if (scheme == u"redis+unix"_s)
        endpoint.transport = Transport::Unix;
    else
        return fail(Error::Kind::Invalid, doing, u"this is no Redis URL"_s, {}, formsHint());
    QString address = text;
    const QString hosts = bySentinels || isOfCluster ? takeHosts(address) : QString();
    const QUrl url(address, QUrl::StrictMode);
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

    if (bySentinels) {
        TRY(readSentinels(endpoint, url, hosts, doing));
    } else if (isOfCluster) {
        TRY(readCluster(endpoint, url, hosts, doing));
    } else if (endpoint.transport == Transport::Unix) {
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
        const int port = url.port(usualRedisPort);
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
    if (bySentinels && !isMasterName(endpoint.sentinels->master)) {
        return fail(Error::Kind::Invalid, doing, u"the name of the master is missing, or is none"_s,
                    {}, sentinelFormsHint());
    }
    return endpoint;
}

RedisEndpoint RedisEndpoint::ofNode(const HostPort &node) const
{
    RedisEndpoint endpoint = *this;
    endpoint.seeds.clear();
    endpoint.host = node.host;
    endpoint.port = node.port;
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
    const QString scheme = transport == Transport::Tls ? u"rediss"_s : u"redis"_s;
    if (sentinels)
        return shownWithHosts(*this, scheme + u"+sentinel://"_s);
    if (isCluster())
        return shownWithHosts(*this, scheme + u"+cluster://"_s);
    url.setScheme(scheme);
    if (!user.isEmpty()) // an empty one leaves its sign
        url.setUserName(user);
    url.setHost(host);
    url.setPort(port);
    url.setPath(u'/' + QString::number(database));
    return withOptions(url.toString(QUrl::FullyEncoded), tlsOptions(*this));
}

} // namespace outbox
