// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The only way an answer comes back from a room: it dies with the one who asked.
#pragma once

#include "connectors/room.h"

#include <QFutureWatcher>
#include <QObject>

namespace outbox {

/// Calls `answer(result)` in `asker`'s thread once `future` is done; never if the asker is gone or
/// the future was cancelled. Call it in the asker's thread.
template <typename T, typename Answer>
void answerTo(QObject *asker, const QFuture<T> &future, Answer answer)
{
    auto *watcher = new QFutureWatcher<T>(asker); // dies with the asker, and so does the answer
    QObject::connect(watcher, &QFutureWatcherBase::finished, asker,
                     [watcher, answer = std::move(answer)]() mutable {
                         takeOver();
                         watcher->deleteLater();
                         if (!watcher->isCanceled())
                             answer(watcher->result());
                     });
    watcher->setFuture(future);
}

} // namespace outbox
