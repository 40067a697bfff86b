// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A MariaDB server that belongs to one test: its own folder, its own socket, and death with us.
#pragma once

#include "app/demo/privateserver.h"

namespace outbox {

/// Nothing is flushed to the disk, but all is with the kernel at each commit: what was committed
/// outlives a kill of the server.
class PrivateMariadb : public PrivateServer
{
public:
    PrivateMariadb();
    /// `extra` goes to the command line, e.g. {"--max-allowed-packet=1M"}.
    [[nodiscard]] Result<void> start(const QStringList &extra = {});
    /// Makes the server, and does not start it.
    [[nodiscard]] Result<void> make(const QStringList &extra = {});
    /// The same, with the data of another one that does not run.
    [[nodiscard]] Result<void> makeFrom(const PrivateMariadb &other, const QStringList &extra = {});
    /// Starts the same server again after a kill or stop.
    [[nodiscard]] Result<void> restart();
    /// The same in two steps: it is begun, and waited for until it greets whoever comes.
    [[nodiscard]] Result<void> begin();
    [[nodiscard]] Result<void> awaitGreeting();
    /// Asks it to end in good order.
    void stop();
    [[nodiscard]] QString socketPath() const;
    [[nodiscard]] QString dataFolder() const { return m_folder.filePath(QStringLiteral("data")); }
    /// Arguments of a server that listens on a port of the loopback, too.
    [[nodiscard]] static QStringList listensOn(quint16 port);
    [[nodiscard]] QString user() const; ///< may do everything, without a password
    [[nodiscard]] QString url(const QString &database = QStringLiteral("mysql")) const;
    /// The same for another account.
    [[nodiscard]] QString urlFor(const QString &account, const QString &database) const;
    [[nodiscard]] QByteArray log() const;

private:
    QStringList m_extra;
};

} // namespace outbox
