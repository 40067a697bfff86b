// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/monitoringpresenter.h"

#include "app/desktop/pages.h"
#include "app/desktop/savefile.h"
#include "app/system/jobs/payloadreader.h"
#include "connectors/sql/dialect/keylist.h"
#include "models/filter/completion.h"
#include "models/filter/pagerequest.h"
#include "models/system/exactcount.h"
#include "models/system/staleness.h"
#include "views/activity/activityview.h"
#include "views/dedup/dedupview.h"
#include "views/documents/documentsview.h"
#include "views/frame/livestatus.h"
#include "views/frame/mainwindow.h"
#include "views/frame/messagebar.h"
#include "views/message/decodedpane.h"
#include "views/message/messagepanel.h"
#include "views/message/payloadview.h"
#include "views/outbox/exactcountbar.h"
#include "views/outbox/outboxview.h"
#include "views/outbox/searchbar.h"
#include "views/overview/overviewcards.h"
#include "views/overview/overviewview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskdetail.h"
#include "views/queue/taskspane.h"
#include "views/relay/relayview.h"

#include <QBuffer>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString pictureMessage = u"picture"_s;

} // namespace

MonitoringPresenter::MonitoringPresenter(System &system, const Pages &pages, QObject *parent)
    : QObject(parent), m_system(system), m_pages(pages)
{
    joinFrame();
    joinOverview();
    joinRows();
    joinSearch();
    joinTasks();
    joinPayloads();
    joinLinks();
    joinDedup();
    if (m_system.documents())
        joinDocuments();
    m_tick.setInterval(500);
    connect(&m_tick, &QTimer::timeout, this, [this] { show(m_system.snapshot()); });
    m_tick.start();
    pageShown(m_pages.window->currentPage());
}

void MonitoringPresenter::joinFrame()
{
    MainWindow *window = m_pages.window;
    window->setRefresh(m_system.profile().refreshMs, false);
    m_pages.outbox->setHeld(false);
    connect(window, &MainWindow::refreshAsked, &m_system, &System::refreshNow);
    connect(window, &MainWindow::pauseAsked, this, [this, window](bool paused) {
        m_system.setPaused(paused);
        window->setPaused(paused);
        m_pages.outbox->setHeld(paused);
    });
    connect(window, &MainWindow::pageShown, this, &MonitoringPresenter::pageShown);
    connect(&m_system.messages(), &MessageSource::intervalChanged, this,
            [window](int milliseconds, bool slowed) { window->setRefresh(milliseconds, slowed); });
    connect(&m_system.messages(), &MessageSource::healthChanged, this,
            [this, window](const SourceHealth &health) {
                window->setSource(Source::Database, health);
                m_pages.outbox->setHealth(health);
                m_pages.relay->setHealth(Source::Database, health);
            });
    connect(&m_system.messages(), &MessageSource::costChanged, window->status(),
            [window](const PollCost &cost) { window->status()->setCost(Source::Database, cost); });
    connect(&m_system.queue(), &QueueFeed::costChanged, window->status(),
            [window](const PollCost &cost) { window->status()->setCost(Source::Queue, cost); });
    connect(&m_system.queue(), &QueueFeed::healthChanged, this,
            [this, window](const SourceHealth &health) {
                window->setSource(Source::Queue, health);
                m_pages.queue->setHealth(health);
                m_pages.dedup->setHealth(health);
                m_pages.relay->setHealth(Source::Queue, health);
            });
}

void MonitoringPresenter::joinOverview()
{
    OverviewView *view = m_pages.overview;
    view->setRetention(m_system.profile().retentionSeconds);
    // A demo is looked at for minutes: in a chart of 15 minutes they would be a thin edge.
    view->setRange(m_system.profile().environment == Environment::Demo ? 3 : 15);
    connect(&m_system, &System::changed, this, &MonitoringPresenter::show);
    connect(view, &OverviewView::showAsked, this, &MonitoringPresenter::openFilter);
    connect(view, &OverviewView::pictureAsked, this, &MonitoringPresenter::savePicture);
}

