// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How it is known that the table of an outbox is not there, or not to be seen.
#pragma once

#include "models/result.h"

#include <QString>

namespace outbox {

/// No table of the name that was looked for: there is no code of a server for that.
inline constexpr QLatin1StringView noTableCode("NOTABLE");

/// Another table may be the one: a probe tells which of them look like an outbox.
[[nodiscard]] inline bool isTableMissing(const Error &error)
{
    // PostgreSQL's and MariaDB's own
    return error.code == noTableCode || error.code == QLatin1StringView("42P01")
        || error.code == QLatin1StringView("1146");
}

} // namespace outbox
