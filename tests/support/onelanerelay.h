// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A relay over one session that is asked for one batch after the other.
#pragma once

#include "app/relay/relay.h"
#include "tests/support/memoryparking.h"

namespace outbox {

class OneLaneRelay
{
public:
    OneLaneRelay(OutboxStore &store, TaskQueue &queue, RelayRules rules)
        : m_relay({{&store}, nullptr, &queue, &m_parking, nullptr}, std::move(rules))
    { }
    OneLaneRelay(const OneLaneRelay &) = delete;
    OneLaneRelay &operator=(const OneLaneRelay &) = delete;

    /// One batch, from its claim to its end.
    [[nodiscard]] RelayStep step(int rows)
    {
        QList<RelayStep> ended;
        while (ended.isEmpty())
            ended = m_relay.turn(rows);
        return ended.last();
    }
    [[nodiscard]] Relay &relay() { return m_relay; }

private:
    MemoryParking m_parking;
    Relay m_relay;
};

} // namespace outbox
