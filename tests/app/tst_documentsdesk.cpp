// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The document designs in the window: the demo changes between all five and leaves nothing behind;
// what handlers left is sent, removed and forced from the Documents page.
#include "app/designs/documentstores.h"
#include "app/designs/documentreader.h"
#include "tests/app/consoleground.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/temporaryplace.h"
#include "tests/support/testprogram.h"
#include "views/documents/documentsview.h"
#include "views/frame/pagelist.h"
#include "views/operation/plandialog.h"
#include "views/reconcile/reconcileview.h"
#include "views/tables/livetable.h"
#include "views/widgets/environmentband.h"
#include "views/widgets/noticebar.h"

#include <QAbstractButton>
#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace tst_documentsdesk {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int patienceMs = 15'000;

} // namespace

class TestDocumentsDesk : public QObject, protected ConsoleGround
{
    Q_OBJECT

    TemporaryPlace m_temporary;

    [[nodiscard]] QStringList leftovers() const { return m_temporary.leftovers({u"obx-*"_s}); }
    [[nodiscard]] DocumentsView *page() const { return m_desktop->pages().documents; }
    [[nodiscard]] LiveTable *table(const QString &name) const
    {
        return page()->findChild<LiveTable *>(name);
    }
    [[nodiscard]] QAbstractButton *button(const QString &name) const
    {
        for (auto *one : page()->findChildren<QAbstractButton *>()) {
            if (one->accessibleName() == name)
                return one;
        }
        return nullptr;
    }
    /// The figure of a card, as it is read aloud; -1: not known.
    [[nodiscard]] int figure(const QString &card) const
    {
        const QString name = page()->findChild<QAbstractButton *>(card)->accessibleName();
        bool isNumber = false;
        const int number = name.section(u": "_s, 1).toInt(&isNumber);
        return isNumber ? number : -1;
    }
    [[nodiscard]] PlanDialog *dialog() const { return m_desktop->operations()->dialog(); }
    [[nodiscard]] QPushButton *go() const
    {
        return dialog()->findChild<QPushButton *>(u"planGo"_s);
    }
    void choose(const QString &design)
    {
        auto *menu = window().findChild<QMenu *>(u"demoMenu"_s);
        QVERIFY(menu);
        auto *entry = menu->findChild<QAction *>(u"demo-"_s + design);
        QVERIFY(entry && !entry->text().isEmpty() && !entry->statusTip().isEmpty());
        entry->trigger();
    }
    [[nodiscard]] static QString shownDesign(const MainWindow &window)
    {
        QString shown;
        for (const QMenu *menu : window.findChildren<QMenu *>(u"demoMenu"_s)) {
            for (const QAction *one : menu->actions()) {
                if (one->isChecked())
                    shown = one->objectName().mid(5);
            }
        }
        return shown;
    }
    void openDemo(DemoDesign design)
    {
        QSignalSpy settled(m_desktop.get(), &Desktop::demoSettled);
        m_desktop->openDemo(Demo::Kind::Sqlite, design);
        QTRY_COMPARE_WITH_TIMEOUT(settled.count(), 1, patienceMs);
        window().show();
        window().showPage(Pages::Outbox);
        QTRY_VERIFY_WITH_TIMEOUT(figure(u"undispatchedCard"_s) > 0, patienceMs);
    }
    /// A system of the demo that is not the demo's own: nothing writes or sends but the test.
    [[nodiscard]] static Profile quiet(Demo &demo, bool readOnly)
    {
        Profile profile = demo.profile();
        profile.name = u"shop"_s;
        profile.environment = Environment::Development;
        profile.readOnly = readOnly;
        profile.refreshMs = 250;
        demo.rest();
        return profile;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        m_temporary.use();
        Demo demo;
        OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite);
    }
    void init() { startConsole(); }
    void cleanup()
    {
        m_desktop.reset();
        m_folder.reset();
    }

    void theDemoChangesItsDesignAndLeavesNothing()
    {
        m_desktop->openDemo(Demo::Kind::Sqlite);
        window().show();
        QTRY_VERIFY_WITH_TIMEOUT(m_desktop->relay() != nullptr, patienceMs);
        QTRY_VERIFY(m_desktop->relay()->isRunning());
        const auto *list = window().findChild<PageList *>();
        QStringList before = leftovers();
        QVERIFY(!before.isEmpty());
        for (const QString &design :
             {u"entity"_s, u"dedup-store"_s, u"tokens"_s, u"processed-date"_s, u"relay"_s}) {
            choose(design);
            for (const QString &folder : std::as_const(before))
                QTRY_VERIFY2(!leftovers().contains(folder), qPrintable(design));
            QTRY_COMPARE(shownDesign(window()), design);
            before = leftovers();
            window().showPage(Pages::Outbox);
            const bool isRows = design == u"relay"_s || design == u"processed-date"_s;
            QCOMPARE(list->isRowHidden(Pages::Relay), !isRows);
            QCOMPARE(list->item(Pages::Outbox)->text(), isRows ? u"Outbox"_s : u"Documents"_s);
            QCOMPARE(page()->isVisible(), !isRows);
            if (isRows) {
                QTRY_VERIFY_WITH_TIMEOUT(m_desktop->relay()->driver().totals().enqueued > 5,
                                         patienceMs);
            } else {
                QTRY_VERIFY_WITH_TIMEOUT(figure(u"documentsCard"_s) > 5, patienceMs);
                QTRY_VERIFY(table(u"entryTable"_s)->model()->rowCount() > 0);
                const int documents = figure(u"documentsCard"_s);
                QTRY_VERIFY_WITH_TIMEOUT(figure(u"documentsCard"_s) > documents, patienceMs);
            }
        }
        QTRY_COMPARE(window().findChildren<QMenu *>(u"demoMenu"_s).size(), 1);
        m_desktop.reset();
        QCOMPARE(leftovers(), QStringList());
    }

    void theFiguresOfDocumentsAreThoseOfTheOverview()
    {
        openDemo(DemoDesign::Entity);
        window().showPage(Pages::Overview);
        const auto *card = window().findChild<QAbstractButton *>(u"pendingCard"_s);
        QTRY_VERIFY(card->accessibleName().startsWith(u"Undispatched entries: "_s));
        QTRY_VERIFY(!card->accessibleName().endsWith(u"not known"_s));
    }

    void whatWasLeftIsSentAndOnRecord()
    {
        Demo demo;
        OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite, DemoDesign::DedupStore);
        m_desktop->openProfile(quiet(demo, false), {});
        window().show();
        window().showPage(Pages::Outbox);
        QTRY_VERIFY_WITH_TIMEOUT(figure(u"undispatchedCard"_s) > 0, patienceMs);
        QTRY_COMPARE(figure(u"leakedCard"_s), 3); // what was under way may have looked like one
        QTRY_VERIFY(button(u"Reconcile"_s)->isEnabled());
        table(u"entryTable"_s)->clearSelection();
        button(u"Reconcile"_s)->click();
        QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Preview);
        QVERIFY(dialog()->plan().items.size() > 3);
        QVERIFY(figure(u"leakedCard"_s) >= 3); // a preview changes nothing
        go()->click();
        QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Result);
        QTRY_VERIFY_WITH_TIMEOUT(figure(u"leakedCard"_s) == 0, patienceMs);
        QVERIFY(wasRecorded(AuditEntry::Kind::Intent, Verb::Reconcile));
        QVERIFY(wasRecorded(AuditEntry::Kind::End, Verb::Reconcile));
    }

    void aReadOnlyProfileRefusesUntilItIsUnlocked()
    {
        Demo demo;
        OUTBOX_START_SERVER(demo, Demo::Kind::Sqlite, DemoDesign::Entity);
        m_desktop->openProfile(quiet(demo, true), {});
        window().show();
        window().showPage(Pages::Outbox);
        QTRY_VERIFY_WITH_TIMEOUT(figure(u"undispatchedCard"_s) > 0, patienceMs);
        QTRY_VERIFY(button(u"Dispatch"_s)->isEnabled()); // a preview changes nothing
        table(u"entryTable"_s)->selectRow(0);
        button(u"Dispatch"_s)->click();
        QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Preview);
        QCOMPARE(dialog()->plan().items.size(), 1);
        go()->click();
        QCOMPARE(dialog()->step(), PlanDialog::Step::Preview);
        QVERIFY(window().findChild<QDialog *>(u"unlockDialog"_s));
        QVERIFY(!wasRecorded(AuditEntry::Kind::Intent, Verb::Reconcile));
        m_desktop->operations()->driver().unlock({{}, {}, {}, u"clean-up"_s});
        QTRY_VERIFY(!window().findChild<QDialog *>(u"unlockDialog"_s));
        go()->click();
        QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Result);
        QVERIFY(wasRecorded(AuditEntry::Kind::End, Verb::Reconcile));
    }

    void aNullEntryInsideTheRetentionIsNotPurged()
    {
        openDemo(DemoDesign::Entity);
        button(u"Dispatched"_s)->click();
        QTRY_VERIFY(table(u"entryTable"_s)->model()->rowCount() > 5);
        table(u"entryTable"_s)->selectRow(0);
        QTRY_VERIFY(button(u"Purge"_s)->isEnabled());
        button(u"Purge"_s)->click();
        QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Preview);
        QCOMPARE(dialog()->plan().items.size(), 1);
        QCOMPARE(dialog()->plan().items.first().expected, Outcome::NotOffered);
        QVERIFY(!go()->isVisible());
    }

    void aTokenIsForcedOnlyAsASecondExecution()
    {
        openDemo(DemoDesign::Tokens);
        button(u"Tokens"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(table(u"tokenTable"_s)->model()->rowCount() > 0, patienceMs);
        page()->findChild<QLineEdit *>(u"documentToken"_s)->setText(u"gone-7"_s);
        QTRY_VERIFY(button(u"Force execution"_s)->isEnabled());
        button(u"Force execution"_s)->click();
        QTRY_COMPARE(dialog()->step(), PlanDialog::Step::Preview);
        QCOMPARE(dialog()->plan().items.size(), 1);
        QCOMPARE(dialog()->plan().items.first().expected, Outcome::SecondExecution);
    }

    void aLookForInconsistenciesLeavesRowsOut()
    {
        openDemo(DemoDesign::Entity);
        window().showPage(Pages::Reconcile);
        const ReconcileView *view = m_desktop->pages().reconcile;
        QVERIFY(!view->findChild<QCheckBox *>(u"lookRows"_s)->isVisible());
        QVERIFY(!view->findChild<QCheckBox *>(u"lookOutbox"_s)->isVisible());
        QSignalSpy asked(view, &ReconcileView::lookAsked);
        auto *look = view->findChild<QPushButton *>(u"lookGo"_s);
        look->click();
        QCOMPARE(asked.size(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(look->accessibleName(), u"Check now"_s, patienceMs);
        const auto *notice = view->findChild<NoticeBar *>(u"lookNotice"_s);
        QVERIFY2(!notice->isVisible(), qPrintable(notice->text()));
    }

    void aDatabaseThatIsNotThereIsSaid()
    {
        Profile profile = awayProfile(u"missing"_s);
        profile.redisUrl.clear();
        profile.design = DesignProfile();
        profile.design->documents.table.table = u"orders"_s;
        m_desktop->openProfile(profile, {});
        window().show();
        window().showPage(Pages::Outbox);
        auto *notice = page()->findChild<QWidget *>(u"documentsSource"_s);
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), patienceMs);
        QVERIFY(!button(u"Dispatch"_s)->isEnabled());
    }
};

} // namespace tst_documentsdesk

OUTBOX_TEST(tst_documentsdesk::TestDocumentsDesk)
#include "tst_documentsdesk.moc"
