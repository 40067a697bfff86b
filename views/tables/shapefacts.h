// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A mapping as names and values: meaning, then column, then why.
#pragma once

#include "models/shape/catalog.h"
#include "views/widgets/propertylist.h"

namespace outbox {

[[nodiscard]] QList<Fact> shapeFacts(const OutboxShape &shape);
/// The same with confidence, reasons and open questions of the probe.
[[nodiscard]] QList<Fact> findingFacts(const ProbeFinding &finding);
/// Confidence, reasons and open questions alone; how sure it is comes first.
[[nodiscard]] QList<Fact> reasonFacts(const ProbeFinding &finding);

} // namespace outbox
