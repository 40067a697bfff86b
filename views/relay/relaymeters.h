// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay in four numbers: out a second, batch and queue time, rows set aside.
#pragma once

#include "models/relay/relaystep.h"
#include "models/system/timeseries.h"

#include <QWidget>

namespace outbox {

class MetricCard;

class RelayMeters : public QWidget
{
    Q_OBJECT

public:
    explicit RelayMeters(QWidget *parent = nullptr);

    void add(const QList<RelayStep> &steps);
    void setParked(qint64 rows);
    void clear();
    /// Redraws the small lines, ending at `now`; while no relay runs, the rate is not known.
    void tick(const QDateTime &now, bool running);

signals:
    void parkedAsked();

private:
    MetricCard *m_out;
    MetricCard *m_batch;
    MetricCard *m_queue;
    MetricCard *m_parked;
    TimeSeries m_outRate{7'200};
    TimeSeries m_batchMs{7'200};
    TimeSeries m_queueMs{7'200};
    static constexpr qint64 rateWindowMs = 5'000;
    CounterRate m_rate{rateWindowMs};
    qint64 m_delivered = 0;
};

} // namespace outbox
