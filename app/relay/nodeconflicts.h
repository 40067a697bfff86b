// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many batches the database rolls back because another node of its cluster was first: many, and
// relays work on several nodes.
#pragma once

#include <QString>

#include <chrono>
#include <optional>

namespace outbox {

/// Counts minute by minute. Sends nothing, and is given the time; used in the relay's room.
class NodeConflicts
{
public:
    using Time = std::chrono::steady_clock::time_point;

    /// A batch has ended; `isConflict`: rolled back for another transaction's sake.
    void took(bool isConflict);
    /// What is to be told of them, once a minute at most: where more than one in twenty of the last
    /// batches, 20 at least, were conflicts. Else it is empty.
    [[nodiscard]] QString takeNotice(Time now);

private:
    int m_batches = 0;
    int m_conflicts = 0;
    std::optional<Time> m_begun; ///< when the count began
    std::optional<Time> m_told;
};

} // namespace outbox
