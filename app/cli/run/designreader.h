// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One look at the stores of a design, in a room of its own, so that a database that stands still is
// given up.
#pragma once

#include "app/cli/run/await.h"
#include "app/designs/documentstores.h"

namespace outbox {

/// Opens the stores for looking and answers what `job` makes of it.
template <typename Job> auto lookAtDesign(const DesignPlace &place, Job job)
{
    constexpr int deadlineMs = 120'000;
    Room<DocumentStores> room(QStringLiteral("reader"));
    return await(
        room,
        [&place, &job](DocumentStores &stores) -> std::invoke_result_t<Job, DocumentStores &> {
            TRY(stores.open(place, StoreAccess::ReadOnly));
            return job(stores);
        },
        deadlineMs);
}

} // namespace outbox
