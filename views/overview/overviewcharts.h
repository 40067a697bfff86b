// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the numbers of the Overview went, beside how they went earlier, and a span that leads on.
#pragma once

#include "models/result.h"
#include "models/system/earlierspan.h"
#include "models/system/systemhistory.h"
#include "views/charts/timeseriesview.h"
#include "views/widgets/card.h"

#include <QDateTime>

#include <array>
#include <memory>
#include <optional>

class QButtonGroup;
class QLabel;
class QToolButton;

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
    /// What stands behind the lines; nothing where it is not offered.
    void setEarlier(Earlier earlier);
    /// Whether there is somebody to ask for what was kept. What is known of it is forgotten.
    void setEarlierOffered(bool offered);
    /// The answer to the last `earlierAsked`; others are dropped.
    void setEarlierPoints(const EarlierQuestion &question, const Result<HistoryPoints> &points);

signals:
    /// The rows of a span, as a filter: "created:2026-11-21T14:02:11Z..2026-11-21T14:05:00Z".
    void rowsAsked(const QString &filter);
    /// A person chose what is to stand behind the lines.
    void earlierChosen(outbox::Earlier earlier);
    void earlierAsked(const outbox::EarlierQuestion &question);
    /// See `TimeSeriesView::pictureAsked`.
    void pictureAsked(const QPixmap &picture, const QString &title);

private:
    enum Chart { Backlog, Rates, Depth, ChartCount };

    void joinChart(TimeSeriesView *chart);
    /// Shows this span, which stands still; nullopt: the chosen time up to now.
    void zoom(std::optional<ChartSpan> span);
    void redraw();
    void buildEarlier(QBoxLayout *row);
    /// Asks for what is needed to show this span as it was earlier.
    void askEarlier(const ChartSpan &shown);
    void forgetEarlier();
    /// Why there are no earlier lines, where there are none.
    void tellEarlier(bool hasLines);
    void addEarlier(ChartPicture &picture, const QList<Measure> &measures) const;
    [[nodiscard]] ChartPicture pictureOf(const ChartSpan &shown,
                                         const QList<Measure> &measures) const;

    QButtonGroup *m_ranges;
    QLabel *m_zoomed; ///< which span is shown, and the way back
    std::array<TimeSeriesView *, ChartCount> m_charts{};
    std::optional<ChartSpan> m_zoom;
    /// The earlier time, and how far it is known.
    struct Before
    {
        Earlier earlier = Earlier::Nothing;
        qint64 byMs = 0;
        std::optional<EarlierQuestion> asked;
        std::optional<EarlierQuestion> answered;
        std::unique_ptr<SystemHistory> seen; ///< as it was answered; nullptr: not yet
        QString problem; ///< why it is not known
    };
    QToolButton *m_choice; ///< of what stands behind the lines
    QLabel *m_earlierNote; ///< why there are no earlier lines
    Before m_before;
    const SystemHistory *m_history = nullptr;
    QDateTime m_now;
    int m_minutes = 15;
    bool m_exact = true;
};

} // namespace outbox
