// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A zone's clock as an expression in SQL, the same for all databases: many a server has no zones,
// and ours must be the only rules that count. Pure text.
#pragma once

#include "models/localtime.h"

#include <QString>

#include <functional>

namespace outbox {

/// How a dialect writes times.
struct ZoneWords
{
    std::function<QString(qint64 us)> asked; ///< as the cell holds it
    std::function<QString(const QString &cell, qint64 shift)> shifted; ///< the answer
    std::function<QString(qint64 us)> fixed; ///< the answer
};

/// What `pieces` make of `cell`: the newest piece is asked for first, since most rows are new.
[[nodiscard]] QString textThrough(const ClockPieces &pieces, const QString &cell,
                                  const ZoneWords &words);

/// The clock for rows of any age; those of before 2000 are read as that year.
[[nodiscard]] ClockPieces clockOfRows(const QString &zone);
/// The clock for times that are compared with now less `ago` seconds: a year on either side, so
/// that the clock of a server may differ from ours.
[[nodiscard]] ClockPieces clockOfNow(const QString &zone, double ago = 0);

} // namespace outbox
