// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The third step of an operation: how far it is.
#pragma once

#include "models/operations/plan.h"

#include <QElapsedTimer>
#include <QWidget>

class QLabel;
class QProgressBar;

namespace outbox {

class PlanRun : public QWidget
{
    Q_OBJECT

public:
    explicit PlanRun(QWidget *parent = nullptr);

    /// The plan that is carried out from now on.
    void begin(const Plan &plan);
    void setProgress(const OperationProgress &progress);
    void setPaused(bool paused);
    void setCancelling();

private:
    void describe();

    QLabel *m_sentence;
    QProgressBar *m_bar;
    QLabel *m_words;
    OperationProgress m_progress;
    QElapsedTimer m_clock; ///< since it began
    bool m_paused = false;
    bool m_cancelling = false;
};

} // namespace outbox
