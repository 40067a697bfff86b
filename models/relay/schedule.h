// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// When a job runs: every so long, or at the times of a cron expression; and one run of it. Times
// are UTC, in which no hour comes twice and none is left out.
#pragma once

#include "models/result.h"

#include <QDateTime>
#include <QString>

#include <bitset>

namespace outbox {

class Schedule
{
public:
    /// "every 15s" (which is what "every" alone says; units s, m, h, d; counted from midnight of
    /// 1970-01-01 UTC, so that all who run by it agree on the times), or a cron expression of five
    /// fields: minute, hour, day of month, month, day of week; a sixth one before them is the
    /// second. Fails with Invalid, and says which field cannot be read.
    [[nodiscard]] static Result<Schedule> fromText(const QString &text);

    /// As it was written.
    [[nodiscard]] const QString &text() const { return m_text; }
    /// The first time after `moment`, UTC.
    [[nodiscard]] QDateTime nextAfter(const QDateTime &moment) const;
    /// How many of its times lie after `from` and not after `to`; at most `most`.
    [[nodiscard]] int timesBetween(const QDateTime &from, const QDateTime &to, int most) const;
    bool operator==(const Schedule &) const = default;

private:
    [[nodiscard]] static Result<Schedule> cron(const QString &text);
    [[nodiscard]] bool hasDay(const QDate &day) const;

    QString m_text;
    qint64 m_everyMs = 0; ///< 0: by the fields below
    std::bitset<60> m_seconds;
    std::bitset<60> m_minutes;
    std::bitset<24> m_hours;
    std::bitset<32> m_days;
    std::bitset<13> m_months;
    std::bitset<8> m_weekdays; ///< 0 and 7 are Sunday
    bool m_anyDay = true; ///< the field of the day of month begins with '*'
    bool m_anyWeekday = true;
};

/// One run of a relay that works by a schedule.
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
