// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/queue/queueview.h"

#include "models/operations/verbdescriptor.h"
#include "models/tables/queuemodel.h"
#include "models/tables/statefilter.h"
#include "views/failures/failurespane.h"
#include "views/filter/filterbar.h"
#include "views/message/messagefacts.h"
#include "views/operation/verbbar.h"
#include "views/queue/taskdetail.h"
#include "views/queue/taskspane.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/propertylist.h"
#include "views/widgets/sourcenotice.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTabWidget>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// The servers that take tasks, and what they are running.
class WorkersPane : public QWidget
{
    Q_OBJECT

public:
    explicit WorkersPane(QWidget *parent = nullptr);

    void setWorkers(const QList<QueueServer> &servers, const QList<QueueWorker> &workers)
    {
        const LiveTable::KeepPlace keepServers(*m_serverTable);
        const LiveTable::KeepPlace keepWorkers(*m_workerTable);
        m_servers->merge(servers);
        m_workers->merge(workers);
    }

    void setStale(bool stale)
    {
        m_serverTable->setStale(stale);
        m_workerTable->setStale(stale);
    }

private:
    ServerModel *m_servers;
    WorkerModel *m_workers;
    LiveTable *m_serverTable;
    LiveTable *m_workerTable;
};

WorkersPane::WorkersPane(QWidget *parent)
    : QWidget(parent), m_servers(new ServerModel(this)), m_workers(new WorkerModel(this)),
      m_serverTable(new LiveTable(u"serversTable"_s)),
      m_workerTable(new LiveTable(u"workersTable"_s))
{
    setObjectName(u"workersPane"_s);
    m_serverTable->setAccessibleName(tr("Servers"));
    m_serverTable->show(m_servers, {30, 10, 12, 10, 40, 0});
    m_workerTable->setAccessibleName(tr("Running tasks"));
    m_workerTable->show(m_workers, {38, 30, 20, 16, 16, 0});
    m_workerTable->setIdColumns({WorkerModel::Task, WorkerModel::Server});
    m_serverTable->emptyPane()->say(
        tr("No server is running. Nothing takes, forwards, recovers or expires tasks."));
    m_workerTable->emptyPane()->say(tr("No task is running now."));
    auto *column = boxOn<QVBoxLayout>(this, 6, {0, 10, 0, 0});
    column->addWidget(new QLabel(tr("Servers")));
    column->addWidget(m_serverTable, 2);
    column->addSpacing(6);
    column->addWidget(new QLabel(tr("Running now")));
    column->addWidget(m_workerTable, 3);
}

namespace {

/// The colour of a cell where it is not that of text.
QColor inkOf(const QueueSnapshot &queue, const QModelIndex &index)
{
    switch (index.column()) {
    case QueueModel::Name:
        return queue.paused ? theme::appearance(RelayState::Paused).color : QColor();
    case QueueModel::ServedBy:
        if (queue.servers && *queue.servers == 0)
            return theme::appearance(HealthLevel::Broken).color;
        return queue.servers ? QColor() : theme::inks().secondary;
    case QueueModel::Dead:
        return queue.archived > 0 ? theme::appearance(TaskState::Archived).color
                                  : theme::inks().secondary;
    case QueueModel::Oldest:
        return {};
    default:
        return index.data(NumberRole).toLongLong() == 0 ? theme::inks().secondary : QColor();
    }
}

/// Paints the queues table: zeros step back, dead tasks and queues that nobody serves stand out.
/// For a view on a QueueModel.
class QueueDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

void QueueDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto queue = index.data(RowRole).value<QueueSnapshot>();
    const QColor ink = inkOf(queue, index);
    if (ink.isValid()) {
        option->palette.setColor(QPalette::Text, ink);
        option->palette.setColor(QPalette::HighlightedText, ink);
    }
    if (index.column() == QueueModel::ServedBy && queue.servers && *queue.servers == 0)
        option->font.setBold(true);
    if (index.column() == QueueModel::Name && queue.paused) {
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = theme::icon(QStringLiteral("pause"));
        option->decorationSize = {14, 14};
        option->decorationPosition = QStyleOptionViewItem::Right;
    }
}

} // namespace

QueueView::QueueView(QWidget *parent)
    : QWidget(parent), m_source(new SourceNotice(u"queueSource"_s, tr("Redis"))),
      m_table(new LiveTable(u"queuesTable"_s)), m_model(new QueueModel(this)),
      m_tabs(new QTabWidget), m_tasks(new TasksPane),
      m_failures(new FailuresPane(FailureSource::Tasks)), m_verbs(makeQueueVerbs()),
      m_workers(new WorkersPane), m_redis(new PropertyList(u"redisFacts"_s, tr("Facts of Redis")))
{
    setObjectName(u"queueView"_s);
    build();
    connect(m_table, &LiveTable::rowChosen, this, [this](const QModelIndex &index) {
        const QueueSnapshot queue = m_model->row(index.row());
        m_tasks->setQueue(queue.name);
        tellVerbs();
        emit queueChosen(queue.name);
    });
    connect(m_tasks, &TasksPane::queueNamed, this, &QueueView::chooseQueue);
    connect(m_failures, &FailuresPane::filterChosen, this, &QueueView::setFilter);
    connect(m_tasks->detail(), &TaskDetail::failuresAsked, this,
            [this](const QueueName &queue, const QString &cause) {
                openFailures(scopesOf(FailureSource::Tasks).constFirst().filter, queue, cause);
            });
    connect(m_source, &SourceNotice::retryAsked, this, &QueueView::retryAsked);
    connect(m_source, &SourceNotice::staleChanged, this, [this](bool stale) {
        m_table->setStale(stale);
        m_tasks->setStale(stale);
        m_workers->setStale(stale);
    });
    connect(m_table->emptyPane(), &EmptyPane::actionAsked, this, &QueueView::connectAsked);
    describeNothing();
    tellVerbs();
}

