// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The dialog of every operation, from preview to result, by keyboard alone. With
// OUTBOX_PICTURES=<folder> its steps are drawn for looking at.
#include "models/operations/planwords.h"
#include "models/tables/planmodel.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/sampleplan.h"
#include "tests/support/testprogram.h"
#include "views/operation/plandialog.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace tst_plandialog {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestPlanDialog : public QObject
{
    Q_OBJECT

    std::unique_ptr<PlanDialog> m_dialog;

    template <typename Widget> [[nodiscard]] Widget *find(const QString &name) const
    {
        auto *found = m_dialog->findChild<Widget *>(name);
        [&] { QVERIFY2(found != nullptr, qPrintable(name)); }();
        return found;
    }
    [[nodiscard]] QPushButton *go() const { return find<QPushButton>(u"planGo"_s); }
    /// Presses Tab until this has the focus: nothing may be out of reach.
    void tabTo(const QWidget *wanted)
    {
        for (int presses = 0; presses < 40; ++presses) {
            if (m_dialog->focusWidget() == wanted)
                return;
            QTest::keyClick(m_dialog->focusWidget(), Qt::Key_Tab);
        }
        QFAIL(qPrintable(u"Tab does not reach "_s + wanted->objectName()));
    }
    void show(const Plan &plan, const Profile &profile = sample::production())
    {
        m_dialog->setProfile(profile);
        m_dialog->setArming({true, sample::now().addSecs(899), u"ana@desk"_s, u"INC-4711"_s});
        m_dialog->showLooking({plan.verb, {}, {}});
        m_dialog->showPlan(plan);
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }
    void init() { m_dialog = std::make_unique<PlanDialog>(); }
    void cleanup() { m_dialog.reset(); }

    void purgesInProductionByKeyboardAlone();
    void escapeLeavesEverythingAsItIs();
    void enterActsOnceTheTextIsRight();
    void enterNeverCancelsAConfirmation();
    void lockedPreviewAsksToUnlock();
    void developmentIsOneClick();
    void secondExecutionsAreAskedFor();
    void trimmingIsAskedFor();
    void nothingToDoCannotBePressed();
    void lockedWhileLookingSaysWhy();
    void pauseAndCancelAreIntents();
    void closingDoesNotEndWhatRuns();
    void chipsFilterTheMessages();
    void aHundredThousandMessagesAreNoLoad();
    void commandIsTheTwin();
    void hostileTextStaysPlain();
    void pictures();
};

void TestPlanDialog::purgesInProductionByKeyboardAlone()
{
    show(sample::purgePlan());
    QCOMPARE(find<QLabel>(u"planSentence"_s)->text(),
             u"Exactly 297 of 300 rows will be purged; 3 are left alone."_s);
    QSignalSpy confirmed(m_dialog.get(), &PlanDialog::confirmed);
    // Preview: the button has the focus, Enter presses it; nothing happens yet.
    QCOMPARE(m_dialog->focusWidget(), go());
    QTest::keyClick(m_dialog->focusWidget(), Qt::Key_Return);
    QCOMPARE(m_dialog->step(), PlanDialog::Step::Confirm);
    QCOMPARE(confirmed.count(), 0);
    // Confirm: what is typed wrong does not do.
    auto *typed = find<QLineEdit>(u"confirmTyped"_s);
    QCOMPARE(m_dialog->focusWidget(), typed);
    QCOMPARE(go()->text(), u"&Purge 297 rows"_s);
    QTest::keyClicks(typed, u"297 order"_s);
    QVERIFY(!go()->isEnabled());
    QVERIFY(go()->toolTip().contains(u"297 orders"_s));
    QTest::keyClicks(typed, u"s"_s);
    QVERIFY(go()->isEnabled());
    QTest::keyClick(typed, Qt::Key_Tab);
    QCOMPARE(m_dialog->focusWidget(), find<QLineEdit>(u"confirmNote"_s));
    QTest::keyClicks(m_dialog->focusWidget(), u"INC-4711"_s);
    tabTo(go());
    QTest::keyClick(go(), Qt::Key_Return);
    QCOMPARE(confirmed.count(), 1);
    QCOMPARE(confirmed.first().first().value<Plan>().operation, m_dialog->plan().operation);
    const auto consent = confirmed.first().at(1).value<Consent>();
    QCOMPARE(consent.typed, u"297 orders"_s);
    QCOMPARE(consent.note, u"INC-4711"_s);
    QVERIFY(!objection(m_dialog->plan(), consent));
    // Run and result.
    QCOMPARE(m_dialog->step(), PlanDialog::Step::Run);
    m_dialog->showProgress({150, 297, u"deleting"_s});
    QVERIFY(find<QLabel>(u"runWords"_s)->text().startsWith(u"150 of 297"_s));
    m_dialog->showReceipt(m_dialog->plan(), sample::receiptFor(m_dialog->plan()));
    QCOMPARE(m_dialog->step(), PlanDialog::Step::Result);
    QCOMPARE(find<QLabel>(u"resultSentence"_s)->text(),
             u"Purged: 297 rows; 2 claimed, 1 task not finished."_s);
    QVERIFY(find<QLineEdit>(u"resultExport"_s)->text().endsWith(u".jsonl"_s));
    QSignalSpy undo(m_dialog.get(), &PlanDialog::undoAsked);
    tabTo(find<QPushButton>(u"planUndoGo"_s));
    QTest::keyClick(m_dialog->focusWidget(), Qt::Key_Return);
    QCOMPARE(undo.count(), 1);
    QCOMPARE(undo.first().first().value<OperationRequest>().undoOf, m_dialog->plan().operation);
    QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
    QVERIFY(!m_dialog->isVisible());
}

