// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lengths of time on one scale: how long ids are kept against how late messages may come.
#pragma once

#include "models/system/healthreport.h"

#include <QDateTime>
#include <QWidget>

#include <optional>

namespace outbox {

struct GaugeBar
{
    QString name;
    std::optional<double> seconds; ///< nullopt: not known, said so
    HealthLevel level = HealthLevel::Ok; ///< Ok is drawn in the accent, not in green
};

class Gauge : public QWidget
{
    Q_OBJECT

public:
    explicit Gauge(QWidget *parent = nullptr);

    void setBars(const QList<GaugeBar> &bars);
    void setStale(bool stale);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] int rowHeight() const;

    QList<GaugeBar> m_bars;
    bool m_stale = false;
};

/// The dedup window against the worst relay delay and the oldest pending row, with a sentence. Of
/// delays under a second nobody can say how many times ids outlast the worst.
struct DedupMargin
{
    QList<GaugeBar> bars;
    QString sentence;
    HealthLevel level = HealthLevel::Unknown;
};
/// `seenSince`: the table tells of no delay, they were only seen from this moment on.
[[nodiscard]] DedupMargin dedupMargin(std::optional<double> retentionSeconds,
                                      std::optional<double> worstDelaySeconds,
                                      std::optional<double> oldestPendingSeconds,
                                      const std::optional<QDateTime> &seenSince = {});

} // namespace outbox
