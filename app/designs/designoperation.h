// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which operation a request means where messages wait inside documents.
#pragma once

#include "app/operations/core/operation.h"
#include "models/operations/commandline.h"

#include <memory>

namespace outbox {

/// nullptr: the request is about rows, tasks or queues, and the verb's own class serves it. Fails
/// with Invalid where the profile's design cannot be understood.
[[nodiscard]] Result<std::unique_ptr<Operation>>
designOperationFor(const OperationRequest &request, const OperatorSessionSettings &settings);

} // namespace outbox
