// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/plandialog.h"

#include "models/operations/planwords.h"
#include "models/plaintext.h"
#include "views/operation/planconfirm.h"
#include "views/operation/planpreview.h"
#include "views/operation/planresult.h"
#include "views/operation/planrun.h"
#include "views/theme/theme.h"
#include "views/widgets/card.h"
#include "views/widgets/environmentband.h"
#include "views/widgets/formrows.h"
#include "views/widgets/stepstrip.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QStackedWidget>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

int numberOf(PlanDialog::Step step)
{
    return std::max(0, static_cast<int>(step) - 1); // looking is a part of the preview
}

} // namespace

PlanDialog::PlanDialog(QWidget *parent)
    : QDialog(parent), m_band(new EnvironmentBand),
      m_steps(new StepStrip({tr("Preview"), tr("Confirm"), tr("Run"), tr("Result")})),
      m_pages(new QStackedWidget), m_looking(titleLabel({})), m_preview(new PlanPreview),
      m_confirm(new PlanConfirm), m_run(new PlanRun), m_result(new PlanResult),
      m_copy(dialogButton(u"planCopy"_s, tr("Copy as co&mmand"))),
      m_save(dialogButton(u"planSave"_s, tr("Save &result\u2026"))),
      m_undo(dialogButton(u"planUndoGo"_s, tr("&Undo\u2026"))),
      m_pause(dialogButton(u"planPause"_s, tr("&Pause"))),
      m_stop(dialogButton(u"planStop"_s, tr("Cancel &operation"))),
      m_back(dialogButton(u"planBack"_s, tr("&Back"))),
      m_close(dialogButton(u"planClose"_s, tr("Cancel"))), m_go(dialogButton(u"planGo"_s, {}))
{
    setObjectName(u"planDialog"_s);
    setModal(false);
    build();
    connect(m_band, &EnvironmentBand::unlockAsked, this, &PlanDialog::unlockAsked);
    connect(m_band, &EnvironmentBand::lockAsked, this, &PlanDialog::lockAsked);
    connect(m_confirm, &PlanConfirm::edited, this, &PlanDialog::describeButtons);
    connect(m_copy, &QPushButton::clicked, this, &PlanDialog::copyCommand);
    connect(m_save, &QPushButton::clicked, this, &PlanDialog::saveAsked);
    connect(m_undo, &QPushButton::clicked, this, &PlanDialog::undoAsked);
    connect(m_pause, &QPushButton::clicked, this, [this] { emit pauseAsked(!m_paused); });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_run->setCancelling();
        m_stop->setEnabled(false);
        emit cancelAsked();
    });
    connect(m_back, &QPushButton::clicked, this, [this] { enter(Step::Preview); });
    connect(m_close, &QPushButton::clicked, this, &PlanDialog::reject);
    connect(m_go, &QPushButton::clicked, this, &PlanDialog::press);
    showLooking({});
}

void PlanDialog::build()
{
    m_looking->setObjectName(u"planLooking"_s);
    wrapLines(m_looking);
    m_looking->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_looking->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (QWidget *page : QList<QWidget *>{m_looking, m_preview, m_confirm, m_run, m_result})
        m_pages->addWidget(page); // in the order of Step
    // Enter presses the button that has the focus, and Cancel elsewhere.
    m_close->setDefault(true);
    for (QPushButton *one : {m_copy, m_save, m_undo, m_pause, m_stop, m_back, m_close, m_go})
        one->setAutoDefault(true);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_copy);
    buttons->addWidget(m_save);
    buttons->addStretch();
    for (QPushButton *one : {m_undo, m_pause, m_stop, m_back, m_close, m_go})
        buttons->addWidget(one);
    auto *body = new QVBoxLayout;
    body->setContentsMargins(20, 12, 20, 16);
    body->setSpacing(12);
    body->addWidget(m_steps);
    body->addWidget(m_pages, 1);
    body->addLayout(buttons);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(m_band);
    column->addLayout(body, 1);
    resize(1000, 600);
}

void PlanDialog::setProfile(const Profile &profile)
{
    m_profile = profile;
    m_band->setProfile(profile);
}

void PlanDialog::setArming(const Arming &arming)
{
    m_band->setArming(arming);
    m_unlockReason = arming.reason;
}

void PlanDialog::setWhyNot(const QString &reason)
{
    if (m_whyNot == reason)
        return;
    m_whyNot = reason;
    describeButtons();
}

