// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The journeys of two messages, drawn on one axis of time that begins where both begin.
#pragma once

#include "models/comparison/comparedsteps.h"

#include <QList>
#include <QPointF>
#include <QWidget>

namespace outbox {

/// A picture without keys: the table beside it tells the same. Places are to scale, so that what
/// took longer is longer. What is to come is not drawn. GUI thread.
class ComparedAxis : public QWidget
{
    Q_OBJECT

public:
    /// Where a point of A (row 0) or of B (row 1) is drawn.
    struct Place
    {
        int row = 0;
        TimelinePoint::Kind kind = TimelinePoint::Kind::Now;
        QPointF at; ///< the middle of its glyph
        bool isWidest = false; ///< the step that ends here differs most
    };

    explicit ComparedAxis(QWidget *parent = nullptr);

    /// Hidden where nothing can be measured.
    void setJourneys(const ComparedJourneys &journeys);
    [[nodiscard]] QList<Place> places() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    ComparedJourneys m_journeys;
    double m_seconds = 0; ///< from edge to edge
};

} // namespace outbox
