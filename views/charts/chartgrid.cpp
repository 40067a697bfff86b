// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chartgrid.h"

#include "models/phrases.h"
#include "views/theme/theme.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double markReach = 8; ///< pixels between two marks, at least
constexpr double markSide = 4; ///< half the width of a mark's top
constexpr int labelMargin = 5;
constexpr qreal labelCorner = 3;

} // namespace

QString chartMomentFormat(double spanMs)
{
    return spanMs > 2 * 86'400'000.0 ? u"yyyy-MM-dd HH:mm"_s : u"HH:mm:ss"_s;
}

void ChartGrid::fit(const QSizeF &room, double textHeight, std::pair<double, AxisUnit> leftTop,
                    std::optional<std::pair<double, AxisUnit>> rightTop)
{
    const double bottom = timesShown ? textHeight + 8 : 6;
    plot = QRectF(sideMargin, 8, std::max(1.0, room.width() - 2 * sideMargin),
                  std::max(1.0, room.height() - 8 - bottom));
    const int steps = std::clamp(static_cast<int>(plot.height() / 28), 1, 5);
    left = valueTicks(leftTop.first, leftTop.second, steps);
    right = rightTop ? valueTicks(rightTop->first, rightTop->second, steps) : QList<Tick>();
    const int most = std::max(2, static_cast<int>(plot.width() / 90));
    times = timeTicks(QDateTime::fromMSecsSinceEpoch(std::llround(from)),
                      QDateTime::fromMSecsSinceEpoch(std::llround(to)), most);
}

void ChartGrid::setEvents(const QList<HistoryEvent> &events)
{
    const auto begin = QDateTime::fromMSecsSinceEpoch(std::llround(from), Qt::UTC);
    const double reach = markReach * (to - from) / std::max(1.0, plot.width());
    marks = marksOf(events, begin, end(), std::llround(reach));
}

double ChartGrid::placeOf(double at) const
{
    return plot.left() + (at - from) / std::max(1.0, to - from) * plot.width();
}

double ChartGrid::timeAt(double place) const
{
    const double share = (place - plot.left()) / std::max(1.0, plot.width());
    return from + std::clamp(share, 0.0, 1.0) * (to - from);
}

QString ChartGrid::cursorText() const
{
    if (!cursor || *cursor < from || *cursor > to)
        return {};
    const QString format = chartMomentFormat(to - from) + u" t"_s;
    return QDateTime::fromMSecsSinceEpoch(std::llround(*cursor)).toString(format);
}

QDateTime ChartGrid::end() const
{
    return QDateTime::fromMSecsSinceEpoch(std::llround(to), Qt::UTC);
}

const EventMark *ChartGrid::markAt(double place) const
{
    const EventMark *nearest = nullptr;
    double reach = markReach / 2;
    for (const EventMark &mark : marks) {
        const double away
            = std::abs(placeOf(static_cast<double>(mark.at().toMSecsSinceEpoch())) - place);
        if (away > reach)
            continue;
        reach = away;
        nearest = &mark;
    }
    return nearest;
}

QString ChartGrid::marksText() const
{
    if (!cursor)
        return marksSentence(marks, end());
    const EventMark *mark = markAt(placeOf(*cursor));
    return mark ? mark->lines(end()) : QString();
}

void ChartGrid::paintBelow(QPainter *painter) const
{
    painter->setRenderHint(QPainter::Antialiasing, false);
    paintValues(painter);
    paintTimes(painter);
    painter->setPen(theme::inks().secondary);
    if (!emptyText.isEmpty())
        painter->drawText(plot, Qt::AlignCenter, emptyText);
    painter->setRenderHint(QPainter::Antialiasing);
    paintWashes(painter);
    paintEarlier(painter);
    paintSpan(painter);
}

void ChartGrid::paintAbove(QPainter *painter) const
{
    paintMarks(painter);
    paintCursor(painter);
}

void ChartGrid::paintSpan(QPainter *painter) const
{
    if (!span)
        return;
    QColor thin = theme::inks().accent;
    const QRectF band(QPointF(placeOf(span->first), plot.top()),
                      QPointF(placeOf(span->second), plot.bottom()));
    const QRectF shown = band & plot;
    if (shown.isEmpty())
        return;
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(thin);
    painter->drawLine(shown.topLeft(), shown.bottomLeft());
    painter->drawLine(shown.topRight(), shown.bottomRight());
    thin.setAlpha(40);
    painter->fillRect(shown, thin);
}

