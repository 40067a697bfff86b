// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/plandialog.h"

#include "models/operations/plan.h"
#include "models/operations/planwords.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/operation/outcometable.h"
#include "views/operation/plansteps.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/environmentband.h"
#include "views/widgets/formrows.h"
#include "views/widgets/scrolledpage.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/pagebuttons.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QStackedWidget>
#include <QStringList>
#include <QWidget>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int circleSide = 20; ///< of the circle with the number
constexpr int stepGap = 7;
constexpr int lineLength = 28; ///< between two steps

} // namespace

/// Where one is in a sequence of steps: 1 Preview, 2 Confirm, 3 Run, 4 Result.
class StepStrip : public QWidget
{
    Q_OBJECT

public:
    explicit StepStrip(const QStringList &steps, QWidget *parent = nullptr)
        : QWidget(parent), m_steps(steps)
    {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setStep(0);
    }

    void setStep(int step)
    {
        m_step = step;
        setAccessibleName(
            tr("Step %1 of %2: %3").arg(step + 1).arg(m_steps.size()).arg(m_steps.value(step)));
        update();
    }

    [[nodiscard]] int step() const { return m_step; }

    [[nodiscard]] QSize sizeHint() const override
    {
        int width = 0;
        for (const QString &one : m_steps)
            width += circleSide + stepGap + fontMetrics().horizontalAdvance(one) + lineLength
                + 2 * stepGap;
        return {width, std::max(circleSide, fontMetrics().height()) + 6};
    }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QStringList m_steps;
    int m_step = 0;
};

void StepStrip::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    int left = 0;
    for (int at = 0; at < m_steps.size(); ++at) {
        const bool here = at == m_step;
        const bool past = at < m_step;
        const QRect circle(left, (height() - circleSide) / 2, circleSide, circleSide);
        painter.setPen(QPen(here || past ? ink.accent : ink.border, 1.2));
        painter.setBrush(here ? ink.accent : QColor(Qt::transparent));
        painter.drawEllipse(QRectF(circle).adjusted(0.5, 0.5, -0.5, -0.5));
        if (past) {
            painter.drawPixmap(
                circle.adjusted(4, 4, -4, -4).topLeft(),
                theme::glyph(u"tick"_s, ink.accent, circleSide - 8, devicePixelRatioF()));
        } else {
            painter.setPen(here ? ink.base : ink.secondary);
            painter.setFont(theme::scaledFont(font(), 0.9, QFont::DemiBold));
            painter.drawText(circle, Qt::AlignCenter, QString::number(at + 1));
        }
        left += circleSide + stepGap;
        const QString &name = m_steps.at(at);
        painter.setFont(theme::scaledFont(font(), 1, here ? QFont::DemiBold : QFont::Normal));
        painter.setPen(here ? ink.text : ink.secondary);
        const int width = painter.fontMetrics().horizontalAdvance(name);
        painter.drawText(QRect(left, 0, width + 2, height()),
                         static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), name);
        left += width + stepGap;
        if (at + 1 < m_steps.size()) {
            painter.setPen(QPen(ink.border, 1));
            painter.drawLine(left, height() / 2, left + lineLength, height() / 2);
            left += lineLength + stepGap;
        }
    }
}

/// The last step of an operation: what became of every message, and where the export is.
class PlanResult : public QWidget
{
    Q_OBJECT

public:
    explicit PlanResult(QWidget *parent = nullptr);

    /// `plan` is the one that was carried out.
    void setReceipt(const Plan &plan, const Receipt &receipt);

private:
    QLabel *m_sentence;
    QLabel *m_about;
    NoticeBar *m_problem;
    OutcomeTable *m_items;
    QWidget *m_exported;
    QLineEdit *m_file;
};

