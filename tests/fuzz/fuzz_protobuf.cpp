// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands in a task's hash, and what servers, workers and schedulers say of themselves.
#include "connectors/asynq/observe/serverinfo.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "tests/fuzz/fuzzing.h"

using namespace outbox;

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes = fuzz::bytesOf(data, size);
    if (const auto message = asynq::decode(bytes)) {
        Task task;
        asynq::describe(*message, message->payload.size(), task);
        for (const auto &time : {task.deadline, task.lastFailed, task.completedAt})
            fuzz::demand(!time || time->isValid());
        const auto written = asynq::encode(*message);
        fuzz::demand(written.has_value());
        const auto again = asynq::decode(*written);
        fuzz::demand(again.has_value() && *again == *message);
    }
    if (const auto server = asynq::decodeServer(bytes)) {
        fuzz::demand(asynq::decodeServer(asynq::encodeServer(*server)).has_value());
        if (const auto worker = asynq::decodeWorker(bytes))
            fuzz::demand(!asynq::encodeWorker(*server, *worker, bytes).isEmpty()
                         || bytes.isEmpty());
    }
    if (const auto entry = asynq::decodeScheduled(bytes)) {
        fuzz::demand(!entry->next || entry->next->isValid());
        fuzz::demand(!entry->previous || entry->previous->isValid());
    }
    return 0;
}
