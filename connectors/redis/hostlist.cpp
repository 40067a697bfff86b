// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/hostlist.h"

#include <QStringList>
#include <QUrl>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Failure noHost(const QString &why)
{
    return fail(Error::Kind::Invalid, u"reading a list of hosts"_s, why, {},
                u"Write host1:port,host2,[::1]:port"_s);
}

Result<HostPort> hostOf(QStringView text, quint16 defaultPort)
{
    QStringView name = text;
    QStringView behind; // the port with its colon
    if (text.startsWith(u'[')) {
        const qsizetype end = text.indexOf(u']');
        if (end < 0)
            return noHost(u"a bracket is not closed"_s);
        name = text.sliced(1, end - 1);
        behind = text.sliced(end + 1);
        if (!name.contains(u':'))
            return noHost(u"what stands in brackets is no IPv6 address"_s);
    } else if (const qsizetype colon = text.indexOf(u':'); colon >= 0) {
        name = text.first(colon);
        behind = text.sliced(colon);
    }

    HostPort found{{}, defaultPort};
    if (!behind.isEmpty()) {
        bool isNumber = false;
        const ushort port = behind.sliced(1).toUShort(&isNumber);
        if (!behind.startsWith(u':') || !isNumber || port == 0)
            return noHost(u"what stands behind a host is no port"_s);
        found.port = port;
    }
    if (!name.contains(u'%')) { // neither a zone nor a sign that was encoded
        QUrl url;
        url.setHost(name.toString(), QUrl::StrictMode);
        found.host = url.host(QUrl::FullyDecoded);
    }
    if (found.host.isEmpty())
        return noHost(u"a host is missing, or is none"_s);
    return found;
}

} // namespace

QString HostPort::text() const
{
    const QString name = host.contains(u':') ? u'[' + host + u']' : host;
    return name + u':' + QString::number(port);
}

Result<QList<HostPort>> hostsOf(QStringView text, quint16 defaultPort)
{
    QList<HostPort> hosts;
    for (const QStringView one : text.split(u',')) {
        const auto host = TRY(hostOf(one, defaultPort));
        if (!hosts.contains(host))
            hosts += host;
    }
    return hosts;
}

QString hostListText(const QList<HostPort> &hosts)
{
    QStringList texts;
    for (const HostPort &one : hosts)
        texts += one.text();
    return texts.join(u',');
}

} // namespace outbox
