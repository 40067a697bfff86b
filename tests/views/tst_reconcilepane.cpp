// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Reconcile tab: look, stop, resume, findings by kind, and the repair as an intent. With
// OUTBOX_PICTURES=<folder> it is drawn for looking at.
#include "models/operations/plan.h"
#include "models/operations/receipt.h"
#include "models/tables/findingmodel.h"
#include "tests/support/fonts.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/dedup/dedupview.h"
#include "views/operation/verbbar.h"
#include "views/reconcile/reconcilepane.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace tst_reconcilepane {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

ScanReport report()
{
    ScanReport made;
    made.at = sample::now();
    made.tookMs = 12'400;
    made.rows = 10'233;
    made.tasks = 9'800;
    made.keys = 20'481;
    made.complete = true;
    const auto add = [&made](FindingKind kind, int number, Repair repair, Outcome expected,
                             const QString &evidence, const QString &reason) {
        Finding one;
        one.kind = kind;
        one.task = {sample::message(number).id.text};
        one.row = sample::message(number).id;
        one.queue = {u"default"_s};
        one.evidence = evidence;
        one.since = sample::now().addSecs(-60 * (number + 1));
        one.repair = repair;
        one.expected = expected;
        one.reason = reason;
        made.findings += one;
    };
    add(FindingKind::ActiveWithoutLease, 0, Repair::Requeue, Outcome::Done,
        u"In the active list without a lease; no server says that it runs it."_s,
        u"Back to pending: its effect may have happened."_s);
    for (int number = 1; number < 4; ++number)
        add(FindingKind::PendingWithTask, number, Repair::None, Outcome::NothingToDo,
            u"The row is pending and its task is there, with the same message."_s,
            u"The next pass of the relay commits it."_s);
    for (int number = 10; number < 511; ++number)
        add(FindingKind::TrimmedOrphan, number, Repair::Drop, Outcome::Done,
            u"state=archived, in no list, no expiry"_s,
            u"Exported, then removed: the id is free."_s);
    return made;
}

} // namespace

class TestReconcilePane : public QObject
{
    Q_OBJECT

    std::unique_ptr<ReconcilePane> m_pane;

    template <typename Widget> [[nodiscard]] Widget *find(const QString &name) const
    {
        return m_pane->findChild<Widget *>(name);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }
    void init()
    {
        m_pane = std::make_unique<ReconcilePane>();
        m_pane->resize(1000, 640);
        m_pane->show();
    }

    void groupsByKind()
    {
        FindingGroupModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const QList<FindingGroup> groups = groupsOf(report());
        model.merge(groups);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(groups.last().count, 501);
        QCOMPARE(repairWords(groups.last()), u"501 can be repaired"_s);
        QCOMPARE(repairWords(groups.at(1)), u"none needed: it ends by itself"_s);
    }