void MonitoringPresenter::savePicture(const QPixmap &picture, const QString &title)
{
    QByteArray png;
    QBuffer buffer(&png);
    (void)buffer.open(QIODevice::WriteOnly);
    MessageBar *messages = m_pages.window->messages();
    if (!picture.save(&buffer, "PNG")) {
        messages->add({pictureMessage, HealthLevel::Watch, tr("No picture could be made."), {}});
        return;
    }
    askAndSave(m_pages.window, tr("Save picture"), title.toLower().replace(u' ', u'-'),
               {{tr("Picture (*.png)"), png}}, [messages](const Result<QString> &saved) {
                   messages->add(
                       {pictureMessage,
                        saved ? HealthLevel::Ok : HealthLevel::Watch,
                        saved ? tr("The picture is in %1.").arg(*saved) : oneLine(saved.error()),
                        {}});
               });
}

void MonitoringPresenter::joinRows()
{
    OutboxView *view = m_pages.outbox;
    view->setMasks(m_system.profile().masks);
    connect(&m_system.messages(), &MessageSource::shapeKnown, this,
            [this, view](const OutboxShape &shape) {
                const Profile profile = m_system.profile();
                m_pages.overview->setRowsOffered(!profile.design && !shape.createdColumn.isEmpty());
                view->setShape(profile, shape,
                               [shape, url = profile.databaseUrl](const QList<MessageId> &keys) {
                                   return sqlKeyList(keys, shape, url);
                               });
            });
    connect(&m_system, &System::rowsJoined, view, &OutboxView::setPage);
    connect(&m_system, &System::idAnswered, view, &OutboxView::setVerdict);
    connect(&m_system.database(), &DatabaseFeed::rowsFailed, view, &OutboxView::setPageError);
    connect(view, &OutboxView::rowsAsked, this, [this, view](const PageRequest &request) {
        endSearch();
        m_system.database().showRows(request, !view->isPaused());
    });
    connect(view, &OutboxView::seekAsked, &m_system.database(), &DatabaseFeed::seek);
    connect(&m_system.database(), &DatabaseFeed::sought, view, &OutboxView::setSought);
    connect(view, &OutboxView::livePaused, this, [this, view](bool paused) {
        if (!m_system.search().isHeld()) // what was searched for is never asked for by itself
            m_system.database().showRows(view->request(), !paused);
    });
    connect(view, &OutboxView::rowChosen, &m_system, &System::askId);
    connect(view, &OutboxView::retryAsked, &m_system, &System::refreshNow);
    MessagePanel *panel = view->panel();
    PayloadFetcher *payloads = &m_system.payloads();
    connect(panel, &MessagePanel::wholePayloadAsked, payloads,
            [this, payloads](const MessageId &id) {
                if (const auto &shape = m_system.database().shape())
                    payloads->start(*shape, id);
            });
    connect(panel, &MessagePanel::payloadNotWanted, payloads, &PayloadFetcher::cancel);
    connect(payloads, &PayloadFetcher::progressed, panel, &MessagePanel::setFetched);
    connect(payloads, &PayloadFetcher::ended, panel, &MessagePanel::setWholePayload);
    ExactCounter *counter = &m_system.exactCounter();
    connect(view->exactCount(), &ExactCountBar::countAsked, counter, [this, counter, view] {
        if (const auto &shape = m_system.database().shape())
            return counter->start(*shape);
        view->exactCount()->setResult(fail(Error::Kind::Unreachable, u"counting the rows"_s,
                                           u"the database has not answered yet"_s));
    });
    connect(view->exactCount(), &ExactCountBar::cancelAsked, counter, &ExactCounter::cancel);
    connect(counter, &ExactCounter::progressed, view->exactCount(), &ExactCountBar::setProgress);
    connect(counter, &ExactCounter::ended, view->exactCount(), &ExactCountBar::setResult);
}

