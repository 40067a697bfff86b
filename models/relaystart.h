// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person chose on the relay's start sheet.
#pragma once

#include <QString>

namespace outbox {

struct RelayStart
{
    int batch = 100;
    int pollMs = 500; ///< how long an idle relay waits without a NOTIFY
    double ratePerSecond = 0; ///< 0 = no limit
    qint64 retentionSeconds = 86'400; ///< the dedup window
    bool allowDuplicates = false; ///< permits a retention below one second
    QString notifyChannel; ///< PostgreSQL's NOTIFY that wakes an idle relay; empty = polling only

    bool operator==(const RelayStart &) const = default;
};

} // namespace outbox
