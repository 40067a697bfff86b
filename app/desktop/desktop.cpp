// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop.h"

#include "app/desktop/activitypresenter.h"
#include "app/desktop/alertpresenter.h"
#include "app/desktop/columnpresenter.h"
#include "app/desktop/comparisonpresenter.h"
#include "app/desktop/filterpresenter.h"
#include "app/desktop/fleetpresenter.h"
#include "app/desktop/groupspresenter.h"
#include "app/desktop/historypresenter.h"
#include "app/desktop/locatorpresenter.h"
#include "app/desktop/metricspresenter.h"
#include "app/desktop/monitoringpresenter.h"
#include "app/desktop/operationpresenter.h"
#include "app/desktop/pages.h"
#include "app/desktop/placespresenter.h"
#include "app/desktop/reconcilepresenter.h"
#include "app/desktop/remedypresenter.h"
#include "app/desktop/rowexportpresenter.h"
#include "app/settings/alertstore.h"
#include "app/settings/folders.h"
#include "app/settings/keptbyname.h"
#include "app/system/system.h"
#include "views/activity/activityview.h"
#include "views/alerts/alertsview.h"
#include "views/dedup/dedupview.h"
#include "views/documents/documentsview.h"
#include "views/fleet/fleetview.h"
#include "views/frame/livestatus.h"
#include "views/frame/locator.h"
#include "views/frame/mainwindow.h"
#include "views/frame/messagebar.h"
#include "views/frame/welcomeview.h"
#include "views/outbox/outboxview.h"
#include "views/outbox/roworder.h"
#include "views/overview/overviewcharts.h"
#include "views/overview/overviewview.h"
#include "views/queue/queueview.h"
#include "views/reconcile/reconcileview.h"
#include "views/relay/relayview.h"
#include "views/widgets/metriccard.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString demoMessage = u"demo"_s;
const QString unsavedMessage = u"unsaved"_s;
const QString linkMessage = u"link"_s;

} // namespace

/// What lives as long as a system is open; it goes in the other order than it stands here.
struct Desktop::OpenedSystem
{
    QString name; ///< of the profile, by what is saved now
    std::unique_ptr<System> system;
    std::unique_ptr<HistoryPresenter> history; ///< nullptr where the demo is open
    std::unique_ptr<RelayPresenter> relay;
    std::unique_ptr<MonitoringPresenter> looking;
    std::unique_ptr<GroupsPresenter> groups;
    std::unique_ptr<ComparisonPresenter> comparison;
    std::unique_ptr<RowExportPresenter> exports;
    std::unique_ptr<OperationPresenter> operations;
    std::unique_ptr<ActivityPresenter> record;
    std::unique_ptr<ReconcilePresenter> reconcile;
    std::unique_ptr<RemedyPresenter> remedy;
    std::unique_ptr<AlertPresenter> alerts;
};

Desktop::Desktop(Folders folders, QObject *parent)
    : QObject(parent), m_folders(std::move(folders)), m_history(std::make_unique<SystemHistory>())
{
    if (const auto loaded = Preferences::load(m_folders.preferencesFile()))
        m_preferences = *loaded;
    makePages();
    joinFrame();
    joinRowOrder();
    joinFleet();
    joinCharts();
    m_window.setThemeChoice(m_preferences.theme == Preferences::Theme::Dark ? ThemeChoice::Dark
                                : m_preferences.theme == Preferences::Theme::Light
                                ? ThemeChoice::Light
                                : ThemeChoice::System);
    m_window.resize(1280, 800);
    if (!m_preferences.windowGeometry.isEmpty())
        m_window.restoreGeometry(m_preferences.windowGeometry);
}

Desktop::~Desktop()
{
    // Nothing is lost when this fails but the window's place; the next start says nothing either.
    (void)savePreferences();
    closeSystem();
}

