// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/relaypresenter.h"

#include "app/desktop/pages.h"
#include "app/operations/core/operatorsession.h"
#include "app/settings/folders.h"
#include "app/settings/opening.h"
#include "connectors/redis/endpoint.h"
#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "models/health/promise.h"
#include "models/phrases.h"
#include "views/frame/livestatus.h"
#include "views/frame/mainwindow.h"
#include "views/overview/overviewview.h"
#include "views/relay/relayview.h"

#include <QTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

RelayPresenter::RelayPresenter(System &system, const Pages &pages, QString stateFolder,
                               QObject *parent)
    : QObject(parent), m_system(system), m_pages(pages), m_stateFolder(std::move(stateFolder)),
      m_record(Folders::standard({}, m_stateFolder).auditFile())
{
    m_entry.kind = AuditEntry::Kind::Relay;
    const Profile &profile = m_system.profile();
    m_start.retentionSeconds = profile.retentionSeconds;
    m_pages.relay->setStart(m_start);
    stateChanged(RelayState::Stopped);
    joinPage();
    joinDriver();
    joinRecord();
    auto *tick = new QTimer(this);
    connect(tick, &QTimer::timeout, this,
            [this] { m_pages.relay->tick(QDateTime::currentDateTimeUtc()); });
    tick->start(500);
    setArming({profile.readOnly, {}, {}, {}});
}

RelayPresenter::~RelayPresenter()
{
    m_pages.window->setRelayStops(false, false);
    if (!isRunning())
        return;
    m_record.write(
        relayEnd(m_entry, u"stopped"_s, u"the system was closed"_s, m_driver.totals(), m_error));
    m_system.setRelay(RelayState::Stopped, m_error, std::nullopt); // it ends with us
}

void RelayPresenter::setArming(const Arming &arming)
{
    m_arming = arming;
    m_pages.relay->setForbidden(
        isUnlocked() ? QString() : tr("This profile is read-only: unlock writing first (Ctrl+U)."));
    m_pages.overview->setStartOffered(m_pages.relay->mayStart());
    tellOutlook();
}

void RelayPresenter::joinPage()
{
    RelayView *view = m_pages.relay;
    connect(view, &RelayView::startAsked, this, &RelayPresenter::start);
    connect(view, &RelayView::pauseAsked, &m_driver, &RelayDriver::pause);
    connect(view, &RelayView::resumeAsked, &m_driver, &RelayDriver::resume);
    connect(view, &RelayView::drainAsked, &m_driver, &RelayDriver::drain);
    connect(view, &RelayView::stopAsked, &m_driver, &RelayDriver::abandon);
    connect(m_pages.overview, &OverviewView::startRelayAsked, this, [this, view] {
        m_pages.window->showPage(Pages::Relay);
        view->openStartSheet();
    });
    connect(m_pages.window, &MainWindow::drainRelayAsked, this,
            [view] { emit view->drainAsked(); });
    connect(m_pages.window, &MainWindow::stopRelayAsked, this, [view] { emit view->stopAsked(); });
    connect(&m_system, &System::healthTaken, this, [this](const HealthReport &report) {
        m_promise = report.promise;
        tellOutlook();
    });
    connect(&m_system.queue(), &QueueFeed::factsTaken, this,
            [this](const RedisFacts &facts) { m_facts = facts; });
    connect(&m_system.messages(), &MessageSource::taken, this,
            [this](const OutboxSnapshot &snapshot) { m_snapshot = snapshot; });
    connect(&m_system.queue(), &QueueFeed::taken, this,
            [this, view](const QList<QueueSnapshot> &queues) {
                const SystemSnapshot &seen = m_system.snapshot();
                const bool isNew = seen.outbox
                    && !staleSince(seen.database, QDateTime::currentDateTimeUtc(), seen.intervalMs);
                const auto rowWaits = isNew ? longestWait(*seen.outbox) : std::nullopt;
                view->setRelays(listRelays(queues, m_system.profile().ownQueue(), rowWaits));
            });
}

