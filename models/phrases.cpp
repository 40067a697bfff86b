// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/phrases.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString translated(const char *text)
{
    return QCoreApplication::translate("outbox::Phrases", text);
}

QString two(qint64 large, const char *largeUnit, qint64 small, const char *smallUnit)
{
    const QString first = translated(largeUnit).arg(large);
    return small == 0 ? first : first + u' ' + translated(smallUnit).arg(small);
}

} // namespace

QString durationText(double seconds)
{
    const double length = std::max(0.0, seconds);
    if (length < 10 && length > 0)
        return translated("%1 s").arg(QLocale().toString(length, 'f', length < 9.95 ? 1 : 0));
    const auto whole = static_cast<qint64>(std::llround(length));
    if (whole < 120)
        return translated("%1 s").arg(whole);
    if (whole < 2 * 3600)
        return translated("%1 min").arg(whole / 60);
    if (whole < 48 * 3600)
        return two(whole / 3600, "%1 h", whole % 3600 / 60, "%1 min");
    return two(whole / 86400, "%1 d", whole % 86400 / 3600, "%1 h");
}

QString countText(qint64 count)
{
    if (count < 1'000'000)
        return QLocale().toString(count);
    return translated("%1 M").arg(QLocale().toString(static_cast<double>(count) / 1e6, 'f', 1));
}

QString rateText(double perSecond)
{
    const int digits = perSecond > 0 && perSecond < 9.95 ? 1 : 0;
    return translated("%1/s").arg(QLocale().toString(perSecond, 'f', digits));
}

QString bytesText(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, bytes < 1024 ? 0 : 1,
                                       QLocale::DataSizeTraditionalFormat);
}

QString spanText(double seconds)
{
    return durationText(seconds);
}

namespace {

QString momentWith(const QDateTime &moment, const QDateTime &now, const QString &timeFormat)
{
    const QDateTime local = moment.toLocalTime();
    const QString time = local.toString(timeFormat);
    switch (now.toLocalTime().date().daysTo(local.date())) {
    case 0:
        return time;
    case 1:
        return QCoreApplication::translate("outbox::Phrases", "%1 tomorrow").arg(time);
    case -1:
        return QCoreApplication::translate("outbox::Phrases", "%1 yesterday").arg(time);
    default:
        return local.toString(u"yyyy-MM-dd "_s + timeFormat);
    }
}

} // namespace

QString momentText(const QDateTime &moment, const QDateTime &now)
{
    return momentWith(moment, now, u"HH:mm:ss"_s);
}

QString aboutMomentText(const QDateTime &moment, const QDateTime &now)
{
    return momentWith(moment, now, u"HH:mm"_s);
}

} // namespace outbox
