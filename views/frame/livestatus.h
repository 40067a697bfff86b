// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The status bar: age and latency of each source, NOTIFY, the refresh interval and its pause.
#pragma once

#include "models/operations/plan.h"
#include "models/system/pollcost.h"
#include "models/system/staleness.h"

#include <QElapsedTimer>
#include <QStatusBar>

#include <array>
#include <optional>

class QLabel;
class QProgressBar;
class QToolButton;

namespace outbox {

class SourceDetails;

class LiveStatus : public QStatusBar
{
    Q_OBJECT

public:
    explicit LiveStatus(QWidget *parent = nullptr);

    void setSource(Source source, const SourceHealth &health);
    /// Which server it is, for its details; no password in it.
    void setAddress(Source source, const QString &address);
    /// What our own looking costs it, for its details.
    void setCost(Source source, const PollCost &cost);
    /// Whether NOTIFY wakes the relay here; nullopt: no relay runs, nothing is said.
    void setNotify(std::optional<bool> on);
    void setInterval(int milliseconds, bool slowed);
    void setPaused(bool paused);
    void setSelection(const QString &text);
    /// The operation that runs, in words, and how far it is; empty words: none.
    void setOperation(const QString &words, const OperationProgress &progress = {});
    /// Ages are told against `now`; called once a second by the window.
    void tick(const QDateTime &now);

signals:
    void pauseAsked(bool paused);
    /// A click on the operation that runs.
    void operationAsked();

protected:
    void changeEvent(QEvent *event) override;

private:
    void show(Source source);
    void showInterval();

    std::array<QToolButton *, 2> m_sources{};
    std::array<SourceDetails *, 2> m_details{};
    std::array<SourceHealth, 2> m_health;
    QLabel *m_notify;
    QLabel *m_interval;
    QToolButton *m_pause;
    QLabel *m_selection;
    QToolButton *m_operation;
    QProgressBar *m_progress;
    int m_intervalMs = 1'000;
    bool m_slowed = false;
    bool m_paused = false;
    QElapsedTimer m_pausedSince;
    QDateTime m_now;
};

} // namespace outbox
