// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Reconcile page: look, stop, resume, findings by kind in words, the repair of the chosen kinds
// as an intent, and the look after it. With OUTBOX_PICTURES=<folder> it is drawn for looking at.
#include "models/operations/plan.h"
#include "models/operations/receipt.h"
#include "models/tables/findingmodel.h"
#include "tests/support/fonts.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/operation/verbbar.h"
#include "views/reconcile/reconcileview.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace tst_reconcileview {

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

class TestReconcileView : public QObject
{
    Q_OBJECT

    std::unique_ptr<ReconcileView> m_page;
    QString m_meant; ///< the kinds that a repair was asked for

    template <typename Widget> [[nodiscard]] Widget *find(const QString &name) const
    {
        return m_page->findChild<Widget *>(name);
    }

    void endRepairOf(const Finding &one)
    {
        Plan plan;
        plan.verb = Verb::Reconcile;
        PlanItem item;
        item.task = one.task;
        item.row = one.row;
        item.queue = one.queue;
        item.kind = one.kind;
        plan.items += item;
        Receipt receipt;
        receipt.verb = Verb::Reconcile;
        receipt.items += {one.row, one.task, one.queue, Outcome::Done, {}, {}};
        m_page->setRepaired(plan, receipt);
    }

    [[nodiscard]] int tick(int row) const
    {
        return find<LiveTable>(u"findingKinds"_s)
            ->model()
            ->index(row, FindingGroupModel::Meaning)
            .data(Qt::CheckStateRole)
            .toInt();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }
    void init()
    {
        m_page = std::make_unique<ReconcileView>();
        m_page->resize(1000, 640);
        m_page->show();
    }

    void groupsByKind()
    {
        FindingGroupModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const QList<FindingGroup> groups = groupsOf(report());
        model.setGroups(groups);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(groups.last().count, 501);
        QCOMPARE(repairWords(groups.last()), u"501 can be repaired here"_s);
        QCOMPARE(model.index(2, FindingGroupModel::Meaning).data().toString(),
                 u"501 ids are taken by tasks that a full archive left behind"_s);
        QCOMPARE(repairWords(groups.at(1)), u"no repair needed: it goes away"_s);
    }

