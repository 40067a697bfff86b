// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The records that stand under the task ids of purged rows, laid and lifted queue by queue.
#pragma once

#include "app/operations/workbench.h"
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
[[nodiscard]] Result<QList<PlanItem>> bury(Workbench &bench, const QList<PlanItem> &items,
                                           const QString &operation);
/// Takes the tombstones of `operation` away from under these items, as far as it goes, and nothing
/// else; fails with the first reason. One that stays keeps a relay from delivering, and says by
/// whom.
[[nodiscard]] Result<void> exhume(Workbench &bench, const QList<PlanItem> &items,
                                  const QString &operation);

} // namespace outbox
