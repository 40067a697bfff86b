// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the head of a chart says: the newest value of each line, or those under the cursor with the
// time they are from.
#pragma once

#include "views/charts/legendstrip.h"
#include "views/charts/timeseriesview.h"

namespace outbox {

struct ChartLegend
{
    QList<LegendEntry> entries;
    QString moment; ///< "at 14:02:11", under the cursor only
    QString summary; ///< the same for a screen reader, with the way each line goes
};

/// The newest values are those of the picture, never points that were drawn: these are thinned out.
[[nodiscard]] ChartLegend legendOf(const QList<ChartLine> &lines, const ChartPicture &picture,
                                   AxisUnit left, std::optional<AxisUnit> right,
                                   const std::optional<QDateTime> &cursor);

} // namespace outbox
