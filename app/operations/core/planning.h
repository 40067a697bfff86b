// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all plans begin with.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "app/operations/core/traces.h"
#include "models/operations/plan.h"
#include "models/operations/selection.h"
#include "models/result.h"

#include <QHash>
#include <QList>

namespace outbox {

/// A plan without items: its name, its system, its moment and its selection in words. Fails with
/// Invalid when nothing was selected.
[[nodiscard]] Result<Plan> newPlan(OperatorSession &session, Verb verb, const Selection &selection);
/// Fails with Cancelled once nobody waits for the plan any more.
[[nodiscard]] Result<void> unlessStopped(const OperatorSession &session);
/// "3 rows", "rows that match state:failed", "the queue mail".
[[nodiscard]] QString selectionText(Verb verb, const Selection &selection);
/// Sets another expectation where the item would be acted on.
void leaveAlone(PlanItem &item, Outcome outcome, const QString &reason);
/// One more sentence behind those that the item has.
void addReason(PlanItem &item, const QString &reason);
/// Where the items of each queue stand.
template <typename Item>
[[nodiscard]] QHash<QueueName, QList<qsizetype>> placesByQueue(const QList<Item> &items)
{
    QHash<QueueName, QList<qsizetype>> places;
    for (qsizetype place = 0; place < items.size(); ++place)
        places[items.at(place).queue] += place;
    return places;
}
/// Said where more matches than a plan may freeze.
[[nodiscard]] QString cutWarning(const Profile &profile);

} // namespace outbox
