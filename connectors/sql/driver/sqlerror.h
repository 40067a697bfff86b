// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a database said, as an Error: SQLSTATE or native number to kind and hint.
#pragma once

#include "models/result.h"

#include <QString>

namespace outbox {

/// `text` may hold several lines; the first one counts. An empty `state` means that the session
/// itself is gone.
[[nodiscard]] Error postgresError(const QString &doing, const QString &text, const QString &state);

/// A row that was to go and that the database kept without a word: a trigger gave no row, a policy
/// hides it, or no statement can name it.
[[nodiscard]] Error keptRow(const QString &doing);
/// What a statement of ours makes a boolean of on PostgreSQL, which fails, to say that it met such
/// a row; `postgresError` knows it.
inline constexpr QLatin1StringView keptRowMark("outboxdeck: a row was kept");

/// SQLSTATE of PostgreSQL.
inline constexpr QLatin1StringView lockNotAvailable("55P03");

/// libpq gives no SQLSTATE for a connection that was never made.
[[nodiscard]] Error postgresConnectError(const QString &doing, const QString &text);

/// `code` is SQLite's result code, perhaps an extended one.
[[nodiscard]] Error sqliteError(const QString &doing, const QString &text, const QString &code);

/// `code` is the number of MariaDB's server or client library; an empty one means that the session
/// itself is gone.
[[nodiscard]] Error mariadbError(const QString &doing, const QString &text, const QString &code);

/// Numbers of errors after which the session cannot be used any more.
[[nodiscard]] bool endsMariadbSession(const QString &code);

/// We shut the socket while an answer was awaited; the session is down.
[[nodiscard]] Error givenUp(const QString &doing);
/// PostgreSQL does not know a statement that was prepared before, or knows another of its name, as
/// it happens behind a pooler. The session prepares nothing from then on: the same may be asked
/// again.
[[nodiscard]] bool wasForgotten(const Error &error);
/// The Qt plugin for `driver` is not there.
[[nodiscard]] Error missingDriver(const QString &doing, const QString &driver);

} // namespace outbox
