// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/sources/queuereading.h"

#include "models/elapsed.h"
#include "models/groups/failuregroups.h"

#include <algorithm>
#include <iterator>

namespace outbox {

namespace {

constexpr int mostDeadRead = 100;

DeadCause deadCauseOf(const QueueSnapshot &queue, const QList<Task> &dead)
{
    FailureSample sample;
    sample.question.source = FailureSource::Tasks;
    for (const Task &task : dead)
        sample.items += itemOf(task);
    const FailureGroup most = groupsOf(sample, GroupBy::Error).value(0);
    return {queue.name,          most.cause,     most.count,
            sample.items.size(), queue.archived, queue.failedTotal};
}

/// Where the tasks cannot be read it is not known; that is no fault of the figures.
void tellDeadCause(AsynqInspector &inspector, const QueueParts &parts, QList<QueueSnapshot> &queues)
{
    const auto place = withMostDead(queues);
    if (place == queues.cend())
        return;
    QueueSnapshot &queue = queues[std::distance(queues.cbegin(), place)];
    const auto &known = parts.knownDead;
    // Where some are gone, those that were read may be among them.
    const bool isOfIt = known && known->queue == queue.name && known->dead <= queue.archived;
    if (isOfIt)
        queue.deadCause = known;
    const bool isSame
        = isOfIt && known->dead == queue.archived && known->failedTotal == queue.failedTotal;
    if (!parts.deadCause || isSame)
        return;
    // Not more than were counted a moment ago: of 77 no 78 may have one cause.
    const int most = static_cast<int>(std::min<qint64>(mostDeadRead, queue.archived));
    if (const auto page = inspector.tasks(queue.name, TaskState::Archived, most, {}, 0))
        queue.deadCause = deadCauseOf(queue, page->tasks);
}

} // namespace

Result<QueueReading> readQueues(AsynqInspector &inspector, const QueueParts &parts)
{
    QElapsedTimer clock;
    clock.start();
    QueueReading reading;
    std::optional<Error> error;
    const auto take = [&error](auto answer, auto &part) {
        if (answer)
            part = *std::move(answer);
        else
            error = answer.error();
        return !error;
    };
    QList<QueueName> names;
    bool isGood = !parts.others || take(inspector.queues(), names);
    if (!names.contains(parts.queue))
        names.prepend(parts.queue);
    isGood = isGood && take(inspector.snapshot(names), reading.queues);
    if (parts.servers) {
        isGood = isGood && take(inspector.servers(), reading.servers)
            && take(inspector.workers(), reading.workers);
    }
    if (parts.dedup)
        isGood = isGood && take(inspector.dedup(parts.queue), reading.dedup);
    if (parts.facts)
        isGood = isGood && take(inspector.facts(), reading.facts);
    if (parts.retained > 0) {
        isGood = isGood
            && take(inspector.tasks(parts.queue, TaskState::Completed, parts.retained, {}),
                    reading.retained);
    }
    if (!isGood)
        return tl::unexpected(*error);
    tellDeadCause(inspector, parts, reading.queues);
    reading.tookMs = millisecondsOf(clock);
    return reading;
}

} // namespace outbox
