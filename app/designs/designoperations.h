// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The operations on messages that wait inside documents. The class of each stands in its own file.
#pragma once

#include "app/designs/documentstores.h"
#include "app/operations/core/operation.h"
#include "models/operations/commandline.h"

#include <memory>
#include <optional>

namespace outbox {

/// The verb that finishes what handlers left behind: it dispatches (K29) and, where
/// `removesLeftovers`, takes leftovers away (K15). `olderThanSeconds`: only entries that are known
/// to be so old.
[[nodiscard]] std::unique_ptr<Operation> makeSettleEntries(DesignPlace place, bool removesLeftovers,
                                                           std::optional<double> olderThanSeconds
                                                           = {});

/// The verb that takes null entries out of documents once they are older than the retention.
[[nodiscard]] std::unique_ptr<Operation> makePurgeEntries(DesignPlace place);

/// The verb that lets consumed messages run once more; it takes their tokens for tasks.
[[nodiscard]] std::unique_ptr<Operation> makeForceExecution(DesignPlace place);

/// nullptr: the request is about rows, tasks or queues, and the verb's own class serves it. Fails
/// with Invalid where the profile's design cannot be understood.
[[nodiscard]] Result<std::unique_ptr<Operation>>
designOperationFor(const OperationRequest &request, const OperatorSessionSettings &settings);

} // namespace outbox
