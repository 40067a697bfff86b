// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/driver/databaseurl.h"

#include "connectors/sql/driver/sqldatabases.h"

#include <QDir>
#include <QRegularExpression>
#include <QUrl>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString readingUrl = u"reading the database URL"_s;

QString decoded(const QString &part)
{
    return QUrl::fromPercentEncoding(part.toUtf8());
}

QString encoded(const QString &part, const QByteArray &plain = {})
{
    return QString::fromLatin1(QUrl::toPercentEncoding(part, plain));
}

tl::unexpected<Error> unreadUrl(const QString &text, const QString &hint = {})
{
    return fail(Error::Kind::Invalid, readingUrl, text, {}, hint);
}

/// Whoever leaves these signs as they are has a piece of the password where a port or a parameter
/// should be: what stands there is not quoted.
QString passwordHint()
{
    return u"In a password write : / ? # & @ % as %3A %2F %3F %23 %26 %40 %25"_s;
}

Result<int> portFrom(const QString &text)
{
    bool ok = false;
    const int port = text.toInt(&ok);
    if (!ok || port < 1 || port > 65535)
        return unreadUrl(u"the port is no number from 1 to 65535"_s,
                         passwordHint()); // not what it is
    return port;
}

/// "host:port", "[address]:port", or a list of them, which libpq tries in turn.
Result<void> readHosts(const QString &text, DatabaseUrl &url)
{
    QStringList hosts;
    QStringList ports;
    for (const QString &one : text.split(u',')) {
        const qsizetype bracket = one.lastIndexOf(u']');
        const qsizetype colon = one.indexOf(u':', qMax<qsizetype>(bracket, 0));
        QString host = decoded(colon < 0 ? one : one.left(colon));
        if (host.startsWith(u'[') && host.endsWith(u']'))
            host = host.mid(1, host.size() - 2);
        hosts += host;
        ports += colon < 0 ? QString() : one.mid(colon + 1);
        if (!ports.constLast().isEmpty()) {
            TRY(portFrom(ports.constLast()));
        }
    }
    url.host = hosts.join(u',');
    if (hosts.size() == 1) {
        url.port = ports.constFirst().toInt();
    } else if (!ports.join(QString()).isEmpty()) {
        url.options[u"port"_s] = ports.join(u',');
    }
    return {};
}

Result<void> readParameter(const QString &name, const QString &value, DatabaseUrl &url)
{
    if (name == u"host") {
        url.host = value;
    } else if (name == u"user") {
        url.user = value;
    } else if (name == u"dbname") {
        url.database = value;
    } else if (name == u"password") {
        url.password = value;
        url.passwordInUrl = true;
    } else if (name == u"port" && !value.contains(u',')) {
        url.port = TRY(portFrom(value));
    } else if (name.isEmpty()) {
        return unreadUrl(u"a parameter has no name"_s);
    } else {
        url.options[name] = value;
    }
    return {};
}

/// Several hosts have a list of ports, one for each, or none is written at all.
void spreadPorts(DatabaseUrl &url)
{
    const QString word = u"port"_s;
    if (!url.hasSeveralHosts())
        return;
    const qsizetype hosts = url.host.count(u',') + 1;
    if (url.port > 0)
        url.options[word] = QStringList(hosts, QString::number(url.port)).join(u',');
    url.port = 0;
    const QString ports = url.options.value(word);
    if (ports.count(u',') + 1 == hosts && ports.count(u',') == ports.size())
        url.options.remove(word);
}

/// Several hosts with their ports as they stand before the database in a URL; empty where they
/// cannot stand there.
QString listedHosts(const DatabaseUrl &url)
{
    static const QRegularExpression plain(u"\\A[A-Za-z0-9_.:-]+\\z"_s);
    if (!url.hasSeveralHosts() || url.port > 0)
        return {};
    const QStringList hosts = url.host.split(u',');
    const bool havePorts = url.options.contains(u"port"_s);
    const QStringList ports = url.options.value(u"port"_s).split(u',');
    if (havePorts && ports.size() != hosts.size())
        return {};
    QStringList listed;
    for (qsizetype i = 0; i < hosts.size(); ++i) {
        if (!plain.match(hosts.at(i)).hasMatch())
            return {};
        QString one = hosts.at(i).contains(u':') ? u'[' + hosts.at(i) + u']' : hosts.at(i);
        if (havePorts && !ports.at(i).isEmpty())
            one += u':' + ports.at(i);
        listed += one;
    }
    return listed.join(u',');
}

