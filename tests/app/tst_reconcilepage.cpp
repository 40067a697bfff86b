// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inconsistencies on real servers, found and repaired in the window as an assistive technology
// works it: from Overview or Ctrl+K to the page, a check, the preview of all that can be repaired,
// and the list afterwards.
#include "app/demo/demoworker.h"
#include "models/operations/consent.h"
#include "models/operations/findingwords.h"
#include "models/tables/findingmodel.h"
#include "models/tables/planmodel.h"
#include "tests/app/consoleground.h"
#include "tests/support/accessiblewalk.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/queuedamage.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"
#include "views/operation/plandialog.h"
#include "views/reconcile/reconcileview.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTimer>

namespace tst_reconcilepage {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestReconcilePage : public QObject, protected ConsoleGround
{
    Q_OBJECT

    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;

    [[nodiscard]] Profile profile() const
    {
        Profile one = profileOver(*m_fixture, u"shop"_s);
        one.timeZone = u"UTC"_s; // in which the fixture writes
        one.readOnly = false;
        return one;
    }
    void open()
    {
        openWindow(profile());
        QTRY_VERIFY(m_desktop->operations()->driver().isOpen());
    }
    void plant(FindingKind kind, int count)
    {
        for (int number = 0; number < count; ++number) {
            const QString id = u"stray-%1-%2"_s.arg(word(kind)).arg(number);
            QVERIFY_RESULT(damage(m_fixture->plainRedis(), kind, sampleRequest(id), number));
        }
    }
    [[nodiscard]] const ReconcileView *page() const { return m_desktop->pages().reconcile; }
    [[nodiscard]] PlanDialog *dialog() const { return m_desktop->operations()->dialog(); }
    /// What stands in a column of the kinds, as a person finds the table.
    [[nodiscard]] QStringList kinds(FindingGroupModel::Columns column) const
    {
        const auto *found
            = walk::find(&window(), QAccessible::Table, u"Kinds of inconsistencies"_s);
        const auto *table = found ? qobject_cast<QTableView *>(found->object()) : nullptr;
        if (!table)
            return {u"there is no table"_s};
        QStringList texts;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            texts += table->model()->index(row, column).data().toString();
        return texts;
    }
    [[nodiscard]] int sumOfKinds() const
    {
        int sum = 0;
        for (const QString &count : kinds(FindingGroupModel::Count))
            sum += count.toInt();
        return sum;
    }
    [[nodiscard]] QString words() const
    {
        return page()->findChild<QLabel *>(u"lookWords"_s)->text();
    }
    [[nodiscard]] bool isOffered(const QString &button) const
    {
        return walk::isEnabled(&window(), QAccessible::Button, button);
    }
    void check()
    {
        QSignalSpy changed(page(), &ReconcileView::reportChanged);
        QVERIFY(walk::press(&window(), u"Check now"_s));
        QTRY_COMPARE(changed.size(), 1);
        QVERIFY2(words().contains(u"Checked at "_s), qPrintable(words()));
        QVERIFY(isOffered(u"Check now"_s));
    }
    /// The line of Overview that leads to the page.
    [[nodiscard]] QString lineOnOverview() const
    {
        return u"Show: "_s + summaryWords(page()->summary(), QDateTime::currentDateTimeUtc());
    }
    void follow(const QString &line)
    {
        window().showPage(Pages::Overview);
        QTRY_VERIFY2(walk::find(&window(), QAccessible::Button, line), qPrintable(line));
        // In one turn: a line that changes takes the buttons of all of them with it.
        const auto *found = walk::find(&window(), QAccessible::Button, line);
        qobject_cast<QAbstractButton *>(found->object())->click();
        QCOMPARE(window().currentPage(), int(Pages::Reconcile));
    }
    /// Two steps, and consent to all that is asked for.
    void confirmAll()
    {
        QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Preview);
        auto *go = dialog()->findChild<QPushButton *>(u"planGo"_s);
        QTest::keyClick(go, Qt::Key_Return);
        QCOMPARE(dialog()->step(), PlanDialog::Step::Confirm);
        auto *second = dialog()->findChild<QCheckBox *>(u"allowSecond"_s);
        QVERIFY(second->isVisible());
        QTest::keyClick(second, Qt::Key_Space);
        QTest::keyClicks(dialog()->findChild<QLineEdit *>(u"confirmTyped"_s),
                         textToType(dialog()->plan()));
        QVERIFY2(go->isEnabled(), qPrintable(go->toolTip()));
        QTest::keyClick(go, Qt::Key_Return);
        QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Result);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_redis);
    }
    void init()
    {
        m_fixture = std::make_unique<TestOutbox>(TestOutbox::Kind::Sqlite, BenchShape::Payload,
                                                 nullptr, m_redis);
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->insertRows(12));
        startConsole();
    }
    void cleanup()
    {
        m_desktop.reset();
        m_folder.reset();
        QVERIFY_RESULT(m_fixture->plainRedis().command({"FLUSHALL"}, u"cleaning up"_s));
        m_fixture.reset();
    }

    void whatWasPlantedIsFoundRepairedAndGone();
    void nothingFoundIsNoAlarm();
    void theKeyboardLeadsToThePage();
};

