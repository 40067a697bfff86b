// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Findings in the words of the console: what a kind means for whom it concerns, what ends it, and
// what was seen of a case.
#pragma once

#include "models/operations/finding.h"
#include "models/operations/scanreport.h"

#include <QDateTime>
#include <QString>

#include <optional>

namespace outbox {

/// What it means that a kind was found so often: "12 rows are marked processed, but are nowhere in
/// the queue". No full stop.
[[nodiscard]] QString findingSentence(FindingKind kind, qsizetype count);
/// What ends a kind that is repaired elsewhere: "fix with Run or Replace"; empty for all others.
[[nodiscard]] QString fixWords(FindingKind kind);
/// What a plan of repairs saw of an item: "Archived task, in no list, 224 bytes". `now` is for
/// moments in it. The item's evidence as it stands where it is not that of a repair.
[[nodiscard]] QString evidenceWords(const PlanItem &item, const QDateTime &now);

/// What a look found and when: "24 inconsistencies, checked at 14:01:20."; nullopt: nobody has
/// looked yet.
[[nodiscard]] QString summaryWords(const std::optional<ScanSummary> &summary, const QDateTime &now);

} // namespace outbox
