// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/failurepages.h"
#include "models/filter/pagerequest.h"

#include "models/filter/rowfilter.h"
#include "models/filter/taskfilter.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

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
    const RowPredicate predicate(checks, rows.source.store().shape().hasUuidKeys());
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
            if (!isSearch || predicate.of(row) == Truth::Yes)
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

} // namespace outbox
