// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans and receipts as the JSON objects that scripts read.
#pragma once

#include "models/operations/auditentry.h"
#include "models/operations/plan.h"
#include "models/operations/receipt.h"

#include <QJsonObject>

namespace outbox {

/// Everything that is known of a plan, every item included. `confirm` is the text that has to be
/// typed once every consent is given; null where a yes is enough.
[[nodiscard]] QJsonObject toJson(const Plan &plan);
[[nodiscard]] QJsonObject toJson(const Receipt &receipt);
/// One operation of the audit. `withItems` adds messages and statements.
[[nodiscard]] QJsonObject toJson(const Activity &activity, bool withItems);

} // namespace outbox
