// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/sources/queuereading.h"

#include "models/elapsed.h"

namespace outbox {

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
    reading.tookMs = millisecondsOf(clock);
    return reading;
}

} // namespace outbox
