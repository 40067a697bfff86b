// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks again after the answer, never by a free-running timer; slows down when a look costs too
// much.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>

namespace outbox {

/// One question asked over and over. The owner asks on `due` and calls `answered`, `failed`
/// or `refused` exactly once for each; there is never a second question under way. Lives in the
/// owner's thread.
class Poller : public QObject
{
    Q_OBJECT

public:
    Poller(int intervalMs, int deadlineMs, QObject *parent = nullptr);

    void start();
    void stop();
    /// Asks now, or right after the answer under way.
    void kick();
    void answered(double tookMs);
    void failed();
    /// Who was asked knows us and says no: not asked again before a `kick`. A wrong password that
    /// is tried over and over locks an account.
    void refused();
    [[nodiscard]] int intervalMs() const { return m_intervalMs; }
    /// What it was made with: the interval while looks are cheap.
    [[nodiscard]] int wantedMs() const { return m_baseMs; }
    [[nodiscard]] bool isSlowed() const { return m_intervalMs > m_baseMs; }
    /// Milliseconds until the next try; 0 when one is under way or none will be made.
    [[nodiscard]] int nextInMs() const { return m_timer.isActive() ? m_timer.remainingTime() : 0; }

signals:
    void due();
    /// The answer is overdue: the connection hangs. Sent once for each question.
    void overdue();
    void intervalChanged(int milliseconds, bool slowed);

private:
    void ask();
    void scheduleIn(int milliseconds) { m_timer.start(milliseconds); }

    QTimer m_timer;
    QTimer m_deadline;
    int m_baseMs;
    int m_intervalMs;
    int m_backOffMs = 0;
    bool m_running = false;
    bool m_underWay = false;
    bool m_kicked = false;
};

} // namespace outbox
