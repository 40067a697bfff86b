// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What errors that differ by their details have in common: the text that their groups are known by.
#pragma once

#include "models/filter/checks.h"

#include <QString>
#include <QStringView>

namespace outbox {

/// Longer causes are cut, and end with a `*`.
constexpr qsizetype mostCauseCharacters = 200;

/// `error` with a `*` for whatever changes from message to message: numbers, times, uuids, other
/// hexadecimal ids, addresses, what stands in quotes, and characters that cannot be seen. Numbers
/// of up to three digits stay, for they are codes (HTTP 503, SMTP 550 5.1.1), but for those with a
/// unit and those in a path. The same for the same text, on one line, and empty for an empty text
/// alone. Every text fits its cause as a pattern of wildcards.
[[nodiscard]] QString causeOf(QStringView error);

/// A pattern that every error fits, other errors too, whose cause fits `pattern`: for databases,
/// which know no causes.
[[nodiscard]] FilterPattern errorsOfCause(const FilterPattern &pattern);

} // namespace outbox