/// A URL with a server in it, whatever its dialect.
Result<DatabaseUrl> readServer(const QString &rest, DatabaseUrl::Dialect dialect)
{
    DatabaseUrl url;
    url.dialect = dialect;
    const qsizetype question = rest.indexOf(u'?');
    const QString address = question < 0 ? rest : rest.left(question);
    const qsizetype slash = address.indexOf(u'/');
    QString authority = slash < 0 ? address : address.left(slash);
    if (slash >= 0)
        url.database = decoded(address.mid(slash + 1));

    if (const qsizetype at = authority.lastIndexOf(u'@'); at >= 0) {
        const QString login = authority.left(at);
        authority = authority.mid(at + 1);
        const qsizetype colon = login.indexOf(u':');
        url.user = decoded(colon < 0 ? login : login.left(colon));
        if (colon >= 0) {
            url.password = decoded(login.mid(colon + 1));
            url.passwordInUrl = true;
        }
    }
    if (!authority.isEmpty()) {
        TRY(readHosts(authority, url));
    }
    if (question >= 0) {
        for (const QString &pair : rest.mid(question + 1).split(u'&', Qt::SkipEmptyParts)) {
            const qsizetype equals = pair.indexOf(u'=');
            if (equals < 0)
                return unreadUrl(u"a parameter has no value"_s, passwordHint());
            TRY(readParameter(decoded(pair.left(equals)), decoded(pair.mid(equals + 1)), url));
        }
    }
    spreadPorts(url);
    return url;
}

Result<DatabaseUrl> readFile(const QString &rest, const SqlDatabase &database)
{
    DatabaseUrl url;
    url.dialect = database.dialect;
    url.database = QDir::cleanPath(decoded(rest));
    if (rest.isEmpty() || !QDir::isAbsolutePath(url.database)) {
        return unreadUrl(u"a %1 file is named by its absolute path"_s.arg(database.name),
                         u"write "_s + database.example);
    }
    return url;
}

} // namespace

Result<DatabaseUrl> DatabaseUrl::fromUrl(const QString &url)
{
    const QString text = url.trimmed();
    const qsizetype colon = text.indexOf(u':');
    const QString scheme = text.left(qMax<qsizetype>(colon, 0)).toLower();
    QString rest = text.mid(colon + 1);
    const bool slashes = rest.startsWith(u"//"_s);
    if (slashes)
        rest = rest.mid(2);
    const SqlDatabase *database = databaseOfScheme(scheme);
    if (database && database->isFile())
        return readFile(rest, *database);
    if (database && slashes) {
        auto server = TRY(readServer(rest, database->dialect));
        if (database->checkUrl) {
            TRY(database->checkUrl(server, rest, readingUrl));
        }
        return server;
    }
    const QString hint = u"write "_s + databaseExamples();
    if (scheme.isEmpty() || !slashes)
        return unreadUrl(u"this is no database URL"_s, hint);
    return fail(Error::Kind::Unsupported, readingUrl,
                u"the scheme \"%1\" is not known"_s.arg(scheme), {}, hint);
}

int DatabaseUrl::usualPort(Dialect dialect)
{
    return databaseOf(dialect).usualPort;
}

QString DatabaseUrl::hostOrSocket() const
{
    return host.isEmpty() ? options.value(u"unix_socket"_s) : host;
}

QString DatabaseUrl::shown() const
{
    QString text = databaseOf(dialect).schemes.constFirst() + u"://"_s;
    if (databaseOf(dialect).isFile())
        return text + encoded(database, "/");
    if (!user.isEmpty())
        text += encoded(user) + u'@';
    QStringList parameters;
    const QString listed = listedHosts(*this);
    const bool plainHost = !host.contains(u'/') && !host.contains(u',');
    if (!listed.isEmpty()) {
        text += listed;
    } else if (plainHost) {
        text += host.contains(u':') ? u'[' + host + u']' : encoded(host);
        if (port > 0)
            text += u':' + QString::number(port);
    } else {
        parameters += u"host="_s + encoded(host, "/,");
        if (port > 0)
            parameters += u"port="_s + QString::number(port);
    }
    text += u'/' + encoded(database);
    for (auto option = options.cbegin(); option != options.cend(); ++option) {
        const bool isListed = !listed.isEmpty() && option.key() == u"port";
        if (!isListed && !option.key().contains(u"password"_s))
            parameters += encoded(option.key()) + u'=' + encoded(option.value(), "/,=");
    }
    return parameters.isEmpty() ? text : text + u'?' + parameters.join(u'&');
}

Result<void> checkHostList(const DatabaseUrl &url, const QStringList &hosts, const QString &doing)
{
    const auto unread = [&doing](const QString &text, const QString &hint = {}) {
        return fail(Error::Kind::Invalid, doing, text, {}, hint);
    };
    if (hosts.size() > 1 && hosts.contains(QString()))
        return unread(u"a host of the list has no name"_s);
    const auto listed = url.options.constFind(u"port"_s);
    if (listed == url.options.cend())
        return {};
    const QStringList ports = listed->split(u',');
    if (ports.size() != hosts.size()) {
        return unread(u"%1 hosts have %2 ports"_s.arg(hosts.size()).arg(ports.size()),
                      u"Write host:port,host:port"_s);
    }
    static const QRegularExpression number(u"\\A[0-9]{1,5}\\z"_s);
    for (const QString &port : ports) {
        const bool isNumber = number.match(port).hasMatch();
        if (!port.isEmpty() && (!isNumber || port.toInt() < 1 || port.toInt() > 65535))
            return unread(u"a port of the list is no number from 1 to 65535"_s);
    }
    return {};
}

} // namespace outbox