void Desktop::makePages()
{
    m_pages.window = &m_window;
    m_pages.overview = new OverviewView(m_history.get());
    m_pages.outbox = new OutboxView;
    m_pages.documents = new DocumentsView(&m_window);
    m_pages.documents->hide();
    m_pages.queue = new QueueView;
    m_pages.dedup = new DedupView;
    m_pages.reconcile = new ReconcileView;
    m_pages.relay = new RelayView;
    m_pages.activity = new ActivityView;
    m_pages.fleet = new FleetView;
    m_pages.alerts = new AlertsView;
    m_pages.welcome = new WelcomeView;
    m_window.addPage(m_pages.overview, u"overview"_s, tr("Overview"));
    m_window.addPage(m_pages.outbox, u"outbox"_s, tr("Outbox"));
    m_window.addPage(m_pages.queue, u"queue"_s, tr("Queue"));
    m_window.addPage(m_pages.dedup, u"dedup"_s, tr("Dedup"));
    m_window.addPage(m_pages.reconcile, u"reconcile"_s, tr("Reconcile"));
    m_window.addPage(m_pages.relay, u"relay"_s, tr("Relay"));
    m_window.addPage(m_pages.activity, u"activity"_s, tr("Activity"));
    m_window.addPage(m_pages.fleet, u"server"_s, tr("Fleet"));
    m_window.addPage(m_pages.alerts, u"notify"_s, tr("Alerts"));
    m_window.setCover(m_pages.welcome);
    m_pages.locator = new Locator(&m_window);
}

void Desktop::joinFrame()
{
    m_profiles = std::make_unique<ProfilePresenter>(&m_window, m_folders);
    m_filters = std::make_unique<FilterPresenter>(m_pages, filtersFileIn(m_folders.config));
    m_locator = std::make_unique<LocatorPresenter>(m_pages, *m_filters, m_profiles->store());
    m_places = std::make_unique<PlacesPresenter>(m_pages);
    auto *columns = new ColumnPresenter(m_pages, m_preferences.tables, this);
    connect(columns, &ColumnPresenter::chosen, this,
            [this](const QJsonObject &kept) { m_preferences.tables = kept; });
    connect(columns, &ColumnPresenter::settled, this,
            [this] { keepPreferences(tr("The columns are not saved: %1")); });
    auto *metrics
        = new MetricsPresenter(m_pages, static_cast<quint16>(m_preferences.metricsPort), this);
    connect(this, &Desktop::systemOpened, metrics,
            [this, metrics] { metrics->follow(*system(), relay()->driver()); });
    connect(metrics, &MetricsPresenter::chosen, this, [this](quint16 port) {
        m_preferences.metricsPort = port;
        keepPreferences(tr("Whether metrics are served is not saved: %1"));
    });
    connect(m_profiles.get(), &ProfilePresenter::connectAsked, this, &Desktop::openProfile);
    connect(m_profiles.get(), &ProfilePresenter::namesChanged, this, &Desktop::follow);
    connect(&m_window, &MainWindow::connectionsAsked, this, [this] { openConnections(); });
    connect(&m_window, &MainWindow::newWindowAsked, this, &Desktop::askForWindow);
    connect(&m_window, &MainWindow::saveProfileAsked, this, [this] {
        if (m_open)
            m_profiles->openAsNew(m_open->system->profile(), m_open->system->secrets());
    });
    connect(&m_window, &MainWindow::themeChosen, this, [this](ThemeChoice choice) {
        m_window.setThemeChoice(choice);
        m_preferences.theme = choice == ThemeChoice::Dark ? Preferences::Theme::Dark
            : choice == ThemeChoice::Light                ? Preferences::Theme::Light
                                                          : Preferences::Theme::System;
        keepPreferences(tr("The theme is not saved: %1"));
    });
    connect(&m_window, &MainWindow::filterAsked, this, [this] {
        if (m_window.currentPage() == Pages::Dedup)
            return m_pages.dedup->focusFilter();
        if (m_window.currentPage() == Pages::Queue)
            return m_pages.queue->focusFilter();
        if (m_window.currentPage() == Pages::Activity)
            return m_pages.activity->focusFilter();
        if (m_window.currentPage() == Pages::Fleet)
            return m_pages.fleet->focusFilter();
        if (m_open && m_open->system->documents())
            return m_window.showPage(Pages::Outbox); // chips say there what is listed
        m_window.showPage(Pages::Outbox);
        m_pages.outbox->focusFilter();
    });
    connect(&m_window, &MainWindow::drainAndCloseAsked, this, [this] { closing(true); });
    connect(&m_window, &MainWindow::stopAndCloseAsked, this, [this] { closing(false); });
    connect(m_pages.welcome, &WelcomeView::demoAsked, this,
            [this] { openDemo(Demo::Kind::Sqlite); });
    connect(m_pages.welcome, &WelcomeView::connectAsked, this, [this] { openConnections(); });
    connect(m_pages.welcome, &WelcomeView::importAsked, this,
            [this](const QString &url) { m_profiles->open({}, url); });
    connect(m_pages.outbox, &OutboxView::connectAsked, this, [this] { openConnections(); });
    connect(m_pages.queue, &QueueView::connectAsked, this, [this] { openConnections(); });
    connect(m_pages.documents, &DocumentsView::connectAsked, this, [this] { openConnections(); });
    connect(m_pages.relay, &RelayView::parkedAsked, this,
            [this] { m_open->looking->openFilter(u"state:parked"_s); });
}

