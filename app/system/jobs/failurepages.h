// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One bounded look at what failed and what is stuck, in short steps.
#pragma once

#include "app/system/sources/outboxsource.h"
#include "connectors/asynq/observe/inspector.h"
#include "models/groups/failuresample.h"

#include <atomic>

namespace outbox {

/// A look takes at most so many rows or tasks.
constexpr int mostFailedItems = 2'000;
/// A page of rows is one statement, and takes the database no longer; a snapshot may be held for
/// 100 ms.
constexpr int failurePageMs = 80;

/// What looks at rows keep in their room.
struct FailedRows
{
    OutboxSource source;
    QString searched; ///< a scope that no index finds in time: the newest rows are read for it
    std::atomic_bool stopped{false};

    /// From any thread: the look under way ends with the page it reads.
    void interrupt() noexcept
    {
        stopped = true;
        source.interrupt();
    }
    void close() { source.close(); }
};

/// Rows in the scope of the question, the newest first, by pages of their keys: prefixes alone, no
/// payload. Where a page takes too long, the newest 20,000 rows are read instead. Blocking; the
/// source is open and has its shape. Fails with what the database said, Cancelled when interrupted.
[[nodiscard]] Result<FailureSample> readRowsOf(FailedRows &rows, const FailureQuestion &question,
                                               const QDateTime &now);

/// Tasks in the scope of the question, in turns from all queues (32 at most, `usual` among them),
/// by pages of their containers. Blocking; the inspector is open.
[[nodiscard]] Result<FailureSample> readTasksOf(AsynqInspector &inspector, const QueueName &usual,
                                                const FailureQuestion &question,
                                                const QDateTime &now);

} // namespace outbox
