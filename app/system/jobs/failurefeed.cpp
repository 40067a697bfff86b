// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/failurefeed.h"

#include "app/settings/opening.h"
#include "connectors/answer.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"
#include "models/filter/taskfilter.h"
#include "models/system/login.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A page of rows is one statement, and takes the database no longer; a snapshot may be held for
/// 100 ms.
constexpr int failurePageMs = 80;
constexpr int everyMs = 30'000;
constexpr int failuresOverdueMs
    = 15'000; // longer than connecting and all pages together should take

constexpr int failedRowsOfPage = 500;
constexpr int rowsOfSearchedPage = 1'000;
constexpr qint64 mostFailuresSearched = 20'000;
constexpr int tasksOfPage = 200;
constexpr qsizetype mostQueues = 32;

FailureSample begun(const FailureQuestion &question, const QDateTime &now)
{
    FailureSample sample;
    sample.question = question;
    sample.at = QDateTime::fromSecsSinceEpoch(now.toSecsSinceEpoch(), Qt::UTC);
    return sample;
}

void addRead(FailureSample &sample, double tookMs)
{
    ++sample.reads;
    sample.tookMs += tookMs;
    sample.longestMs = qMax(sample.longestMs, tookMs);
}

/// One container, read on from `after`.
struct ReadPlace
{
    QueueName queue;
    TaskState state = TaskState::None;
    QString after;
};

qint64 sizeOf(const QueueSnapshot &queue, TaskState state)
{
    return state == TaskState::Retry ? queue.retry : queue.archived;
}

} // namespace

Result<FailureSample> readRowsOf(FailedRows &rows, const FailureQuestion &question,
                                 const QDateTime &now)
{
    const QString doing = u"looking at what failed"_s;
    FailureSample sample = begun(question, now);
    const Filter filter = filterOf(question, sample.at);
    const auto checks = TRY(checksOf(filter, FilterSubject::Rows, sample.at));
    const bool uuidKeys = rows.source.store().shape().hasUuidKeys();
    PageRequest request;
    request.at = sample.at;
    request.payloadPrefixBytes = 0;
    bool isSearch = rows.searched == question.scope;
    while (true) {
        if (rows.stopped.exchange(false))
            return fail(Error::Kind::Cancelled, doing, u"it was stopped"_s);
        request.filter = isSearch ? Filter() : filter;
        request.limit = isSearch ? rowsOfSearchedPage : failedRowsOfPage;
        const auto page = rows.source.page(request);
        if (!page && !isSearch && page.error().kind == Error::Kind::Timeout
            && rows.source.store().isOpen()) {
            isSearch = true;
            rows.searched = question.scope;
            sample = begun(question, now);
            request.after.clear();
            continue;
        }
        if (!page)
            return passOn(page);
        addRead(sample, page->tookMs);
        bool isFull = false;
        for (const Message &row : page->rows) {
            isFull = sample.items.size() >= mostFailedItems;
            if (isFull)
                break;
            sample.searched += isSearch ? 1 : 0;
            if (!isSearch || truthOf(checks, row, uuidKeys) == Truth::Yes)
                sample.items += itemOf(row);
        }
        const bool isEnough = isFull || sample.items.size() >= mostFailedItems
            || sample.searched >= mostFailuresSearched;
        sample.isWhole = page->next.isEmpty() && !isFull;
        if (sample.isWhole || isEnough)
            break;
        request.after = page->next;
    }
    if (sample.isWhole)
        sample.total = sample.items.size();
    return sample;
}

Result<FailureSample> readTasksOf(AsynqInspector &inspector, const QueueName &usual,
                                  const FailureQuestion &question, const QDateTime &now)
{
    FailureSample sample = begun(question, now);
    const auto filter = TRY(TaskFilter::fromText(filterOf(question, sample.at).text(), sample.at));
    auto names = TRY(inspector.queues());
    names.removeAll(usual);
    names.prepend(usual);
    sample.totalIsExact = names.size() <= mostQueues;
    names = names.mid(0, mostQueues);
    const auto queues = TRY(inspector.snapshot(names));
    QList<ReadPlace> places;
    qint64 total = 0;
    for (const TaskState state : filter.states()) {
        for (const QueueSnapshot &queue : queues) {
            if (sizeOf(queue, state) > 0)
                places += {queue.name, state, {}};
            total += sizeOf(queue, state);
        }
    }
    for (int left = mostFailedItems; !places.isEmpty() && left > 0;) {
        ReadPlace place = places.takeFirst();
        const auto page = TRY(
            inspector.tasks(place.queue, place.state, qMin(left, tasksOfPage), place.after, 0));
        addRead(sample, page.tookMs);
        left -= static_cast<int>(qMax<qsizetype>(1, page.tasks.size()));
        for (const Task &task : page.tasks) {
            if (filter.of(task) == Truth::Yes)
                sample.items += itemOf(task);
        }
        place.after = page.next;
        if (!page.next.isEmpty())
            places += place;
    }
    sample.isWhole = places.isEmpty() && sample.totalIsExact;
    if (sample.isWhole)
        sample.total = sample.items.size();
    else if (!question.withinSeconds)
        sample.total = total;
    return sample;
}