void Desktop::joinRowOrder()
{
    const RowOrder *order = m_pages.outbox->order();
    connect(order, &RowOrder::changed, this,
            [this, order] { m_window.setRowOrder(order->isOffered(), order->isOldestFirst()); });
    connect(&m_window, &MainWindow::rowOrderAsked, this, [this] {
        m_window.showPage(Pages::Outbox);
        m_pages.outbox->order()->turn();
    });
    connect(order, &RowOrder::chosen, this, [this](bool oldestFirst) {
        if (m_demo || !m_open)
            return; // a demo leaves nothing behind
        const QString name = m_open->name;
        m_preferences.oldestFirst.removeAll(name);
        if (oldestFirst)
            m_preferences.oldestFirst += name;
        keepPreferences(tr("The order of the rows is not saved: %1"));
    });
}

void Desktop::joinCharts()
{
    OverviewCharts *charts = m_pages.overview->charts();
    charts->setEarlier(earlierFromWord(m_preferences.earlier).value_or(Earlier::Nothing));
    connect(charts, &OverviewCharts::earlierChosen, this, [this](Earlier earlier) {
        m_preferences.earlier = word(earlier);
        keepPreferences(tr("What stands behind the charts is not saved: %1"));
    });
}

void Desktop::joinFleet()
{
    m_fleet
        = std::make_unique<FleetPresenter>(m_pages, m_folders.state, m_preferences.watchesFleet);
    connect(m_fleet.get(), &FleetPresenter::openAsked, this,
            [this](const Profile &profile) { openProfile(profile, {}); });
    connect(m_locator.get(), &LocatorPresenter::profileAsked, m_fleet.get(), &FleetPresenter::open);
    connect(m_fleet.get(), &FleetPresenter::watchingAlwaysChosen, this, [this](bool always) {
        m_preferences.watchesFleet = always;
        keepPreferences(tr("Whether to watch all systems is not saved: %1"));
    });
    const auto tellSaved = [this] {
        m_fleet->setSaved(m_profiles->store());
        m_places->follow(); // its page may have gone
    };
    connect(m_profiles.get(), &ProfilePresenter::profilesChanged, m_fleet.get(), tellSaved);
    tellSaved();
}

std::optional<Profile> Desktop::profile() const
{
    return m_open ? std::optional(m_open->system->profile()) : std::nullopt;
}

System *Desktop::system()
{
    return m_open ? m_open->system.get() : nullptr;
}

RelayPresenter *Desktop::relay()
{
    return m_open ? m_open->relay.get() : nullptr;
}

OperationPresenter *Desktop::operations()
{
    return m_open ? m_open->operations.get() : nullptr;
}

