// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The findings of a plan to repair them, counted by kind.
#pragma once

#include "models/operations/plan.h"

namespace outbox {

struct FindingCount
{
    FindingKind kind = FindingKind::StubHash;
    QString title;
    qsizetype found = 0;
    qsizetype repaired = 0; ///< of them, by this plan
};

/// By the number of the kind.
[[nodiscard]] QList<FindingCount> findingCounts(const Plan &plan);

} // namespace outbox
