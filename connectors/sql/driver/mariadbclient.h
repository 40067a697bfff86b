// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The client of MariaDB under a session: its settings as Qt's connect options and as the statements
// that follow, what the server said as an Error, and Qt's QMYSQL plugin.
// Errors: Invalid for a file of certificates that cannot be read, Unsupported for what the driver
// cannot do.
#pragma once

#include "connectors/sql/driver/storesettings.h"

#include <QSqlDatabase>

namespace outbox {

/// See `SqlDatabase::checkUrl`.
[[nodiscard]] Result<void> checkMariadbUrl(const DatabaseUrl &url, const QString &written,
                                           const QString &doing);

/// How long our side waits for an answer before it drops the session: a little longer than the
/// server, whose own message is the better one.
[[nodiscard]] int mariadbPatienceMs(const StoreSettings &settings);

/// For QSqlDatabase::setConnectOptions.
[[nodiscard]] Result<QString> mariadbOptions(const StoreSettings &settings, const QString &doing);

/// Whether the session must be encrypted.
[[nodiscard]] bool wantsTls(const DatabaseUrl &url);

/// What is run first in a session.
[[nodiscard]] QStringList mariadbPreparation(const StoreSettings &settings);

/// Why rows of a server of this `version` ("10.11.6-MariaDB-…") cannot be claimed; empty where they
/// can.
[[nodiscard]] QString whyNotMariadb(const QString &version);

/// `code` is the number of MariaDB's server or client library; an empty one means that the session
/// itself is gone.
[[nodiscard]] Error mariadbError(const QString &doing, const QString &text, const QString &code);

/// A node of a Galera cluster that is not in it takes no statement.
inline constexpr QLatin1StringView nodeNotReadyCode("1047");
/// What a node answers to the COMMIT in hand when it loses its cluster.
inline constexpr QLatin1StringView commitFailedCode("1180");
/// The server has rolled the whole transaction back, for sure: to end a deadlock, or because what
/// another node of a Galera cluster committed came before. Also the answer to a COMMIT.
inline constexpr QLatin1StringView rolledBackCode("1213");

/// Whether the server let nothing be written because it is read-only itself, not the session.
[[nodiscard]] bool isOfReadOnlyServer(const Error &error);

/// Numbers of errors after which the session cannot be used any more.
[[nodiscard]] bool endsMariadbSession(const QString &code);

} // namespace outbox

namespace outbox::mariadb {

/// The plugin begins and ends the client library by counting its connections, without a lock. So
/// they are made and ended under ours, and one that is never opened keeps the count above 0.
[[nodiscard]] QSqlDatabase addConnection(const QString &name);
void removeConnection(const QString &name);

/// The socket of an open connection; -1 where the plugin does not give it away.
[[nodiscard]] int socketOf(const QSqlDatabase &database);

} // namespace outbox::mariadb
