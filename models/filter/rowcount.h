// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The question how many rows match a filter, with an end to the counting.
#pragma once

#include "models/filter/filter.h"

#include <QDateTime>

#include <optional>

namespace outbox {

/// What a count is asked for.
struct RowCountRequest
{
    Filter filter; ///< of rows
    /// What times in `filter` count from; its zone is that of times that name none.
    QDateTime at;
    /// Only rows that were made so many seconds ago at most, by the clock of the database.
    std::optional<double> madeWithinSeconds;
    qint64 most = 0; ///< where there are more, the answer is one more than this

    bool operator==(const RowCountRequest &) const = default;
};

} // namespace outbox
