// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A line small enough to stand beside a number: shape only, no axes.
#pragma once

#include "models/system/timeseries.h"
#include "views/theme/theme.h"

#include <QDateTime>
#include <QWidget>

#include <utility>

namespace outbox {

class Sparkline : public QWidget
{
    Q_OBJECT

public:
    /// Its points, and how it is drawn.
    using Line = std::pair<QList<LineSegment>, LineStyle>;

    explicit Sparkline(QWidget *parent = nullptr);

    void setLines(const QDateTime &from, const QDateTime &to, const QList<Line> &lines);

    /// The same picture inside another widget's painter. All lines share one scale that begins at
    /// 0.
    static void paint(QPainter *painter, const QRectF &rect, const QDateTime &from,
                      const QDateTime &to, const QList<Line> &lines);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QDateTime m_from;
    QDateTime m_to;
    QList<Line> m_lines;
};

} // namespace outbox
