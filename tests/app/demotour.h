// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A demo whose pages, their tabs and whose dialogs are shown one after the other.
#pragma once

#include "app/desktop/desktop.h"
#include "app/desktop/mappingpresenter.h"
#include "tests/support/patience.h"
#include "views/connections/passworddialog.h"
#include "views/frame/locator.h"
#include "views/mapping/mappingdialog.h"
#include "views/operation/plandialog.h"
#include "views/outbox/outboxview.h"
#include "views/relay/relayview.h"
#include "views/widgets/actions.h"
#include "views/widgets/boxes.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QFileDialog>
#include <QSet>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <memory>
#include <utility>

namespace outbox {

class DemoTour
{
public:
    /// Given a window or a dialog that is shown, with what it is called.
    using Visitor = std::function<void(const QString &name, QWidget *shown)>;

    /// The demo with rows that stay: its relay is stopped. False where a server is missing.
    [[nodiscard]] bool open()
    {
        m_opened.clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_desktop = std::make_unique<Desktop>(Folders{m_folder->path(), m_folder->path()});
        QSignalSpy settled(m_desktop.get(), &Desktop::demoSettled);
        m_desktop->openDemo(Demo::Kind::Sqlite, DemoDesign::RedisRelay);
        if (!waitFor([&settled] { return settled.count() == 1; }, 60'000)
            || m_desktop->relay() == nullptr)
            return false;
        window().show();
        if (!waitFor([this] { return m_desktop->relay()->isRunning(); }, 20'000))
            return false;
        m_desktop->relay()->driver().abandon();
        if (!waitFor([this] { return !m_desktop->relay()->isRunning(); }, 20'000))
            return false;
        window().showPage(Pages::Outbox);
        const auto *rows = window().findChild<QTableView *>(QStringLiteral("outboxTable"));
        return waitFor([rows] { return rows->model() && rows->model()->rowCount() > 2; }, 20'000);
    }

    void close() { m_desktop.reset(); }
    [[nodiscard]] bool isClosed() const { return m_desktop == nullptr; }
    [[nodiscard]] MainWindow &window() const { return m_desktop->window(); }

    /// Layouts, posted events and one drawing.
    static void settle()
    {
        for (int round = 0; round < 5; ++round)
            QCoreApplication::processEvents();
    }

    /// Each page with each of its tabs, and what is shown while no system is open.
    void visitPages(const Visitor &visit)
    {
        for (int page = 0; window().pageAction(page) != nullptr; ++page) {
            if (goTo(page))
                visitTabs(window().pageAction(page)->text(), &window(), visit);
        }
        window().showCover(true);
        settle();
        visit(QStringLiteral("Welcome"), &window());
        window().showCover(false);
    }

    /// What the actions of the menus open, on each page, and what buttons open.
    void visitDialogs(const Visitor &visit)
    {
        for (int page = 0; window().pageAction(page) != nullptr; ++page) {
            for (QAction *action : window().registry()->all()) {
                const QString id = action->objectName();
                // A demo is not locked: that dialog is asked for below.
                const bool opens
                    = (action->text().endsWith(u'\u2026') && id != QStringLiteral("unlock"))
                    || id == QStringLiteral("shortcuts");
                // One dialog is asked for at a time: a page may have been left for another one.
                if (!opens || m_opened.contains(id) || !goTo(page) || !action->isEnabled())
                    continue;
                m_opened.insert(id);
                meet(spokenWords(action->text()), visit, [action] { action->trigger(); });
            }
        }
        meet(QStringLiteral("Start a relay"), visit,
             [this] { m_desktop->pages().relay->openStartSheet(); });
        meet(QStringLiteral("Unlock"), visit, [this] { m_desktop->operations()->askToUnlock(); });
        meet(QStringLiteral("Map the columns"), visit,
             [this] { new MappingPresenter(*m_desktop->profile(), {}, &window()); });
        meet(QStringLiteral("Enter password"), visit, [this] {
            auto *dialog = new PasswordDialog(QStringLiteral("The database asks for one."),
                                              QStringLiteral("Database password"), &window());
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->show();
        });
    }

private:
    template <typename Condition> [[nodiscard]] static bool waitFor(Condition holds, int ms)
    {
        return QTest::qWaitFor(holds, patient(ms));
    }
    [[nodiscard]] bool goTo(int page)
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
    static void visitTabs(const QString &name, QWidget *shown, const Visitor &visit)
    {
        visit(name, shown);
        for (auto *tabs : shown->findChildren<QTabWidget *>()) {
            const int before = tabs->currentIndex();
            for (int tab = 0; tab < tabs->count() && tabs->isVisible(); ++tab) {
                if (tab == before || !tabs->isTabEnabled(tab))
                    continue;
                tabs->setCurrentIndex(tab);
                settle();
                visit(name + QStringLiteral(", ") + tabs->tabText(tab), shown);
            }
            tabs->setCurrentIndex(before);
        }
    }
    [[nodiscard]] static QDialog *shownDialog()
    {
        for (QWidget *one : QApplication::topLevelWidgets()) {
            auto *dialog = qobject_cast<QDialog *>(one);
            if (dialog != nullptr && dialog->isVisible())
                return dialog;
        }
        return nullptr;
    }
    template <typename Opener>
    void meet(const QString &name, const Visitor &visit, const Opener &opener)
    {
        opener();
        Locator *locator = m_desktop->pages().locator;
        const bool came = waitFor(
            [locator] { return shownDialog() != nullptr || locator->isVisible(); }, 20'000);
        QVERIFY2(came, qPrintable(name + QStringLiteral(" opens nothing")));
        if (locator->isVisible()) {
            settle();
            visit(name, &window());
            locator->leave();
            return;
        }
        QDialog *dialog = shownDialog();
        if (const auto *plan = qobject_cast<PlanDialog *>(dialog)) {
            QVERIFY2(waitFor([plan] { return plan->step() != PlanDialog::Step::Looking; }, 20'000),
                     qPrintable(name));
        }
        settle();
        if (qobject_cast<QFileDialog *>(dialog) == nullptr) // the desktop's, not ours
            visitTabs(name, dialog, visit);
        dialog->close();
        QVERIFY2(waitFor([] { return shownDialog() == nullptr; }, 20'000), qPrintable(name));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Desktop> m_desktop;
    QSet<QString> m_opened; ///< ids of actions that were met
};

/// The faults that a test put down, each once, as the message of the test; the list is empty after
/// it. Empty: there were none.
[[nodiscard]] inline QByteArray takeFaults(QStringList &wrong)
{
    wrong.removeDuplicates();
    const QStringList faults = std::exchange(wrong, {});
    if (faults.isEmpty())
        return {};
    return QStringLiteral("%1 faults:\n%2")
        .arg(faults.size())
        .arg(faults.mid(0, 60).join(u'\n'))
        .toLocal8Bit();
}

} // namespace outbox

/// Inside a test: opens the tour, or skips where Redis is not there.
#define OUTBOX_OPEN_TOUR(tour)                                                                     \
    do {                                                                                           \
        if (!(tour).open()) {                                                                      \
            (tour).close();                                                                        \
            if (qEnvironmentVariableIsSet("OUTBOX_REQUIRE_SERVERS"))                               \
                QFAIL("the demo did not open: apt-get install redis-server");                      \
            QSKIP("the demo did not open: apt-get install redis-server");                          \
        }                                                                                          \
    } while (false)
