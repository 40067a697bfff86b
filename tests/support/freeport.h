// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A TCP port on the loopback that nobody listens on.
#pragma once

#include <QHostAddress>
#include <QTcpServer>

namespace outbox {

/// Free at the moment of asking; the kernel hands it out again last.
[[nodiscard]] inline quint16 freePort()
{
    QTcpServer server;
    return server.listen(QHostAddress::LocalHost) ? server.serverPort() : quint16{0};
}

} // namespace outbox