void Desktop::begin()
{
    m_window.showCover(true);
    const auto last = m_profiles->store().find(m_preferences.lastProfile);
    if (last)
        openProfile(*last, {});
}

void Desktop::openProfile(const Profile &profile, const ProfilePasswords &secrets)
{
    closeSystem();
    retire(std::move(m_nextDemo));
    retire(std::move(m_demo));
    m_window.messages()->remove(demoMessage);
    m_pages.welcome->setDemoProblem({});
    m_profiles->learn(profile, secrets); // not what a file says: that may say another one later
    openSystem(profile, m_profiles->passwordsOf(profile, secrets));
    m_preferences.lastProfile = profile.name;
}

void Desktop::logInAgain(const Profile &profile, const ProfilePasswords &typed)
{
    m_profiles->learn(profile, typed);
    const bool isAtWork
        = (relay() && relay()->isRunning()) || (operations() && operations()->driver().running());
    if (!isAtWork) {
        const int page = m_window.currentPage();
        openProfile(profile, typed);
        return m_window.showPage(page);
    }
    // To open it anew would end them.
    m_window.messages()->add({u"logInLater"_s,
                              HealthLevel::Watch,
                              tr("The password is kept. Stop what is at work here, then open the "
                                 "system again under Connections."),
                              {}});
}

void Desktop::openSystem(const Profile &profile, const ProfilePasswords &secrets)
{
    forgetSystem();
    m_pages.outbox->order()->restore(!m_demo && m_preferences.oldestFirst.contains(profile.name));
    Folders folders = m_folders;
    if (m_demo)
        folders.state = m_demo->stateFolder(); // nothing of a demo stays behind
    auto open = std::make_unique<OpenedSystem>();
    open->name = profile.name;
    open->system = std::make_unique<System>(profile, secrets, *m_history, folders.state);
    m_open = std::move(open);
    if (!m_demo) {
        m_open->history = std::make_unique<HistoryPresenter>(*m_open->system, *m_history, m_pages,
                                                             folders.state);
    }
    m_window.setProfile(profile);
    const bool isSaved = !m_demo && m_profiles->store().find(profile.name);
    m_window.setSavingOffered(!m_demo && !isSaved);
    m_window.setNewWindowOffered(isSaved);
    m_window.status()->setAddress(Source::Database, profile.databaseUrl);
    m_window.status()->setAddress(Source::Queue, profile.redisUrl);
    m_filters->show(profile.environment);
    offerPages(profile);
    m_window.setPaused(false);
    m_fleet->setPaused(false);
    m_window.showCover(false);
    m_locator->show(profile);
    m_places->begin(profile.design.has_value());
    System &system = *m_open->system;
    m_open->looking = std::make_unique<MonitoringPresenter>(system, m_pages);
    m_open->groups = std::make_unique<GroupsPresenter>(system, m_pages, folders);
    m_open->comparison = std::make_unique<ComparisonPresenter>(system, m_pages, folders.state);
    m_open->exports = std::make_unique<RowExportPresenter>(system, m_pages, folders);
    m_open->relay = std::make_unique<RelayPresenter>(system, m_pages, folders.state);
    m_open->operations = std::make_unique<OperationPresenter>(system, m_pages, folders);
    connect(&operations()->driver(), &OperationDriver::armingChanged, relay(),
            &RelayPresenter::setArming);
    m_open->record = std::make_unique<ActivityPresenter>(system, m_pages, *operations());
    m_open->reconcile = std::make_unique<ReconcilePresenter>(system, m_pages, *operations());
    m_open->remedy = std::make_unique<RemedyPresenter>(system, m_pages);
    // Queued: what is open, and whoever says so, is gone then.
    connect(m_open->remedy.get(), &RemedyPresenter::passwordGiven, this, &Desktop::logInAgain,
            Qt::QueuedConnection);
    connect(m_open->remedy.get(), &RemedyPresenter::mapAsked, this, [this] {
        m_profiles->openToMap(m_open->system->profile(), m_open->system->secrets());
    });
    m_open->alerts = std::make_unique<AlertPresenter>(
        system, m_pages, alertsFile(profile), folders.auditFile(),
        m_open->history ? &m_open->history->keeper() : nullptr);
    if (m_demo)
        m_demo->join(relay());
    else
        m_window.setBreakMenu({});
    emit systemOpened();
    system.open();
}

