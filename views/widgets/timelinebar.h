// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where in time the rows on screen stand between the newest and the oldest of a table of any size;
// moved, it asks for another time.
#pragma once

#include <QDateTime>
#include <QSlider>

namespace outbox {

class TimelineBar : public QSlider
{
    Q_OBJECT

public:
    explicit TimelineBar(const QString &name, QWidget *parent = nullptr);

    /// Hidden unless both are there and apart.
    void setSpan(const QDateTime &newest, const QDateTime &oldest);
    /// The time of the row at the top of the screen.
    void setHere(const QDateTime &time);

signals:
    void timeAsked(const QDateTime &time);

private:
    [[nodiscard]] QDateTime timeAt(int value) const;

    QDateTime m_newest;
    QDateTime m_oldest;
};

} // namespace outbox