    void looksStopsAndResumes()
    {
        QSignalSpy asked(m_pane.get(), &ReconcilePane::lookAsked);
        QSignalSpy stopped(m_pane.get(), &ReconcilePane::stopAsked);
        auto *look = find<QPushButton>(u"lookGo"_s);
        find<QWidget>(u"lookOutbox"_s)->setFocus();
        QTest::keyClick(find<QWidget>(u"lookOutbox"_s), Qt::Key_Space);
        look->setFocus();
        QTest::keyClick(look, Qt::Key_Space);
        auto terms = asked.takeFirst().first().value<ScanOptions>();
        QVERIFY(terms.scansQueue && terms.scansRows && !terms.scansOutbox);
        QCOMPARE(terms.budgetMs, 30'000);
        QVERIFY(!terms.resume);
        m_pane->setProgress(u"pending of default"_s, 4'000, 2);
        QVERIFY(find<QLabel>(u"lookWords"_s)->text().contains(u"pending of default"_s));
        QCOMPARE(look->text(), u"&Stop"_s);
        look->click();
        QCOMPARE(stopped.count(), 1);
        QVERIFY(!look->isEnabled());
        ScanReport half = report();
        half.complete = false;
        half.position = ScanPosition{2, {}, 0, 0, {}, {}, {}};
        half.watched.resize(1);
        half.watched.first().task.text = u"t"_s;
        half.watched.first().since = sample::now();
        m_pane->setReport(half);
        QCOMPARE(look->text(), u"&Resume"_s);
        look->click();
        terms = asked.takeFirst().first().value<ScanOptions>();
        QCOMPARE(terms.resume, std::optional(half));
        QCOMPARE(terms.watched, half.watched);
        m_pane->setError({Error::Kind::Unreachable, u"looking"_s, u"connection lost"_s, {}, {}});
        QVERIFY(look->isEnabled());
    }

    void repairsAreIntents()
    {
        m_pane->setReport(report());
        auto *kinds = find<LiveTable>(u"findingKinds"_s);
        auto *verbs = m_pane->findChild<VerbBar *>();
        QAction *repair = verbs->action(Verb::Reconcile);
        QVERIFY(repair->toolTip().contains(u"No system is open"_s));
        ActingTerms terms;
        verbs->setTerms(terms);
        kinds->selectRow(1);
        QVERIFY(!repair->isEnabled()); // it ends by itself
        kinds->selectRow(2);
        QCOMPARE(find<LiveTable>(u"findings"_s)->model()->rowCount(), 501);
        QVERIFY(repair->isEnabled());
        QVERIFY(repair->text().contains(u"501"_s));
        QSignalSpy asked(verbs, &VerbBar::operationAsked);
        repair->trigger();
        QCOMPARE(asked.first().first().value<OperationRequest>().verb, Verb::Reconcile);
        QCOMPARE(word(asked.first().first().value<OperationRequest>().selection.meant), u"K17"_s);
        // A later look that finds nothing leaves nothing to press.
        ScanReport clean = report();
        clean.findings.clear();
        m_pane->setReport(clean);
        QVERIFY(!repair->isEnabled());
    }

    void whatIsRepairedIsNoFindingAnyMore()
    {
        m_pane->setReport(report());
        auto *kinds = find<LiveTable>(u"findingKinds"_s);
        kinds->selectRow(2);
        Plan plan;
        plan.verb = Verb::Reconcile;
        Receipt receipt;
        receipt.verb = Verb::Reconcile;
        for (const Finding &one : report().findings) {
            if (one.kind != FindingKind::TrimmedOrphan)
                continue;
            PlanItem item;
            item.task = one.task;
            item.row = one.row;
            item.queue = one.queue;
            item.kind = one.kind;
            item.expected = one.expected;
            plan.items += item;
            receipt.items += {one.row, one.task, one.queue, Outcome::Done, {}, {}};
        }
        receipt.items.last().outcome = Outcome::Changed;
        m_pane->setRepaired(plan, receipt);
        QCOMPARE(kinds->model()->rowCount(), 3);
        QCOMPARE(kinds->model()->index(2, FindingGroupModel::Count).data().toString(), u"1"_s);
        QVERIFY(
            m_pane->findChild<VerbBar *>()->action(Verb::Reconcile)->text().contains(u" 1 rep"_s));
        const QString words = find<QLabel>(u"lookWords"_s)->text();
        QVERIFY2(words.contains(u"500 findings were repaired since"_s), qPrintable(words));
        receipt.items.last().outcome = Outcome::Done;
        m_pane->setRepaired(plan, receipt);
        QCOMPARE(kinds->model()->rowCount(), 2);
        // Another kind with the same message stays, and so does what the receipt does not name.
        ScanReport again = report();
        again.findings.first().kind = FindingKind::TrimmedOrphan;
        again.findings.resize(1);
        m_pane->setReport(again);
        m_pane->setRepaired(plan, receipt);
        QCOMPARE(kinds->model()->rowCount(), 1);
    }

    void pictures()
    {
        DedupView page;
        page.resize(1000, 640);
        page.showReconcile();
        page.reconcile()->setReport(report());
        page.show();
        page.findChild<LiveTable *>(u"findingKinds"_s)->selectRow(2);
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        for (const auto &[tone, choice] :
             {std::pair(u"light"_s, ThemeChoice::Light), std::pair(u"dark"_s, ThemeChoice::Dark)}) {
            theme::apply(choice);
            QCoreApplication::processEvents();
            const QPixmap picture = page.grab();
            QVERIFY(!picture.isNull());
            if (!folder.isEmpty())
                QVERIFY(picture.save(QDir(folder).filePath(u"reconcile-"_s + tone + u".png"_s)));
        }
        theme::apply(ThemeChoice::Light);
    }
};

} // namespace tst_reconcilepane

OUTBOX_TEST(tst_reconcilepane::TestReconcilePane)
#include "tst_reconcilepane.moc"