void TestReconcilePage::whatWasPlantedIsFoundRepairedAndGone()
{
    plant(FindingKind::StubHash, 3);
    plant(FindingKind::OrphanHash, 2);
    plant(FindingKind::TrimmedOrphan, 4);
    plant(FindingKind::LeaseNobodyRecovers, 2);
    const auto shape = m_fixture->takenShape(u"UTC"_s);
    QVERIFY_RESULT(shape);
    for (const QString &id : m_fixture->insertedIds().mid(0, 2)) // of another source
        QVERIFY_RESULT(placeTask(m_fixture->plainRedis(),
                                 sampleRequest(m_fixture->taskId(*shape, id)), TaskState::Pending));
    open();
    follow(u"Show: Not checked for inconsistencies yet."_s);
    QVERIFY(!isOffered(u"Preview repair"_s));
    check();
    const QStringList repairable{
        u"3 tasks have no message: their ids are taken, and nothing can run"_s,
        u"2 tasks are in no list: they never run, and their ids are taken"_s,
        u"4 ids are taken by tasks that a full archive left behind"_s,
        u"2 tasks of dead workers are not brought back"_s};
    const QString collisions = u"2 rows cannot be delivered: other messages own their ids"_s;
    const QStringList found = kinds(FindingGroupModel::Meaning);
    for (const QString &meaning : repairable + QStringList{collisions})
        QVERIFY2(found.contains(meaning), qPrintable(found.join(u" | "_s)));
    const QStringList offers = kinds(FindingGroupModel::Repair);
    QCOMPARE(offers.at(found.indexOf(repairable.first())), u"3 can be repaired here"_s);
    QCOMPARE(offers.at(found.indexOf(repairable.last())),
             u"2 can be repaired here; 2 may run a second time"_s);
    QCOMPARE(offers.at(found.indexOf(collisions)), u"needs your decision"_s);
    QVERIFY2(words().startsWith(u"%1 inconsistencies. "_s.arg(sumOfKinds())), qPrintable(words()));

    // The kinds that can be repaired are chosen without a further act.
    QVERIFY(walk::press(&window(), u"Preview 11 repairs"_s));
    QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Preview);
    QCOMPARE(dialog()->plan().acting(), 11);
    const auto *items = dialog()->findChild<QTableView *>(u"planTable"_s);
    QStringList seen;
    for (int row = 0; row < items->model()->rowCount(); ++row)
        seen += items->model()->index(row, PlanModel::Seen).data().toString();
    QCOMPARE(seen.filter(u"key="_s), QStringList());
    QCOMPARE(seen.filter(u"Archived task, in no list, "_s).size(), 4);
    QCOMPARE(seen.filter(u"in no list"_s).size(), 6);
    const QSignalSpy looks(page(), &ReconcileView::lookAsked);
    confirmAll();
    QCOMPARE(dialog()->findChild<QLabel *>(u"resultSentence"_s)->text(),
             u"Repaired: 11 findings."_s);

    // At once nothing of it is left to be repaired, and another look says the same.
    QVERIFY2(kinds(FindingGroupModel::Repair).filter(u"can be repaired here"_s).isEmpty(),
             qPrintable(kinds(FindingGroupModel::Meaning).join(u" | "_s)));
    QCOMPARE(looks.size(), 1);
    dialog()->close();
    QTRY_VERIFY(isOffered(u"Check now"_s));
    QVERIFY(page()->summary()->complete);
    const QStringList left = kinds(FindingGroupModel::Meaning);
    for (const QString &meaning : repairable)
        QVERIFY2(!left.contains(meaning), qPrintable(left.join(u" | "_s)));
    QVERIFY2(left.contains(collisions), qPrintable(left.join(u" | "_s)));
    QVERIFY(kinds(FindingGroupModel::Repair).filter(u"can be repaired here"_s).isEmpty());
    QVERIFY(!isOffered(u"Preview repair"_s));
    // One number on both pages.
    QVERIFY2(words().startsWith(u"%1 inconsistencies. Checked at "_s.arg(sumOfKinds())),
             qPrintable(words()));
    follow(lineOnOverview());
    QVERIFY(lineOnOverview().contains(u" %1 inconsistencies, checked at "_s.arg(sumOfKinds())));
    // Another system was not looked at.
    m_desktop->openProfile(profile(), {});
    follow(u"Show: Not checked for inconsistencies yet."_s);
    QCOMPARE(kinds(FindingGroupModel::Meaning), QStringList());
}

void TestReconcilePage::nothingFoundIsNoAlarm()
{
    DemoWorker worker; // a queue without one is a finding
    QVERIFY_RESULT(worker.open(m_fixture->redis(), {{u"default"_s, 1}}));
    QVERIFY_RESULT(worker.heartbeat());
    QTimer beat;
    connect(&beat, &QTimer::timeout, &beat, [&worker] { QVERIFY_RESULT(worker.heartbeat()); });
    beat.start(1'000);
    open();
    window().showPage(Pages::Reconcile);
    check();
    QCOMPARE(kinds(FindingGroupModel::Meaning), QStringList());
    QVERIFY(!isOffered(u"Preview repair"_s));
    follow(lineOnOverview());
    QVERIFY2(lineOnOverview().startsWith(u"Show: No inconsistency, checked at "_s),
             qPrintable(lineOnOverview()));
}

void TestReconcilePage::theKeyboardLeadsToThePage()
{
    open();
    window().showPage(Pages::Queue);
    QTest::keyClick(&window(), Qt::Key_K, Qt::ControlModifier);
    auto *line = window().findChild<QLineEdit *>(u"locatorLine"_s);
    QTRY_VERIFY(line->hasFocus());
    QTest::keyClicks(line, u"reconcile"_s);
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_COMPARE(window().currentPage(), int(Pages::Reconcile));
    QTest::keyClick(&window(), Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(window().currentPage(), int(Pages::Dedup));
    QTest::keyClick(&window(), Qt::Key_5, Qt::ControlModifier);
    QCOMPARE(window().currentPage(), int(Pages::Reconcile));
}

} // namespace tst_reconcilepage

OUTBOX_TEST(tst_reconcilepage::TestReconcilePage)
#include "tst_reconcilepage.moc"
