// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chartlegend.h"

#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation legendText("outbox::ChartLegend");

} // namespace

ChartLegend legendOf(const QList<ChartLine> &lines, const ChartPicture &picture, AxisUnit left,
                     std::optional<AxisUnit> right, const std::optional<QDateTime> &cursor)
{
    ChartLegend legend;
    QStringList told;
    const auto span = static_cast<double>(picture.from.msecsTo(picture.to));
    const auto end = static_cast<double>(picture.to.toMSecsSinceEpoch());
    const double reach = std::max(5'000.0, span / 100);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const ChartLine &line = lines.at(i);
        const QList<LineSegment> segments = picture.lines.value(i);
        const AxisUnit unit = line.right ? right.value_or(left) : left;
        std::optional<double> value = picture.newest.value(i);
        if (cursor) {
            const auto point
                = pointAt(segments, static_cast<double>(cursor->toMSecsSinceEpoch()), reach);
            value = point ? std::optional(point->y()) : std::nullopt;
            if (point && legend.moment.isEmpty()) {
                const auto at = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(point->x()));
                legend.moment = legendText("at %1").arg(at.toString(u"HH:mm:ss"_s));
            }
        }
        const bool isRough = !cursor && !picture.isExact && unit == AxisUnit::Count;
        const QString text
            = value ? (isRough ? u"~"_s : QString()) + valueText(*value, unit) : u"\u2013"_s;
        legend.entries.append({line.name, text, line.color()});
        if (!value)
            told.append(legendText("%1 not known").arg(line.name));
        else if (cursor)
            told.append(line.name + u' ' + text);
        else if (const auto before = pointAt(segments, end - span / 5, reach))
            told.append(trendText(line.name, text, *value, before->y()));
        else
            told.append(trendText(line.name, text, *value, std::nullopt));
    }
    legend.summary = told.join(u"; "_s);
    if (!legend.moment.isEmpty())
        legend.summary.prepend(legend.moment + u": "_s);
    return legend;
}

} // namespace outbox
