// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Errors that several files of a database tell; what its server says is read by its client or its
// session.
#pragma once

#include "models/result.h"

#include <QString>

namespace outbox {

struct SqlDatabase;

/// The first line of what a server said, which may be several.
[[nodiscard]] QString firstLineSaid(const QString &text);

/// A row that was to go and that the database kept without a word: a trigger gave no row, a policy
/// hides it, or no statement can name it.
[[nodiscard]] Error keptRow(const QString &doing);

/// SQLSTATE of PostgreSQL.
inline constexpr QLatin1StringView lockNotAvailable("55P03");

/// No server of the address is a primary, and one at least is a standby, or an earlier primary: a
/// promotion ends that, or another search.
inline constexpr QLatin1StringView noPrimaryCode("NOPRIMARY");
/// The server has the data of another database than the one that was worked on before.
inline constexpr QLatin1StringView otherSystemCode("OTHERSYSTEM");

/// We shut the socket while an answer was awaited; the session is down.
[[nodiscard]] Error givenUp(const QString &doing);
/// PostgreSQL does not know a statement that was prepared before, or knows another of its name, as
/// it happens behind a pooler. The session prepares nothing from then on: the same may be asked
/// again.
[[nodiscard]] bool wasForgotten(const Error &error);
/// The table has an engine that cannot roll back.
[[nodiscard]] Error notTransactional(const QString &doing, const SqlDatabase &database);
/// `SqlDatabase::driver` is not there.
[[nodiscard]] Error missingDriver(const QString &doing, const SqlDatabase &database);

} // namespace outbox