PlanResult::PlanResult(QWidget *parent)
    : QWidget(parent), m_sentence(titleLabel({})), m_about(hint({})),
      m_problem(new NoticeBar(u"resultProblem"_s)), m_items(new OutcomeTable(u"result"_s)),
      m_exported(new QWidget), m_file(new QLineEdit)
{
    m_sentence->setObjectName(u"resultSentence"_s);
    wrapLines(m_sentence);
    m_sentence->setFont(theme::scaledFont(font(), 1.25, QFont::DemiBold));
    m_about->setObjectName(u"resultAbout"_s);
    setNames(m_file, u"resultExport"_s, tr("Export file"));
    m_file->setReadOnly(true);
    m_file->setFont(theme::fixedFont(font()));
    QToolButton *copy = pageButton(u"resultExportCopy"_s, u"copy"_s, tr("Copy path"));
    connect(copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_file->text()); });
    auto *row = new QHBoxLayout(m_exported);
    row->setContentsMargins({});
    row->addWidget(plainLabel(tr("Exported to"), true));
    row->addWidget(m_file, 1);
    row->addWidget(copy);
    auto *column = boxOn<QVBoxLayout>(this, 8);
    addWidgets(column, {m_sentence, m_about, m_problem});
    column->addWidget(m_items, 1);
    column->addWidget(m_exported);
}

void PlanResult::setReceipt(const Plan &plan, const Receipt &receipt)
{
    m_sentence->setText(shownText(receiptSentence(plan, receipt)));
    const double seconds = static_cast<double>(receipt.started.msecsTo(receipt.ended)) / 1000;
    m_about->setText(shownText(tr("%1 \u00b7 took %2 \u00b7 recorded as %3")
                                   .arg(plan.selection, spanText(seconds), receipt.operation)));
    m_problem->clear();
    if (receipt.error)
        m_problem->say(NoticeBar::Tone::Problem, shownText(oneLine(*receipt.error)));
    else if (receipt.isInDoubt())
        m_problem->say(NoticeBar::Tone::Warning,
                       tr("An answer is missing: whether these messages were changed is not known. "
                          "Check the operation on the Activity page."));
    else if (receipt.cancelled)
        m_problem->say(NoticeBar::Tone::Info, tr("Cancelled: what had been done stays done."));
    m_items->setPlan(plan);
    m_items->setReceipt(receipt);
    m_exported->setVisible(!receipt.exportFile.isEmpty());
    m_file->setText(shownText(receipt.exportFile));
    m_file->setCursorPosition(0);
}

/// The third step of an operation: how far it is.
class PlanRun : public QWidget
{
    Q_OBJECT

public:
    explicit PlanRun(QWidget *parent = nullptr);

    /// The plan that is carried out from now on.
    void begin(const Plan &plan)
    {
        m_sentence->setText(shownText(actWords(plan)));
        m_clock.start();
        m_paused = m_cancelling = false;
        setProgress({0, plan.acting(), tr("beginning")});
    }

    void setProgress(const OperationProgress &progress)
    {
        m_progress = progress;
        m_bar->setRange(0, static_cast<int>(progress.total));
        m_bar->setValue(static_cast<int>(progress.done));
        describe();
    }

    void setPaused(bool paused)
    {
        m_paused = paused;
        describe();
    }

    void setCancelling()
    {
        m_cancelling = true;
        describe();
    }

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

PlanRun::PlanRun(QWidget *parent)
    : QWidget(parent), m_sentence(titleLabel({})), m_bar(new QProgressBar), m_words(hint({}))
{
    m_sentence->setObjectName(u"runSentence"_s);
    m_sentence->setFont(theme::scaledFont(font(), 1.25, QFont::DemiBold));
    setNames(m_bar, u"runBar"_s, tr("Progress of the operation"));
    m_bar->setTextVisible(false);
    m_words->setObjectName(u"runWords"_s);
    auto *column = boxOn<QVBoxLayout>(this, 10);
    addWidgets(column, {m_sentence, m_bar, m_words});
    column->addWidget(hint(tr("It works in batches; pause and cancel take effect between two of "
                              "them. It goes on when this window is closed.")));
    column->addStretch();
}

void PlanRun::describe()
{
    QString words = tr("%1 of %2").arg(countText(m_progress.done), countText(m_progress.total));
    if (m_cancelling)
        words += u" \u00b7 "_s + tr("ends after the batch in hand");
    else if (m_paused)
        words += u" \u00b7 "_s + tr("paused");
    else if (!m_progress.phase.isEmpty())
        words += u" \u00b7 "_s + shownText(m_progress.phase);
    // The first second says nothing about the rest.
    const double spent = static_cast<double>(m_clock.elapsed()) / 1000;
    if (!m_paused && !m_cancelling && spent > 1 && m_progress.done > 0
        && m_progress.done < m_progress.total) {
        const auto left = static_cast<double>(m_progress.total - m_progress.done);
        words += u" \u00b7 "_s
            + tr("about %1 left")
                  .arg(spanText(spent * left / static_cast<double>(m_progress.done)));
    }
    m_words->setText(words);
    m_bar->setAccessibleDescription(words);
}

/// The buttons under every step of an operation.
class PlanButtons : public QWidget
{
    Q_OBJECT

public:
    PlanButtons();

