// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times in a filter as a person writes them.
#pragma once

#include "models/result.h"

#include <QDateTime>
#include <QString>

namespace outbox {

/// What a time as coarse as `today` or `14:02` stands for.
struct Moments
{
    QDateTime begin; ///< belongs to it
    QDateTime end; ///< does not belong to it

    bool operator==(const Moments &) const = default;
};

/// Reads `today`, `yesterday`, `14:02`, `2026-11-21`, `2026-11-21T14:02:11Z` (without Z: local
/// time) and `-15m`, which is from then until `now`. Fails with Invalid.
[[nodiscard]] Result<Moments> momentsOf(const QString &text, const QDateTime &now,
                                        int position = 0);

} // namespace outbox
