// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows, tasks and servers as names and values for a PropertyList; what is not known is left out.
#pragma once

#include "models/payload/payloadmasks.h"
#include "models/system/systemview.h"
#include "views/widgets/propertylist.h"

namespace outbox {

/// Every member of the row with what it means.
[[nodiscard]] QList<Fact> rowFacts(const Message &message);
/// The stations of a message in the order of time, each with where it is known from. Of the result
/// of its task what `masks` let be seen.
[[nodiscard]] QList<Fact> journeyFacts(const IdVerdict &verdict, const PayloadMasks &masks);
/// State, tries, error and timings of a task. Of its result what `masks` let be seen.
[[nodiscard]] QList<Fact> taskFacts(const Task &task, const PayloadMasks &masks);
/// What the Redis server promises, and what it does not.
[[nodiscard]] QList<Fact> redisFacts(const RedisFacts &facts);

} // namespace outbox
