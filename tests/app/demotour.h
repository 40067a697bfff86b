// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A demo whose pages, their tabs, menus and dialogs are shown one after the other.
#pragma once

#include "app/desktop/desktop.h"

#include <QSet>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <memory>
#include <utility>

namespace outbox {

class DemoTour
{
public:
    /// Given a window, a dialog or a menu that is shown, with what it is called.
    using Visitor = std::function<void(const QString &name, QWidget *shown)>;

    /// The demo with rows that stay: its relay is stopped. False where a server is missing.
    [[nodiscard]] bool open();
    void close() { m_desktop.reset(); }
    [[nodiscard]] MainWindow &window() const { return m_desktop->window(); }

    /// Layouts, posted events and one drawing.
    static void settle();

    /// Each page with each of its tabs and of its parts that are opened, a page with a message
    /// above it, the pages of documents, and what is shown while no system is open.
    void visitPages(const Visitor &visit);
    /// The menus of the window, and on each page those of buttons, rows, headers and chips, what
    /// the status bar opens, and the dialogs that entries of these menus open.
    void visitMenus(const Visitor &visit);
    /// What the actions of the menu bar open, on each page, and what buttons open.
    void visitDialogs(const Visitor &visit);
    /// A plan on each page of its dialog, from the preview to what became of it, and one that could
    /// not be made.
    void visitPlan(const Visitor &visit);

    /// Class and object name of each window that was visited.
    [[nodiscard]] const QSet<QString> &met() const { return m_met; }

private:
    using Opener = std::function<void()>;

    [[nodiscard]] bool goTo(int page);
    [[nodiscard]] bool choosePending();
    void visitWindow(const QString &name, QWidget *shown, const Visitor &visit);
    void visitTabs(const QString &name, QWidget *shown, const Visitor &visit);
    void visitParts(int page, const Visitor &visit);
    void visitDocuments(const Visitor &visit);
    void visitMenusOf(const QString &page, const Visitor &visit);
    void visitEntries(const QString &name, QWidget *button, const Visitor &visit);
    void visitStatus(const Visitor &visit);
    /// The dialog, or the locator, that the opener brings up.
    void meet(const QString &name, const Visitor &visit, const Opener &opener);
    /// The menu, or another popup, that the opener brings up, with the menus below it.
    void meetPopup(const QString &name, const Visitor &visit, const Opener &opener);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Desktop> m_desktop;
    QSet<QString> m_opened; ///< actions, menus and entries that were met
    QSet<QString> m_met;
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
