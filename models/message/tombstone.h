// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The record that a purge, or the undo of a replay, leaves in the queue: a task that is completed
// and kept for the dedup window, so that late copies of the message are refused.
#pragma once

#include <QString>

namespace outbox {

/// The type of such a task. It is the same for both, and for older versions of this program.
inline constexpr char tombstoneType[] = "outboxdeck:purged";

[[nodiscard]] inline bool isTombstone(const QString &type)
{
    return type == QLatin1StringView(tombstoneType);
}

} // namespace outbox
