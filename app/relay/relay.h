// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay's one step: claim rows, enqueue them, commit; any doubt rolls the batch back.
#pragma once

#include "connectors/sql/outboxstore.h"
#include "connectors/taskqueue.h"
#include "models/relaystep.h"

#include <QHash>
#include <QSet>

namespace outbox {

/// What one step needs to know.
struct RelayRules
{
    QueueName queue; ///< where a row names no queue itself
    qint64 retentionSeconds = 86'400;
    int triesBeforeParking = 3;
    int mostParked = 10'000; ///< beyond this something else is wrong: stop claiming

    bool operator==(const RelayRules &) const = default;
};

/// A policy between two connectors, with no thread and no clock of its own (source: the article
/// "Transactional Outbox Pattern" steps 2 and 3, order of correctness.md 3). The order is claim →
/// enqueue every row → COMMIT, and nothing else. Blocking; used in the relay's room only.
///
/// Parked rows are kept in memory: they stay in the outbox, the claim leaves them out, and a relay
/// that starts anew finds the same reason again.
class Relay
{
public:
    /// `store` is open with Relay access and has its shape; both outlive the relay.
    Relay(OutboxStore &store, TaskQueue &queue, RelayRules rules);

    /// One transaction with up to `rows` rows. `committed` is true when everything claimed was
    /// delivered; a step that parks rows is rolled back without an error, and the next one goes on
    /// without them.
    [[nodiscard]] RelayStep step(int rows);
    [[nodiscard]] const QList<ParkedRow> &parked() const;
    /// True when nothing unprocessed is left but parked rows; rows that others hold count as left.
    [[nodiscard]] Result<bool> isDrained();

private:
    struct Batch;

    void judge(Batch &batch, RelayStep &step, const QList<EnqueueAnswer> &answers);
    void park(const MessageId &id, const QString &reason, RelayStep &step);
    void countTry(const MessageId &id, const QString &reason, RelayStep &step);
    void remember(const Batch &batch);
    void giveBack(RelayStep &step, const std::optional<Error> &why);

    OutboxStore &m_store;
    TaskQueue &m_queue;
    RelayRules m_rules;
    qint64 m_steps = 0;
    QList<ParkedRow> m_parked;
    QList<MessageId> m_parkedIds;
    QHash<MessageId, int> m_tries;
    /// Stored by a batch of ours that was rolled back: found again, they count as enqueued by us.
    QSet<MessageId> m_storedUncommitted;
};

} // namespace outbox
