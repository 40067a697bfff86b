// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who a relay is, as it tells the queues; those that are gone are forgotten there.
#pragma once

#include "connectors/redis/cluster/clusterlink.h"
#include "models/ids.h"
#include "models/system/relayentry.h"

namespace outbox::asynq {

/// Sends nothing that a batch waits for: what is told goes with the calls of `EnqueueCommand`.
/// Blocking where it sends; lives in the relay's room.
class RelayPresence
{
public:
    /// `goneAfterSeconds` above 0: relays are forgotten that have delivered nothing for so long.
    void begin(const RelayAbout &about, qint64 goneAfterSeconds);
    /// False until `begin`, and behind `end`.
    [[nodiscard]] bool isTold() const { return m_goneAfterSeconds > 0; }
    /// For the field of this relay.
    [[nodiscard]] QByteArray value() const;
    /// Of several queues the first one counts: it is the one that people look at.
    void met(const QueueName &queue)
    {
        if (m_met.isEmpty())
            m_met = queue;
    }
    /// Writes to the queues that `relay` ended, as far as their nodes are connected: to the one
    /// that was met first, to a hundred in all, and hears answers for half a second. The number of
    /// its last batch is not touched: what is still on its way when another process goes on under
    /// this name must not put that back.
    void end(ClusterLink &link, const QByteArray &relay, QList<QueueName> queues);

    /// Asks the fence of the queue for all that it holds; one command.
    static void appendScan(RedisWire &wire, const QueueName &queue);
    /// Removes what relays said of themselves that are gone, at most a hundred of them; `scan` is
    /// the answer to `appendScan`. Answers how many. Their numbers of batches stay.
    /// Errors: those of `ClusterLink`; Refused where the user may not.
    [[nodiscard]] Result<int> forgetGone(ClusterLink &link, const QueueName &queue,
                                         const RedisReply &scan) const;

private:
    RelayAbout m_about;
    qint64 m_goneAfterSeconds = 0;
    QueueName m_met; ///< first
};

} // namespace outbox::asynq