    /// Enter presses the button that has the focus, and Cancel elsewhere, but where something is
    /// confirmed. Needs the dialog as parent.
    void makeCancelDefault() { m_close->setDefault(true); }
    /// False: the reason is not new.
    bool setWhyNot(const QString &reason) { return std::exchange(m_whyNot, reason) != reason; }
    /// False: that is not new.
    bool setLocked(bool locked) { return std::exchange(m_isLocked, locked) != locked; }
    [[nodiscard]] bool isLocked() const { return m_isLocked; }
    [[nodiscard]] bool canGo() const { return m_go->isEnabled(); }
    void setPaused(bool paused) { m_paused = paused; }
    /// Gives the focus to what a person presses next; the page of the confirmation has its own.
    void enter(PlanDialog::Step step, const Plan &plan);
    void describe(PlanDialog::Step step, const Plan &plan, const PlanConfirm &confirm,
                  const Receipt &receipt);

signals:
    void copyAsked();
    void saveAsked();
    void undoAsked();
    void pauseAsked(bool paused);
    void stopAsked();
    void backAsked();
    void closeAsked();
    void goAsked();

private:
    QString m_whyNot; ///< why nothing may be carried out at this moment; empty: it may
    bool m_isLocked = false;
    bool m_paused = false;
    QPushButton *m_copy;
    QPushButton *m_save;
    QPushButton *m_undo;
    QPushButton *m_pause;
    QPushButton *m_stop;
    QPushButton *m_back;
    QPushButton *m_close; ///< Cancel before it acts, Close after
    QPushButton *m_go; ///< goes on to the confirmation, or acts: then it has verb and number
};

PlanButtons::PlanButtons()
    : m_copy(dialogButton(u"planCopy"_s, tr("Copy as co&mmand"))),
      m_save(dialogButton(u"planSave"_s, tr("Save &result\u2026"))),
      m_undo(dialogButton(u"planUndoGo"_s, tr("&Undo\u2026"))),
      m_pause(dialogButton(u"planPause"_s, tr("&Pause"))),
      m_stop(dialogButton(u"planStop"_s, tr("Cancel &operation"))),
      m_back(dialogButton(u"planBack"_s, tr("&Back"))),
      m_close(dialogButton(u"planClose"_s, tr("Cancel"))), m_go(dialogButton(u"planGo"_s, {}))
{
    for (QPushButton *one : {m_copy, m_save, m_undo, m_pause, m_stop, m_back, m_close, m_go})
        one->setAutoDefault(true);
    auto *row = boxOn<QHBoxLayout>(this, 12);
    addWidgets(row, {m_copy, m_save});
    row->addStretch();
    addWidgets(row, {m_undo, m_pause, m_stop, m_back, m_close, m_go});
    connect(m_copy, &QPushButton::clicked, this, &PlanButtons::copyAsked);
    connect(m_save, &QPushButton::clicked, this, &PlanButtons::saveAsked);
    connect(m_undo, &QPushButton::clicked, this, &PlanButtons::undoAsked);
    connect(m_pause, &QPushButton::clicked, this, [this] { emit pauseAsked(!m_paused); });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_stop->setEnabled(false);
        emit stopAsked();
    });
    connect(m_back, &QPushButton::clicked, this, &PlanButtons::backAsked);
    connect(m_close, &QPushButton::clicked, this, &PlanButtons::closeAsked);
    connect(m_go, &QPushButton::clicked, this, &PlanButtons::goAsked);
}