FailureFeed::FailureFeed(QObject *parent)
    : QObject(parent), m_poller(everyMs, failuresOverdueMs, this)
{
    connect(&m_poller, &Poller::due, this, [this] { ask(m_run); });
    connect(&m_poller, &Poller::overdue, this, [this] { interrupt(); });
}

void FailureFeed::show(const FailureQuestion &question)
{
    m_question = question;
    m_shown = true;
    ++m_run;
    if (m_running)
        m_poller.start();
    refreshNow();
}

void FailureFeed::hide()
{
    if (!std::exchange(m_shown, false))
        return;
    ++m_run;
    m_poller.stop();
    interrupt();
    closeSession();
}

void FailureFeed::refreshNow()
{
    if (m_shown && m_poller.kick())
        ask(m_run);
}

void FailureFeed::setRunning(bool running)
{
    m_running = running;
    if (!running)
        m_poller.stop();
    else if (m_shown)
        m_poller.start();
}

void FailureFeed::answer(quint64 run, const Result<FailureSample> &sample)
{
    if (sample)
        m_poller.answered(sample->tookMs);
    else if (isLogInRefused(sample.error()))
        m_poller.refused(); // it stays wrong
    else
        m_poller.failed();
    if (run != m_run) {
        refreshNow();
        return;
    }
    if (sample)
        emit taken(*sample);
    else
        emit failed(sample.error());
}

RowFailures::RowFailures(Profile profile, ProfilePasswords secrets, QString stateFolder,
                         QObject *parent)
    : FailureFeed(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets)),
      m_stateFolder(std::move(stateFolder))
{ }

RowFailures::~RowFailures()
{
    RowFailures::interrupt(); // closing the room would wait for a server that stands still
}

void RowFailures::setShape(const OutboxShape &shape)
{
    const bool isFirst = !m_shape;
    m_shape = shape;
    if (isFirst)
        refreshNow();
}

void RowFailures::ask(quint64 run)
{
    auto settings = storeSettingsOf(m_profile, m_secrets, StoreAccess::ReadOnly, u"outboxdeck"_s);
    if (!settings)
        return answer(run, passOn(settings));
    if (!m_shape) {
        return answer(run,
                      fail(Error::Kind::Unreachable, u"looking at what failed"_s,
                           u"the database has not answered yet"_s));
    }
    settings->statementTimeoutMs = failurePageMs;
    if (!m_room)
        m_room = std::make_unique<Room<FailedRows>>(u"failures"_s);
    answerTo(
        this,
        m_room->run(measured([settings = *settings, shape = *m_shape, folder = m_stateFolder,
                              question = question()](FailedRows &rows) -> Result<FailureSample> {
            OutboxSource &source = rows.source;
            rows.stopped = false; // that was another look
            TRY(source.ready(settings, folder, shape));
            return readRowsOf(rows, question, QDateTime::currentDateTimeUtc());
        })),
        [this, run](const Sample &look) {
            emit looked(look.tookMs, look.traffic);
            answer(run, look.answer ? withTotal(*look.answer) : look.answer);
        });
}

FailureSample RowFailures::withTotal(FailureSample sample) const
{
    const bool isOfFailed = sample.question.scope == scopesOf(FailureSource::Rows).first().filter;
    if (sample.total || sample.question.withinSeconds || !isOfFailed || !m_counts.failed)
        return sample;
    const qint64 total = *m_counts.failed + m_counts.parked.value_or(0);
    if (total > sample.items.size()) {
        sample.total = total;
        sample.totalIsExact = m_counts.exact;
    }
    return sample;
}

void RowFailures::closeSession()
{
    if (m_room)
        m_room->close();
}

void RowFailures::interrupt()
{
    if (m_room)
        m_room->interrupt();
}

TaskFailures::TaskFailures(Profile profile, ProfilePasswords secrets, QObject *parent)
    : FailureFeed(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets))
{ }

void TaskFailures::ask(quint64 run)
{
    const auto endpoint = redisOf(m_profile, m_secrets);
    if (!endpoint)
        return answer(run, passOn(endpoint));
    if (!m_room)
        m_room = std::make_unique<Room<AsynqInspector>>(u"failed tasks"_s);
    answerTo(this,
             m_room->run(measured([endpoint = *endpoint, usual = QueueName{m_profile.queue},
                                   question = question()](
                                      AsynqInspector &inspector) -> Result<FailureSample> {
                 TRY(inspector.ready(endpoint, sessionName(u"outboxdeck"_s)));
                 return readTasksOf(inspector, usual, question, QDateTime::currentDateTimeUtc());
             })),
             [this, run](const Sample &look) {
                 emit looked(look.tookMs, look.traffic);
                 answer(run, look.answer);
             });
}

void TaskFailures::closeSession()
{
    if (m_room)
        m_room->close();
}

} // namespace outbox
