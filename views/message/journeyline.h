// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The line of time of one message, drawn: points with glyph, word and time, and the gaps in words.
#pragma once

#include "models/system/timeline.h"
#include "views/theme/theme.h"

#include <QRect>
#include <QWidget>

namespace outbox {

/// How a point looks, in the theme that is shown.
[[nodiscard]] Appearance pointAppearance(TimelinePoint::Kind kind);

/// Points stand at equal distances, whatever the time between them. What does not fit is cut with
/// an ellipsis, and tooltip, keyboard and screen reader tell it whole. Left, Right, Home and End
/// choose a point, Escape none; Copy takes the time of the chosen point, or the line as a text.
/// GUI thread.
class JourneyLine : public QWidget
{
    Q_OBJECT

public:
    /// Where the parts of one point are drawn. None overlaps another one's.
    struct Place
    {
        QRect gap; ///< above the line, left of the glyph; empty at the first point
        QRect glyph;
        QRect word;
        QRect time;
    };

    explicit JourneyLine(QWidget *parent = nullptr);

    /// Shows these, as they were at `now`, UTC; nothing is shown of none. The chosen point stays
    /// where it is there still.
    void setLine(const QList<TimelinePoint> &line, const QDateTime &now);
    [[nodiscard]] QList<Place> places() const;
    /// Number of the chosen point; -1: none.
    [[nodiscard]] int chosen() const { return m_chosen; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void choose(int point);
    void describe();
    void copy() const;
    [[nodiscard]] int pointAt(int x) const;

    QList<TimelinePoint> m_line;
    QDateTime m_now;
    int m_chosen = -1;
};

} // namespace outbox
