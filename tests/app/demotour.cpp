// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/demotour.h"

#include "app/desktop/mappingpresenter.h"
#include "models/operations/consent.h"
#include "tests/support/patience.h"
#include "tests/support/sampleplan.h"
#include "views/alerts/alertsview.h"
#include "views/connections/passworddialog.h"
#include "views/documents/documentsview.h"
#include "views/frame/locator.h"
#include "views/frame/messagebar.h"
#include "views/mapping/mappingdialog.h"
#include "views/operation/plandialog.h"
#include "views/outbox/outboxview.h"
#include "views/relay/relayview.h"
#include "views/widgets/actions.h"
#include "views/widgets/boxes.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDialog>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int tourPatienceMs = 20'000;

[[nodiscard]] bool tourWaits(const std::function<bool()> &holds, int milliseconds = tourPatienceMs)
{
    return QTest::qWaitFor(holds, patient(milliseconds));
}

[[nodiscard]] QDialog *dialogOnTour()
{
    for (QWidget *one : QApplication::topLevelWidgets()) {
        auto *dialog = qobject_cast<QDialog *>(one);
        if (dialog != nullptr && dialog->isVisible())
            return dialog;
    }
    return nullptr;
}

[[nodiscard]] QMenu *menuOfButton(QWidget *widget)
{
    if (const auto *tool = qobject_cast<QToolButton *>(widget))
        return tool->menu();
    const auto *push = qobject_cast<QPushButton *>(widget);
    return push != nullptr ? push->menu() : nullptr;
}

/// The entry of this text, while it can be chosen.
[[nodiscard]] QAction *entryOnTour(QWidget *button, const QString &text)
{
    const QMenu *menu = menuOfButton(button);
    for (QAction *one : menu != nullptr ? menu->actions() : QList<QAction *>()) {
        if (one->text() == text && one->isEnabled())
            return one;
    }
    return nullptr;
}

void clickOn(const QWidget *in, const QString &name)
{
    auto *button = in->findChild<QAbstractButton *>(name);
    QVERIFY2(button != nullptr && button->isEnabled(), qPrintable(name));
    button->click();
    DemoTour::settle();
}

} // namespace