void RelayPresenter::joinDriver()
{
    RelayView *view = m_pages.relay;
    connect(&m_driver, &RelayDriver::stateChanged, this, &RelayPresenter::stateChanged);
    const auto forgetError = [this, view] {
        const bool isAway = m_error && m_error->kind == Error::Kind::Unreachable;
        if (isAway && m_driver.isQueueResting())
            return; // the rows of one queue wait, whatever goes into others
        m_error.reset();
        if (m_start.schedule.isEmpty())
            view->setNotice({});
    };
    connect(&m_driver, &RelayDriver::stepsTaken, this,
            [this, view, forgetError](const QList<RelayStep> &steps) {
                view->addSteps(steps);
                view->setTotals(m_driver.totals());
                if (steps.last().committed)
                    forgetError();
                for (const RelayStep &step : steps) {
                    if (step.error || step.waiting.isEmpty() || !m_driver.isQueueResting())
                        continue;
                    m_error = step.waiting.first().error;
                    view->setNotice(tr("Rows wait: %1.").arg(oneLine(*m_error)));
                }
                tellSystem();
            });
    connect(&m_driver, &RelayDriver::answered, this, [this, forgetError](bool isWell) {
        // What failed may have been repaired while nothing was due: no step tells of that.
        if (!isWell || !m_error || m_driver.state() == RelayState::BackingOff)
            return;
        forgetError();
        tellSystem();
    });
    connect(&m_driver, &RelayDriver::backingOff, this,
            [this, view](const Error &error, int milliseconds) {
                m_error = error;
                view->setNotice(tr("Rolled back: %1. Next try in %2.")
                                    .arg(oneLine(error), spanText(milliseconds / 1000.0)));
                tellSystem();
            });
    connect(&m_driver, &RelayDriver::serverChanged, this, [this](const QString &text) {
        m_pages.window->messages()->add({u"relayServer"_s, HealthLevel::Watch, text, {}});
    });
    connect(&m_driver, &RelayDriver::runPlanned, this, [view](const QDateTime &next) {
        view->setNotice(
            tr("First run at %1.").arg(momentText(next, QDateTime::currentDateTimeUtc())));
    });
    connect(&m_driver, &RelayDriver::runEnded, this, [view](const JobRun &run) {
        const QString next = momentText(run.next, QDateTime::currentDateTimeUtc());
        QString text = run.isElsewhere
            ? tr("Another process was at work on this table: the run was left out.")
            : tr("Last run: %1 delivered in %2.")
                  .arg(countText(run.delivered),
                       spanText(double(run.began.msecsTo(run.ended)) / 1000.0));
        if (run.missed > 0)
            text += u' ' + tr("Times left out meanwhile: %1.").arg(run.missed);
        view->setNotice(text + u' ' + tr("Next at %1.").arg(next));
    });
    connect(
        &m_driver, &RelayDriver::finished, this,
        [this] {
            if (const auto next = std::exchange(m_next, std::nullopt))
                start(*next);
        },
        Qt::QueuedConnection); // what else hears of the end does so before
    connect(&m_driver, &RelayDriver::failed, this, [this, view](const Error &error) {
        m_error = error;
        view->setNotice(oneLine(error));
        tellSystem();
    });
}

/// A relay delivers with or without a record; only what is not on record is told.
void RelayPresenter::joinRecord()
{
    RelayView *view = m_pages.relay;
    const QString byHand = u"by the operator"_s;
    connect(view, &RelayView::pauseAsked, this,
            [this, byHand] { m_record.write(relayEntry(m_entry, u"paused"_s, byHand)); });
    connect(view, &RelayView::resumeAsked, this,
            [this, byHand] { m_record.write(relayEntry(m_entry, u"resumed"_s, byHand)); });
    connect(view, &RelayView::drainAsked, this, [this, byHand] { m_why = byHand; });
    connect(view, &RelayView::stopAsked, this, [this, byHand] { m_why = byHand; });
    connect(&m_driver, &RelayDriver::finished, this, [this](const QString &how) {
        m_record.write(relayEnd(m_entry, how, std::exchange(m_why, {}), m_driver.totals(),
                                how == u"failed" ? m_error : std::nullopt));
    });
    connect(&m_record, &RecordWriter::failed, this, [this](const Error &error) {
        m_pages.window->messages()->add(
            {u"relayRecord"_s,
             HealthLevel::Watch,
             tr("The relay goes on, but this is not on record: %1").arg(oneLine(error)),
             {}});
    });
}

void RelayPresenter::startWhenReady(const RelayStart &start)
{
    connect(&m_system.messages(), &MessageSource::shapeKnown, this, [this, start] {
        if (!isRunning())
            this->start(start);
    });
}

void RelayPresenter::restart(const RelayStart &start)
{
    if (!isRunning())
        return this->start(start);
    m_next = start;
    m_driver.stop();
}