void TestPlanDialog::escapeLeavesEverythingAsItIs()
{
    show(sample::purgePlan());
    go()->click();
    QSignalSpy confirmed(m_dialog.get(), &PlanDialog::confirmed);
    QSignalSpy dismissed(m_dialog.get(), &PlanDialog::dismissed);
    QTest::keyClicks(find<QLineEdit>(u"confirmTyped"_s), u"297 orders"_s);
    QTest::keyClick(m_dialog->focusWidget(), Qt::Key_Escape);
    QVERIFY(!m_dialog->isVisible());
    QCOMPARE(dismissed.count(), 1);
    QCOMPARE(confirmed.count(), 0);
}

void TestPlanDialog::enterActsOnceTheTextIsRight()
{
    show(sample::purgePlan());
    go()->click();
    QSignalSpy confirmed(m_dialog.get(), &PlanDialog::confirmed);
    QSignalSpy dismissed(m_dialog.get(), &PlanDialog::dismissed);
    auto *typed = find<QLineEdit>(u"confirmTyped"_s);
    QTest::keyClick(typed, Qt::Key_Return);
    QTest::keyClicks(typed, u"297 order"_s);
    QTest::keyClick(typed, Qt::Key_Return);
    QCOMPARE(confirmed.count(), 0);
    QCOMPARE(m_dialog->step(), PlanDialog::Step::Confirm);
    QVERIFY(m_dialog->isVisible());
    QTest::keyClicks(typed, u"s"_s);
    QTest::keyClick(typed, Qt::Key_Return);
    QCOMPARE(confirmed.count(), 1);
    QCOMPARE(confirmed.first().at(1).value<Consent>().typed, u"297 orders"_s);
    QCOMPARE(m_dialog->step(), PlanDialog::Step::Run);
    QCOMPARE(dismissed.count(), 0);
}

/// A plan that is confirmed by a press alone: what a person writes into the note is no press.
void TestPlanDialog::enterNeverCancelsAConfirmation()
{
    Plan plan = sample::emptyPlan(Verb::Run);
    plan.environment = Environment::Staging;
    plan.items = {sample::item(1, Outcome::Done)};
    show(plan);
    go()->click();
    QCOMPARE(m_dialog->step(), PlanDialog::Step::Confirm);
    QSignalSpy confirmed(m_dialog.get(), &PlanDialog::confirmed);
    auto *note = find<QLineEdit>(u"confirmNote"_s);
    QCOMPARE(m_dialog->focusWidget(), note);
    QTest::keyClicks(note, u"INC-4711"_s);
    QTest::keyClick(note, Qt::Key_Return);
    QCOMPARE(confirmed.count(), 0);
    QVERIFY(m_dialog->isVisible());
    QCOMPARE(m_dialog->step(), PlanDialog::Step::Confirm);
}

