// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/moments.h"

#include "models/filter/filter.h"

#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Moments dayOf(const QDate &date)
{
    return {date.startOfDay(), date.addDays(1).startOfDay()};
}

} // namespace

Result<Moments> momentsOf(const QString &text, const QDateTime &now, int position)
{
    const QDate today = now.toLocalTime().date();
    if (text.compare("today"_L1, Qt::CaseInsensitive) == 0)
        return dayOf(today);
    if (text.compare("yesterday"_L1, Qt::CaseInsensitive) == 0)
        return dayOf(today.addDays(-1));
    if (text.startsWith(u'-')) {
        const auto seconds = secondsOf(text.mid(1), position + 1);
        if (!seconds)
            return passOn(seconds);
        return Moments{now.addMSecs(-std::llround(*seconds * 1000)), now.addMSecs(1)};
    }
    if (const QTime time = QTime::fromString(text, u"HH:mm"_s); time.isValid()) {
        const QDateTime begin(today, time);
        return Moments{begin, begin.addSecs(60)};
    }
    if (const QDateTime at = QDateTime::fromString(text, Qt::ISODate);
        text.contains(u'T') && at.isValid()) {
        return Moments{at, at.addSecs(1)};
    }
    if (const QDate date = QDate::fromString(text, Qt::ISODate); date.isValid())
        return dayOf(date);
    return filterFault(Error::Kind::Invalid, position, u"`%1` is no time"_s.arg(text),
                       u"write `today`, `-15m`, `14:02` or `2026-11-21`"_s);
}

} // namespace outbox