bool DemoTour::open()
{
    m_opened.clear();
    m_folder = std::make_unique<QTemporaryDir>();
    m_desktop = std::make_unique<Desktop>(Folders{m_folder->path(), m_folder->path()});
    QSignalSpy settled(m_desktop.get(), &Desktop::demoSettled);
    m_desktop->openDemo(Demo::Kind::Sqlite, DemoDesign::RedisRelay);
    if (!tourWaits([&settled] { return settled.count() == 1; }, 60'000)
        || m_desktop->relay() == nullptr)
        return false;
    window().show();
    if (!tourWaits([this] { return m_desktop->relay()->isRunning(); }))
        return false;
    m_desktop->relay()->driver().abandon();
    if (!tourWaits([this] { return !m_desktop->relay()->isRunning(); }))
        return false;
    window().showPage(Pages::Outbox);
    const auto *rows = window().findChild<QTableView *>(u"outboxTable"_s);
    return tourWaits([rows] { return rows->model() && rows->model()->rowCount() > 2; });
}

void DemoTour::settle()
{
    for (int round = 0; round < 5; ++round)
        QCoreApplication::processEvents();
}

bool DemoTour::goTo(int page)
{
    window().showPage(page);
    settle();
    if (window().currentPage() != page)
        return false;
    for (auto *table : window().findChildren<QTableView *>()) {
        if (table->isVisible() && table->model() && table->model()->rowCount() > 0
            && !table->selectionModel()->hasSelection())
            table->selectRow(0);
    }
    settle();
    return true;
}

/// Shows the rows that wait, and chooses the first of them: what the relay had done before it was
/// stopped may be the newest of all rows, and offers less.
bool DemoTour::choosePending()
{
    OutboxView *outbox = m_desktop->pages().outbox;
    if (!goTo(Pages::Outbox))
        return false;
    outbox->openFilter(u"state:pending"_s);
    return tourWaits([outbox] { return !outbox->shownRows().isEmpty(); }) && goTo(Pages::Outbox);
}

void DemoTour::visitWindow(const QString &name, QWidget *shown, const Visitor &visit)
{
    m_met += QString::fromLatin1(shown->metaObject()->className());
    m_met += shown->objectName();
    visit(name, shown);
}

void DemoTour::visitTabs(const QString &name, QWidget *shown, const Visitor &visit)
{
    visitWindow(name, shown, visit);
    for (auto *tabs : shown->findChildren<QTabWidget *>()) {
        const int before = tabs->currentIndex();
        for (int tab = 0; tab < tabs->count() && tabs->isVisible(); ++tab) {
            if (tab == before || !tabs->isTabEnabled(tab))
                continue;
            tabs->setCurrentIndex(tab);
            settle();
            visitWindow(name + u", "_s + tabs->tabText(tab), shown, visit);
        }
        tabs->setCurrentIndex(before);
    }
}

void DemoTour::visitPages(const Visitor &visit)
{
    for (int page = 0; window().pageAction(page) != nullptr; ++page) {
        if (!goTo(page))
            continue;
        visitTabs(window().pageAction(page)->text(), &window(), visit);
        visitParts(page, visit);
    }
    visitDocuments(visit);
    window().showCover(true);
    settle();
    visitWindow(u"Welcome"_s, &window(), visit);
    window().showCover(false);
}

/// What a person opens on a page, beside its tabs.
void DemoTour::visitParts(int page, const Visitor &visit)
{
    const Pages &pages = m_desktop->pages();
    switch (page) {
    case Pages::Outbox:
        pages.outbox->groupsButton()->setChecked(true);
        settle();
        visitWindow(u"Outbox, groups"_s, &window(), visit);
        pages.outbox->groupsButton()->setChecked(false);
        break;
    case Pages::Fleet:
        window().messages()->add({u"tour"_s,
                                  HealthLevel::Watch,
                                  u"The database closed the connection. Trying again in 4 s."_s,
                                  {{u"tourTry"_s, u"Try now"_s}, {u"tourOpen"_s, u"Open"_s}}});
        settle();
        visitWindow(u"Fleet, a message"_s, &window(), visit);
        window().messages()->remove(u"tour"_s);
        break;
    case Pages::Alerts:
        clickOn(pages.alerts, u"alertAdd"_s);
        visitWindow(u"Alerts, editor"_s, &window(), visit);
        clickOn(pages.alerts, u"alertCancel"_s);
        break;
    default:
        break;
    }
    settle();
}

/// Their page takes the place of that of rows, as in a system of documents; it is empty here.
void DemoTour::visitDocuments(const Visitor &visit)
{
    const Pages &pages = m_desktop->pages();
    window().replacePage(Pages::Outbox, pages.documents, u"Documents"_s);
    for (const auto &[design, name] : {std::pair(Design::EntityState, u"Documents, entities"_s),
                                       std::pair(Design::Tokens, u"Documents, tokens"_s)}) {
        pages.documents->setDesign(design);
        if (goTo(Pages::Outbox))
            visitTabs(name, &window(), visit);
    }
    window().replacePage(Pages::Outbox, pages.outbox, u"Outbox"_s);
    settle();
}

void DemoTour::visitMenus(const Visitor &visit)
{
    for (const QAction *entry : window().menuBar()->actions()) {
        QMenu *menu = entry->menu();
        if (menu == nullptr || !entry->isVisible())
            continue;
        meetPopup(u"Menu "_s + spokenWords(entry->text()), visit,
                  [this, menu] { menu->popup(window().mapToGlobal(QPoint(0, 0))); });
    }
    visitStatus(visit);
    QVERIFY(choosePending()); // a filter that can be saved
    for (int page = 0; window().pageAction(page) != nullptr; ++page) {
        if (goTo(page))
            visitMenusOf(window().pageAction(page)->text(), visit);
    }
    m_desktop->pages().outbox->openFilter({});
}

void DemoTour::visitStatus(const Visitor &visit)
{
    for (const QString &name : {u"databaseStatus"_s, u"queueStatus"_s})
        meetPopup(u"Status, "_s + name, visit, [this, name] { clickOn(&window(), name); });
}

void DemoTour::visitMenusOf(const QString &page, const Visitor &visit)
{
    const QPoint corner = window().mapToGlobal(QPoint(40, 40));
    QList<QPointer<QWidget>> parts; // some are made anew with each theme
    for (QWidget *one : window().findChildren<QWidget *>())
        parts += one;
    for (const QPointer<QWidget> &part : std::as_const(parts)) {
        QWidget *one = part;
        if (one == nullptr)
            continue;
        const QString what = page + u", "_s + one->objectName();
        if (!one->isVisible() || one->objectName().isEmpty() || m_opened.contains(what))
            continue;
        const auto *table = qobject_cast<QTableView *>(one);
        const bool isChip = one->contextMenuPolicy() == Qt::CustomContextMenu
            && one->parentWidget()->objectName() == u"outboxState"_s;
        QMenu *menu = menuOfButton(one);
        if (menu != nullptr && one->isEnabled()) {
            m_opened += what;
            meetPopup(what, visit, [menu, corner] { menu->popup(corner); });
            if (part != nullptr)
                visitEntries(what, one, visit);
        } else if (isChip && !m_opened.contains(u"outboxState"_s)) {
            m_opened += u"outboxState"_s; // of all chips it is the same menu
            meetPopup(what, visit, [one] { emit one->customContextMenuRequested({5, 5}); });
        } else if (table != nullptr && one->inherits("outbox::LiveTable")
                   && table->model() != nullptr) {
            m_opened += what;
            meetPopup(what + u", columns"_s, visit, [table] {
                emit table->horizontalHeader()->customContextMenuRequested({5, 5});
            });
            if (table->selectionModel()->hasSelection()) {
                meetPopup(what + u", row"_s, visit, [one, corner] {
                    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(5, 5), corner);
                    QCoreApplication::sendEvent(one, &event);
                });
            }
        }
    }
}