void TestPlanDialog::lockedPreviewAsksToUnlock()
{
    show(sample::purgePlan());
    m_dialog->setLocked(true);
    QSignalSpy unlock(m_dialog.get(), &PlanDialog::unlockAsked);
    QVERIFY(go()->isEnabled());
    go()->click();
    QCOMPARE(unlock.count(), 1);
    QCOMPARE(m_dialog->step(), PlanDialog::Step::Preview);
    m_dialog->setLocked(false);
    go()->click();
    QCOMPARE(m_dialog->step(), PlanDialog::Step::Confirm);
    QTest::keyClicks(find<QLineEdit>(u"confirmTyped"_s), u"297 orders"_s);
    QVERIFY(go()->isEnabled());
    m_dialog->setLocked(true); // its time was over meanwhile
    QVERIFY(!go()->isEnabled());
    QVERIFY(go()->toolTip().contains(u"unlock"_s));
    // One click acts in development: while that is locked the button says that it goes on.
    Plan plan = sample::emptyPlan(Verb::Run);
    plan.environment = Environment::Development;
    plan.items = {sample::item(1, Outcome::Done)};
    m_dialog->showPlan(plan);
    QSignalSpy confirmed(m_dialog.get(), &PlanDialog::confirmed);
    QCOMPARE(go()->text(), u"C&ontinue\u2026"_s);
    go()->click();
    QCOMPARE(unlock.count(), 2);
    QCOMPARE(confirmed.count(), 0);
    m_dialog->setLocked(false);
    QCOMPARE(go()->text(), u"&Run 1 task"_s);
}

void TestPlanDialog::developmentIsOneClick()
{
    Plan plan = sample::emptyPlan(Verb::Run);
    plan.environment = Environment::Development;
    plan.items = {sample::item(1, Outcome::Done)};
    Profile profile = sample::production();
    profile.environment = Environment::Development;
    show(plan, profile);
    QCOMPARE(go()->text(), u"&Run 1 task"_s);
    QVERIFY(m_dialog->focusWidget() != go()); // it would act
    QSignalSpy confirmed(m_dialog.get(), &PlanDialog::confirmed);
    QTest::keyClick(m_dialog->focusWidget(), Qt::Key_R, Qt::AltModifier);
    QTRY_COMPARE(confirmed.count(), 1);
    QCOMPARE(m_dialog->step(), PlanDialog::Step::Run);
}

void TestPlanDialog::secondExecutionsAreAskedFor()
{
    show(sample::replayPlan());
    go()->click();
    auto *allow = find<QCheckBox>(u"allowSecond"_s);
    QVERIFY(allow->isVisible());
    QVERIFY(!find<QCheckBox>(u"allowTrim"_s)->isVisible());
    // Nothing else in this plan acts: without the word there is nothing to press.
    QVERIFY(!go()->isEnabled());
    QVERIFY(!find<QLineEdit>(u"confirmTyped"_s)->isVisible());
    QCOMPARE(m_dialog->focusWidget(), allow);
    QTest::keyClick(allow, Qt::Key_Space);
    QCOMPARE(go()->text(), u"&Replay 4 rows"_s);
    QVERIFY(!go()->isEnabled());
    QTest::keyClicks(find<QLineEdit>(u"confirmTyped"_s), u"4 orders"_s);
    QVERIFY(go()->isEnabled());
    QSignalSpy confirmed(m_dialog.get(), &PlanDialog::confirmed);
    go()->click();
    QVERIFY(confirmed.first().at(1).value<Consent>().secondExecution);
}

void TestPlanDialog::trimmingIsAskedFor()
{
    Plan plan = sample::emptyPlan(Verb::Archive);
    plan.items = {sample::item(1, Outcome::Done)};
    plan.trimmed = 12;
    show(plan);
    go()->click();
    auto *trim = find<QCheckBox>(u"allowTrim"_s);
    QVERIFY(trim->isVisible() && trim->text().contains(u"12"_s));
    QTest::keyClicks(find<QLineEdit>(u"confirmTyped"_s), u"1 orders"_s);
    QVERIFY(!go()->isEnabled());
    trim->click();
    QVERIFY(go()->isEnabled());
}

void TestPlanDialog::nothingToDoCannotBePressed()
{
    Plan plan = sample::emptyPlan(Verb::Replay);
    show(plan);
    QCOMPARE(find<QLabel>(u"planSentence"_s)->text(), u"Nothing matches any more."_s);
    QVERIFY(!go()->isVisible());
    plan.items = {sample::item(9, Outcome::InFlight, u"Its task is pending"_s)};
    m_dialog->showPlan(plan);
    QVERIFY(!go()->isVisible());
    QCOMPARE(find<QPushButton>(u"planClose"_s)->text(), u"&Close"_s);
}