QString Desktop::alertsFile(const Profile &profile) const
{
    if (m_demo)
        return alertsFileIn(m_demo->stateFolder(), profile.name);
    if (m_profiles->store().find(profile.name))
        return alertsFileIn(m_folders.config, profile.name);
    return unsavedAlertsFile(profile);
}

QString Desktop::unsavedAlertsFile(const Profile &profile) const
{
    // What is not saved has no name of its own: it is known by where it is.
    const QString place = QFileInfo(historyFileOf(profile, m_folders.state)).completeBaseName();
    return alertsFileIn(m_folders.config, u"system "_s + place);
}

void Desktop::follow(const NameChanges &changes)
{
    const auto [alerts, notes] = followNames(m_folders, m_preferences, changes);
    if (!alerts) {
        m_window.messages()->add(
            {u"alerts-unmoved"_s, HealthLevel::Watch, oneLine(alerts.error()), {}});
    }
    if (!notes) {
        m_window.messages()->add(
            {u"notes-unmoved"_s, HealthLevel::Watch, oneLine(notes.error()), {}});
    }
    keepPreferences(tr("The order of the rows is not saved: %1"));
    // What is open has the name still under which it was opened.
    if (!m_open || m_demo || m_open->alerts->file() != alertsFileIn(m_folders.config, m_open->name))
        return;
    const QString name = changes.renamed.value(m_open->name);
    if (!name.isEmpty()) {
        if (alerts)
            m_open->alerts->setFile(alertsFileIn(m_folders.config, name));
        if (notes)
            m_open->groups->setProfileName(name);
        m_open->name = name;
    } else if (changes.deleted.contains(m_open->name)) {
        m_open->alerts->setFile(unsavedAlertsFile(m_open->system->profile()));
    }
}

void Desktop::offerPages(const Profile &profile)
{
    if (profile.design) {
        m_pages.documents->setDesign(profile.design->design);
        m_window.replacePage(Pages::Outbox, m_pages.documents, tr("Documents"));
    } else {
        m_window.replacePage(Pages::Outbox, m_pages.outbox, tr("Outbox"));
    }
    m_pages.overview->pendingCard()->setTitle(profile.design ? tr("Undispatched entries")
                                                             : tr("Pending rows"));
    m_pages.reconcile->setRowsOffered(!profile.design);
    // A relay of rows has nothing to do with documents.
    m_window.setPageOffered(Pages::Relay, !profile.design);
}

void Desktop::openDemo(Demo::Kind kind, DemoDesign design)
{
    retire(std::move(m_nextDemo));
    m_nextDemo = std::make_unique<DemoPresenter>(m_pages);
    const DemoPresenter *demo = m_nextDemo.get();
    connect(demo, &DemoPresenter::stands, this, &Desktop::showDemo);
    connect(demo, &DemoPresenter::failed, this, &Desktop::tellDemoFailed);
    connect(demo, &DemoPresenter::designAsked, this,
            [this, kind](DemoDesign another) { openDemo(kind, another); });
    m_pages.welcome->setDemoProblem(tr("The demo starts…"));
    if (m_open)
        m_window.messages()->add(
            {demoMessage, HealthLevel::Ok, tr("The demo \"%1\" starts…").arg(label(design)), {}});
    m_nextDemo->start(kind, design);
}

void Desktop::showDemo()
{
    closeSystem();
    retire(std::move(m_demo));
    m_demo = std::move(m_nextDemo);
    m_window.messages()->remove(demoMessage);
    m_pages.welcome->setDemoProblem({});
    openSystem(m_demo->profile(), {});
    emit demoSettled();
}

