// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One run of a relay that works by a schedule.
#pragma once

#include <QDateTime>

namespace outbox {

struct JobRun
{
    QDateTime planned; ///< the time of the schedule that it is for
    QDateTime began;
    QDateTime ended;
    qint64 delivered = 0;
    qint64 parked = 0;
    int missed = 0; ///< times that passed while it ran: they are left out, not made up for
    bool isElsewhere = false; ///< another process was at work: this one did nothing
    QDateTime next;

    bool operator==(const JobRun &) const = default;
};

} // namespace outbox