void PlanDialog::showLooking(const OperationRequest &request)
{
    m_request = request;
    m_plan = {};
    m_receipt = {};
    m_consent.reset();
    m_looking->setText(tr("Looking: nothing is changed by that\u2026"));
    setWindowTitle(request.undoOf.isEmpty() ? label(request.verb) : tr("Undo"));
    enter(Step::Looking);
}

void PlanDialog::showPlan(const Plan &plan)
{
    m_plan = plan;
    m_preview->setPlan(plan);
    m_confirm->setPlan(plan);
    setWindowTitle(label(plan.verb));
    enter(Step::Preview);
}

void PlanDialog::showProgress(const OperationProgress &progress)
{
    m_run->setProgress(progress);
}

void PlanDialog::setPaused(bool paused)
{
    m_paused = paused;
    m_run->setPaused(paused);
    describeButtons();
}

void PlanDialog::showReceipt(const Receipt &receipt)
{
    m_receipt = receipt;
    m_result->setReceipt(m_plan, receipt);
    enter(Step::Result);
}

void PlanDialog::showError(const Error &error)
{
    m_looking->setText(shownText(oneLine(error)));
    enter(Step::Looking);
}

void PlanDialog::enter(Step step)
{
    m_step = step;
    m_pages->setCurrentIndex(static_cast<int>(step));
    m_steps->setStep(numberOf(step));
    m_stop->setEnabled(true);
    describeButtons();
    switch (step) {
    case Step::Confirm:
        return m_confirm->focusFirst();
    case Step::Preview:
        // Where the next press would act, Enter must not be the one.
        if (confirmationFor(m_plan) != Confirmation::Click && m_go->isEnabled())
            return m_go->setFocus();
        break;
    case Step::Run:
        return m_pause->setFocus();
    default:
        break;
    }
    m_close->setFocus();
}

void PlanDialog::describeButtons()
{
    const bool acts = m_step == Step::Confirm
        || (m_step == Step::Preview && confirmationFor(m_plan) == Confirmation::Click);
    const Plan &agreed = m_step == Step::Confirm ? m_confirm->agreed() : m_plan;
    m_go->setText(acts ? u'&' + shownText(actWords(agreed)) : tr("C&ontinue\u2026"));
    m_go->setAccessibleName(QString(m_go->text()).remove(u'&'));
    m_go->setVisible((m_step == Step::Preview && m_plan.acting() > 0) || m_step == Step::Confirm);
    QString why = m_whyNot;
    if (why.isEmpty() && m_step == Step::Confirm) {
        if (const auto no = objection(agreed, m_confirm->consent()))
            why = no->hint.isEmpty() ? no->text : no->hint;
    }
    m_go->setEnabled(why.isEmpty());
    m_go->setToolTip(plainTooltip(why));

    const bool runs = m_step == Step::Run;
    const bool ended = m_step == Step::Result;
    m_back->setVisible(m_step == Step::Confirm);
    m_pause->setVisible(runs);
    m_pause->setText(m_paused ? tr("&Resume") : tr("&Pause"));
    m_pause->setAccessibleName(m_paused ? tr("Resume") : tr("Pause"));
    m_stop->setVisible(runs);
    m_undo->setVisible(ended);
    m_undo->setEnabled(m_receipt.undoable && m_whyNot.isEmpty());
    m_undo->setToolTip(plainTooltip(!m_receipt.undoable       ? tr("This cannot be taken back")
                                        : !m_whyNot.isEmpty() ? m_whyNot
                                                              : QString()));
    m_save->setVisible(ended);
    m_copy->setVisible(m_step != Step::Looking);
    const bool nothing = m_step == Step::Preview && m_plan.acting() == 0;
    m_close->setText(runs || ended || nothing ? tr("&Close") : tr("Cancel"));
    m_close->setAccessibleName(QString(m_close->text()).remove(u'&'));
}

void PlanDialog::press()
{
    if (m_step == Step::Preview && confirmationFor(m_plan) != Confirmation::Click)
        return enter(Step::Confirm);
    m_consent = m_step == Step::Confirm ? m_confirm->consent() : Consent();
    m_paused = false;
    m_run->begin(withConsent(m_plan, *m_consent));
    enter(Step::Run);
    emit confirmed(*m_consent);
}

void PlanDialog::copyCommand()
{
    const auto said = m_step == Step::Confirm ? std::optional(m_confirm->consent()) : m_consent;
    QApplication::clipboard()->setText(commandLine(m_request, m_profile, said, m_unlockReason));
}

void PlanDialog::reject()
{
    const bool undecided
        = m_step == Step::Looking || m_step == Step::Preview || m_step == Step::Confirm;
    QDialog::reject();
    if (undecided)
        emit dismissed();
}

} // namespace outbox
