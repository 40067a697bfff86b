// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long something took, with its parts of a millisecond.
#pragma once

#include <QElapsedTimer>

namespace outbox {

[[nodiscard]] inline double millisecondsOf(const QElapsedTimer &clock)
{
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

} // namespace outbox
