// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One look at the stores of a design, in a room of its own, so that a database that stands still is
// given up.
#pragma once

#include "app/cli/await.h"
#include "app/designs/designdesk.h"

namespace outbox {

/// Opens the desk for looking and answers what `job` makes of it.
template <typename Job> auto lookAtDesign(const DesignPlace &place, Job job)
{
    constexpr int deadlineMs = 120'000;
    Room<DesignDesk> room(QStringLiteral("reader"));
    return await(
        room,
        [&place, &job](DesignDesk &desk) -> std::invoke_result_t<Job, DesignDesk &> {
            if (auto opened = desk.open(place, StoreAccess::Look); !opened)
                return passOn(opened);
            return job(desk);
        },
        deadlineMs);
}

} // namespace outbox
