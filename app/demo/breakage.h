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

    bool operator==(const Breakage &) const = default;
};

/// What can be broken where the demo shows this design.
[[nodiscard]] QList<Breakage> breakages(DemoDesign design = DemoDesign::RedisRelay);

} // namespace outbox
