// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultproxy.h"

#include "tests/support/faultproxylines.h"

#include <QLocalSocket>
#include <QRandomGenerator>
#include <QTcpSocket>

#include <algorithm>
#include <sys/socket.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

FaultFlow::FaultFlow(const FaultLine &line, bool isAnswer, QIODevice *to, QObject *parent)
    : QObject(parent), m_line(line), m_isAnswer(isAnswer), m_to(to)
{
    m_clock.start();
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &FaultFlow::deliver);
}

void FaultFlow::end()
{
    m_isOver = true;
    m_waiting.clear();
    m_timer.stop();
}

void FaultFlow::take(const QByteArray &bytes)
{
    if (m_isOver)
        return;
    const int jitter
        = m_line.jitterMs > 0 ? QRandomGenerator::global()->bounded(m_line.jitterMs + 1) : 0;
    qint64 due = m_clock.elapsed() + m_line.latencyMs + jitter;
    if (!m_waiting.empty())
        due = std::max(due, m_waiting.back().dueMs);
    m_waiting.push_back({due, bytes});
    deliver();
}

qsizetype FaultFlow::mayGive(qsizetype wanted)
{
    if (m_isAnswer && m_line.splitsEveryByte)
        wanted = 1;
    if (m_line.bytesPerSecond > 0) // a hundredth of a second at a time
        wanted = std::min<qsizetype>(wanted, std::max<qint64>(1, m_line.bytesPerSecond / 100));
    if (m_isAnswer && m_line.resetAfter >= 0)
        wanted = std::min<qsizetype>(wanted, m_line.resetAfter - m_counted);
    return wanted;
}

void FaultFlow::give(const QByteArray &bytes)
{
    m_to->write(bytes);
    if (auto *tcp = qobject_cast<QTcpSocket *>(m_to)) {
        if (tcp->state() == QAbstractSocket::ConnectedState) // else it keeps the bytes until then
            tcp->flush();
    } else if (auto *local = qobject_cast<QLocalSocket *>(m_to)) {
        local->flush();
    }
    m_delivered += bytes.size();
    m_counted += bytes.size();
    if (m_line.bytesPerSecond > 0)
        m_paidUntilMs = m_clock.elapsed() + bytes.size() * 1000 / m_line.bytesPerSecond;
}

void FaultFlow::deliver()
{
    m_timer.stop();
    while (!m_waiting.empty()) {
        Piece &piece = m_waiting.front();
        if (std::max(piece.dueMs, m_paidUntilMs) > m_clock.elapsed())
            break;
        const QByteArray bytes = piece.bytes.left(mayGive(piece.bytes.size()));
        if (bytes.size() == piece.bytes.size())
            m_waiting.pop_front();
        else
            piece.bytes.remove(0, bytes.size());
        give(bytes); // a peer that is gone may end all this
        if (m_isOver)
            return;
        if (m_isAnswer && m_line.resetAfter >= 0 && m_counted >= m_line.resetAfter)
            return spent();
        if (m_isAnswer && m_line.splitsEveryByte) {
            // The reader is given the time to take each byte of a header alone, the others quickly.
            constexpr int headerBytes = 16;
            m_alone = m_waiting.empty() ? 0 : m_alone + 1;
            if (m_alone < headerBytes)
                m_paidUntilMs = m_clock.elapsed() + 2;
        }
    }
    m_waiting.empty() ? emptied() : schedule();
}

void FaultFlow::schedule()
{
    const qint64 due = std::max(m_waiting.front().dueMs, m_paidUntilMs);
    m_timer.start(static_cast<int>(std::max<qint64>(0, due - m_clock.elapsed())));
}

FaultConnection::FaultConnection(FaultProxyLines &lines, QTcpSocket *client, QObject *parent)
    : QObject(parent), m_lines(lines), m_client(client), m_from(client->peerAddress().toString()),
      m_server(lines.target.port != 0 ? static_cast<QIODevice *>(new QTcpSocket(this))
                                      : new QLocalSocket(this)),
      m_questions(lines.line, false, m_server, this), m_answers(lines.line, true, client, this)
{
    client->setParent(this);
    client->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    m_questions.spent = m_questions.emptied = [] {};
    m_answers.spent = [this] { reset(); };
    m_answers.emptied = [this] {
        if (m_serverIsGone)
            end();
    };
    m_isLost = lines.line.isSilent;
    connect(client, &QTcpSocket::readyRead, this, &FaultConnection::fromClient);
    connect(client, &QTcpSocket::disconnected, this, &FaultConnection::end);
    connect(m_server, &QIODevice::readyRead, this, &FaultConnection::fromServer);
    if (isCutOff())
        reset();
    else if (!m_isLost)
        connectOn(lines.target);
}

bool FaultConnection::isCutOff() const
{
    const QString &from = m_lines.line.cutsOff;
    return !from.isEmpty() && from == m_from;
}