void Desktop::tellDemoFailed(const Error &error)
{
    retire(std::move(m_nextDemo));
    m_window.messages()->remove(demoMessage);
    m_pages.welcome->setDemoProblem(oneLine(error));
    if (m_open)
        m_window.messages()->add({demoMessage, HealthLevel::Broken, oneLine(error), {}});
    else
        m_window.showCover(true);
    emit demoSettled();
}

void Desktop::retire(std::unique_ptr<DemoPresenter> demo)
{
    if (!demo)
        return;
    DemoPresenter *leaving = demo.release();
    leaving->setParent(this); // if we go first
    leaving->disconnect(this);
    connect(leaving, &DemoPresenter::ended, leaving, &QObject::deleteLater);
    leaving->end();
}

void Desktop::openConnections(const QString &profileName)
{
    m_profiles->open(profileName);
}

Result<void> Desktop::openLink(const WindowLink &link)
{
    const auto opened = m_locator->openLink(link);
    m_window.messages()->remove(linkMessage);
    if (!opened) {
        m_window.messages()->add(
            {linkMessage, HealthLevel::Watch, capital(oneLine(opened.error())), {}});
    }
    return opened;
}

/// A window is a process: it has its own relay, its own arming and its own end.
void Desktop::askForWindow()
{
    if (!m_open)
        return;
    const Profile profile = m_open->system->profile();
    QStringList arguments = windowArguments(profile, m_places->link());
    if (profile.readOnly)
        arguments += u"--read-only"_s; // also where this window alone is
    if (m_folders != Folders::standard())
        arguments += {u"--config-dir"_s, m_folders.config, u"--state-dir"_s, m_folders.state};
    emit windowAsked(arguments);
}

void Desktop::closeSystem()
{
    m_open.reset();
}

void Desktop::forgetSystem()
{
    *m_history = SystemHistory();
    m_pages.overview->forget();
    m_pages.outbox->forget();
    m_pages.queue->forget();
    m_pages.dedup->forget();
    m_pages.reconcile->forget();
    m_pages.relay->forget();
    m_pages.activity->setActivities({});
    m_pages.activity->setSources({}, false, false);
    for (const Source source : {Source::Database, Source::Queue}) {
        m_window.setSource(source, {});
        m_window.status()->setCost(source, {});
    }
}

void Desktop::closing(bool drain)
{
    const auto close = [this] {
        m_window.setRelayRunning(false);
        m_window.close();
    };
    if (!relay() || !relay()->isRunning())
        return close(); // it ended while the person made up their mind
    disconnect(m_closing);
    m_closing = connect(&relay()->driver(), &RelayDriver::finished, &m_window, close,
                        Qt::SingleShotConnection);
    drain ? relay()->driver().drain() : relay()->driver().abandon();
}

void Desktop::end()
{
    const bool isRelaying = relay() && relay()->isRunning();
    if (std::exchange(m_isEnding, true)) {
        if (isRelaying)
            relay()->driver().abandon();
        return;
    }
    if (isRelaying) {
        connect(&relay()->driver(), &RelayDriver::finished, this, &Desktop::endWhenIdle,
                Qt::QueuedConnection);
        relay()->driver().stop();
    }
    if (operations() && operations()->driver().running()) {
        connect(&operations()->driver(), &OperationDriver::runningChanged, this,
                &Desktop::endWhenIdle, Qt::QueuedConnection);
        operations()->driver().cancel();
    }
    endWhenIdle();
}

void Desktop::endWhenIdle()
{
    const bool isRelaying = relay() && relay()->isRunning();
    const bool isActing = operations() && operations()->driver().running();
    if (!isRelaying && !isActing)
        emit ended();
}

Result<void> Desktop::savePreferences()
{
    m_preferences.windowGeometry = m_window.saveGeometry();
    return m_preferences.save(m_folders.preferencesFile());
}

void Desktop::keepPreferences(const QString &problem)
{
    const auto saved = savePreferences();
    m_window.messages()->remove(unsavedMessage);
    if (!saved) {
        m_window.messages()->add(
            {unsavedMessage, HealthLevel::Watch, problem.arg(oneLine(saved.error())), {}});
    }
}

} // namespace outbox
