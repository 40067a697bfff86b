// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an import would do, item by item of its file.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "app/operations/transfer/exportfile.h"
#include "models/operations/plan.h"
#include "models/result.h"

#include <functional>

namespace outbox {

/// Reads the file through and looks up everything in it that is wanted: fills items, file,
/// statements and commands of `plan`. What would be delivered or run, while nothing in the queue
/// tells that it was not meanwhile, is expected as a second execution. A task whose message is that
/// of another is not offered. Fails with Invalid when the file cannot be read, or holds a row that
/// can be none of this table under its id, and with Refused when it comes from another table or
/// system.
/// `wanted` says which items are meant; empty: all. `replaced` says what a Replace left under the
/// id of a task (state and stamp), where the file is that of one.
[[nodiscard]] Result<void> planImport(OperatorSession &session, const QString &file, Plan &plan,
                                      const std::function<bool(const PlanItem &item)> &wanted = {},
                                      const std::function<QString(const PlanItem &task)> &replaced
                                      = {});

} // namespace outbox