void PlanButtons::enter(PlanDialog::Step step, const Plan &plan)
{
    m_stop->setEnabled(true);
    // Where the next press would act, Enter must not be the one.
    if (step == PlanDialog::Step::Preview && confirmationFor(plan) != Confirmation::Click
        && m_go->isEnabled())
        m_go->setFocus();
    else if (step == PlanDialog::Step::Run)
        m_pause->setFocus();
    else if (step != PlanDialog::Step::Confirm)
        m_close->setFocus();
}

void PlanButtons::describe(PlanDialog::Step step, const Plan &plan, const PlanConfirm &confirm,
                           const Receipt &receipt)
{
    using Step = PlanDialog::Step;
    const bool acts = step == Step::Confirm
        || (step == Step::Preview && !m_isLocked && confirmationFor(plan) == Confirmation::Click);
    const Plan &agreed = step == Step::Confirm ? confirm.agreed() : plan;
    m_go->setText(acts ? u'&' + shownText(actWords(agreed)) : tr("C&ontinue\u2026"));
    m_go->setAccessibleName(spokenWords(m_go->text()));
    m_go->setVisible((step == Step::Preview && plan.acting() > 0) || step == Step::Confirm);
    QString why = m_whyNot;
    if (why.isEmpty() && step == Step::Confirm && m_isLocked)
        why = tr("Read-only: unlock writing first (Ctrl+U).");
    if (why.isEmpty() && step == Step::Confirm) {
        if (const auto no = objection(agreed, confirm.consent()))
            why = no->hint.isEmpty() ? no->text : no->hint;
    }
    m_go->setEnabled(why.isEmpty());
    m_go->setToolTip(
        plainTooltip(why.isEmpty() && m_isLocked ? tr("Asks to unlock writing first") : why));

    const bool runs = step == Step::Run;
    const bool ended = step == Step::Result;
    m_back->setVisible(step == Step::Confirm);
    m_pause->setVisible(runs);
    m_pause->setText(m_paused ? tr("&Resume") : tr("&Pause"));
    m_pause->setAccessibleName(m_paused ? tr("Resume") : tr("Pause"));
    m_stop->setVisible(runs);
    m_undo->setVisible(ended);
    m_undo->setEnabled(receipt.undoable && m_whyNot.isEmpty());
    m_undo->setToolTip(plainTooltip(!receipt.undoable         ? tr("This cannot be undone")
                                        : !m_whyNot.isEmpty() ? m_whyNot
                                                              : QString()));
    m_save->setVisible(ended);
    m_copy->setVisible(step != Step::Looking);
    const bool nothing = step == Step::Preview && plan.acting() == 0;
    m_close->setText(runs || ended || nothing ? tr("&Close") : tr("Cancel"));
    m_close->setAccessibleName(spokenWords(m_close->text()));
}

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
      m_buttons(new PlanButtons)
{
    setObjectName(u"planDialog"_s);
    setModal(false);
    build();
    connect(m_band, &EnvironmentBand::unlockAsked, this, &PlanDialog::unlockAsked);
    connect(m_band, &EnvironmentBand::lockAsked, this, &PlanDialog::lockAsked);
    connect(m_confirm, &PlanConfirm::edited, this, &PlanDialog::describeButtons);
    connect(m_buttons, &PlanButtons::copyAsked, this, &PlanDialog::copyCommand);
    connect(m_buttons, &PlanButtons::saveAsked, this,
            [this] { emit saveAsked(m_plan, m_receipt); });
    connect(m_buttons, &PlanButtons::undoAsked, this, [this] {
        emit undoAsked({m_receipt.verb, {}, m_receipt.operation});
    });
    connect(m_buttons, &PlanButtons::pauseAsked, this, &PlanDialog::pauseAsked);
    connect(m_buttons, &PlanButtons::stopAsked, this, [this] {
        m_run->setCancelling();
        emit cancelAsked();
    });
    connect(m_buttons, &PlanButtons::backAsked, this, [this] { enter(Step::Preview); });
    connect(m_buttons, &PlanButtons::closeAsked, this, &PlanDialog::reject);
    connect(m_buttons, &PlanButtons::goAsked, this, &PlanDialog::press);
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
    auto *body = boxOn<QVBoxLayout>(nullptr, 12, {20, 12, 20, 16});
    body->addWidget(m_steps);
    body->addWidget(m_pages, 1);
    body->addWidget(m_buttons);
    auto *column = boxOn<QVBoxLayout>(this, 0);
    column->addWidget(m_band);
    column->addLayout(body, 1);
    m_buttons->makeCancelDefault();
    keepOnScreen(this, {1000, 600});
}

