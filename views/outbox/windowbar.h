// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says which part of a large table is shown, and goes to another one.
#pragma once

#include <QDateTime>
#include <QWidget>

class QLabel;
class QToolButton;

namespace outbox {

class WindowBar : public QWidget
{
    Q_OBJECT

public:
    explicit WindowBar(const QString &name, QWidget *parent = nullptr);

    void say(const QString &where);
    /// Without times one can go to no time.
    void setTimed(bool timed);

signals:
    void newestAsked();
    void oldestAsked();
    void timeAsked(const QDateTime &time);
    void idAsked(const QString &id);

private:
    void askForTime();
    void askForId();

    QLabel *m_where;
    QToolButton *m_goTo;
    QAction *m_time;
};

} // namespace outbox
