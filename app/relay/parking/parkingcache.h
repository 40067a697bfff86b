// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a relay knows of the parked rows between two readings of the place where they are kept.
#pragma once

#include "app/relay/parking/parking.h"

#include <QList>

#include <chrono>
#include <optional>

namespace outbox {

/// A release by hand is seen within five seconds. Rows that the relay parks are known at once and
/// written down later: every write is an fsync that all rows would wait for. A row that a crash
/// loses on that way is met and parked again.
/// Used in the relay's room. Errors: those of `Parking`.
class ParkingCache
{
public:
    using Time = std::chrono::steady_clock::time_point;

    /// `place` outlives the cache.
    explicit ParkingCache(Parking &place) : m_place(place) { }

    /// Writes down what is due and reads the place again, where it was not read yet or the last
    /// reading is older than five seconds. True where it was read. Where rows cannot be written
    /// down it is not read, which is an error the first time only: `write` tells later, and tries
    /// again.
    [[nodiscard]] Result<bool> refresh(Time now);
    /// Writes down the rows that were parked since the last time; they stay due after an error.
    [[nodiscard]] Result<void> write();

    /// In the order in which they were parked.
    [[nodiscard]] const QList<ParkedRow> &rows() const { return m_rows; }
    /// The ids of `rows`, in the same order.
    [[nodiscard]] const QList<MessageId> &ids() const { return m_ids; }
    [[nodiscard]] bool contains(const MessageId &id) const { return m_ids.contains(id); }
    void add(const ParkedRow &row);

private:
    Parking &m_place;
    std::optional<Time> m_readAt; ///< when the place was read, or could not be
    QList<ParkedRow> m_rows;
    QList<MessageId> m_ids;
    QList<ParkedRow> m_unwritten;
};

} // namespace outbox
