// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/refusingline.h"

#include <QLocalSocket>
#include <QObject>
#include <QTcpServer>
#include <QTcpSocket>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The number behind '*' or '$' at `from`, and where the next line begins; -1 = not whole yet.
qsizetype numberAt(const QByteArray &bytes, qsizetype &from)
{
    const qsizetype end = bytes.indexOf("\r\n", from);
    if (end < 0)
        return -1;
    const qsizetype number = bytes.mid(from + 1, end - from - 1).toLongLong();
    from = end + 2;
    return number;
}

/// Takes one whole command from the front; empty = it is not whole yet.
QByteArrayList takeCommand(QByteArray &bytes, qsizetype &length)
{
    qsizetype at = 0;
    const qsizetype parts = bytes.startsWith('*') ? numberAt(bytes, at) : -1;
    QByteArrayList command;
    for (qsizetype part = 0; part < parts; ++part) {
        const qsizetype size = at < bytes.size() ? numberAt(bytes, at) : -1;
        if (size < 0 || at + size + 2 > bytes.size())
            return {};
        command += bytes.mid(at, size);
        at += size + 2;
    }
    length = at;
    return command;
}

/// A command that makes the server answer with this error.
QByteArray commandAnswering(const QByteArray &error)
{
    return "*4\r\n$4\r\nEVAL\r\n$33\r\nreturn redis.error_reply(ARGV[1])\r\n$1\r\n0\r\n$"
        + QByteArray::number(error.size()) + "\r\n" + error + "\r\n";
}

} // namespace

/// What lives in the line's thread.
class RefusingLines : public QObject
{
public:
    quint16 listen(const QString &socket)
    {
        m_socket = socket;
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket *client = m_server.nextPendingConnection())
                join(client);
        });
        return m_server.listen(QHostAddress::LocalHost) ? m_server.serverPort() : quint16(0);
    }
    void set(RefusingLine::Rule rule)
    {
        m_rule = std::move(rule);
        m_refused = 0;
    }
    [[nodiscard]] qint64 refused() const { return m_refused; }

private:
    void join(QTcpSocket *client)
    {
        auto *server = new QLocalSocket(client);
        auto pending = std::make_shared<QByteArray>();
        connect(server, &QLocalSocket::errorOccurred, client, &QTcpSocket::disconnectFromHost);
        server->connectToServer(m_socket);
        connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
        connect(server, &QLocalSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
        connect(server, &QLocalSocket::readyRead, client,
                [client, server] { client->write(server->readAll()); });
        connect(client, &QTcpSocket::readyRead, server, [this, client, server, pending] {
            *pending += client->readAll();
            pass(*pending, *server);
        });
    }
    void pass(QByteArray &pending, QLocalSocket &server)
    {
        qsizetype length = 0;
        for (auto command = takeCommand(pending, length); !command.isEmpty();
             command = takeCommand(pending, length)) {
            const QByteArray error = m_rule ? m_rule(command) : QByteArray();
            server.write(error.isEmpty() ? pending.first(length) : commandAnswering(error));
            m_refused += error.isEmpty() ? 0 : 1;
            pending.remove(0, length);
        }
    }

    QTcpServer m_server;
    QString m_socket;
    RefusingLine::Rule m_rule;
    qint64 m_refused = 0;
};

RefusingLine::RefusingLine() : m_room(u"refusing line"_s)
{ }

RefusingLine::~RefusingLine() = default;

bool RefusingLine::start(const QString &redisSocket)
{
    m_port = m_room.run([redisSocket](RefusingLines &lines) { return lines.listen(redisSocket); })
                 .result();
    return m_port != 0;
}

void RefusingLine::set(Rule rule)
{
    m_room
        .run([rule = std::move(rule)](RefusingLines &lines) {
            lines.set(rule);
            return true;
        })
        .waitForFinished();
}

qint64 RefusingLine::refused()
{
    return m_room.run([](RefusingLines &lines) { return lines.refused(); }).result();
}

} // namespace outbox
