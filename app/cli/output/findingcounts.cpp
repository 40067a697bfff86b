// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/findingcounts.h"

#include "models/operations/finding.h"

namespace outbox {

QList<FindingCount> findingCounts(const Plan &plan)
{
    QMap<FindingKind, FindingCount> counts;
    for (const PlanItem &item : plan.items) {
        if (!item.kind)
            continue;
        FindingCount &count = counts[*item.kind];
        ++count.found;
        count.repaired += item.isActedOn() ? 1 : 0;
    }
    for (auto count = counts.begin(); count != counts.end(); ++count) {
        count->kind = count.key();
        count->title = textOf(count.key()).title;
    }
    return counts.values();
}

} // namespace outbox