void MonitoringPresenter::joinSearch()
{
    OutboxView *view = m_pages.outbox;
    SearchBar *bar = view->search();
    RowSearch *search = &m_system.search();
    connect(bar, &SearchBar::searchAsked, search, [this, view, search] {
        const auto &shape = m_system.database().shape();
        if (!shape)
            return;
        m_system.database().hideRows(); // the rows on screen are those of the search from now on
        search->start(*shape, view->request(), view->shownRows());
        view->setSearch(search->state());
    });
    connect(bar, &SearchBar::cancelAsked, search, &RowSearch::cancel);
    connect(bar, &SearchBar::goOnAsked, search, &RowSearch::goOn);
    connect(bar, &SearchBar::shareChosen, search, &RowSearch::setShare);
    connect(search, &RowSearch::progressed, view, &OutboxView::setSearch);
    search->setShare(bar->share());
}

void MonitoringPresenter::endSearch()
{
    m_system.search().drop();
    m_pages.outbox->search()->forget();
}

void MonitoringPresenter::joinTasks()
{
    QueueView *view = m_pages.queue;
    QueueFeed &feed = m_system.queue();
    TasksPane *tasks = view->tasks();
    tasks->setProfile(m_system.profile());
    connect(&feed, &QueueFeed::serversTaken, view, &QueueView::setWorkers);
    connect(&feed, &QueueFeed::factsTaken, view, &QueueView::setRedisFacts);
    connect(view, &QueueView::retryAsked, &m_system, &System::refreshNow);
    TaskSearch &search = m_system.taskSearch();
    connect(tasks, &TasksPane::tasksAsked, this, [&feed, &search](const TaskRequest &request) {
        search.drop();
        feed.showTasks(request);
    });
    connect(tasks, &TasksPane::searchAsked, this, [&feed, &search](const TaskRequest &request) {
        feed.showTasks(std::nullopt);
        search.start(request);
    });
    TaskDetail *detail = tasks->detail();
    TaskFetcher *fetcher = &m_system.tasks();
    connect(detail, &TaskDetail::wholeAsked, fetcher,
            [fetcher, tasks](const TaskId &id) { fetcher->start(tasks->queue(), id); });
    connect(detail, &TaskDetail::wholeNotWanted, fetcher, &TaskFetcher::cancel);
    connect(fetcher, &TaskFetcher::ended, detail, &TaskDetail::setWhole);
    connect(tasks, &TasksPane::searchOnAsked, &search, &TaskSearch::goOn);
    connect(tasks, &TasksPane::searchStopAsked, &search, &TaskSearch::stop);
    connect(&search, &TaskSearch::progressed, tasks, &TasksPane::setSearch);
    connect(&feed, &QueueFeed::tasksTaken, tasks, &TasksPane::setPage);
    connect(&feed, &QueueFeed::tasksFailed, tasks, &TasksPane::setPageError);
    connect(tasks, &TasksPane::taskChosen, this,
            [&feed](const QueueName &queue, const TaskId &id) { feed.find(queue, id); });
    connect(
        &feed, &QueueFeed::found, this,
        [tasks](const QueueName &queue, const TaskId &, const Result<std::optional<Task>> &task) {
            if (queue == tasks->queue() && task && *task)
                tasks->setTask(**task);
        });
}

void MonitoringPresenter::joinPayloads()
{
    DecodedPane *const panes[] = {m_pages.outbox->panel()->payload()->decoded(),
                                  m_pages.queue->tasks()->detail()->payload()->decoded()};
    PayloadReader *describing = nullptr; // one of them reads for both what payloads are
    for (DecodedPane *pane : panes) {
        auto *reader = new PayloadReader(this);
        pane->setDecodedElsewhere(true);
        pane->setDecoder(m_system.profile().decoder);
        connect(pane, &DecodedPane::decodeAsked, reader, &PayloadReader::decode);
        connect(pane, &DecodedPane::decodeNotWanted, reader, &PayloadReader::stop);
        connect(reader, &PayloadReader::decoded, pane, &DecodedPane::setAnswer);
        pane->setTypes({}); // those of the system before; what is shown is read anew
        describing = describing == nullptr ? reader : describing;
        connect(describing, &PayloadReader::typesRead, pane, &DecodedPane::setTypes);
    }
    describing->readTypes(m_system.profile().protobuf);
}

