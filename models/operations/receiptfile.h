// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Receipts and the record as files for people and scripts: JSON lines or CSV.
#pragma once

#include "models/operations/auditentry.h"
#include "models/operations/plan.h"
#include "models/operations/receipt.h"

#include <QByteArray>

namespace outbox {

/// A first line about the whole, then a line for each message of the plan: what was expected, what
/// came of it, why. UTF-8.
[[nodiscard]] QByteArray receiptJsonLines(const Plan &plan, const Receipt &receipt);
/// A head line, then one for each message. Cells that a spreadsheet would take for a formula begin
/// with an apostrophe.
[[nodiscard]] QByteArray receiptCsv(const Plan &plan, const Receipt &receipt);
/// One line for each operation: who, when, what, the counts, the error.
[[nodiscard]] QByteArray activitiesJsonLines(const QList<Activity> &activities);

} // namespace outbox
