// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Qt's QMYSQL plugin under a session: connections made and ended one after another, and the socket
// beneath one.
#pragma once

#include <QSqlDatabase>
#include <QString>

namespace outbox::mariadb {

/// The plugin begins and ends the client library by counting its connections, without a lock. So
/// they are made and ended under ours, and one that is never opened keeps the count above 0.
[[nodiscard]] QSqlDatabase addConnection(const QString &name);
void removeConnection(const QString &name);

/// The socket of an open connection; -1 where the plugin does not give it away.
[[nodiscard]] int socketOf(const QSqlDatabase &database);

} // namespace outbox::mariadb
