// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The console put together: window, pages, the opened system, and the presenters that join them.
#pragma once

#include "app/desktop/demopresenter.h"
#include "app/desktop/operationpresenter.h"
#include "app/desktop/pages.h"
#include "app/desktop/profilepresenter.h"
#include "app/desktop/relaypresenter.h"
#include "app/settings/folders.h"
#include "app/settings/preferences.h"
#include "app/system/system.h"
#include "models/system/systemhistory.h"
#include "models/system/windowlink.h"
#include "views/frame/mainwindow.h"

#include <QObject>

#include <functional>
#include <memory>

namespace outbox {

class FilterPresenter;
class FleetPresenter;
class LocatorPresenter;
class PlacesPresenter;

/// Lives in the GUI thread. No logic of its own: it makes, joins and drops.
class Desktop : public QObject
{
    Q_OBJECT

public:
    explicit Desktop(Folders folders, QObject *parent = nullptr);
    ~Desktop() override;

    [[nodiscard]] MainWindow &window() { return m_window; }
    [[nodiscard]] const Pages &pages() const { return m_pages; }
    /// Of the system that is open.
    [[nodiscard]] std::optional<Profile> profile() const;
    /// nullptr while no system is open.
    [[nodiscard]] System *system();
    /// nullptr while no system is open.
    [[nodiscard]] RelayPresenter *relay();
    /// nullptr while no system is open.
    [[nodiscard]] OperationPresenter *operations();
    [[nodiscard]] FleetPresenter &fleet() { return *m_fleet; }

    /// Shows the first-run page, or the last profile when there is one.
    void begin();
    /// Passwords that are not given are looked for where they were typed or stand (`passwordsOf`).
    void openProfile(const Profile &profile, const ProfilePasswords &secrets);
    /// What is open stays so until the demo stands; `demoSettled` tells.
    void openDemo(Demo::Kind kind, DemoDesign design = DemoDesign::RedisRelay);
    void openConnections(const QString &profileName = {});
    /// Opens what the link names of the system that is open; the window tells what cannot be.
    [[nodiscard]] Result<void> openLink(const WindowLink &link);
    /// Asked from outside to end, where nobody answers a question: the batch in hand of a relay and
    /// the chunk in hand of an operation are finished, then `ended` is sent. Asked once more, what
    /// is in hand is rolled back.
    void end();

signals:
    void ended();
    /// Another system is open, the demo's too.
    void systemOpened();
    /// The demo that was asked for last is open, or it could not be started, which is shown.
    void demoSettled();
    /// Another window of this program is to be started so. Passwords are no part of the arguments.
    void windowAsked(const QStringList &arguments);

private:
    struct OpenedSystem;

    void makePages();
    void joinFrame();
    void joinRowOrder();
    void joinFleet();
    /// What stands behind the lines of the Overview is kept.
    void joinCharts();
    void askForWindow();
    /// The demo's system while `m_demo` is there, else one of the saved ones.
    void openSystem(const Profile &profile, const ProfilePasswords &secrets);
    /// The same system with another password, unless something is at work here.
    void logInAgain(const Profile &profile, const ProfilePasswords &typed);
    /// Where the alerts of a system are kept.
    [[nodiscard]] QString alertsFile(const Profile &profile) const;
    [[nodiscard]] QString unsavedAlertsFile(const Profile &profile) const;
    /// What is kept by the names of saved profiles goes where those names go.
    void follow(const NameChanges &changes);
    /// Messages wait in rows or in documents: each has its pages.
    void offerPages(const Profile &profile);
    void closeSystem();
    void showDemo();
    void tellDemoFailed(const Error &error);
    /// Its servers stop while we go on.
    void retire(std::unique_ptr<DemoPresenter> demo);
    /// Nothing of the system before may stand under the name of the next.
    void forgetSystem();
    void closing(bool drain);
    void endWhenIdle();
    [[nodiscard]] Result<void> savePreferences();
    /// Saves them and shows where that fails: `problem` has a place for the reason.
    void keepPreferences(const QString &problem);

    bool m_isEnding = false;
    QMetaObject::Connection m_closing; ///< the window closes when the relay has ended
    Folders m_folders;
    Preferences m_preferences;
    MainWindow m_window;
    Pages m_pages;
    std::unique_ptr<SystemHistory> m_history;
    // In the order they are made; they go the other way round.
    std::unique_ptr<DemoPresenter> m_nextDemo; ///< its servers are being started
    std::unique_ptr<DemoPresenter> m_demo;
    std::unique_ptr<OpenedSystem> m_open; ///< nullptr while no system is open
    std::unique_ptr<ProfilePresenter> m_profiles;
    std::unique_ptr<FilterPresenter> m_filters;
    std::unique_ptr<FleetPresenter> m_fleet;
    std::unique_ptr<LocatorPresenter> m_locator;
    std::unique_ptr<PlacesPresenter> m_places;
};

/// Draws every page, light and dark, and every dialog into PNG files; in screenshots.cpp.
/// Waits until each page has something to show, then draws. Works offscreen; in the GUI thread.
/// `finished` is called when all pictures are in `folder`, or with the problem why not; empty: all
/// went well.
void takeScreenshots(Desktop &desktop, const QString &folder,
                     std::function<void(const QString &problem)> finished);

} // namespace outbox
