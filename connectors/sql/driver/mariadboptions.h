// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Settings of a MariaDB session as Qt's connect options and as the statements that follow. Pure.
// Errors: Invalid for a file of certificates that cannot be read, Unsupported for what the driver
// cannot do.
#pragma once

#include "connectors/sql/driver/storesettings.h"

namespace outbox {

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

} // namespace outbox