void RelayPresenter::start(const RelayStart &start)
{
    if (!isUnlocked())
        return;
    m_start = start;
    const auto store = storeSettingsOf(m_system.profile(), m_system.secrets(), StoreAccess::Relay,
                                       u"outboxdeck"_s);
    const auto redis = redisOf(m_system.profile(), m_system.secrets());
    const auto &shape = m_system.database().shape();
    if (!store || !redis || !shape) {
        m_pages.relay->setNotice(!store       ? oneLine(store.error())
                                     : !redis ? oneLine(redis.error())
                                              : tr("The outbox is not known yet: the database has "
                                                   "not answered."));
        return;
    }
    if (auto allowed = mayWrite(*shape, u"starting the relay"_s); !allowed)
        return m_pages.relay->setNotice(oneLine(allowed.error()));
    RelaySettings settings;
    settings.batch = start.batch;
    settings.pollMs = start.pollMs;
    settings.ratePerSecond = start.ratePerSecond;
    settings.retentionSeconds = start.retentionSeconds;
    settings.allowDuplicates = start.allowDuplicates;
    settings.notifyChannel = start.notifyChannel;
    if (!start.schedule.isEmpty()) {
        const auto schedule = Schedule::fromText(start.schedule);
        if (!schedule)
            return m_pages.relay->setNotice(oneLine(schedule.error()));
        settings.schedule = *schedule;
    }
    settings.barrier = start.barrier;
    settings.replicas = start.replicas;
    settings.onDisk = start.onDisk;
    if (start.onDisk)
        settings.replicaTimeoutMs = usualDiskTimeoutMs;
    settings.deepestQueue = start.deepestQueue;
    settings.queue = m_system.profile().queue;
    settings.stateFolder = m_stateFolder;
    m_error.reset();
    m_pages.relay->setNotice({});
    m_pages.relay->setRunning(start, QDateTime::currentDateTimeUtc());
    const Profile &profile = m_system.profile();
    m_entry = entryAbout(AuditEntry::Kind::Relay, profile, u"outboxdeck"_s,
                         recordTarget(profile, *shape));
    m_why.clear();
    m_record.setTable(*store, shape->table);
    m_record.write(relayEntry(m_entry, u"started"_s,
                              u"by the operator, batches of up to %1"_s.arg(settings.batch)));
    m_driver.start(*store, *shape, *redis, settings);
}

void RelayPresenter::stateChanged(RelayState state)
{
    m_pages.relay->setState(state);
    m_pages.overview->setStartOffered(m_pages.relay->mayStart());
    const bool isWorking = state == RelayState::Running || state == RelayState::Paused
        || state == RelayState::BackingOff;
    m_pages.window->setRelayStops(isWorking, isRunning());
    m_pages.window->setRelayRunning(isRunning(),
                                    m_system.profile().environment != Environment::Demo);
    m_pages.window->status()->setNotify(
        isRunning() ? std::optional(!m_start.notifyChannel.isEmpty()) : std::nullopt);
    QString badge;
    if (state == RelayState::Running || state == RelayState::Paused)
        badge = tr("RUN");
    else if (state == RelayState::Draining || state == RelayState::Stopping)
        badge = tr("DRAIN");
    else if (state == RelayState::BackingOff || state == RelayState::Failed)
        badge = tr("FAIL");
    m_pages.window->setBadge(Pages::Relay, badge, false);
    tellSystem();
}

void RelayPresenter::tellOutlook()
{
    RelayOutlook outlook;
    outlook.profile = m_system.profile();
    outlook.arming = m_arming;
    outlook.promise = m_promise;
    const auto &shape = m_system.database().shape();
    if (!shape)
        outlook.refusals += tr("The outbox table has not been read yet.");
    else if (const QString why = shape->whyNotRelay(); !why.isEmpty())
        outlook.refusals += tr("This table is not ours to relay: %1.").arg(why);
    else if (const QString guess = whyNotWrite(*shape); !guess.isEmpty())
        outlook.refusals
            += tr("Not started: %1. Look at it under Connections, Outbox, Probe and map.")
                   .arg(guess);
    if (m_system.profile().isDatabaseOnly())
        outlook.refusals += tr("No Redis address is set: there is no queue to send rows to.");
    outlook.marksRows = shape && shape->canMark();
    if (m_facts) {
        const auto redis = RedisEndpoint::fromUrl(m_system.profile().redisUrl);
        const QString why = redis && redis->isCluster() ? whyRelayMustNotUseNode(*m_facts)
                                                        : whyRelayMustNotStart(*m_facts);
        if (!why.isEmpty())
            outlook.refusals += why;
        outlook.facts = m_facts;
        outlook.terms.rowsAreKept
            = shape && shape->processedHow != OutboxShape::ProcessedHow::Deleted;
        const auto url = DatabaseUrl::fromUrl(m_system.profile().databaseUrl);
        outlook.hasBarrier = url && databaseOf(url->dialect).hasBarrier();
        if (isRunning()) {
            DurabilityTerms terms = outlook.terms;
            terms.waitReplicas = m_start.replicas;
            terms.waitAof = m_start.onDisk;
            if (outlook.hasBarrier)
                terms.barrier = m_start.barrier;
            outlook.promise = promise(*m_facts, terms);
        }
    }
    if (m_snapshot) {
        for (const LockHolder &holder : m_snapshot->holders) {
            outlook.notes
                += tr("%1 holds %2 rows: a relay here is safe beside it, both take the same "
                      "row locks.")
                       .arg(holder.application.isEmpty() ? tr("Another session")
                                                         : holder.application,
                            countText(holder.rows));
        }
    }
    outlook.worstDelaySeconds = m_system.history().worstDelay();
    m_pages.relay->setOutlook(outlook);
}

void RelayPresenter::tellSystem()
{
    const RelayState state = m_driver.state();
    m_wasStarted = m_wasStarted || state != RelayState::Stopped;
    m_system.setRelay(m_wasStarted ? std::optional(state) : std::nullopt, m_error,
                      isRunning() ? std::optional(m_start.retentionSeconds) : std::nullopt);
}

} // namespace outbox
