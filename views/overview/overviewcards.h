// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The four numbers of the Overview, each with its last minutes and its way to what is behind it.
#pragma once

#include "models/system/snapshots.h"
#include "models/system/staleness.h"
#include "models/system/systemhistory.h"

#include <QWidget>

namespace outbox {

class MetricCard;

class OverviewCards : public QWidget
{
    Q_OBJECT

public:
    /// `history` is only read, and outlives this view.
    explicit OverviewCards(const SystemHistory *history, QWidget *parent = nullptr);

    void setOutbox(const OutboxSnapshot &snapshot);
    void setQueues(const QList<QueueSnapshot> &queues);
    void setStale(Source source, const std::optional<QDateTime> &asOf, const QString &reason);
    /// The rates and the small lines, which end at `now`.
    void showHistory(const QDateTime &now);
    /// Another system comes.
    void forget();
    [[nodiscard]] MetricCard *pendingCard() const { return m_pending; }

signals:
    void showAsked(const QString &filter);

private:
    void showThroughput();

    const SystemHistory *m_history;
    MetricCard *m_lag;
    MetricCard *m_pending;
    MetricCard *m_depth;
    MetricCard *m_throughput;
    QString m_whyNoIn;
};

/// The age of the oldest row that could go now; 0 where none could.
[[nodiscard]] std::optional<double> lagOf(const OutboxSnapshot &snapshot);

} // namespace outbox