void TestPlanDialog::lockedWhileLookingSaysWhy()
{
    show(sample::purgePlan());
    QVERIFY(go()->isEnabled());
    m_dialog->setWhyNot(u"Read-only: unlock writing first (Ctrl+U)."_s);
    QVERIFY(!go()->isEnabled());
    QVERIFY(go()->toolTip().contains(u"unlock"_s));
    m_dialog->setArming({true, {}, {}, {}});
    QSignalSpy unlock(m_dialog.get(), &PlanDialog::unlockAsked);
    auto *button = find<QAbstractButton>(u"bandLock"_s);
    tabTo(button);
    QTest::keyClick(button, Qt::Key_Space);
    QCOMPARE(unlock.count(), 1);
    m_dialog->setWhyNot({});
    QVERIFY(go()->isEnabled());
}

void TestPlanDialog::pauseAndCancelAreIntents()
{
    show(sample::purgePlan());
    go()->click();
    QTest::keyClicks(find<QLineEdit>(u"confirmTyped"_s), u"297 orders"_s);
    go()->click();
    QSignalSpy paused(m_dialog.get(), &PlanDialog::pauseAsked);
    QSignalSpy cancelled(m_dialog.get(), &PlanDialog::cancelAsked);
    auto *pause = find<QPushButton>(u"planPause"_s);
    QCOMPARE(m_dialog->focusWidget(), pause);
    QTest::keyClick(pause, Qt::Key_Space);
    QCOMPARE(paused.takeFirst().first().toBool(), true);
    m_dialog->setPaused(true);
    QCOMPARE(pause->text(), u"&Resume"_s);
    QTest::keyClick(pause, Qt::Key_Space);
    QCOMPARE(paused.takeFirst().first().toBool(), false);
    m_dialog->setPaused(false);
    tabTo(find<QPushButton>(u"planStop"_s));
    QTest::keyClick(m_dialog->focusWidget(), Qt::Key_Space);
    QCOMPARE(cancelled.count(), 1);
    QVERIFY(find<QLabel>(u"runWords"_s)->text().contains(u"after the batch in hand"_s));
}

void TestPlanDialog::closingDoesNotEndWhatRuns()
{
    show(sample::purgePlan());
    go()->click();
    QTest::keyClicks(find<QLineEdit>(u"confirmTyped"_s), u"297 orders"_s);
    go()->click();
    QSignalSpy cancelled(m_dialog.get(), &PlanDialog::cancelAsked);
    QSignalSpy dismissed(m_dialog.get(), &PlanDialog::dismissed);
    QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
    QVERIFY(!m_dialog->isVisible());
    QCOMPARE(cancelled.count() + dismissed.count(), 0);
    QCOMPARE(m_dialog->step(), PlanDialog::Step::Run);
}

void TestPlanDialog::chipsFilterTheMessages()
{
    show(sample::purgePlan());
    const auto *table = find<LiveTable>(u"planTable"_s);
    QCOMPARE(table->model()->rowCount(), 300);
    auto *claimed = find<QAbstractButton>(u"planOutcome-claimed"_s);
    tabTo(claimed);
    QTest::keyClick(claimed, Qt::Key_Space);
    QCOMPARE(table->model()->rowCount(), 2);
    QVERIFY(table->model()->index(0, PlanModel::Reason).data().toString().contains(u"relay-7"_s));
    QTest::keyClick(claimed, Qt::Key_Space);
    QCOMPARE(table->model()->rowCount(), 300);
    // The whole reason of the row one stands on, also where the column is too narrow for it.
    find<LiveTable>(u"planTable"_s)->selectRow(12);
    QVERIFY(find<QLabel>(u"planReason"_s)->text().contains(u"delete the task first"_s));
}

