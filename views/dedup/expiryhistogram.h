// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many kept ids free themselves in each of the next hours.
#pragma once

#include <QDateTime>
#include <QList>
#include <QWidget>

namespace outbox {

class ExpiryHistogram : public QWidget
{
    Q_OBJECT

public:
    explicit ExpiryHistogram(QWidget *parent = nullptr);

    /// `perHour` begins with the hour that follows `from`.
    void setHours(const QDateTime &from, const QList<qint64> &perHour);
    void setStale(bool stale);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QRectF bar(qsizetype hour) const;

    QDateTime m_from;
    QList<qint64> m_hours;
    qint64 m_largest = 0;
    bool m_stale = false;
};

} // namespace outbox
