// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Waits for a room's answer in the main thread of the command line, with an end to the patience.
#pragma once

#include "app/system/fleet/answerdeadline.h"
#include "connectors/room.h"
#include "models/result.h"

#include <QEventLoop>
#include <QFutureWatcher>
#include <QTimer>

namespace outbox {

/// Runs `job` in `room` and waits for its Result. After `deadlineMs` the room is interrupted (where
/// it can be) and the error that follows from it is answered. The console never does this; a
/// command has nothing else to do.
template <typename Resource, typename Job>
auto await(Room<Resource> &room, Job job, int deadlineMs = answerDeadlineMs)
{
    using Answer = std::invoke_result_t<Job, Resource &>;
    QFutureWatcher<Answer> watcher;
    QEventLoop loop;
    QTimer deadline;
    deadline.setSingleShot(true);
    QObject::connect(&watcher, &QFutureWatcherBase::finished, &loop, &QEventLoop::quit);
    if constexpr (requires(Resource & resource) { resource.interrupt(); })
        QObject::connect(&deadline, &QTimer::timeout, &loop, [&room] { room.interrupt(); });
    watcher.setFuture(room.run(std::move(job)));
    deadline.start(deadlineMs);
    if (!watcher.isFinished())
        loop.exec();
    takeOver();
    return watcher.result();
}

} // namespace outbox
