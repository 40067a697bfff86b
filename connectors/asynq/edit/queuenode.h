// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The server that has one queue, for whoever writes there: of a Cluster the node of its slot.
#pragma once

#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/cluster/clusterlink.h"

#include <QByteArrayList>

#include <optional>
#include <type_traits>

namespace outbox::asynq {

/// Errors: those of `ClusterLink` and of what is done. Of a Cluster one whose `effect` is None was
/// surely not carried out: no node took it, since the slot is being moved (Refused), or since the
/// node cannot be reached or serve now.
class QueueNode
{
public:
    /// `link` is open and outlives this.
    QueueNode(ClusterLink &link, const QueueName &queue);

    [[nodiscard]] const QueueKeys &keys() const { return m_keys; }

    /// Runs `work(connection)`, which answers a Result and sends one call that writes; again where
    /// a node answered that the slot is elsewhere, since that call was not executed.
    template <typename Work>
    [[nodiscard]] std::invoke_result_t<Work, RedisConnection &> act(Work work)
    {
        return at(m_keys.pending(), false, work);
    }
    /// The same of what only reads, so that nothing was written where it fails.
    template <typename Work>
    [[nodiscard]] std::invoke_result_t<Work, RedisConnection &> look(Work work)
    {
        return at(m_keys.pending(), true, work);
    }
    /// Puts the queue's name on asynq's list of them, which another node may have.
    [[nodiscard]] Result<void> enlist(const QString &doing);

private:
    template <typename Work>
    [[nodiscard]] std::invoke_result_t<Work, RedisConnection &> at(const QByteArray &key,
                                                                   bool onlyReads, Work work)
    {
        RedisConnection *asked = nullptr;
        std::optional<Error> heard;
        auto done = m_link.at(key, [&](RedisConnection &connection) {
            auto answer = work(connection);
            asked = &connection;
            if (!answer)
                heard = answer.error();
            return answer;
        });
        if (done || !m_link.isCluster())
            return done;
        // Behind such a refusal another error is that of the next node, which was sent nothing.
        const bool wasRefused = asked && heard && concernsNode(*heard);
        if (wasRefused && heard->text == done.error().text)
            return tl::unexpected(refusedBy(*asked, key, *heard));
        if (asked && !wasRefused && !onlyReads)
            return done;
        return withoutEffect(done);
    }
    /// What a node said that did not take a call about `key`, in words.
    [[nodiscard]] Error refusedBy(RedisConnection &node, const QByteArray &key,
                                  const Error &heard) const;

    ClusterLink &m_link;
    QueueName m_queue;
    QueueKeys m_keys;
};

/// The keys that a script may have to touch for these tasks beside their hashes: the group of one
/// that waits in a group, the aggregation sets of that group, a unique lock of the queue.
[[nodiscard]] Result<QByteArrayList> keysBeside(QueueNode &node, const QByteArrayList &tasks,
                                                const QString &doing);

} // namespace outbox::asynq
