// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person chose on the relay's start sheet.
#pragma once

#include <QString>

namespace outbox {

struct RelayStart
{
    int batch = 1000; ///< the largest one; small ones while there is little to do
    int pollMs = 500; ///< how long an idle relay waits without a NOTIFY
    double ratePerSecond = 0; ///< 0 = no limit
    qint64 retentionSeconds = 86'400; ///< the dedup window
    bool allowDuplicates = false; ///< permits a retention below one second
    bool barrier = false; ///< nothing is sent before its row is on the database's disk
    int replicas = 0; ///< of Redis that must have a batch before its rows are given up
    bool onDisk = false; ///< Redis has a batch on its disk before its rows are given up
    qint64 deepestQueue = 0; ///< no claims while so many tasks wait in the queue; 0 = no limit
    QString notifyChannel; ///< PostgreSQL's NOTIFY that wakes an idle relay; empty = polling only
    QString schedule; ///< the times it works at, as Schedule reads them; empty = all the time

    bool operator==(const RelayStart &) const = default;
};

} // namespace outbox
