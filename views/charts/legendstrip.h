// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The head of a chart: its title, and for each line a piece of it, its name and its value; below
// it the value of an earlier time, where the chart shows one.
#pragma once

#include "views/theme/theme.h"

#include <QList>
#include <QString>
#include <QWidget>

namespace outbox {

struct LegendEntry
{
    QString name;
    QString value; ///< newest, or that under the cursor
    LineStyle style;
    QString before{}; ///< the earlier value and the difference
};

class LegendStrip : public QWidget
{
    Q_OBJECT

public:
    explicit LegendStrip(const QString &title, QWidget *parent = nullptr);

    /// `moment`, where it is not empty, says from when the values are.
    /// `earlier` names the earlier time; where it is not empty there is a second line.
    void setEntries(const QList<LegendEntry> &entries, const QString &moment = {},
                    const QString &earlier = {});

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_title;
    QString m_moment;
    QString m_earlier;
    QList<LegendEntry> m_entries;
};

} // namespace outbox
