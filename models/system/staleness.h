// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a source's numbers stop being true.
#pragma once

#include "models/system/systemview.h"

namespace outbox {

enum class Source { Database, Queue };

/// nullopt while the numbers are fresh, or there is no source; otherwise when they were taken (an
/// invalid time: never). Stale is older than three intervals, and never younger than one second.
[[nodiscard]] inline std::optional<QDateTime> staleSince(const SourceHealth &health,
                                                         const QDateTime &now, int intervalMs)
{
    if (health.state == SourceHealth::State::Absent)
        return std::nullopt;
    if (!health.lastGood)
        return QDateTime();
    const qint64 limit = std::max(1'000, 3 * intervalMs);
    return health.lastGood->msecsTo(now) > limit ? health.lastGood : std::nullopt;
}

} // namespace outbox
