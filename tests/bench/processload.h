// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What processes have cost so far, read off /proc.
#pragma once

#include <QtGlobal>

namespace outbox {

/// CPU in seconds.
struct CpuSpent
{
    double postgres = 0;
    double redis = 0;
    double ours = 0;

    CpuSpent operator-(const CpuSpent &before) const
    {
        return {postgres - before.postgres, redis - before.redis, ours - before.ours};
    }
};

/// User and system time in seconds of a process, its descendants, and those of them that have ended
/// and were waited for.
[[nodiscard]] double cpuSecondsOfTree(qint64 pid);
/// The same of this process alone, to the nanosecond.
[[nodiscard]] double cpuSecondsOfOurs();
/// Resident memory of this process in MiB.
[[nodiscard]] double residentMiB();

} // namespace outbox
