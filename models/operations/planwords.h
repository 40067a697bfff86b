// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan in the words of the console: what it does to how many, and the text of its button.
#pragma once

#include "models/operations/plan.h"
#include "models/operations/receipt.h"

#include <QString>

namespace outbox {

/// "297 rows", "1 task", "queue \"default\"": what the plan acts on.
[[nodiscard]] QString subjectWords(const Plan &plan);
/// "Exactly 297 of 300 rows will be purged."; where nothing can be done it says so.
[[nodiscard]] QString planSentence(const Plan &plan);
/// The button: "Purge 297 rows".
[[nodiscard]] QString actWords(const Plan &plan);
/// What a plan expects, with a capital: "Accepted", "Will be purged", "Second execution".
[[nodiscard]] QString expectationWords(Verb verb, Outcome outcome);
/// What a receipt tells, with a capital: "Purged", "Changed meanwhile".
[[nodiscard]] QString outcomeWords(Verb verb, Outcome outcome);
/// "Purged: 297 rows; 2 changed meanwhile, 1 claimed."
[[nodiscard]] QString receiptSentence(const Plan &plan, const Receipt &receipt);
/// What was seen of an item: "processed; in queue: done, kept until 14:02".
[[nodiscard]] QString seenWords(const PlanItem &item, const QDateTime &now);

} // namespace outbox