void MonitoringPresenter::joinLinks()
{
    const MessagePanel *panel = m_pages.outbox->panel();
    connect(panel, &MessagePanel::taskAsked, this,
            [this](const QueueName &queue, const TaskId &id, TaskState state) {
                m_pages.window->showPage(Pages::Queue);
                m_pages.queue->openTask(queue, id, state);
            });
    connect(panel, &MessagePanel::activityAsked, this, [this](const MessageId &id) {
        m_pages.window->showPage(Pages::Activity);
        m_pages.activity->openFilter(u"id="_s + asFilterValue(id.text));
    });
    const TasksPane *tasks = m_pages.queue->tasks();
    connect(tasks->detail(), &TaskDetail::rowAsked, this, [this](const MessageId &row) {
        openRows(u"id="_s + asFilterValue(row.text));
        m_pages.outbox->chooseRow(row);
    });
    if (m_system.documents())
        return; // their messages have no rows
    connect(tasks, &TasksPane::taskChosen, this, &MonitoringPresenter::seekRowOf);
    connect(&m_system.database(), &DatabaseFeed::found, this, &MonitoringPresenter::takeRowOf);
}

void MonitoringPresenter::seekRowOf(const QueueName &queue, const TaskId &task)
{
    const auto &shape = m_system.database().shape();
    const auto key = shape ? shape->keyIn(task) : std::nullopt;
    m_rowOf = key ? task : TaskId();
    m_rowIn = queue;
    if (key)
        m_system.database().find(*key);
}

void MonitoringPresenter::takeRowOf(const MessageId &key, const Result<std::optional<Message>> &row)
{
    const auto &shape = m_system.database().shape();
    if (m_rowOf.isEmpty() || !shape || shape->keyIn(m_rowOf) != key)
        return; // somebody else's question
    const TaskId task = std::exchange(m_rowOf, TaskId());
    if (!row || !*row)
        return;
    const Message &found = **row;
    const QueueName queue{found.queue.isEmpty() ? m_system.profile().queue : found.queue};
    if (queue == m_rowIn && shape->isTaskOf(task, found.task))
        m_pages.queue->tasks()->detail()->setRow(task, found.id);
}

void MonitoringPresenter::joinDedup()
{
    DedupView *view = m_pages.dedup;
    QueueFeed &feed = m_system.queue();
    connect(&feed, &QueueFeed::factsTaken, view, &DedupView::setRedisFacts);
    connect(&feed, &QueueFeed::retainedTaken, view, &DedupView::setRetained);
    connect(&m_system, &System::idAnswered, view, &DedupView::setVerdict);
    connect(view, &DedupView::idAsked, &m_system, &System::askId);
    connect(view, &DedupView::retryAsked, &m_system, &System::refreshNow);
    connect(m_pages.relay, &RelayView::retryAsked, &m_system, &System::refreshNow);
}

void MonitoringPresenter::joinDocuments()
{
    DocumentsView *view = m_pages.documents;
    DesignFeed *feed = m_system.documents();
    connect(feed, &DesignFeed::viewTaken, view, &DocumentsView::setView);
    connect(feed, &DesignFeed::healthChanged, view, &DocumentsView::setHealth);
    connect(view, &DocumentsView::listAsked, feed, &DesignFeed::show);
    connect(view, &DocumentsView::retryAsked, &m_system, &System::refreshNow);
}

void MonitoringPresenter::pageShown(int page)
{
    // A page that is not on screen costs the servers nothing but its counters.
    if (page != Pages::Outbox) {
        m_system.exactCounter().cancel();
        endSearch();
    }
    QueueFeed &queue = m_system.queue();
    queue.showRetained(page == Pages::Dedup);
    const TasksPane *tasks = m_pages.queue->tasks();
    if (page == Pages::Queue && !tasks->queue().isEmpty() && !tasks->isSearch())
        queue.showTasks(tasks->request());
    else
        queue.showTasks(std::nullopt);
    if (page != Pages::Queue)
        m_system.taskSearch().stop();
    if (DesignFeed *documents = m_system.documents())
        documents->show(page == Pages::Outbox ? m_pages.documents->list() : DesignList::None);
    else if (page == Pages::Outbox)
        m_system.database().showRows(m_pages.outbox->request(), !m_pages.outbox->isPaused());
    else
        m_system.database().hideRows();
    show(m_system.snapshot());
}

