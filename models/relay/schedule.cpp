// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/relay/schedule.h"

#include <QRegularExpression>
#include <QStringList>
#include <QTimeZone>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// 29 February comes every eight years at the latest, whatever else is asked of it.
constexpr int mostDaysAhead = 366 * 9;
constexpr qint64 longestEveryMs = qint64(366) * 86'400'000;

struct CronField
{
    QString name;
    int least;
    int most;
    QStringList words; ///< names of values, the first one is `least`
};

const QList<CronField> &cronFields()
{
    static const QList<CronField> all{
        {u"second"_s, 0, 59, {}},
        {u"minute"_s, 0, 59, {}},
        {u"hour"_s, 0, 23, {}},
        {u"day of month"_s, 1, 31, {}},
        {u"month"_s, 1, 12, u"JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"_s.split(u' ')},
        {u"day of week"_s, 0, 7, u"SUN MON TUE WED THU FRI SAT"_s.split(u' ')}};
    return all;
}

tl::unexpected<Error> unread(const QString &text, const QString &hint = {})
{
    return fail(Error::Kind::Invalid, u"reading the schedule"_s, text, {},
                hint.isEmpty()
                    ? u"Write \"every 15s\", or a cron expression such as \"*/5 * * * *\""_s
                    : hint);
}

Result<int> numberIn(const CronField &field, const QString &text)
{
    const qsizetype word = field.words.indexOf(text.toUpper());
    if (word >= 0)
        return field.least + static_cast<int>(word);
    bool ok = false;
    const int number = text.toInt(&ok);
    if (!ok || text.startsWith(u'+') || text.startsWith(u'-'))
        return unread(u"%1: \"%2\" is no number%3"_s.arg(
            field.name, text,
            field.words.isEmpty() ? QString() : u" and none of "_s + field.words.join(u", "_s)));
    if (number < field.least || number > field.most) {
        return unread(u"%1: %2 is not between %3 and %4"_s.arg(field.name, text)
                          .arg(field.least)
                          .arg(field.most));
    }
    return number;
}

/// One item of a list: "*", "5", "1-5", each with "/2" or without; "5/10" is from 5 on.
template <typename Bits>
Result<void> takeItem(const CronField &field, const QString &item, Bits &bits)
{
    const QStringList halves = item.split(u'/');
    if (halves.size() > 2)
        return unread(u"%1: \"%2\" has two steps"_s.arg(field.name, item));
    int step = 1;
    if (halves.size() == 2) {
        bool ok = false;
        step = halves.at(1).toInt(&ok);
        if (!ok || step < 1 || step > field.most)
            return unread(u"%1: \"%2\" is no step"_s.arg(field.name, halves.at(1)));
    }
    int from = field.least;
    int to = field.words.size() == 7 ? 6 : field.most; // Sunday counts once
    const QString &range = halves.at(0);
    if (range != u"*" && range != u"?") {
        const QStringList ends = range.split(u'-');
        if (ends.size() > 2 || ends.contains(QString()))
            return unread(u"%1: \"%2\" is no range"_s.arg(field.name, range));
        from = TRY(numberIn(field, ends.at(0)));
        if (ends.size() == 2) {
            to = TRY(numberIn(field, ends.at(1)));
            if (to < from && field.words.size() == 7 && to == 0)
                to = 7; // FRI-SUN
            if (to < from)
                return unread(
                    u"%1: the range \"%2\" ends before it begins"_s.arg(field.name, range));
        } else if (halves.size() == 1) {
            to = from;
        }
    } else if (range == u"?" && field.name != u"day of month" && field.name != u"day of week") {
        return unread(u"%1: \"?\" stands for a day only"_s.arg(field.name));
    }
    for (int value = from; value <= to; value += step)
        bits.set(static_cast<size_t>(value));
    return {};
}

template <typename Bits>
Result<void> takeField(const CronField &field, const QString &text, Bits &bits)
{
    for (const QString &item : text.split(u',')) {
        if (item.isEmpty())
            return unread(u"%1: an item of \"%2\" is empty"_s.arg(field.name, text));
        TRY(takeItem(field, item, bits));
    }
    return {};
}

bool isAny(const QString &text)
{
    return text.startsWith(u'*') || text == u"?";
}

/// The first set bit from `from` on; -1: none.
template <typename Bits> int firstFrom(const Bits &bits, int from)
{
    for (size_t at = static_cast<size_t>(from); at < bits.size(); ++at) {
        if (bits.test(at))
            return static_cast<int>(at);
    }
    return -1;
}

} // namespace

