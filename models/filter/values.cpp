// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/values.h"

#include "models/filter/filter.h"

#include <QTimeZone>

#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double mostOfNumber = 1e15; ///< below it every whole number is itself in a double

/// Digits with at most one point: what `toDouble` takes besides is no number of a person.
std::optional<double> plainNumber(QStringView text)
{
    bool seen = false;
    for (const QChar c : text) {
        if (!(c >= u'0' && c <= u'9') && (c != u'.' || seen))
            return std::nullopt;
        seen = seen || c == u'.';
    }
    bool ok = false;
    const double number = text.toDouble(&ok);
    return ok && number <= mostOfNumber ? std::optional(number) : std::nullopt;
}

} // namespace

Result<double> secondsOf(const QString &text, int position)
{
    const QString hint = u"write `90s`, `5m`, `2h` or `30d`"_s;
    const QChar unit = text.isEmpty() ? QChar() : text.back();
    double factor = 0;
    switch (unit.unicode()) {
    case u's':
        factor = 1;
        break;
    case u'm':
        factor = 60;
        break;
    case u'h':
        factor = 3600;
        break;
    case u'd':
        factor = 86400;
        break;
    default:
        return filterFault(position,
                           unit.isDigit() ? u"`%1` has no unit"_s.arg(text)
                                          : u"`%1` is no duration"_s.arg(text),
                           hint);
    }
    const auto amount = plainNumber(QStringView(text).chopped(1));
    if (!amount || *amount * factor > 1e11)
        return filterFault(position, u"`%1` is no duration"_s.arg(text), hint);
    return *amount * factor;
}

Result<double> bytesOf(const QString &text, int position)
{
    QStringView digits = text;
    double factor = 1;
    for (const auto &[unit, times] :
         {std::pair(u'k', 1e3), std::pair(u'K', 1e3), std::pair(u'M', 1e6), std::pair(u'G', 1e9)}) {
        if (digits.endsWith(unit)) {
            digits.chop(1);
            factor = times;
            break;
        }
    }
    const auto amount = plainNumber(digits);
    if (!amount || *amount * factor > mostOfNumber) {
        return filterFault(position, u"`%1` is no size"_s.arg(text),
                           u"write `300`, `10k` or `2M`"_s);
    }
    return *amount * factor;
}

Result<double> numberOf(const QString &text, int position)
{
    const bool negative = text.startsWith(u'-');
    const auto amount = plainNumber(QStringView(text).mid(negative ? 1 : 0));
    if (!amount) {
        return filterFault(position, u"`%1` is no number"_s.arg(text),
                           u"write a number such as `3`"_s);
    }
    return negative ? -*amount : *amount;
}

Result<Moments> momentsOf(const QString &text, const QDateTime &now, int position)
{
    const QTimeZone zone = now.timeZone();
    const QDate today = now.date();
    const auto dayOf = [&zone](const QDate &date) {
        return Moments{date.startOfDay(zone), date.addDays(1).startOfDay(zone)};
    };
    if (text.compare("today"_L1, Qt::CaseInsensitive) == 0)
        return dayOf(today);
    if (text.compare("yesterday"_L1, Qt::CaseInsensitive) == 0)
        return dayOf(today.addDays(-1));
    if (text.startsWith(u'-')) {
        const auto seconds = TRY(secondsOf(text.mid(1), position + 1));
        return Moments{now.addMSecs(-std::llround(seconds * 1000)), now.addMSecs(1), true};
    }
    if (const QTime time = QTime::fromString(text, u"HH:mm"_s); time.isValid()) {
        const QDateTime begin(today, time, zone);
        return Moments{begin, begin.addSecs(60)};
    }
    if (QDateTime at = QDateTime::fromString(text, Qt::ISODate);
        text.contains(u'T') && at.isValid()) {
        if (at.timeSpec() == Qt::LocalTime)
            at = QDateTime(at.date(), at.time(), zone);
        return Moments{at, at.addSecs(1)};
    }
    if (const QDate date = QDate::fromString(text, Qt::ISODate); date.isValid())
        return dayOf(date);
    return filterFault(position, u"`%1` is no time"_s.arg(text),
                       u"write `today`, `-15m`, `14:02` or `2026-11-21`"_s);
}

Result<QDateTime> beginOf(const QString &text, const QDateTime &now)
{
    if (text == u"now")
        return now;
    const auto moments = TRY(momentsOf(text, now));
    return moments.begin;
}

} // namespace outbox
