// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The frame: band, page list, inline messages, page, status bar, menus. It assembles, nothing else.
#pragma once

#include "models/profile/profile.h"
#include "models/system/staleness.h"
#include "views/frame/messagebar.h"
#include "views/theme/theme.h"
#include "views/widgets/formfields.h"

#include <QList>
#include <QMainWindow>
#include <QMenu>
#include <QTimer>

class QStackedWidget;

namespace outbox {

class Actions;
class CloseQuestion;
class EnvironmentBand;
class LiveStatus;
class MessagesMenu;
class PageList;
class ScrolledPage;
class TabPlace;

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Adds a page below the others; its shortcut is Ctrl and its number. Returns that index.
    int addPage(QWidget *page, const QString &icon, const QString &name);
    /// Another widget and another name for the page of this index; the one before is kept, hidden.
    void replacePage(int page, QWidget *widget, const QString &name);
    /// A system may have no use for a page: then it cannot be gone to.
    void setPageOffered(int page, bool offered);
    void showPage(int page);
    [[nodiscard]] int currentPage() const;
    /// What goes to the page; it has the page's name and is visible while the page is offered.
    /// nullptr: there is no such page.
    [[nodiscard]] QAction *pageAction(int page) const;
    /// Another window of the same can be opened only where it has a name.
    void setNewWindowOffered(bool offered);
    /// Whether the order of the rows can be turned, and which come first.
    void setRowOrder(bool offered, bool oldestFirst);
    /// Whether there is a place to go back to, and one to go forward to.
    void setSteps(bool back, bool forward);
    /// Whether an operation of this system can be undone.
    void setUndoOffered(bool offered);
    /// What may be asked of a relay that runs here: to send what waits and stop, to stop at once.
    void setRelayStops(bool drain, bool stop);

    void setProfile(const Profile &profile);
    /// A system may be saved already, or be no one's to save.
    void setSavingOffered(bool offered);
    /// See `PageList::setBadge`.
    void setBadge(int page, const QString &badge, bool stale, const QString &meaning = {});
    void setSource(Source source, const SourceHealth &health);
    void setRefresh(int milliseconds, bool slowed);
    void setPaused(bool paused);
    /// While a relay runs here, closing asks first; a throwaway one does not ask.
    void setRelayRunning(bool running, bool asksOnClose = true);
    /// The same while an operation runs.
    void setOperationRunning(bool running);
    /// Shown instead of the pages while no system is open.
    void setCover(QWidget *cover);
    void showCover(bool shown);
    void setThemeChoice(ThemeChoice choice);
    /// Empty: no such menu.
    void setBreakMenu(const QList<NamedChoice> &entries);
    /// Marks an entry of that menu for as long as it is broken.
    void setBroken(const QString &id, bool broken);

    [[nodiscard]] MessageBar *messages() const { return m_messages; }
    [[nodiscard]] LiveStatus *status() const { return m_status; }
    [[nodiscard]] EnvironmentBand *band() const { return m_band; }
    [[nodiscard]] Actions *registry() const { return m_actions; }

signals:
    void pageShown(int page);
    /// Another window is wanted, of the same system and page.
    void newWindowAsked();
    void refreshAsked();
    void pauseAsked(bool paused);
    void filterAsked();
    /// The order of the rows is to be turned.
    void rowOrderAsked();
    /// Something is to be found by its name or its id.
    void locateAsked();
    void backAsked();
    void forwardAsked();
    void connectionsAsked();
    /// The system that is open is to be saved under a name.
    void saveProfileAsked();
    /// Writing is to be armed, or locked again.
    void unlockAsked();
    void lockAsked();
    /// The preview of undoing the newest operation is wanted.
    void undoLastAsked();
    /// The relay that runs here is to send what waits and stop, or to stop at once.
    void drainRelayAsked();
    void stopRelayAsked();
    void themeChosen(outbox::ThemeChoice choice);
    void breakAsked(const QString &id);
    /// The window was closed while a relay runs here and the person chose to drain first.
    void drainAndCloseAsked();
    void stopAndCloseAsked();
    /// The window was closed while an operation runs, and the person chose to cancel it.
    void cancelAndCloseAsked();

protected:
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void addActions();
    void addSteps();
    /// The window never needs more than its screen has.
    void boundMinimum();

    Actions *m_actions;
    MessagesMenu *m_verbs = nullptr;
    EnvironmentBand *m_band;
    PageList *m_list;
    QStackedWidget *m_pages;
    TabPlace *m_place; ///< of the pages, before the status bar
    MessageBar *m_messages;
    LiveStatus *m_status;
    CloseQuestion *m_closing;
    QMenu *m_breakMenu = nullptr;
    QTimer m_tick;
    ScrolledPage *m_cover = nullptr;
};

} // namespace outbox
