// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A filter while it is typed: right, not yet right, or wrong, and where.
#pragma once

#include "models/filter/checks.h"

namespace outbox {

/// The colours of the filter bar: green, amber, red.
enum class FilterStatus { Complete, Incomplete, Wrong };

struct FilterReading
{
    FilterStatus status = FilterStatus::Complete;
    Filter filter; ///< these two only where it is complete
    CheckNode checks;
    std::optional<Error> fault; ///< Invalid, with its position
};

/// `now` as in `checksOf`.
[[nodiscard]] FilterReading readFilter(const QString &text, FilterSubject subject,
                                       const QDateTime &now);

} // namespace outbox
