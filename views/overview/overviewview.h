// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Is it well, since when, and why: sentence, four numbers, three charts, dedup window, causes.
#pragma once

#include "models/operations/scanreport.h"
#include "models/system/healthreport.h"
#include "models/system/snapshots.h"
#include "models/system/staleness.h"
#include "models/system/systemhistory.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace outbox {

class AttentionList;
class Card;
class Gauge;
class HealthBanner;
class MetricCard;
class OverviewCards;
class OverviewCharts;

class OverviewView : public QWidget
{
    Q_OBJECT

public:
    /// `history` is only read, and outlives this view.
    explicit OverviewView(const SystemHistory *history, QWidget *parent = nullptr);

    void setHealth(const HealthReport &report);
    /// The alerts that are raised, in one sentence, which comes before the causes; empty: none is.
    void setAlerts(const QString &sentence);
    void setOutbox(const OutboxSnapshot &snapshot);
    void setQueues(const QList<QueueSnapshot> &queues);
    void setRetention(qint64 seconds);
    /// What the last look for inconsistencies found; nullopt: nobody has looked yet.
    void setLastCheck(const std::optional<ScanSummary> &check);
    /// Whether a relay may be started here now: then one that is stopped or failed has *Start…*.
    void setStartOffered(bool offered);
    /// Another system comes: nothing of the one before stays, neither numbers nor questions.
    void forget();
    /// What waits has a name of its own in each design.
    [[nodiscard]] MetricCard *pendingCard() const;
    /// nullopt: fresh. Otherwise when the numbers were taken (an invalid time: never), and why no
    /// newer ones are there.
    void setStale(Source source, const std::optional<QDateTime> &asOf, const QString &reason = {});
    /// Redraws lines and charts from the history, ending at `now`.
    void showHistory(const QDateTime &now);
    /// How far back the charts look: 3, 15, 60, 1440, 10,080 or 43,200 minutes.
    void setRange(int minutes);
    /// How the numbers went, and what stands behind them.
    [[nodiscard]] OverviewCharts *charts() const { return m_charts; }
    /// Whether rows can be asked for by the time when they were created.
    void setRowsOffered(bool offered);

signals:
    /// The rows or tasks behind a number or a line, as a filter: "state:pending".
    void showAsked(const QString &filter);
    /// The sheet that starts a relay is wanted.
    void startRelayAsked();
    /// The picture of a chart is to be saved; `title` is the chart's.
    void pictureAsked(const QPixmap &picture, const QString &title);

private:
    [[nodiscard]] QWidget *buildSide();
    void showMargin();
    void showAttention();

    const SystemHistory *m_history;
    HealthBanner *m_banner;
    OverviewCards *m_cards;
    OverviewCharts *m_charts;
    Gauge *m_gauge;
    QLabel *m_margin;
    AttentionList *m_attention;
    QString m_raised; ///< alerts; empty: none
    HealthReport m_report;
    QLabel *m_promise;
    std::optional<double> m_retention;
    std::optional<double> m_oldest;
};

} // namespace outbox
