// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/axisticks.h"

#include "models/phrases.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

double roundStep(double raw)
{
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        if (raw <= factor * power * (1 + 1e-9))
            return factor * power;
    }
    return 10 * power;
}

double roundDuration(double raw)
{
    for (const double step :
         {0.1,   0.2,   0.5,   1.0,    2.0,    5.0,    10.0,    15.0,    30.0,    60.0,   120.0,
          300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0, 14400.0, 21600.0, 43200.0, 86400.0}) {
        if (raw <= step)
            return step;
    }
    return 86400 * std::ceil(raw / 86400);
}

QString shortCount(double value)
{
    const QLocale locale;
    if (value >= 1e6)
        return locale.toString(value / 1e6, 'g', 3) + u"M"_s;
    if (value >= 1e4)
        return locale.toString(value / 1e3, 'g', 3) + u"k"_s;
    return locale.toString(value, 'g', 6);
}

QString axisDuration(double seconds)
{
    const QLocale locale;
    if (seconds >= 3600)
        return locale.toString(seconds / 3600, 'g', 3) + u" h"_s;
    if (seconds > 90)
        return locale.toString(seconds / 60, 'g', 3) + u" min"_s;
    return locale.toString(seconds, 'g', 3) + u" s"_s;
}

} // namespace

QString valueText(double value, AxisUnit unit)
{
    switch (unit) {
    case AxisUnit::Seconds:
        return spanText(value);
    case AxisUnit::PerSecond:
        return perSecondText(value);
    case AxisUnit::Count:
        break;
    }
    return countText(std::llround(value));
}

QString trendText(const QString &name, const QString &text, double now,
                  std::optional<double> before)
{
    const double change = now - before.value_or(now);
    const double least = 0.05 * std::max(1.0, now);
    const char *trend = change > least ? QT_TRANSLATE_NOOP("outbox::Trend", "%1 %2, rising")
        : change < -least              ? QT_TRANSLATE_NOOP("outbox::Trend", "%1 %2, falling")
                                       : QT_TRANSLATE_NOOP("outbox::Trend", "%1 %2, steady");
    return QCoreApplication::translate("outbox::Trend", trend).arg(name, text);
}

QList<Tick> valueTicks(double largest, AxisUnit unit, int wanted)
{
    const double top = std::max(largest, unit == AxisUnit::Count ? 4.0 : 1.0);
    const double raw = top / std::max(1, wanted);
    double step = unit == AxisUnit::Seconds ? roundDuration(raw) : roundStep(raw);
    if (unit == AxisUnit::Count)
        step = std::max(1.0, std::ceil(step));
    QList<Tick> ticks;
    const int steps = static_cast<int>(std::ceil(top / step - 1e-9));
    for (int i = 0; i <= steps; ++i) {
        const double value = i * step;
        ticks.append(
            {value, unit == AxisUnit::Seconds && i > 0 ? axisDuration(value) : shortCount(value)});
    }
    return ticks;
}

namespace {

constexpr qint64 secondsOfDay = 86'400;

/// The first of the steps that makes no more than `most` pieces of the span, or else the last one.
template <size_t count>
qint64 stepFor(const std::array<qint64, count> &steps, qint64 span, int most)
{
    for (const qint64 step : steps) {
        if (span / step <= std::max(1, most))
            return step;
    }
    return steps.back();
}

/// Midnights, which are not always 24 hours apart, with their dates.
QList<Tick> dayTicks(const QDateTime &from, const QDateTime &to, int most)
{
    static constexpr std::array<qint64, 8> steps{1, 2, 3, 5, 7, 10, 15, 30};
    const qint64 step = stepFor(steps, from.secsTo(to) / secondsOfDay, most);
    QList<Tick> ticks;
    const QDate last = to.toLocalTime().date();
    for (QDate day = from.toLocalTime().date(); day <= last; day = day.addDays(1)) {
        const QDateTime begin = day.startOfDay();
        if (day.toJulianDay() % step == 0 && begin >= from && begin <= to) {
            ticks.append(
                {static_cast<double>(begin.toMSecsSinceEpoch()), day.toString(u"MM-dd"_s)});
        }
    }
    return ticks;
}

} // namespace

QList<Tick> timeTicks(const QDateTime &from, const QDateTime &to, int most)
{
    static constexpr std::array<qint64, 15> steps{
        10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 14400, 21600, 43200, secondsOfDay};
    const qint64 span = std::max<qint64>(1, from.secsTo(to));
    if (span > 2 * secondsOfDay)
        return dayTicks(from, to, most);
    const qint64 step = stepFor(steps, span, most);
    // Aligned by the local offset, so that hours are full hours where the zone is off by 30
    // minutes.
    const qint64 offset = from.toLocalTime().offsetFromUtc();
    const qint64 first = (from.toSecsSinceEpoch() + offset + step - 1) / step * step - offset;
    QList<Tick> ticks;
    const QString format = step < 60 ? u"HH:mm:ss"_s : u"HH:mm"_s;
    for (qint64 at = first; at <= to.toSecsSinceEpoch(); at += step) {
        const QDateTime local = QDateTime::fromSecsSinceEpoch(at);
        ticks.append({static_cast<double>(at) * 1000, local.toString(format)});
    }
    return ticks;
}

} // namespace outbox
