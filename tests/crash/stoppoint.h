// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The 2N + 4 places at which a relay with a batch of N may die (correctness.md 2.2), by number.
#pragma once

#include "app/relay/relayobserver.h"

#include <QString>

namespace outbox::crash {

/// 0 before the claim, 1 after it, 2 + 2k before and 3 + 2k after enqueue k, 2N + 2 before COMMIT,
/// 2N + 3 after COMMIT was sent and before its answer is read.
[[nodiscard]] constexpr int stopPoints(int rows)
{
    return 2 * rows + 4;
}
[[nodiscard]] constexpr int beforeEnqueue(int row)
{
    return 2 + 2 * row;
}
[[nodiscard]] constexpr int afterEnqueue(int row)
{
    return 3 + 2 * row;
}
/// The point of a moment that the relay itself tells; -1 where it is none. A database that answers
/// COMMIT at once (SQLite) has its last point behind the answer, before the relay acts on it.
[[nodiscard]] constexpr int pointOf(RelayStage moment, int rows, bool answersAtOnce)
{
    switch (moment) {
    case RelayStage::Claiming:
        return 0;
    case RelayStage::Claimed:
        return 1;
    case RelayStage::Committing:
        return 2 * rows + 2;
    case RelayStage::CommitSent:
        return answersAtOnce ? -1 : 2 * rows + 3;
    case RelayStage::Committed:
        return answersAtOnce ? 2 * rows + 3 : -1;
    case RelayStage::Enqueueing:
    case RelayStage::Enqueued:
    case RelayStage::Narrowed:
    case RelayStage::RolledBack:
        break;
    }
    return -1;
}
/// "before enqueue 3", for tables and failures.
[[nodiscard]] QString pointWords(int point, int rows);

} // namespace outbox::crash
