// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/plan.h"

#include <algorithm>

namespace outbox {

qsizetype Plan::acting() const
{
    return std::count_if(items.begin(), items.end(),
                         [](const PlanItem &item) { return item.isActedOn(); });
}

QMap<Outcome, qsizetype> Plan::counts() const
{
    QMap<Outcome, qsizetype> counts;
    for (const PlanItem &item : items)
        ++counts[item.expected];
    return counts;
}

} // namespace outbox
