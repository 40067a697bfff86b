// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Three charts on one time axis with one cursor, and the choice of how far back they look.
#pragma once

#include "models/system/systemhistory.h"
#include "views/widgets/card.h"

#include <array>

class QButtonGroup;

namespace outbox {

class TimeSeriesView;

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
    /// How far back they look: 3, 15, 60 or 1440 minutes.
    void setRange(int minutes);

private:
    enum Chart { Backlog, Rates, Depth, ChartCount };

    QButtonGroup *m_ranges;
    std::array<TimeSeriesView *, ChartCount> m_charts{};
    const SystemHistory *m_history = nullptr;
    QDateTime m_now;
    int m_minutes = 15;
    bool m_exact = true;
};

} // namespace outbox
