// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which servers may be given tasks, and what they said of themselves.
#pragma once

#include "connectors/redis/cluster/clusterlink.h"
#include "models/system/snapshots.h"

#include <QHash>
#include <QString>

#include <functional>
#include <optional>

namespace outbox::asynq {

/// The servers behind the connections of a link, judged by a rule: where that was asked for, and
/// whenever a connection was made anew. Without a rule each of them will do. Blocking; used in the
/// room of the link.
/// Errors: those of `ClusterLink` and of the look at a server; Refused where the rule says why it
/// must not be given tasks.
class JudgedServers
{
public:
    using Rule = std::function<QString(const RedisFacts &facts)>;

    /// Forgets what was judged, and judges by `rule` from now on; nullptr: nothing is judged.
    void begin(Rule rule);
    /// The connections of the link are made anew.
    void forgetNodes()
    {
        m_judged.clear();
        m_unjudged.clear();
    }
    /// All are judged before the next batch.
    void askAgain() { m_isDue = true; }
    /// Connects where that is needed, and judges the servers where that is due. Nodes that cannot
    /// be reached, do not answer or became replicas are judged when that is over; until then
    /// nothing is taken of them. So are nodes that refuse to tell of themselves, unless all do, or
    /// none was judged before.
    [[nodiscard]] Result<void> judgeWhereDue(ClusterLink &link);
    /// The server behind the connection is the one that was judged.
    [[nodiscard]] bool isAsJudged(RedisConnection &node) const;
    /// Why it was not judged when it was to be, the last time.
    [[nodiscard]] std::optional<Error> whyUnjudged(RedisConnection &node) const;
    /// Of all that were judged, as they were then.
    [[nodiscard]] const RedisFacts &facts() const { return m_facts; }
    /// The same, once for each server that was met anew since `begin`.
    [[nodiscard]] std::optional<RedisFacts> takeNews();

private:
    struct Judged
    {
        qint64 connection = 0; ///< `timesConnected` then; any other is judged anew
        RedisFacts facts; ///< as they were then
    };

    [[nodiscard]] Result<Judged> judge(ClusterLink &link, RedisConnection &node,
                                       bool isFirst) const;

    Rule m_rule;
    bool m_isDue = true;
    QHash<RedisConnection *, Judged> m_judged;
    QHash<RedisConnection *, Error> m_unjudged;
    RedisFacts m_facts;
    std::optional<RedisFacts> m_news;
};

} // namespace outbox::asynq
