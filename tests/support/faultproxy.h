// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A line between us and a server that can be made as bad as a network gets: a TCP port on the
// loopback, with a thread of its own, that passes bytes on to a TCP or unix socket.
#pragma once

#include "connectors/room.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <memory>

namespace outbox {

/// Where the server is: a unix socket, or a port on the loopback.
struct FaultTarget
{
    QString socketPath;
    quint16 port = 0;
};

/// How the line is; switched at any time, also under connections that stand.
struct FaultLine
{
    int latencyMs = 0; ///< each way
    int jitterMs = 0; ///< up to that much more for each piece; their order stays
    qint64 bytesPerSecond = 0; ///< of each connection, each way; 0 = no limit
    /// The peer is gone and nobody says so: what comes is taken and never passed on. A connection
    /// that lost a byte that way stays lost.
    bool isHalfOpen = false;
    bool isSilent = false; ///< new connections are accepted and never hear a byte
    /// Who comes from this address has no way to the server and back: as `isHalfOpen`, for those
    /// clients alone, and each new connection of theirs gets a reset.
    QString cutsOff;
    bool splitsEveryByte = false; ///< of the answers
    /// A connection gets so many bytes of answers, counted from now on, then a reset; -1 = never.
    qint64 resetAfter = -1;
    /// When a client has sent these bytes `atMessage` times, counted from now on over all
    /// connections, the answer to them is dropped and the client gets a reset.
    QByteArray losesAnswerTo;
    int atMessage = 1;
    bool losesMessageToo = false; ///< with it: the message is not passed on either
    /// Instead of that: called, in the thread of the line, just before the message is passed on.
    std::function<void()> strikesBefore;
};

class FaultProxyLines;

/// Callable from the thread that made it. No call waits for a network.
class FaultProxy
{
public:
    FaultProxy();
    ~FaultProxy();
    FaultProxy(const FaultProxy &) = delete;
    FaultProxy &operator=(const FaultProxy &) = delete;

    /// False when no port can be had.
    [[nodiscard]] bool start(const FaultTarget &target);
    [[nodiscard]] quint16 port() const { return m_port; }
    void set(const FaultLine &line);
    /// A reset for everyone who is connected.
    void cut();
    /// Connections accepted until now, and those that stand.
    [[nodiscard]] int accepted();
    [[nodiscard]] int standing();
    /// How many answers `losesAnswerTo` has lost.
    [[nodiscard]] int answersLost();
    /// The most bytes of answers that one connection was given.
    [[nodiscard]] qint64 mostAnswered();

private:
    Room<FaultProxyLines> m_room;
    quint16 m_port = 0;
};

} // namespace outbox
