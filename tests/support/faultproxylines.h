// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What lives in the fault proxy's thread: its port and its connections.
#pragma once

#include "tests/support/faultproxy.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTcpServer>
#include <QTimer>

#include <deque>
#include <functional>
#include <memory>
#include <vector>

class QLocalSocket;
class QTcpSocket;

namespace outbox {

/// One direction of a connection: pieces that wait for their time.
class FaultFlow : public QObject
{
public:
    FaultFlow(const FaultLine &line, bool isAnswer, QIODevice *to, QObject *parent);

    void take(const QByteArray &bytes);
    void end(); ///< nothing more is passed on
    [[nodiscard]] bool isEmpty() const { return m_waiting.empty(); }
    [[nodiscard]] qint64 delivered() const { return m_delivered; }
    void countAnew() { m_counted = 0; }
    std::function<void()> spent; ///< as many bytes as `resetAfter` allows were given
    std::function<void()> emptied;

private:
    struct Piece
    {
        qint64 dueMs;
        QByteArray bytes;
    };
    void deliver();
    void give(const QByteArray &bytes);
    void schedule();
    [[nodiscard]] qsizetype mayGive(qsizetype wanted);

    const FaultLine &m_line;
    const bool m_isAnswer;
    QIODevice *m_to;
    std::deque<Piece> m_waiting;
    QElapsedTimer m_clock;
    QTimer m_timer;
    qint64 m_paidUntilMs = 0; ///< by the throttle
    bool m_isOver = false;
    int m_alone = 0; ///< bytes given one by one
    qint64 m_delivered = 0;
    qint64 m_counted = 0; ///< since the line was set
};

class FaultConnection : public QObject
{
public:
    FaultConnection(FaultProxyLines &lines, QTcpSocket *client, QObject *parent);

    /// A reset: the peer's next read or write fails.
    void reset();
    void lineWasSet();
    [[nodiscard]] bool stands() const { return !m_isOver; }
    [[nodiscard]] qint64 answered() const { return m_answers.delivered(); }

private:
    void connectOn(const FaultTarget &target);
    void fromClient();
    void fromServer();
    void closeWhenEmpty();
    void end();
    [[nodiscard]] bool isCutOff() const; ///< as the line is now

    FaultProxyLines &m_lines;
    QTcpSocket *m_client;
    const QString m_from; ///< address of the client
    QIODevice *m_server;
    FaultFlow m_questions;
    FaultFlow m_answers;
    bool m_isLost = false; ///< half-open, for good
    bool m_losesAnswer = false;
    bool m_serverIsGone = false;
    bool m_isOver = false;
};

class FaultProxyLines
{
public:
    FaultProxyLines();
    ~FaultProxyLines();

    [[nodiscard]] quint16 listen(const FaultTarget &target);
    void set(const FaultLine &line);
    void cut();
    [[nodiscard]] int standing() const;
    [[nodiscard]] qint64 mostAnswered() const;

    FaultTarget target;
    FaultLine line;
    int accepted = 0;
    int answersLost = 0;
    int messagesSeen = 0;

private:
    QTcpServer m_server;
    QObject m_owner;
    std::vector<FaultConnection *> m_connections;
};

} // namespace outbox
