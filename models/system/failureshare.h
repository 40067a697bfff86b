// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many of the last attempts at tasks failed, from the counters that the queues keep.
#pragma once

#include "models/system/snapshots.h"

#include <QList>

#include <optional>

namespace outbox {

/// Over the last looks, all queues together.
class FailureShare
{
public:
    struct Counts
    {
        qint64 attempts = 0;
        qint64 failed = 0;

        bool operator==(const Counts &) const = default;
    };

    void add(const QList<QueueSnapshot> &queues);
    /// The source was asked and did not answer, or is another one: what was before does not count.
    void forget() { m_totals.clear(); }
    /// nullopt: fewer than ten attempts were seen, or the counters are not known.
    [[nodiscard]] std::optional<Counts> counts() const;

private:
    QList<Counts> m_totals; ///< since ever, one of each look, the newest last
};

} // namespace outbox