void MonitoringPresenter::openFilter(const QString &text)
{
    if (text == u"relay"_s)
        return m_pages.window->showPage(Pages::Relay);
    if (text == u"alerts"_s)
        return m_pages.window->showPage(Pages::Alerts);
    if (text == u"lag"_s)
        return openRows(u"state:pending"_s, true);
    if (text == u"dedup"_s)
        return m_pages.window->showPage(Pages::Dedup);
    if (text == u"reconcile"_s)
        return m_pages.window->showPage(Pages::Reconcile);
    if (text == u"state:archived"_s)
        return openDead();
    // "task:…" speaks of tasks; so does a state that only tasks have, such as state:retry.
    const QString word = text.section(u' ', 0, 0).section(u':', 1).section(u',', 0, 0);
    const auto task = taskStateFromWord(word);
    const bool ofTasks = text.startsWith(u"task:"_s)
        || (text.startsWith(u"state:"_s) && task && !messageStateFromWord(word));
    if (ofTasks) {
        m_pages.window->showPage(Pages::Queue);
        // Beside its word in asynq there is ours: "task:archived" is "state:archived" there.
        if (task)
            m_pages.queue->setFilter(u"state"_s + text.mid(text.indexOf(u':')));
        return;
    }
    openRows(text);
}

void MonitoringPresenter::openDead()
{
    const QList<QueueSnapshot> queues = m_system.snapshot().queues.value_or(QList<QueueSnapshot>());
    const auto most = withMostDead(queues);
    m_pages.window->showPage(Pages::Queue);
    m_pages.queue->openFailures(u"state:archived"_s,
                                most == queues.cend() ? m_system.profile().ownQueue() : most->name);
}

void MonitoringPresenter::openRows(const QString &filter, bool oldestFirst)
{
    m_pages.window->showPage(Pages::Outbox);
    if (m_system.documents())
        m_pages.documents->showList(DesignList::Unsettled);
    else
        m_pages.outbox->openFilter(filter, oldestFirst);
}

void MonitoringPresenter::show(const SystemSnapshot &seen)
{
    OverviewView *overview = m_pages.overview;
    if (seen.outbox) {
        overview->setOutbox(*seen.outbox);
        m_pages.outbox->setCounts(*seen.outbox);
    }
    if (seen.queues) {
        overview->setQueues(*seen.queues);
        m_pages.queue->setQueues(*seen.queues);
    }
    if (seen.dedup)
        m_pages.dedup->setDedup(*seen.dedup);
    if (seen.health)
        overview->setHealth(*seen.health);
    const SystemHistory &history = m_system.history();
    overview->setRetention(m_system.retentionSeconds());
    m_pages.dedup->setMargin(static_cast<double>(m_system.retentionSeconds()), history.worstDelay(),
                             seen.outbox ? lagOf(*seen.outbox) : std::nullopt,
                             history.delaysSeenSince());
    if (m_pages.window->currentPage() == Pages::Overview)
        overview->showHistory(QDateTime::currentDateTimeUtc());
    showAge(seen);
}

void MonitoringPresenter::showAge(const SystemSnapshot &seen)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const auto database = staleSince(seen.database, now, seen.intervalMs);
    const auto queue = staleSince(seen.queue, now, seen.intervalMs);
    const auto reasonOf = [](const SourceHealth &health) -> QString {
        return health.error ? oneLine(*health.error) : QString();
    };
    m_pages.overview->setStale(Source::Database, database, reasonOf(seen.database));
    m_pages.overview->setStale(Source::Queue, queue, reasonOf(seen.queue));
    m_pages.dedup->setStale(Source::Queue, queue);
    const bool isCounted = seen.outbox && seen.outbox->pending;
    m_pages.window->setBadge(
        Pages::Outbox,
        isCounted ? countText(*seen.outbox->pending, seen.outbox->isExact(u"pending"_s))
                  : QString(),
        database.has_value(), tr("pending"));
    const QueueSums sums(seen.queues.value_or(QList<QueueSnapshot>()));
    m_pages.window->setBadge(Pages::Queue,
                             seen.queues ? countText(sums.depth(), sums.exact) : QString(),
                             queue.has_value(), tr("in queue"));
}

} // namespace outbox
