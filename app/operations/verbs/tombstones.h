// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The records that stand under the task ids of rows that are purged, or whose replay was taken
// back; laid and lifted queue by queue.
// Errors: those of the task editor.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "models/operations/plan.h"
#include "models/result.h"

#include <QList>
#include <QString>

namespace outbox {

/// How long a tombstone is kept, in s: the dedup window, but never so short that an enqueue on its
/// way could outlast it.
[[nodiscard]] qint64 tombstoneSeconds(const Profile &profile);

/// Leaves a tombstone of `operation` under the task id of each item; answers those under whose id
/// something stood. When it fails with Timeout, Unreachable or Protocol some may stand now.
[[nodiscard]] Result<QList<PlanItem>>
placeTombstone(OperatorSession &session, const QList<PlanItem> &items, const QString &operation);
/// What stands for `operation` where the undo of a replay leaves tombstones: another replay may
/// take them away, as the row is to be delivered then. Those of a purge stay.
[[nodiscard]] QString undoneReplay(const QString &operation);
[[nodiscard]] bool isUndoneReplay(const QString &operation);
/// The operation whose tombstone stands under the task of `item`; empty where none does.
[[nodiscard]] Result<QString> tombstoneUnder(OperatorSession &session, const PlanItem &item);

/// Takes the tombstones of `operation` away from under these items, as far as it goes, and nothing
/// else; fails with the first reason. One that stays keeps a relay from delivering, and says by
/// whom.
[[nodiscard]] Result<void> removeTombstone(OperatorSession &session, const QList<PlanItem> &items,
                                           const QString &operation);

/// The same for items over tombstones of several operations, each named in `PlanItem::evidence`.
[[nodiscard]] Result<void> removeTombstones(OperatorSession &session, const QList<PlanItem> &items);
/// What was to be delivered is not: the tombstones come back, as far as it goes.
void placeTombstonesAgain(OperatorSession &session, const QList<PlanItem> &items);

} // namespace outbox