Result<Schedule> Schedule::fromText(const QString &text)
{
    QString tidy = text.simplified();
    if (tidy == u"every")
        tidy = u"every 15s"_s;
    static const QRegularExpression every(u"^every (\\d+) ?(s|m|h|d)$"_s);
    if (tidy.startsWith(u"every"_s)) {
        const auto match = every.match(tidy);
        if (!match.hasMatch())
            return unread(u"\"%1\" is no interval"_s.arg(tidy),
                          u"Write \"every 15s\", 5m, 1h or 1d"_s);
        static const QMap<QString, qint64> units{
            {u"s"_s, 1000}, {u"m"_s, 60'000}, {u"h"_s, 3'600'000}, {u"d"_s, 86'400'000}};
        const qint64 count = match.captured(1).toLongLong();
        const qint64 unit = units.value(match.captured(2));
        if (count < 1 || count > longestEveryMs / unit)
            return unread(u"\"%1\" is not between a second and a year"_s.arg(tidy));
        Schedule schedule;
        schedule.m_text = tidy;
        schedule.m_everyMs = count * unit;
        return schedule;
    }
    return cron(tidy);
}

Result<Schedule> Schedule::cron(const QString &text)
{
    QStringList parts = text.split(u' ', Qt::SkipEmptyParts);
    if (parts.size() == 5)
        parts.prepend(u"0"_s);
    if (parts.size() != 6) {
        return unread(u"a cron expression has five fields, or six with the second first; this one "
                      "has %1"_s.arg(parts.size()));
    }
    Schedule schedule;
    schedule.m_text = text;
    const auto &all = cronFields();
    TRY(takeField(all.at(0), parts.at(0), schedule.m_seconds));
    TRY(takeField(all.at(1), parts.at(1), schedule.m_minutes));
    TRY(takeField(all.at(2), parts.at(2), schedule.m_hours));
    TRY(takeField(all.at(3), parts.at(3), schedule.m_days));
    TRY(takeField(all.at(4), parts.at(4), schedule.m_months));
    TRY(takeField(all.at(5), parts.at(5), schedule.m_weekdays));
    if (schedule.m_weekdays.test(7))
        schedule.m_weekdays.set(0);
    schedule.m_anyDay = isAny(parts.at(3));
    schedule.m_anyWeekday = isAny(parts.at(5));
    const QDateTime any(QDate(2024, 1, 1), QTime(0, 0), QTimeZone::utc());
    if (!schedule.nextAfter(any).isValid())
        return unread(u"\"%1\" names a day that never comes"_s.arg(text));
    return schedule;
}

/// Where both days are said either will do, as cron has it since its beginning.
bool Schedule::hasDay(const QDate &day) const
{
    if (!m_months.test(static_cast<size_t>(day.month())))
        return false;
    const bool byMonth = m_days.test(static_cast<size_t>(day.day()));
    const bool byWeek = m_weekdays.test(static_cast<size_t>(day.dayOfWeek() % 7));
    return m_anyDay || m_anyWeekday ? byMonth && byWeek : byMonth || byWeek;
}

QDateTime Schedule::nextAfter(const QDateTime &moment) const
{
    if (m_everyMs > 0) {
        const qint64 now = moment.toMSecsSinceEpoch();
        const qint64 past = now >= 0 ? now / m_everyMs : (now - m_everyMs + 1) / m_everyMs;
        return QDateTime::fromMSecsSinceEpoch((past + 1) * m_everyMs, QTimeZone::utc());
    }
    const QDateTime start = moment.toUTC().addSecs(1);
    QTime time(start.time().hour(), start.time().minute(), start.time().second());
    for (QDate day = start.date(); day < start.date().addDays(mostDaysAhead);
         day = day.addDays(1), time = QTime(0, 0)) {
        if (!hasDay(day))
            continue;
        int second = firstFrom(m_seconds, time.second());
        int minute = firstFrom(m_minutes, second < 0 ? time.minute() + 1 : time.minute());
        if (minute != time.minute())
            second = firstFrom(m_seconds, 0);
        int hour = firstFrom(m_hours, minute < 0 ? time.hour() + 1 : time.hour());
        if (hour != time.hour()) {
            minute = firstFrom(m_minutes, 0);
            second = firstFrom(m_seconds, 0);
        }
        if (hour >= 0)
            return {day, QTime(hour, minute, second), QTimeZone::utc()};
    }
    return {};
}

int Schedule::timesBetween(const QDateTime &from, const QDateTime &to, int most) const
{
    int count = 0;
    for (QDateTime at = nextAfter(from); at.isValid() && at <= to && count < most;
         at = nextAfter(at))
        ++count;
    return count;
}

} // namespace outbox
