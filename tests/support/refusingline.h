// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A line to a real Redis on which chosen commands are refused: the server itself answers them with
// an error of our choice, in its place among the other answers.
#pragma once

#include "connectors/room.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QString>

#include <functional>
#include <memory>

namespace outbox {

class RefusingLines;

/// A port on the loopback before the Redis of a unix socket. Callable from the thread that made it.
class RefusingLine
{
public:
    /// Called in the line's thread for each command (name and arguments, as sent): the error that
    /// answers it instead, as "WORD and some text"; empty = it is passed on.
    using Rule = std::function<QByteArray(const QByteArrayList &)>;

    RefusingLine();
    ~RefusingLine();

    /// False when no port can be had.
    [[nodiscard]] bool start(const QString &redisSocket);
    [[nodiscard]] quint16 port() const { return m_port; }
    [[nodiscard]] QString url() const { return QStringLiteral("redis://127.0.0.1:%1").arg(m_port); }
    void set(Rule rule);
    /// Commands refused since the rule was set.
    [[nodiscard]] qint64 refused();

private:
    Room<RefusingLines> m_room;
    quint16 m_port = 0;
};

} // namespace outbox
