// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The work of one batch: its rows are asked for, searched for and answered.
#pragma once

#include "connectors/asynq/copywait.h"
#include "connectors/asynq/judgedservers.h"
#include "connectors/asynq/wire/enqueuecommand.h"
#include "connectors/asynq/wire/queuefence.h"
#include "connectors/redis/cluster/clusterlink.h"
#include "models/ids.h"
#include "models/message/task.h"
#include "models/result.h"

#include <QHash>
#include <QList>
#include <QSet>
#include <QString>
#include <QStringList>

namespace outbox::asynq {

/// Enqueues a batch at the servers of a link, and keeps which nodes answered for its queues until
/// the next one. All that it is given outlives it; `rowKeys` as for `AsynqQueue::setRowKeys`.
/// Blocking; used in the room of the link.
/// Errors: those of `TaskQueue`; Conflict where Redis lost data of a queue.
class BatchEnqueue
{
public:
    BatchEnqueue(ClusterLink &link, EnqueueCommand &command, QueueFence &fence,
                 const JudgedServers &servers, const QStringList &rowKeys);

    /// Forgets who answered for the queues of the last batch: the connections of the link are made
    /// anew.
    void forgetAnswers();
    /// Behind `QueueFence::begin`, with servers that were judged: `TaskQueue::enqueue`.
    [[nodiscard]] Result<QList<EnqueueAnswer>> run(const QList<EnqueueRequest> &batch);
    /// Behind `run`, which gave `answers` to `batch`: `TaskQueue::awaitCopies` of a Cluster.
    /// Each node that answered for a queue is asked.
    void awaitAtNodes(const CopyTerms &terms, const QList<EnqueueRequest> &batch,
                      QList<EnqueueAnswer> &answers);
    /// A call without tasks: what it meets is what all tasks of the queue share. Its answer stands
    /// first, and behind it what relays said of themselves where that is asked for.
    [[nodiscard]] Result<QList<ClusterLink::Answer>> askFence(const QueueName &queue,
                                                              bool withRelays = false);
    /// The queue's node cannot answer for it now, or refuses all that is asked of it; others may
    /// be well.
    [[nodiscard]] bool isAway(const ClusterLink::Answer &answer) const;

private:
    /// An answer to each call. The queues are introduced first, in every batch: whoever deleted
    /// one, or all of Redis, would else make it invisible for good.
    [[nodiscard]] Result<QList<ClusterLink::Answer>> ask(const QList<EnqueueRequest> &batch,
                                                         const QList<EnqueueCall> &calls);
    /// Without the answers to the introductions. A queue that could not be introduced now has not
    /// been answered for.
    [[nodiscard]] Result<QList<ClusterLink::Answer>>
    introduced(const QList<QueueName> &queues, QList<ClusterLink::Answer> answers, qsizetype rows);
    /// What is said of each row of a queue that is away, in a batch of so many.
    [[nodiscard]] EnqueueAnswer awayBy(const ClusterLink::Answer &answer, qsizetype rows) const;
    /// Of one server it is enough to know that it is the same at the end.
    void noteAnswer(const QueueName &queue, const AnswerPlace &place);
    /// The node that answered for the queue, "host:port"; empty where none did.
    [[nodiscard]] QString nodeOf(const QueueName &queue) const;
    /// Asks and writes down what was found; answers the rows whose container was not searched
    /// through.
    [[nodiscard]] Result<EnqueueRows> settle(const QList<EnqueueRequest> &batch,
                                             const EnqueueRows &rows,
                                             QList<EnqueueFinding> &findings);
    /// One round of it: of the other ids it asks for those from `firstOther` on.
    [[nodiscard]] Result<void> settleFrom(const QList<EnqueueRequest> &batch,
                                          const EnqueueRows &rows, qsizetype firstOther,
                                          QList<EnqueueFinding> &findings);
    /// Sends these calls and writes down what was found; answers the rows that have to be asked for
    /// one by one.
    [[nodiscard]] Result<EnqueueRows> settleCalls(const QList<EnqueueRequest> &batch,
                                                  const QList<EnqueueCall> &calls,
                                                  QList<EnqueueFinding> &findings);
    /// Searches for the unseen together, and answers those that were not met.
    [[nodiscard]] Result<EnqueueRows> search(const QList<EnqueueRequest> &batch,
                                             const EnqueueRows &unseen,
                                             QList<EnqueueFinding> &findings);
    /// Where only the keys of single rows may not be touched these are at fault, and not the queue.
    [[nodiscard]] Result<void> blameRows(const QList<EnqueueRequest> &batch,
                                         QList<EnqueueAnswer> &answers);
    /// Who answered for the queue was judged, is there, and has the queue still.
    [[nodiscard]] bool isStillAt(const QueueName &queue, const AnswerPlace &place) const;
    /// Where a connection was made anew meanwhile, what was sent may be lost with a server that
    /// ended, or be with one that nobody judged; a queue that has another node now may be without
    /// what the one before took. One server fails then; of a Cluster such queues are not answered
    /// for.
    [[nodiscard]] Result<void> doubtWhatChanged(const QList<EnqueueRequest> &batch,
                                                QList<EnqueueAnswer> &answers);
    /// The nodes of these queues did not answer everything that was asked of them: what they said
    /// of rows does not count.
    void takeBack(const QHash<QueueName, EnqueueAnswer> &away, const QList<EnqueueRequest> &batch,
                  QList<EnqueueAnswer> &answers);

    ClusterLink &m_link;
    EnqueueCommand &m_command;
    QueueFence &m_fence;
    const JudgedServers &m_servers;
    const QStringList &m_rowKeys;
    // Of a Cluster, in the last batch:
    QHash<QueueName, AnswerPlace> m_answered; ///< by whom first
    QSet<QueueName> m_moved; ///< answered by another one later
    bool m_isListAway = false; ///< that of all queues, when it was asked last
};

} // namespace outbox::asynq
