// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A server that takes posts: it keeps their bodies, and answers as a test says, or never.
#pragma once

#include <QByteArrayList>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

#include <memory>

namespace outbox {

class WebhookServer
{
public:
    WebhookServer()
    {
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this] {
            while (QTcpSocket *socket = m_server.nextPendingConnection())
                accept(socket);
        });
    }
    /// For this program and those that it starts: else a proxy is asked for the way to the server.
    static void useNoProxy()
    {
        for (const char *name : {"http_proxy", "https_proxy", "all_proxy"})
            qunsetenv(name);
    }
    [[nodiscard]] bool listen() { return m_server.listen(QHostAddress::LocalHost); }
    [[nodiscard]] QUrl url() const
    {
        return QUrl(QStringLiteral("http://127.0.0.1:%1/hook").arg(m_server.serverPort()));
    }

    QByteArray answer; ///< "500 Not now"; empty: none comes
    QByteArrayList bodies; ///< of whole requests

private:
    void accept(QTcpSocket *socket)
    {
        const auto bytes = std::make_shared<QByteArray>();
        QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        QObject::connect(socket, &QTcpSocket::readyRead, &m_server, [this, socket, bytes] {
            *bytes += socket->readAll();
            read(socket, *bytes);
        });
    }
    void read(QTcpSocket *socket, QByteArray &bytes)
    {
        const qsizetype end = bytes.indexOf("\r\n\r\n");
        if (end < 0)
            return;
        const QByteArray mark = "content-length:";
        const qsizetype at = bytes.left(end).toLower().indexOf(mark);
        const qsizetype from = at + mark.size();
        const int length
            = at < 0 ? 0 : bytes.mid(from, bytes.indexOf('\r', from) - from).trimmed().toInt();
        if (bytes.size() < end + 4 + length)
            return;
        bodies += bytes.mid(end + 4, length);
        bytes.clear();
        if (answer.isEmpty())
            return;
        const QByteArray reply = QByteArray("HTTP/1.1 ")
                                     .append(answer)
                                     .append("\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        socket->write(reply);
        socket->disconnectFromHost();
    }

    QTcpServer m_server;
};

} // namespace outbox
