// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The entries of "Break something": what is done, what to look at, what heals it.
#pragma once

#include "app/demo/demodesign.h"

#include <QList>
#include <QString>

namespace outbox {

struct Breakage
{
    QString id; ///< machine word, such as "kill-redis"
    QString title; ///< for a menu
    QString happens; ///< told before it is done
    QString watch; ///< where the effect can be seen
    QString heals; ///< how it ends
    QString cure; ///< for a button that heals it at once; empty: it ends by itself
    QString page; ///< what shows it, as in HealthCause::filter; empty: Overview

    bool operator==(const Breakage &) const = default;
};

namespace breakage {

inline const QString stopRelay = QStringLiteral("stop-relay");
inline const QString killRelay = QStringLiteral("kill-relay");
inline const QString loseAnswer = QStringLiteral("lose-answer");
inline const QString shrinkRetention = QStringLiteral("shrink-retention");
inline const QString killRedis = QStringLiteral("kill-redis");
inline const QString freezeRedis = QStringLiteral("freeze-redis");
inline const QString failType = QStringLiteral("fail-type");
inline const QString poisonRow = QStringLiteral("poison-row");
inline const QString damageTask = QStringLiteral("damage-task");
inline const QString sameIds = QStringLiteral("same-ids");
inline const QString fillArchive = QStringLiteral("fill-archive");
inline const QString holdTransaction = QStringLiteral("hold-transaction");
inline const QString burst = QStringLiteral("burst");

} // namespace breakage

/// What can be broken where the demo shows this design; `isPostgres`: on that database.
[[nodiscard]] QList<Breakage> breakages(DemoDesign design = DemoDesign::RedisRelay,
                                        bool isPostgres = false);

} // namespace outbox
