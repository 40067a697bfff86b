// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/elapsed.h"

#include <QElapsedTimer>

#include <algorithm>

namespace outbox {

/// What `ask` answers. The milliseconds that it took are added to `slice.tookMs` and are its
/// `longestMs` if none took longer: who keeps within a budget goes by both. Any thread.
template <typename Slice, typename Ask> auto timed(Slice &slice, const Ask &ask)
{
    QElapsedTimer clock;
    clock.start();
    auto answer = ask();
    const double tookMs = millisecondsOf(clock);
    slice.tookMs += tookMs;
    slice.longestMs = std::max(slice.longestMs, tookMs);
    return answer;
}

} // namespace outbox
