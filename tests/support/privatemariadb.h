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
    /// Starts the same server again after a kill or stop.
    [[nodiscard]] Result<void> restart();
    /// Asks it to end in good order.
    void stop();
    [[nodiscard]] QString socketPath() const;
    [[nodiscard]] QString user() const; ///< may do everything, without a password
    [[nodiscard]] QString url(const QString &database = QStringLiteral("mysql")) const;
    /// The same for another account.
    [[nodiscard]] QString urlFor(const QString &account, const QString &database) const;
    [[nodiscard]] QByteArray log() const;

private:
    QStringList m_extra;
};

} // namespace outbox