void TestPlanDialog::aHundredThousandMessagesAreNoLoad()
{
    const Plan plan = sample::purgePlan(100'000);
    const Receipt receipt = sample::receiptFor(plan);
    show(sample::purgePlan(1));
    QElapsedTimer clock;
    clock.start();
    m_dialog->showPlan(plan);
    m_dialog->grab();
    const qint64 shown = clock.restart();
    go()->click();
    QTest::keyClicks(find<QLineEdit>(u"confirmTyped"_s), textToType(plan));
    const qint64 typed = clock.restart();
    go()->click();
    m_dialog->showReceipt(plan, receipt);
    m_dialog->grab();
    const qint64 told = clock.elapsed();
    qInfo("100,000 messages: preview %lld ms, typing %lld ms, result %lld ms", shown, typed, told);
    QCOMPARE(find<LiveTable>(u"resultTable"_s)->model()->rowCount(), 100'000);
    QVERIFY2(shown < 3000 && typed < 3000 && told < 3000, "the dialog waits for its table");
}

void TestPlanDialog::commandIsTheTwin()
{
    m_dialog->setProfile(sample::production());
    Selection selection;
    selection.filter = u"state:processed age>30d"_s;
    m_dialog->showLooking({Verb::Purge, selection, {}});
    m_dialog->showPlan(sample::purgePlan());
    m_dialog->show();
    auto *copy = find<QPushButton>(u"planCopy"_s);
    copy->click();
    const auto *clipboard = QGuiApplication::clipboard();
    const QString line = u"outboxctl purge --profile orders --filter 'state:processed age>30d'"_s;
    QCOMPARE(clipboard->text(), line);
    go()->click();
    QTest::keyClicks(find<QLineEdit>(u"confirmTyped"_s), u"297 orders"_s);
    QTest::keyClicks(find<QLineEdit>(u"confirmNote"_s), u"ana's wish"_s);
    go()->click();
    m_dialog->showReceipt(m_dialog->plan(), sample::receiptFor(m_dialog->plan()));
    copy->click();
    QCOMPARE(clipboard->text(),
             QString(line
                     + u" --yes --confirm '297 orders' --unlock 'as in the console' "
                       "--note 'ana'\\''s wish'"_s));
}

void TestPlanDialog::hostileTextStaysPlain()
{
    const QString hostile = u"<img src=\"/dev/zero\">\u202etxt"_s;
    Plan plan = sample::purgePlan(20);
    plan.selection = plan.target = plan.undo = hostile;
    plan.warnings = {hostile};
    plan.statements = {hostile};
    plan.items[0].row = {hostile};
    plan.items[0].reason = hostile;
    show(plan);
    m_dialog->setWhyNot(hostile);
    const QList<QLabel *> labels = m_dialog->findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        if (label->text().contains(u"<img"_s)) {
            QCOMPARE(label->textFormat(), Qt::PlainText);
            QVERIFY(!label->text().contains(QChar(0x202e)));
        }
    }
    const QList<QWidget *> widgets = m_dialog->findChildren<QWidget *>();
    for (const QWidget *one : widgets)
        QVERIFY2(!one->toolTip().contains(u"<img"_s), qPrintable(one->objectName()));
    const auto *model = find<LiveTable>(u"planTable"_s)->model();
    for (int column = 0; column < model->columnCount(); ++column) {
        QVERIFY(!model->index(0, column).data().toString().contains(QChar(0x202e)));
        QVERIFY(!model->index(0, column).data(Qt::ToolTipRole).toString().contains(u"<img"_s));
    }
}

void TestPlanDialog::pictures()
{
    const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
    const auto draw = [&](const QString &name, QWidget *widget) {
        for (const auto &[tone, choice] :
             {std::pair(u"light"_s, ThemeChoice::Light), std::pair(u"dark"_s, ThemeChoice::Dark)}) {
            theme::apply(choice);
            QCoreApplication::processEvents();
            const QPixmap picture = widget->grab();
            QVERIFY(!picture.isNull());
            if (!folder.isEmpty())
                QVERIFY(picture.save(QDir(folder).filePath(name + u'-' + tone + u".png"_s)));
        }
        theme::apply(ThemeChoice::Light);
    };
    show(sample::purgePlan());
    draw(u"plan-preview"_s, m_dialog.get());
    go()->click();
    QTest::keyClicks(find<QLineEdit>(u"confirmTyped"_s), u"297 orders"_s);
    draw(u"plan-confirm"_s, m_dialog.get());
    go()->click();
    m_dialog->showProgress({150, 297, u"deleting"_s});
    draw(u"plan-run"_s, m_dialog.get());
    m_dialog->showReceipt(m_dialog->plan(), sample::receiptFor(m_dialog->plan()));
    draw(u"plan-result"_s, m_dialog.get());
    m_dialog->showPlan(sample::replayPlan());
    draw(u"plan-replay"_s, m_dialog.get());
    go()->click();
    find<QCheckBox>(u"allowSecond"_s)->click();
    draw(u"plan-second"_s, m_dialog.get());
}

} // namespace tst_plandialog

OUTBOX_TEST(tst_plandialog::TestPlanDialog)
#include "tst_plandialog.moc"