void FaultConnection::connectOn(const FaultTarget &target)
{
    if (auto *tcp = qobject_cast<QTcpSocket *>(m_server)) {
        connect(tcp, &QTcpSocket::disconnected, this, &FaultConnection::closeWhenEmpty);
        connect(tcp, &QTcpSocket::errorOccurred, this, &FaultConnection::closeWhenEmpty);
        tcp->connectToHost(u"127.0.0.1"_s, target.port);
        return;
    }
    auto *local = qobject_cast<QLocalSocket *>(m_server);
    connect(local, &QLocalSocket::disconnected, this, &FaultConnection::closeWhenEmpty);
    connect(local, &QLocalSocket::errorOccurred, this, &FaultConnection::closeWhenEmpty);
    local->connectToServer(target.socketPath);
}

void FaultConnection::fromClient()
{
    const QByteArray bytes = m_client->readAll();
    m_isLost = m_isLost || m_lines.line.isHalfOpen || isCutOff();
    if (m_isLost)
        return;
    const QByteArray &wanted = m_lines.line.losesAnswerTo;
    if (!wanted.isEmpty() && bytes.contains(wanted)
        && ++m_lines.messagesSeen == m_lines.line.atMessage) {
        if (m_lines.line.strikesBefore)
            m_lines.line.strikesBefore();
        else if (m_lines.line.losesMessageToo)
            ++m_lines.answersLost;
        else
            m_losesAnswer = true;
        if (m_lines.line.losesMessageToo)
            return reset();
    }
    m_questions.take(bytes);
}

void FaultConnection::fromServer()
{
    const QByteArray bytes = m_server->readAll();
    m_isLost = m_isLost || m_lines.line.isHalfOpen || isCutOff();
    if (m_isLost)
        return;
    if (!m_losesAnswer)
        return m_answers.take(bytes);
    ++m_lines.answersLost; // it has been said, so it has been done
    reset();
}

void FaultConnection::closeWhenEmpty()
{
    m_serverIsGone = true;
    if (!m_isLost && m_answers.isEmpty())
        end();
}

void FaultConnection::reset()
{
    if (m_isOver)
        return;
    const linger atOnce{1, 0};
    ::setsockopt(static_cast<int>(m_client->socketDescriptor()), SOL_SOCKET, SO_LINGER, &atOnce,
                 sizeof(atOnce));
    m_client->abort();
    end();
}

void FaultConnection::end()
{
    if (m_isOver)
        return;
    m_isOver = true;
    m_questions.end();
    m_answers.end();
    m_client->disconnect(this);
    m_server->disconnect(this);
    m_client->close();
    m_server->close();
}

void FaultConnection::lineWasSet()
{
    m_answers.countAnew();
}

FaultProxyLines::FaultProxyLines() = default;
FaultProxyLines::~FaultProxyLines() = default;

quint16 FaultProxyLines::listen(const FaultTarget &where)
{
    target = where;
    QObject::connect(&m_server, &QTcpServer::newConnection, &m_owner, [this] {
        while (QTcpSocket *client = m_server.nextPendingConnection()) {
            ++accepted;
            m_connections.push_back(new FaultConnection(*this, client, &m_owner));
        }
    });
    return m_server.listen(QHostAddress::LocalHost) ? m_server.serverPort() : quint16{0};
}

void FaultProxyLines::set(const FaultLine &how)
{
    line = how;
    messagesSeen = 0;
    for (FaultConnection *connection : m_connections)
        connection->lineWasSet();
}

void FaultProxyLines::cut()
{
    for (FaultConnection *connection : m_connections)
        connection->reset();
}

int FaultProxyLines::standing() const
{
    return static_cast<int>(std::count_if(m_connections.begin(), m_connections.end(),
                                          [](const auto *one) { return one->stands(); }));
}

qint64 FaultProxyLines::mostAnswered() const
{
    qint64 most = 0;
    for (const FaultConnection *one : m_connections)
        most = std::max(most, one->answered());
    return most;
}

namespace {

template <typename T> T answerOf(QFuture<T> future)
{
    future.waitForFinished();
    takeOver();
    return future.result();
}

} // namespace

FaultProxy::FaultProxy() : m_room(u"fault proxy"_s)
{ }

FaultProxy::~FaultProxy() = default;

bool FaultProxy::start(const FaultTarget &target)
{
    m_port
        = answerOf(m_room.run([target](FaultProxyLines &lines) { return lines.listen(target); }));
    return m_port != 0;
}

void FaultProxy::set(const FaultLine &line)
{
    (void)answerOf(m_room.run([line](FaultProxyLines &lines) {
        lines.set(line);
        return true;
    }));
}

void FaultProxy::cut()
{
    (void)answerOf(m_room.run([](FaultProxyLines &lines) {
        lines.cut();
        return true;
    }));
}

int FaultProxy::accepted()
{
    return answerOf(m_room.run([](FaultProxyLines &lines) { return lines.accepted; }));
}

int FaultProxy::standing()
{
    return answerOf(m_room.run([](FaultProxyLines &lines) { return lines.standing(); }));
}

int FaultProxy::answersLost()
{
    return answerOf(m_room.run([](FaultProxyLines &lines) { return lines.answersLost; }));
}

qint64 FaultProxy::mostAnswered()
{
    return answerOf(m_room.run([](FaultProxyLines &lines) { return lines.mostAnswered(); }));
}

} // namespace outbox