/// The dialogs that entries of a button's menu open. What can be chosen may change with each.
void DemoTour::visitEntries(const QString &name, QWidget *button, const Visitor &visit)
{
    QStringList opening;
    for (const QAction *one : menuOfButton(button)->actions()) {
        if (one->text().endsWith(u'\u2026') && one->isEnabled())
            opening += one->text();
    }
    for (const QString &text : std::as_const(opening)) {
        const QString what = name + u", "_s + spokenWords(text);
        QAction *entry = entryOnTour(button, text);
        QVERIFY2(entry != nullptr, qPrintable(what));
        meet(what, visit, [entry] { entry->trigger(); });
    }
}

void DemoTour::visitDialogs(const Visitor &visit)
{
    for (int page = 0; window().pageAction(page) != nullptr; ++page) {
        for (QAction *action : window().registry()->all()) {
            const QString id = action->objectName();
            // A demo is not locked: that dialog is asked for below.
            const bool opens = (action->text().endsWith(u'\u2026') && id != u"unlock"_s)
                || id == u"shortcuts"_s || id == u"about"_s;
            // One dialog is asked for at a time: a page may have been left for another one.
            if (!opens || m_opened.contains(id) || !goTo(page) || !action->isEnabled())
                continue;
            m_opened.insert(id);
            meet(spokenWords(action->text()), visit, [action] { action->trigger(); });
        }
    }
    meet(u"Start a relay"_s, visit, [this] { m_desktop->pages().relay->openStartSheet(); });
    meet(u"Unlock"_s, visit, [this] { m_desktop->operations()->askToUnlock(); });
    meet(u"Map the columns"_s, visit,
         [this] { new MappingPresenter(*m_desktop->profile(), {}, &window()); });
    meet(u"Enter password"_s, visit, [this] {
        auto *dialog = new PasswordDialog(u"The database asks for one."_s, u"Database password"_s,
                                          &window());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
    QVERIFY(choosePending());
    auto *edit = m_desktop->pages().outbox->findChild<QAction *>(u"journeyVerbs-edit"_s);
    QVERIFY(edit != nullptr);
    // Of the chosen row it must be known what may be done with it.
    QVERIFY(tourWaits([edit] { return edit->isEnabled(); }));
    meet(u"Edit a row"_s, visit, [edit] { edit->trigger(); });
    m_desktop->pages().outbox->openFilter({});
}

void DemoTour::visitPlan(const Visitor &visit)
{
    const Plan purge = sample::purgePlan(40);
    const Plan replay = sample::replayPlan();
    PlanDialog dialog(&window());
    const auto at = [&](const QString &step) {
        settle();
        visitTabs(u"Plan, "_s + step, &dialog, visit);
    };
    const auto go = [&dialog] { clickOn(&dialog, u"planGo"_s); };
    dialog.setProfile(sample::production());
    dialog.setArming(
        {true, QDateTime::currentDateTimeUtc().addSecs(899), u"ana@desk"_s, u"INC-4711"_s});
    dialog.showLooking({replay.verb, {}, {}});
    dialog.show();
    at(u"looking"_s);
    dialog.showPlan(replay);
    at(u"preview of what runs twice"_s);
    go();
    at(u"confirm what runs twice"_s);
    dialog.showLooking({purge.verb, {}, {}});
    dialog.showPlan(purge);
    at(u"preview"_s);
    go();
    QCOMPARE(dialog.step(), PlanDialog::Step::Confirm);
    at(u"confirm"_s);
    auto *typed = dialog.findChild<QLineEdit *>(u"confirmTyped"_s);
    QVERIFY(typed != nullptr);
    typed->setText(textToType(purge));
    settle();
    go();
    QCOMPARE(dialog.step(), PlanDialog::Step::Run);
    dialog.showProgress({15, 37, u"deleting"_s});
    at(u"run"_s);
    dialog.setPaused(true);
    at(u"paused"_s);
    dialog.showReceipt(purge, sample::receiptFor(purge));
    at(u"result"_s);
    dialog.showError(
        {Error::Kind::Conflict, u"planning"_s, u"the rows are others now"_s, {}, u"Plan again"_s});
    at(u"problem"_s);
}

void DemoTour::meet(const QString &name, const Visitor &visit, const Opener &opener)
{
    opener();
    Locator *locator = m_desktop->pages().locator;
    const bool came
        = tourWaits([locator] { return dialogOnTour() != nullptr || locator->isVisible(); });
    QVERIFY2(came, qPrintable(name + u" opens nothing"_s));
    if (locator->isVisible()) {
        settle();
        visitWindow(name, &window(), visit);
        locator->leave();
        return;
    }
    QDialog *dialog = dialogOnTour();
    if (const auto *plan = qobject_cast<PlanDialog *>(dialog)) {
        QVERIFY2(tourWaits([plan] { return plan->step() != PlanDialog::Step::Looking; }),
                 qPrintable(name));
    }
    settle();
    if (qobject_cast<QFileDialog *>(dialog) == nullptr) // the desktop's, not ours
        visitTabs(name, dialog, visit);
    dialog->close();
    QVERIFY2(tourWaits([] { return dialogOnTour() == nullptr; }), qPrintable(name));
}

void DemoTour::meetPopup(const QString &name, const Visitor &visit, const Opener &opener)
{
    opener();
    QWidget *popup = nullptr;
    const bool came = tourWaits([&popup] {
        popup = QApplication::activePopupWidget();
        return popup != nullptr;
    });
    QVERIFY2(came, qPrintable(name + u" opens nothing"_s));
    settle();
    visitWindow(name, popup, visit);
    if (const auto *menu = qobject_cast<QMenu *>(popup)) {
        for (const QAction *entry : menu->actions()) {
            QMenu *below = entry->menu();
            if (below == nullptr || !entry->isEnabled() || !entry->isVisible())
                continue;
            below->popup(popup->pos());
            settle();
            if (below->isVisible())
                visitWindow(name + u", "_s + spokenWords(entry->text()), below, visit);
            below->close();
        }
    }
    popup->close();
    QVERIFY2(tourWaits([] { return QApplication::activePopupWidget() == nullptr; }),
             qPrintable(name));
}

} // namespace outbox
