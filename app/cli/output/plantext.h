// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans and receipts for people at a terminal: what a person must know before saying yes, and
// after.
#pragma once

#include "models/operations/auditentry.h"
#include "models/operations/plan.h"
#include "models/operations/receipt.h"

#include <QMap>
#include <QString>

#include <utility>

namespace outbox {

/// The plan, several lines: sentence, counts, the first 20 messages with reasons, what will run,
/// warnings, undo.
[[nodiscard]] QString toText(const Plan &plan);
/// The findings of a plan to repair them, by kind: how many there are, and how many of them it
/// repairs.
[[nodiscard]] QMap<FindingKind, std::pair<qsizetype, qsizetype>> findingCounts(const Plan &plan);
/// The options that carry this plan out, every consent given: "--yes --allow-second-execution".
[[nodiscard]] QString optionsFor(const Plan &plan);
/// What was done, several lines; the first 20 messages that were not, with reasons.
[[nodiscard]] QString toText(const Plan &plan, const Receipt &receipt);
/// One operation of the audit with its messages.
[[nodiscard]] QString toText(const Activity &activity);

} // namespace outbox