VerbBar *QueueView::makeQueueVerbs()
{
    const auto selectionOf = [this](Verb /*verb*/) {
        Selection selection;
        selection.queue = chosenQueue();
        return selection;
    };
    const auto whyNothing = [this](Verb verb) {
        const auto queue = chosen();
        if (!queue)
            return tr("Select a queue.");
        if (queue->paused != (verb == Verb::Pause))
            return QString();
        return queue->paused ? tr("It is paused already.") : tr("It is not paused.");
    };
    return new VerbBar(u"queueVerbs"_s, verbsFor(VerbTarget::Queue), VerbBar::Place::Page,
                       selectionOf, whyNothing);
}

void QueueView::build()
{
    m_table->setAccessibleName(tr("Queues"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->show(m_model, {32, 11, 11, 11, 11, 11, 11, 12, 0});
    m_table->setItemDelegate(new QueueDelegate(m_table));
    m_table->setMinimumHeight(104);
    setNames(m_tabs, u"queueTabs"_s, tr("What is in the queue"));
    m_tabs->setDocumentMode(true);
    m_tabs->setCornerWidget(m_verbs); // first: the Tab key comes to it before the pages
    m_tabs->addTab(m_tasks, tr("&Tasks"));
    m_failures->setContentsMargins(0, 10, 0, 0);
    m_tabs->addTab(m_failures, tr("Fa&ilures"));
    m_tabs->addTab(m_workers, tr("&Workers"));
    m_tabs->addTab(m_redis, tr("Re&dis"));
    m_table->addActions(m_verbs->actionsInOrder());
    QSplitter *split = splitOf(u"queueSplit"_s, m_table, 0, m_tabs, 1);
    split->setSizes({132, 600});
    auto *column = boxOn<QVBoxLayout>(this, 8, {14, 14, 14, 14});
    column->addWidget(m_source);
    column->addWidget(split, 1);
}

void QueueView::setQueues(const QList<QueueSnapshot> &queues)
{
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge(queues);
    }
    m_read = true;
    describeNothing();
    m_tasks->setQueues(queues);
    if (!m_table->currentIndex().isValid() && !queues.isEmpty()) {
        const QStringList named = valuesInFilter(m_tasks->filter()->appliedText(), u"queue"_s);
        m_table->selectRow(std::max(m_model->rowOf({named.value(0)}), 0));
    }
    tellVerbs();
}

std::optional<QueueSnapshot> QueueView::chosen() const
{
    const int row = m_model->rowOf(chosenQueue());
    return row < 0 ? std::nullopt : std::optional(m_model->row(row));
}

void QueueView::tellVerbs()
{
    const auto queue = chosen();
    const bool paused = queue && queue->paused;
    m_verbs->setShown(Verb::Pause, !paused);
    m_verbs->setShown(Verb::Unpause, paused);
    m_verbs->judge();
}

void QueueView::chooseQueue(const QueueName &queue)
{
    const int row = m_model->rowOf(queue);
    if (row >= 0)
        m_table->selectRow(row);
}

void QueueView::setFilter(const QString &text)
{
    m_tabs->setCurrentWidget(m_tasks);
    m_tasks->setFilter(text);
}

void QueueView::openTask(const QueueName &queue, const TaskId &id, TaskState state)
{
    chooseQueue(queue);
    m_tabs->setCurrentWidget(m_tasks);
    m_tasks->openTask(queue, id, state);
}

void QueueView::openFailures(const QString &scope, const QueueName &queue, const QString &cause)
{
    chooseQueue(queue);
    m_failures->showGroup(scope, queue, cause); // before it is on screen, and asks
    m_tabs->setCurrentWidget(m_failures);
}

void QueueView::focusFilter()
{
    m_tabs->setCurrentWidget(m_tasks);
    m_tasks->filter()->focusLine();
}

QueueName QueueView::chosenQueue() const
{
    return m_tasks->queue();
}

void QueueView::setWorkers(const QList<QueueServer> &servers, const QList<QueueWorker> &workers)
{
    m_workers->setWorkers(servers, workers);
}

void QueueView::setRedisFacts(const RedisFacts &facts)
{
    m_redis->setFacts(redisFacts(facts));
}

void QueueView::setHealth(const SourceHealth &redis)
{
    m_health = redis;
    m_source->setHealth(redis);
    describeNothing();
}

void QueueView::forget()
{
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge({});
    }
    m_tasks->forget();
    m_failures->forget();
    tellVerbs();
    setWorkers({}, {});
    m_redis->setFacts({});
    m_read = false;
    setHealth({});
}

void QueueView::describeNothing()
{
    EmptyPane *pane = m_table->emptyPane();
    if (m_read)
        pane->say(tr("No queues in this Redis database. A relay makes its queue with the first "
                     "batch."));
    else if (m_health.state == SourceHealth::State::NotConnected)
        pane->say(tr("Not connected."), tr("Connect"));
    else if (m_health.state == SourceHealth::State::Absent)
        pane->say(tr("The queue is not watched: no Redis address is set."), tr("Connect"));
    else if (m_health.state == SourceHealth::State::Failing)
        pane->say(tr("No queues were read: see the reason above."));
    else
        pane->say(tr("Reading…"));
}

} // namespace outbox

#include "queueview.moc"
