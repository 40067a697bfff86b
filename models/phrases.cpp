// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/phrases.h"

#include "models/translation.h"

#include <QLocale>

#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation phraseText("outbox::Phrases");

/// Two units at most: "2 h 10 min"; the second is left out when it is nothing.
QString twoUnits(qint64 amount, qint64 perUnit, const char *big, const char *bigAndSmall)
{
    const qint64 whole = amount / perUnit;
    const qint64 rest = amount % perUnit;
    return rest == 0 ? phraseText(big).arg(whole) : phraseText(bigAndSmall).arg(whole).arg(rest);
}

QString momentWith(const QDateTime &moment, const QDateTime &now, const QString &timeFormat)
{
    const QDateTime local = moment.toLocalTime();
    QString time = local.toString(timeFormat);
    switch (now.toLocalTime().date().daysTo(local.date())) {
    case 0:
        return time;
    case 1:
        return phraseText("%1 tomorrow").arg(time);
    case -1:
        return phraseText("%1 yesterday").arg(time);
    default:
        return local.toString(u"yyyy-MM-dd "_s + timeFormat);
    }
}

} // namespace

void useLocaleOfWords()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
}

QString spanText(double seconds)
{
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    constexpr double day = 24 * hour;
    const double span = std::max(seconds, 0.0);
    if (span < 9.95)
        return phraseText("%1 s").arg(QLocale().toString(span, 'f', span < 0.05 ? 0 : 1));
    if (span < 2 * minute)
        return phraseText("%1 s").arg(std::llround(span));
    if (span < 2 * hour)
        return phraseText("%1 min").arg(std::llround(span / minute));
    if (span < 2 * day) {
        return twoUnits(std::llround(span / minute), 60,
                        QT_TRANSLATE_NOOP("outbox::Phrases", "%1 h"),
                        QT_TRANSLATE_NOOP("outbox::Phrases", "%1 h %2 min"));
    }
    return twoUnits(std::llround(span / hour), 24, QT_TRANSLATE_NOOP("outbox::Phrases", "%1 days"),
                    QT_TRANSLATE_NOOP("outbox::Phrases", "%1 days %2 h"));
}

QString countText(qint64 count)
{
    return QLocale().toString(count);
}

QString rateText(double perSecond)
{
    if (perSecond == 0)
        return QLocale().toString(0);
    return QLocale().toString(perSecond, 'f', std::abs(perSecond) < 9.95 ? 1 : 0);
}

QString perSecondText(double perSecond)
{
    return phraseText("%1/s").arg(rateText(perSecond));
}

QString bytesText(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, bytes < 1024 ? 0 : 1,
                                       QLocale::DataSizeTraditionalFormat);
}

QString momentText(const QDateTime &moment, const QDateTime &now)
{
    return momentWith(moment, now, u"HH:mm:ss"_s);
}

QString aboutMomentText(const QDateTime &moment, const QDateTime &now)
{
    return momentWith(moment, now, u"HH:mm"_s);
}

QStringList spanSamples()
{
    constexpr double hour = 3600;
    // No digit is wider than an 8 in the fonts that have digits of several widths.
    return {spanText(88), spanText(88 * 60), spanText(47 * hour + 48 * 60),
            spanText((888 * 24 + 23) * hour)};
}

QStringList momentSamples()
{
    const QDateTime day(QDate(2028, 8, 28), QTime(20, 48, 58));
    return {momentText(day, day.addDays(-1)), momentText(day, day.addDays(1)),
            momentText(day, day.addDays(8))};
}

QString clipped(const QString &text, int limit)
{
    const QString line = text.trimmed().section(u'\n', 0, 0).trimmed();
    return line.size() <= limit ? line : line.left(limit - 1) + u'…';
}

QString capital(const QString &text)
{
    return text.isEmpty() ? text : text.front().toUpper() + text.sliced(1);
}

} // namespace outbox
