// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/sparkline.h"

#include <QPainter>
#include <QPainterPath>

namespace outbox {

Sparkline::Sparkline(QWidget *parent) : QWidget(parent)
{ }

QSize Sparkline::sizeHint() const
{
    return {120, 28};
}

void Sparkline::setLines(const QDateTime &from, const QDateTime &to, const QList<Line> &lines)
{
    m_from = from;
    m_to = to;
    m_lines = lines;
    update();
}

void Sparkline::paint(QPainter *painter, const QRectF &rect, const QDateTime &from,
                      const QDateTime &to, const QList<Line> &lines)
{
    double top = 0;
    for (const auto &[segments, style] : lines) {
        for (const LineSegment &segment : segments) {
            for (const QPointF &point : segment)
                top = std::max(top, point.y());
        }
    }
    const auto begin = static_cast<double>(from.toMSecsSinceEpoch());
    const double span = std::max(1.0, static_cast<double>(from.msecsTo(to)));
    const auto place = [&](const QPointF &point) {
        const double height = top > 0 ? point.y() / top : 0;
        return QPointF(rect.left() + (point.x() - begin) / span * rect.width(),
                       rect.bottom() - 1.5 - height * (rect.height() - 3));
    };
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setClipRect(rect.adjusted(-2, -2, 2, 2));
    for (const auto &[segments, style] : lines) {
        for (const LineSegment &segment : segments) {
            if (segment.isEmpty())
                continue;
            QPainterPath path(place(segment.first()));
            for (qsizetype i = 1; i < segment.size(); ++i)
                path.lineTo(place(segment.at(i)));
            if (lines.size() == 1) {
                QPainterPath area = path;
                area.lineTo(place(segment.last()).x(), rect.bottom());
                area.lineTo(place(segment.first()).x(), rect.bottom());
                QColor wash = style.color;
                wash.setAlpha(26);
                painter->fillPath(area, wash);
            }
            painter->strokePath(path, theme::pen(style, 1.5));
        }
    }
    painter->restore();
}

void Sparkline::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    paint(&painter, rect(), m_from, m_to, m_lines);
}

} // namespace outbox
