// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One number of the Overview: title, value, what it means, its last minutes. Opens the rows behind
// it.
#pragma once

#include "views/charts/sparkline.h"

#include <QAbstractButton>

#include <optional>

namespace outbox {

class MetricCard : public QAbstractButton
{
    Q_OBJECT

public:
    explicit MetricCard(const QString &title, QWidget *parent = nullptr);

    void setTitle(const QString &title);
    /// `value` nullopt: not known, shown as a dash. `fact` is a short secondary text.
    void setValue(const std::optional<QString> &value, const QString &fact);
    void setLines(const QDateTime &from, const QDateTime &to, const QList<Sparkline::Line> &lines);
    /// Colour of the value; an invalid colour is that of the text.
    void setValueColor(const QColor &color);
    /// Set: the number is grey and says from when it is (an invalid time: never taken), and why no
    /// newer one is there.
    void setStale(const std::optional<QDateTime> &asOf, const QString &reason = {});
    [[nodiscard]] bool isStale() const { return m_stale.has_value(); }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    [[nodiscard]] QString staleText() const;
    void describe();

    QString m_title;
    std::optional<QString> m_value;
    QString m_fact;
    QColor m_color;
    std::optional<QDateTime> m_stale;
    QString m_reason; ///< of being stale
    QString m_tip; ///< while it is not
    QDateTime m_from;
    QDateTime m_to;
    QList<Sparkline::Line> m_lines;
};

/// "as of 14:02:11" in local time, or that nothing was ever read.
[[nodiscard]] QString asOfText(const QDateTime &taken);

} // namespace outbox
