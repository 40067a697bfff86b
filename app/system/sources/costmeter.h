// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adds up what the looks of one source cost.
#pragma once

#include "app/system/sources/poller.h"
#include "connectors/traffic.h"
#include "models/elapsed.h"

#include <QElapsedTimer>

#include <functional>
#include <type_traits>

namespace outbox {

/// An answer of a room with what it cost there.
template <typename Answer> struct Measured
{
    Answer answer;
    double tookMs = 0;
    Traffic traffic;
};

/// The same job for a room, its answer with what it cost.
template <typename Job> auto measured(Job job)
{
    return [job = std::move(job)](auto &resource) mutable {
        using Answer = std::invoke_result_t<Job, decltype(resource)>;
        QElapsedTimer clock;
        clock.start();
        const Traffic before = trafficOfThread();
        Measured<Answer> measured{std::invoke(job, resource), 0, {}};
        const Traffic &after = trafficOfThread();
        measured.tookMs = millisecondsOf(clock);
        measured.traffic = {after.statements - before.statements, after.bytes - before.bytes};
        return measured;
    };
}

/// Lives in the asker's thread.
class CostMeter
{
public:
    void add(double tookMs, const Traffic &traffic);
    /// The last of these was the answer to a regular question, after which `poller` has settled its
    /// interval.
    void addRegular(PollCost::Regular PollCost::*which, const Poller &poller);
    [[nodiscard]] const PollCost &cost() const { return m_cost; }

private:
    PollCost m_cost;
    double m_lastMs = 0;
};

} // namespace outbox
