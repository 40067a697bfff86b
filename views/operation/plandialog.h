// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One dialog for every verb: preview, confirm, run, result.
#pragma once

#include "models/operations/arming.h"
#include "models/operations/commandline.h"
#include "models/operations/consent.h"
#include "models/operations/receipt.h"

#include <QDialog>

class QLabel;
class QStackedWidget;

namespace outbox {

class EnvironmentBand;
class PlanButtons;
class PlanConfirm;
class PlanPreview;
class PlanResult;
class PlanRun;
class StepStrip;

/// Non-modal, and used again for the next operation. Closing it dismisses a plan, but leaves an
/// operation that runs alone: show() brings it back.
class PlanDialog : public QDialog
{
    Q_OBJECT

public:
    enum class Step { Looking, Preview, Confirm, Run, Result };

    explicit PlanDialog(QWidget *parent = nullptr);

    void setProfile(const Profile &profile);
    void setArming(const Arming &arming);
    /// Why nothing may be carried out at this moment, beside a lock; empty: it may.
    void setWhyNot(const QString &reason);
    /// Writing is locked: a preview is shown, and whoever goes on is asked to unlock.
    void setLocked(bool locked);

    /// The plan is being made.
    void showLooking(const OperationRequest &request);
    void showPlan(const Plan &plan);
    void showProgress(const OperationProgress &progress);
    void setPaused(bool paused);
    /// `plan` is the one that was carried out.
    void showReceipt(const Plan &plan, const Receipt &receipt);
    /// It could not be planned, or was not begun.
    void showError(const Error &error);

    [[nodiscard]] Step step() const { return m_step; }
    [[nodiscard]] const Plan &plan() const { return m_plan; }

signals:
    void confirmed(const outbox::Plan &plan, const outbox::Consent &consent);
    void cancelAsked();
    void pauseAsked(bool paused);
    /// What was done is to be undone.
    void undoAsked(const outbox::OperationRequest &request);
    void saveAsked(const outbox::Plan &plan, const outbox::Receipt &receipt);
    void unlockAsked();
    void lockAsked();
    /// It was closed before anything was confirmed: the plan is not wanted any more.
    void dismissed();

public slots:
    void reject() override;

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void build();
    void enter(Step step);
    void describeButtons();
    void press();
    void copyCommand();

    Step m_step = Step::Looking;
    OperationRequest m_request;
    Plan m_plan;
    Receipt m_receipt;
    std::optional<Consent> m_consent; ///< once it was given
    QString m_unlockReason;

    EnvironmentBand *m_band;
    StepStrip *m_steps;
    QStackedWidget *m_pages;
    QLabel *m_looking;
    PlanPreview *m_preview;
    PlanConfirm *m_confirm;
    PlanRun *m_run;
    PlanResult *m_result;
    PlanButtons *m_buttons;
};

} // namespace outbox