    void looksStopsAndResumes()
    {
        QSignalSpy asked(m_page.get(), &ReconcileView::lookAsked);
        QSignalSpy stopped(m_page.get(), &ReconcileView::stopAsked);
        auto *look = find<QPushButton>(u"lookGo"_s);
        find<QWidget>(u"lookOutbox"_s)->setFocus();
        QTest::keyClick(find<QWidget>(u"lookOutbox"_s), Qt::Key_Space);
        look->setFocus();
        QTest::keyClick(look, Qt::Key_Space);
        auto terms = asked.takeFirst().first().value<ScanOptions>();
        QVERIFY(terms.scansQueue && terms.scansRows && !terms.scansOutbox);
        QCOMPARE(terms.budgetMs, 30'000);
        QVERIFY(!terms.resume);
        m_page->setProgress(u"pending of default"_s, 4'000, 2);
        QVERIFY(find<QLabel>(u"lookWords"_s)->text().contains(u"pending of default"_s));
        QCOMPARE(look->text(), u"&Stop"_s);
        QCOMPARE(look->accessibleName(), u"Stop"_s);
        look->click();
        QCOMPARE(stopped.count(), 1);
        QVERIFY(!look->isEnabled());
        ScanReport half = report();
        half.complete = false;
        half.position = ScanPosition{2, {}, 0, 0, {}, {}, {}};
        half.watched.resize(1);
        half.watched.first().task.text = u"t"_s;
        half.watched.first().since = sample::now();
        m_page->setReport(half);
        QCOMPARE(look->text(), u"&Resume"_s);
        look->click();
        terms = asked.takeFirst().first().value<ScanOptions>();
        QCOMPARE(terms.resume, std::optional(half));
        QCOMPARE(terms.watched, half.watched);
        m_page->setError({Error::Kind::Unreachable, u"looking"_s, u"connection lost"_s, {}, {}});
        QVERIFY(look->isEnabled());
    }

    void whatCanBeRepairedIsChosenAndRepairsAreIntents()
    {
        m_page->setReport(report());
        auto *kinds = find<LiveTable>(u"findingKinds"_s);
        auto *verbs = m_page->findChild<VerbBar *>();
        QAction *repair = verbs->action(Verb::Reconcile);
        QVERIFY(repair->toolTip().contains(u"No system is open"_s));
        ActingTerms terms;
        verbs->setTerms(terms);
        const auto meant = [&](const QString &text) {
            QCOMPARE(repair->text(), text);
            QSignalSpy asked(verbs, &VerbBar::operationAsked);
            repair->trigger();
            const auto request = asked.value(0).value(0).value<OperationRequest>();
            QCOMPARE(request.verb, Verb::Reconcile);
            m_meant = word(request.selection.meant);
        };
        meant(u"Preview 502 repairs\u2026"_s);
        QCOMPARE(m_meant, u"K3,K17"_s);
        // To look at a kind chooses nothing; the space bar does.
        kinds->selectRow(1);
        QCOMPARE(find<LiveTable>(u"findings"_s)->model()->rowCount(), 3);
        QTest::keyClick(kinds, Qt::Key_Space); // it ends by itself: there is no tick
        meant(u"Preview 502 repairs\u2026"_s);
        kinds->selectRow(0);
        QTest::keyClick(kinds, Qt::Key_Space);
        QCOMPARE(tick(0), int(Qt::Unchecked));
        meant(u"Preview 501 repairs\u2026"_s);
        QCOMPARE(m_meant, u"K17"_s);
        kinds->selectRow(2);
        QCOMPARE(find<LiveTable>(u"findings"_s)->model()->rowCount(), 501);
        QTest::keyClick(kinds, Qt::Key_Space);
        QVERIFY(!repair->isEnabled());
        QVERIFY2(repair->toolTip().contains(u"Select a kind"_s), qPrintable(repair->toolTip()));
        // What was left out stays so while it is found.
        m_page->setReport(report());
        QCOMPARE(tick(0), int(Qt::Unchecked));
        QVERIFY(!repair->isEnabled());
        QVERIFY(!kinds->model()
                     ->index(1, FindingGroupModel::Meaning)
                     .data(Qt::CheckStateRole)
                     .isValid());
        // A later look that finds nothing leaves nothing to press.
        ScanReport clean = report();
        clean.findings.clear();
        m_page->setReport(clean);
        QVERIFY(!repair->isEnabled());
        m_page->setReport(report());
        meant(u"Preview 502 repairs\u2026"_s);
    }

    void aPartIsNotToldAsAllOfIt()
    {
        QSignalSpy asked(m_page.get(), &ReconcileView::lookAsked);
        QVERIFY(!m_page->summary());
        auto *rows = find<QCheckBox>(u"lookRows"_s);
        rows->click();
        find<QPushButton>(u"lookGo"_s)->click();
        ScanReport ofPart = report();
        ofPart.redis = RedisMark{u"process"_s, 1'000};
        m_page->setReport(ofPart);
        QVERIFY(!m_page->summary()->complete);
        // The look after a repair is of the same parts, whatever is ticked by then; only what
        // repairs took away may be missing.
        rows->click();
        endRepairOf(ofPart.findings.first());
        QCOMPARE(asked.size(), 2);
        const auto terms = asked.at(1).at(0).value<ScanOptions>();
        QVERIFY(terms.scansQueue && !terms.scansRows && terms.scansOutbox);
        QVERIFY(!rows->isChecked());
        QCOMPARE(terms.redisBefore->first, u"process"_s);
        QVERIFY(terms.redisBefore->second > 500 && terms.redisBefore->second < 1'000);
        m_page->setReport(ofPart);
        QVERIFY(!m_page->summary()->complete);
        rows->click();
        find<QPushButton>(u"lookGo"_s)->click();
        m_page->setReport(report());
        QVERIFY(m_page->summary()->complete);
        // Of documents there are no rows to be left out.
        m_page->forget();
        m_page->setRowsOffered(false);
        m_page->setReport(report());
        QVERIFY(m_page->summary()->complete);
    }

    void whatIsRepairedIsNoFindingAnyMoreAndIsLookedAtAgain()
    {
        QSignalSpy asked(m_page.get(), &ReconcileView::lookAsked);
        m_page->setReport(report());
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
        m_page->setRepaired(plan, receipt);
        QCOMPARE(kinds->model()->rowCount(), 3);
        QCOMPARE(kinds->model()->index(2, FindingGroupModel::Count).data().toString(), u"1"_s);
        QCOMPARE(m_page->findChild<VerbBar *>()->action(Verb::Reconcile)->text(),
                 u"Preview 2 repairs\u2026"_s);
        const auto *words = find<QLabel>(u"lookWords"_s);
        QCOMPARE(words->text(), u"500 findings were repaired. Checking again\u2026"_s);
        QCOMPARE(find<QPushButton>(u"lookGo"_s)->accessibleName(), u"Stop"_s);
        QCOMPARE(asked.size(), 1);
        QVERIFY(!asked.first().first().value<ScanOptions>().resume);
        // What ends while somebody looks may have been seen by that look: one more is needed.
        receipt.items.last().outcome = Outcome::Done;
        m_page->setRepaired(plan, receipt);
        QCOMPARE(kinds->model()->rowCount(), 2);
        QCOMPARE(asked.size(), 1);
        m_page->setReport(report());
        QCOMPARE(kinds->model()->rowCount(), 2);
        QCOMPARE(asked.size(), 2);
        ScanReport sound = report();
        sound.findings.removeIf(
            [](const Finding &one) { return one.kind == FindingKind::TrimmedOrphan; });
        m_page->setReport(sound);
        QCOMPARE(asked.size(), 2);
        QVERIFY2(words->text().startsWith(u"4 inconsistencies. Checked at "_s),
                 qPrintable(words->text()));
        // Another kind with the same message stays, and so does what the receipt does not name.
        ScanReport again = report();
        again.findings.first().kind = FindingKind::TrimmedOrphan;
        again.findings.resize(1);
        m_page->setReport(again);
        m_page->setRepaired(plan, receipt);
        QCOMPARE(kinds->model()->rowCount(), 1);
    }

    void aReportOfAPartIsNotExchangedForALesserOne()
    {
        QSignalSpy asked(m_page.get(), &ReconcileView::lookAsked);
        ScanReport half = report();
        half.complete = false;
        half.position = ScanPosition{2, {}, 0, 0, {}, {}, {}};
        m_page->setReport(half);
        endRepairOf(half.findings.first());
        QCOMPARE(asked.size(), 0);
        QCOMPARE(find<LiveTable>(u"findingKinds"_s)->model()->rowCount(), 2);
        const QString words = find<QLabel>(u"lookWords"_s)->text();
        QVERIFY2(words.contains(u"1 finding was repaired since"_s), qPrintable(words));
        QCOMPARE(find<QPushButton>(u"lookGo"_s)->accessibleName(), u"Resume"_s);
    }

    void pictures()
    {
        ReconcileView page;
        page.resize(1000, 640);
        page.setReport(report());
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

} // namespace tst_reconcileview

OUTBOX_TEST(tst_reconcileview::TestReconcileView)
#include "tst_reconcileview.moc"