void PlanDialog::setProfile(const Profile &profile)
{
    m_band->setProfile(profile);
}

void PlanDialog::setArming(const Arming &arming)
{
    m_band->setArming(arming);
    m_unlockReason = arming.reason;
}

void PlanDialog::setWhyNot(const QString &reason)
{
    if (m_buttons->setWhyNot(reason))
        describeButtons();
}

void PlanDialog::setLocked(bool locked)
{
    if (m_buttons->setLocked(locked))
        describeButtons();
}

void PlanDialog::showLooking(const OperationRequest &request)
{
    m_request = request;
    m_plan = {};
    m_receipt = {};
    m_consent.reset();
    m_looking->setText(tr("Preparing the preview. Nothing is changed\u2026"));
    const QString verb = label(request.verb);
    setWindowTitle(request.undoOf.isEmpty() ? verb : tr("Undo: %1").arg(verb));
    enter(Step::Looking);
}

void PlanDialog::showPlan(const Plan &plan)
{
    m_plan = plan;
    m_preview->setPlan(plan);
    m_confirm->setPlan(plan);
    if (plan.undoOf.isEmpty()) // else the title names what is undone, and the button the way
        setWindowTitle(label(plan.verb));
    enter(Step::Preview);
}

void PlanDialog::showProgress(const OperationProgress &progress)
{
    m_run->setProgress(progress);
}

void PlanDialog::setPaused(bool paused)
{
    m_buttons->setPaused(paused);
    m_run->setPaused(paused);
    describeButtons();
}

void PlanDialog::showReceipt(const Plan &plan, const Receipt &receipt)
{
    m_plan = plan;
    m_receipt = receipt;
    m_result->setReceipt(plan, receipt);
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
    describeButtons();
    m_buttons->enter(step, m_plan);
    if (step == Step::Confirm)
        m_confirm->focusFirst();
}

void PlanDialog::describeButtons()
{
    m_buttons->describe(m_step, m_plan, *m_confirm, m_receipt);
}

void PlanDialog::press()
{
    if (m_buttons->isLocked())
        return emit unlockAsked();
    if (m_step == Step::Preview && confirmationFor(m_plan) != Confirmation::Click)
        return enter(Step::Confirm);
    m_consent = m_step == Step::Confirm ? m_confirm->consent() : Consent();
    m_buttons->setPaused(false);
    m_run->begin(withConsent(m_plan, *m_consent));
    enter(Step::Run);
    emit confirmed(m_plan, *m_consent);
}

void PlanDialog::copyCommand()
{
    const auto said = m_step == Step::Confirm ? std::optional(m_confirm->consent()) : m_consent;
    QApplication::clipboard()->setText(
        commandLine(m_request, m_band->profile(), said, m_unlockReason));
}

/// Enter outside of a button: where something is confirmed it acts once the text that was asked for
/// is typed, and never cancels.
void PlanDialog::keyPressEvent(QKeyEvent *event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isEnter || m_step != Step::Confirm)
        return QDialog::keyPressEvent(event);
    if (m_buttons->canGo() && confirmationFor(m_confirm->agreed()) == Confirmation::Typed)
        press();
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

#include "plandialog.moc"
