// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the numbers of the Overview went, and a span of it that leads on.
#pragma once

#include "models/system/systemhistory.h"
#include "views/charts/timeseriesview.h"
#include "views/widgets/card.h"

#include <QDateTime>

#include <array>
#include <optional>

class QButtonGroup;
class QLabel;

namespace outbox {

/// Three charts on one time axis with one cursor, and the choice of how far back they look.
class OverviewCharts : public Card
{
    Q_OBJECT

public:
    explicit OverviewCharts(QWidget *parent = nullptr);

    /// Draws the chosen time up to `now`. `history` is read again when the choice changes, so it
    /// outlives this widget.
    void show(const SystemHistory &history, const QDateTime &now);
    using QWidget::show;
    /// False: the newest backlog was capped or estimated.
    void setExact(bool exact) { m_exact = exact; }
    /// How far back they look: 3, 15, 60, 1440, 10,080 or 43,200 minutes.
    void setRange(int minutes);
    /// Whether there are rows that were created in a span.
    void setRowsOffered(bool offered);

signals:
    /// The rows of a span, as a filter: "created:2026-11-21T14:02:11Z..2026-11-21T14:05:00Z".
    void rowsAsked(const QString &filter);

private:
    enum Chart { Backlog, Rates, Depth, ChartCount };

    void joinChart(TimeSeriesView *chart);
    /// Shows this span, which stands still; nullopt: the chosen time up to now.
    void zoom(std::optional<ChartSpan> span);
    void redraw();
    [[nodiscard]] ChartPicture pictureOf(const ChartSpan &shown,
                                         const QList<Measure> &measures) const;

    QButtonGroup *m_ranges;
    QLabel *m_zoomed; ///< which span is shown, and the way back
    std::array<TimeSeriesView *, ChartCount> m_charts{};
    std::optional<ChartSpan> m_zoom;
    const SystemHistory *m_history = nullptr;
    QDateTime m_now;
    int m_minutes = 15;
    bool m_exact = true;
};

} // namespace outbox
