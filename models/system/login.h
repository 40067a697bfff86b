// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A log-in that a server refused, in the words of every face: another password may do.
#pragma once

#include "models/result.h"
#include "models/system/staleness.h"

#include <QString>

namespace outbox {

/// libpq was asked for a password and had none: there is no SQLSTATE for that.
inline constexpr QLatin1StringView noPasswordCode("NOPASSWORD");
/// SQLSTATE of PostgreSQL.
inline constexpr QLatin1StringView wrongPasswordCode("28P01");

/// Who logs in at the two servers, as the addresses say; empty: they name nobody.
struct LogInNames
{
    QString database;
    QString redis;

    bool operator==(const LogInNames &) const = default;
};

/// A server refused user or password, or asks for one that was not given. To try the same again is
/// of no use, and may lock the account.
[[nodiscard]] bool isLogInRefused(const Error &error);
/// "The database refused the log-in of "ana": wrong password", without a full stop. `error` is one
/// of a refused log-in.
[[nodiscard]] QString logInRefused(Source source, const LogInNames &names, const Error &error);

} // namespace outbox
