// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/metricsserver.h"

#include <QTcpSocket>
#include <QTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostConnections = 8;
constexpr qint64 mostHeadBytes = 4096;
constexpr int requestDeadlineMs = 5000;
constexpr auto servedMark = "served";

QByteArray response(const QByteArray &status, const QByteArray &type, const QByteArray &body,
                    const QByteArray &more = {})
{
    return "HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\nContent-Length: "
        + QByteArray::number(body.size()) + "\r\n" + more + "Connection: close\r\n\r\n" + body;
}

QByteArray refusal(const QByteArray &status, const QByteArray &more = {})
{
    return response(status, "text/plain; charset=utf-8", status + '\n', more);
}

} // namespace

Result<MetricsAddress> metricsAddress(const QString &text)
{
    const auto misread = [&text] {
        return fail(Error::Kind::Invalid, u"reading --metrics"_s,
                    u"\"%1\" is no address"_s.arg(text), {},
                    u"Write 127.0.0.1:9464, [::1]:9464 or :9464"_s);
    };
    MetricsAddress address{QHostAddress::LocalHost, 0};
    const qsizetype colon = text.lastIndexOf(u':');
    bool isNumber = false;
    address.second = text.mid(colon + 1).toUShort(&isNumber);
    if (!isNumber)
        return misread();
    QString host = text.left(std::max<qsizetype>(colon, 0));
    if (host.startsWith(u'[') && host.endsWith(u']'))
        host = host.mid(1, host.size() - 2);
    else if (host.contains(u':'))
        return misread();
    if (host.isEmpty() || host == u"localhost"_s)
        return address;
    if (!address.first.setAddress(host))
        return misread();
    return address;
}

MetricsServer::MetricsServer(std::function<QByteArray()> page, QByteArray contentType,
                             QObject *parent)
    : QObject(parent), m_page(std::move(page)), m_contentType(std::move(contentType))
{
    m_server.setMaxPendingConnections(mostConnections);
    connect(&m_server, &QTcpServer::newConnection, this, &MetricsServer::accept);
}

Result<void> MetricsServer::listen(const QHostAddress &host, quint16 port)
{
    if (!m_server.listen(host, port)) {
        return fail(Error::Kind::Refused, u"listening for metrics"_s, m_server.errorString(), {},
                    u"Give --metrics another address; port 0 takes any that is free"_s);
    }
    return {};
}

QString MetricsServer::url() const
{
    const QHostAddress host = m_server.serverAddress();
    const QString text = host.toString();
    return u"http://%1:%2/metrics"_s.arg(
        host.protocol() == QAbstractSocket::IPv6Protocol ? QString(u'[' + text + u']') : text,
        QString::number(m_server.serverPort()));
}

void MetricsServer::accept()
{
    while (QTcpSocket *socket = m_server.nextPendingConnection()) {
        if (m_open >= mostConnections) {
            socket->abort();
            socket->deleteLater();
            continue;
        }
        ++m_open;
        socket->setReadBufferSize(mostHeadBytes + 1);
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            --m_open;
            socket->deleteLater();
        });
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
        QTimer::singleShot(requestDeadlineMs, socket, [socket] { socket->abort(); });
        read(socket);
    }
}

void MetricsServer::read(QTcpSocket *socket)
{
    if (socket->property(servedMark).toBool()) {
        socket->skip(socket->bytesAvailable());
        return;
    }
    const QByteArray head = socket->peek(mostHeadBytes + 1);
    const qsizetype end = head.indexOf("\r\n\r\n");
    if (end < 0 && head.size() <= mostHeadBytes)
        return;
    socket->setProperty(servedMark, true);
    socket->write(end < 0 ? refusal("431 Request Header Fields Too Large")
                          : answerTo(head.left(end)));
    // What was sent to us and not read would make the kernel answer with a reset.
    socket->skip(socket->bytesAvailable());
    socket->disconnectFromHost();
}

QByteArray MetricsServer::answerTo(const QByteArray &head) const
{
    const QByteArrayList words = head.split('\r').first().split(' ');
    if (words.size() != 3 || !words.at(2).startsWith("HTTP/1."))
        return refusal("400 Bad Request");
    if (words.at(1).split('?').first() != "/metrics")
        return refusal("404 Not Found");
    if (words.at(0) != "GET")
        return refusal("405 Method Not Allowed", "Allow: GET\r\n");
    return response("200 OK", m_contentType, m_page());
}

} // namespace outbox
