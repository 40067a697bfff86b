// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/zonetexts.h"

#include <QDateTime>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 of2000 = 946'684'800'000'000;
constexpr qint64 aYear = qint64(400) * 86'400 * 1'000'000;

qint64 now()
{
    return QDateTime::currentMSecsSinceEpoch() * 1000;
}

} // namespace

QString textThrough(const ClockPieces &pieces, const QString &cell, const ZoneWords &words)
{
    const auto answer = [&](const ClockPiece &piece) {
        return piece.fixed ? words.fixed(*piece.fixed) : words.shifted(cell, piece.shift);
    };
    if (pieces.size() == 1)
        return answer(pieces.constFirst());
    QString text = u"CASE"_s;
    for (auto piece = pieces.crbegin(); piece + 1 != pieces.crend(); ++piece) {
        text += u" WHEN "_s + cell + u" >= "_s + words.asked(piece->from) + u" THEN "_s
            + answer(*piece);
    }
    return text + u" ELSE "_s + answer(pieces.constFirst()) + u" END"_s;
}

ClockPieces clockOfRows(const QString &zone)
{
    return zoneClock(zone, of2000, now() + 2 * aYear);
}

ClockPieces clockOfNow(const QString &zone, double ago)
{
    constexpr double most = 3e9; // a century: no zone has a rule for what is before
    return zoneClock(zone, now() - aYear - static_cast<qint64>(qMin(ago, most)) * 1'000'000,
                     now() + aYear);
}

} // namespace outbox
