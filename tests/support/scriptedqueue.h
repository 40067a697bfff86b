// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A task queue without a server, for what stands between the relay and its queue.
#pragma once

#include "connectors/taskqueue.h"

#include <QStringList>

namespace outbox {

/// Stores every task, or fails as it is told to, and notes each call.
class ScriptedQueue : public TaskQueue
{
public:
    [[nodiscard]] Result<QList<EnqueueAnswer>> enqueue(const QList<EnqueueRequest> &batch) override
    {
        calls += QStringLiteral("enqueue %1").arg(batch.size());
        if (failure)
            return tl::unexpected(*failure);
        return QList<EnqueueAnswer>(batch.size(), EnqueueAnswer{EnqueueAnswer::Kind::Stored});
    }
    [[nodiscard]] qint64 lastBatch() const override { return 7; }
    void committed(qint64 batch, int rows) override
    {
        calls += QStringLiteral("committed %1 %2").arg(batch).arg(rows);
    }
    [[nodiscard]] Result<void> awaitCopies(const CopyTerms &terms,
                                           const QList<EnqueueRequest> &batch,
                                           QList<EnqueueAnswer> &answers) override
    {
        calls += QStringLiteral("copies %1 %2 %3 %4 %5")
                     .arg(terms.replicas)
                     .arg(terms.onDisk ? 1 : 0)
                     .arg(terms.timeoutMs)
                     .arg(batch.size())
                     .arg(answers.size());
        return {};
    }
    [[nodiscard]] Result<qint64> backlog(const QueueName &queue) override
    {
        calls += QStringLiteral("backlog ") + queue.text;
        return 5;
    }

    QStringList calls;
    std::optional<Error> failure;
};

/// Requests to these queues, one for each.
[[nodiscard]] inline QList<EnqueueRequest> requestsTo(const QStringList &queues)
{
    QList<EnqueueRequest> requests;
    for (const QString &queue : queues) {
        EnqueueRequest request;
        request.queue.text = queue;
        requests += request;
    }
    return requests;
}

/// All but `enqueue` reaches the queue behind `front`. Empty = it does; else what did not.
[[nodiscard]] inline QString notHandedOn(TaskQueue &front, ScriptedQueue &behind)
{
    behind.calls.clear();
    front.committed(3, 4);
    if (front.lastBatch() != 7)
        return QStringLiteral("the number of the batch");
    QList<EnqueueAnswer> answers(1);
    if (!front.awaitCopies({2, true, 100}, {EnqueueRequest()}, answers))
        return QStringLiteral("the copies");
    if (front.backlog(QueueName{QStringLiteral("a")}).value_or(0) != 5)
        return QStringLiteral("the backlog");
    const QStringList calls{QStringLiteral("committed 3 4"), QStringLiteral("copies 2 1 100 1 1"),
                            QStringLiteral("backlog a")};
    return behind.calls == calls ? QString() : behind.calls.join(QStringLiteral(", "));
}

} // namespace outbox
