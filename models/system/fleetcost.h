// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What our own looking at many systems costs, all of them together.
#pragma once

#include <QtGlobal>

namespace outbox {

struct FleetCost
{
    double looksPerSecond = 0;
    qsizetype sessions = 0; ///< with databases, that are kept open
    qint64 bytesPerSecond = 0; ///< of the answers, as they came from servers or their drivers
    double processorShare = 0; ///< of one processor, by the threads that look

    bool operator==(const FleetCost &) const = default;
};

} // namespace outbox
