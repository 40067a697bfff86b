// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/fleetpresenter.h"

#include "app/desktop/pages.h"
#include "models/plaintext.h"
#include "views/fleet/fleetview.h"
#include "views/frame/mainwindow.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype leastOfFleet = 2; ///< saved systems; of one its own pages tell more
constexpr int fleetShowMs = 500;

} // namespace

FleetPresenter::FleetPresenter(const Pages &pages, QString stateFolder, bool watchesAlways,
                               QObject *parent)
    : QObject(parent), m_pages(pages), m_stateFolder(std::move(stateFolder)),
      m_poller(u"outboxdeck"_s), m_watchesAlways(watchesAlways)
{
    FleetView *view = m_pages.fleet;
    view->setWatchingAlways(watchesAlways);
    connect(&m_poller, &FleetPoller::looked, this, [this](const FleetReading &reading) {
        const FleetLine line = fleetLineOf(reading);
        m_lines.insert(line.key, line);
    });
    connect(view, &FleetView::looksAsked, this, [this] {
        m_isShown = true;
        decide();
    });
    connect(view, &FleetView::looksNotWanted, this, [this] {
        m_isShown = false;
        decide();
    });
    connect(view, &FleetView::watchingAlwaysChosen, this, [this](bool always) {
        m_watchesAlways = always;
        decide();
        emit watchingAlwaysChosen(always);
    });
    connect(view, &FleetView::openAsked, this, &FleetPresenter::open);
    connect(m_pages.window, &MainWindow::pauseAsked, this, &FleetPresenter::setPaused);
    connect(m_pages.window, &MainWindow::refreshAsked, this, [this] {
        if (m_isShown)
            m_poller.lookNow();
    });
    m_tick.setInterval(fleetShowMs);
    connect(&m_tick, &QTimer::timeout, this, &FleetPresenter::show);
}

void FleetPresenter::setSaved(const ProfileStore &store)
{
    // The store refuses a password in an address: there is nothing to warn of.
    const SavedFleet saved = savedFleet(store.profiles(), store.problems(), m_stateFolder,
                                        [](const QString & /*name*/) {});
    m_profiles = store.profiles();
    QHash<QString, FleetLine> kept;
    for (const FleetSystem &system : saved.systems) {
        if (!m_systems.contains(system)) // another one may have the name of one before
            continue;
        const QString key = fleetLineOf(system).key;
        if (const auto known = m_lines.constFind(key); known != m_lines.cend())
            kept.insert(key, *known);
    }
    m_lines = kept;
    m_systems = saved.systems;
    m_poller.setSystems(m_systems);
    m_isOffered = store.profiles().size() >= leastOfFleet;
    m_pages.window->setPageOffered(Pages::Fleet, m_isOffered);
    QStringList names;
    for (const QString &name : saved.ofDocuments)
        names += shownText(name);
    m_pages.fleet->setNote(
        names.isEmpty() ? QString()
                        : tr("Not looked at here, since their messages wait in documents: %1")
                              .arg(names.join(u", "_s)));
    decide();
}

void FleetPresenter::setPaused(bool paused)
{
    m_isPaused = paused;
    decide();
}

void FleetPresenter::decide()
{
    const bool looks = m_isOffered && !m_isPaused && (m_isShown || m_watchesAlways);
    if (looks && !m_poller.isRunning())
        m_poller.start();
    else if (!looks && m_poller.isRunning())
        m_poller.stop();
    if (m_isOffered && (looks || m_isShown)) // ages go on while nobody looks
        m_tick.start();
    else
        m_tick.stop();
    show();
}

void FleetPresenter::open(const QString &name)
{
    const auto isIt = [&name](const auto &one) { return one.name == name; };
    const auto profile = std::find_if(m_profiles.cbegin(), m_profiles.cend(), isIt);
    if (profile == m_profiles.cend())
        return;
    // A copy: what is asked for may change what is saved.
    emit openAsked(Profile(*profile));
}

void FleetPresenter::show()
{
    QList<FleetLine> lines;
    for (const FleetSystem &system : std::as_const(m_systems)) {
        const FleetLine unseen = fleetLineOf(system);
        lines += m_lines.value(unseen.key, unseen);
    }
    showBadge(lines);
    if (!m_isShown)
        return;
    m_pages.fleet->setLines(lines, QDateTime::currentDateTimeUtc());
    m_pages.fleet->setCost(m_poller.isRunning() ? std::optional(m_poller.cost()) : std::nullopt);
}

/// How many systems are not well, where somebody looked.
void FleetPresenter::showBadge(const QList<FleetLine> &lines)
{
    const auto isUnwell = [](const FleetLine &line) {
        return line.at.isValid() && line.report.level != HealthLevel::Ok;
    };
    const auto count = std::count_if(lines.cbegin(), lines.cend(), isUnwell);
    m_pages.window->setBadge(Pages::Fleet, count > 0 ? QString::number(count) : QString(),
                             !m_poller.isRunning(), tr("not well"));
}

} // namespace outbox