void ChartGrid::paintCursor(QPainter *painter) const
{
    const QString text = cursorText();
    if (!cursor || text.isEmpty())
        return;
    const Inks &ink = theme::inks();
    const double x = std::round(placeOf(*cursor));
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(ink.secondary);
    painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    if (!timesShown)
        return;
    // The time stands once, at the axis of all charts.
    const QFontMetrics metrics(painter->font());
    const int width = metrics.horizontalAdvance(text) + 2 * labelMargin;
    const double room = std::max(0.0, plot.right() + sideMargin - width);
    const double edge = std::clamp(x - width / 2.0, 0.0, room);
    const QRect label(qRound(edge), qRound(plot.bottom()) + 2, width, metrics.height() + 4);
    painter->setRenderHint(QPainter::Antialiasing);
    theme::paintRounded(painter, label, ink.base, ink.secondary, labelCorner);
    painter->setPen(ink.text);
    painter->drawText(label, static_cast<int>(Qt::AlignCenter), text);
}

void ChartGrid::paintTimes(QPainter *painter) const
{
    const Inks &ink = theme::inks();
    for (const Tick &tick : times) {
        const double x = std::round(placeOf(tick.value));
        painter->setPen(ink.grid);
        painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter->setPen(ink.secondary);
        if (timesShown)
            painter->drawText(QRectF(x - 40, plot.bottom() + 4, 80, 20),
                              Qt::AlignHCenter | Qt::AlignTop, tick.label);
    }
}

double ChartGrid::placeOfValue(double value, const QList<Tick> &axis) const
{
    return plot.bottom() - value / axis.last().value * plot.height();
}

void ChartGrid::paintValues(QPainter *painter) const
{
    const Inks &ink = theme::inks();
    for (qsizetype i = 0; i < left.size(); ++i) {
        const double y = std::round(placeOfValue(left.at(i).value, left));
        painter->setPen(i == 0 ? ink.border : ink.grid);
        painter->drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter->setPen(ink.secondary);
        painter->drawText(QRectF(0, y - 10, plot.left() - 7, 20), Qt::AlignRight | Qt::AlignVCenter,
                          left.at(i).label);
    }
    for (const Tick &tick : right) {
        const double y = placeOfValue(tick.value, right);
        painter->drawText(QRectF(plot.right() + 7, y - 10, sideMargin, 20),
                          Qt::AlignLeft | Qt::AlignVCenter, tick.label);
    }
}

void ChartGrid::paintWashes(QPainter *painter) const
{
    if (left.isEmpty())
        return;
    for (const auto &[color, segments] : washes) {
        QColor thin = color;
        thin.setAlpha(28);
        for (const LineSegment &segment : segments) {
            if (segment.size() < 2)
                continue;
            QPainterPath path(QPointF(placeOf(segment.first().x()), plot.bottom()));
            for (const QPointF &point : segment)
                path.lineTo(placeOf(point.x()), placeOfValue(point.y(), left));
            path.lineTo(placeOf(segment.last().x()), plot.bottom());
            painter->fillPath(path, thin);
        }
    }
}

void ChartGrid::paintEarlier(QPainter *painter) const
{
    painter->save();
    painter->setClipRect(plot);
    painter->setBrush(Qt::NoBrush);
    for (const EarlierLine &line : earlier) {
        const QList<Tick> &ticks = line.right ? right : left;
        if (ticks.isEmpty())
            continue;
        painter->setPen(line.pen);
        for (const LineSegment &segment : line.segments) {
            QPolygonF places;
            for (const QPointF &point : segment)
                places += QPointF(placeOf(point.x()), placeOfValue(point.y(), ticks));
            if (places.size() == 1) // nobody sees a line of no length
                places += places.first() + QPointF(2, 0);
            painter->drawPolyline(places);
        }
    }
    painter->restore();
}

void ChartGrid::paintMarks(QPainter *painter) const
{
    const Inks &ink = theme::inks();
    for (const EventMark &mark : marks) {
        const double x = std::round(placeOf(static_cast<double>(mark.at().toMSecsSinceEpoch())));
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->setPen(QPen(ink.secondary, 1, Qt::DotLine));
        painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter->setRenderHint(QPainter::Antialiasing);
        QPainterPath top(QPointF(x - markSide, plot.top() - markSide));
        top.lineTo(x + markSide, plot.top() - markSide);
        top.lineTo(x, plot.top() + markSide);
        painter->fillPath(top, ink.text);
        if (mark.events.size() == 1)
            continue;
        painter->setPen(ink.text);
        painter->drawText(QRectF(x + markSide + 2, plot.top() - markSide, sideMargin, 20),
                          Qt::AlignLeft | Qt::AlignTop, countText(mark.events.size()));
    }
}

} // namespace outbox
