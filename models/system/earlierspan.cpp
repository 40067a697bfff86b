// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/earlierspan.h"

#include "models/enumtext.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto earlierTexts = enumTexts<Earlier>({
    {Earlier::Day, u"day", "yesterday"},
    {Earlier::Week, u"week", "a week before"},
    {Earlier::Nothing, u"none", "nothing"},
});

constexpr qint64 longestOfMinutes = 2 * 86'400; ///< seconds; of a longer span quarters are read

qint64 floorTo(qint64 seconds, qint64 step)
{
    return seconds / step * step - (seconds % step < 0 ? step : 0);
}

} // namespace

QString word(Earlier earlier)
{
    return earlierTexts.word(earlier);
}

QString label(Earlier earlier)
{
    return earlierTexts.label(earlier, "outbox::Earlier");
}

std::optional<Earlier> earlierFromWord(QStringView text)
{
    return earlierTexts.fromWord(text);
}

qint64 earlierByMs(Earlier earlier, const QDateTime &at)
{
    if (earlier == Earlier::Nothing)
        return 0;
    const QDateTime local = at.toLocalTime();
    return local.addDays(earlier == Earlier::Day ? -1 : -7).msecsTo(local);
}

EarlierQuestion earlierQuestion(const QDateTime &from, const QDateTime &to, qint64 byMs)
{
    constexpr qint64 step = factsOf(HistoryTier::Quarter).width;
    EarlierQuestion question;
    question.from = floorTo((from.toMSecsSinceEpoch() - byMs) / 1000, step) - step;
    question.to = floorTo((to.toMSecsSinceEpoch() - byMs) / 1000, step) + 2 * step;
    if (from.secsTo(to) > longestOfMinutes)
        question.tier = HistoryTier::Quarter;
    return question;
}

QList<LineSegment> laterBy(QList<LineSegment> lines, qint64 byMs)
{
    for (LineSegment &line : lines) {
        for (QPointF &point : line)
            point.rx() += static_cast<double>(byMs);
    }
    return lines;
}

} // namespace outbox
