// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/judgedservers.h"

#include "connectors/asynq/observe/serverfacts.h"

#include <utility>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The server's own word, and not that of a rule of ours.
bool isServersRefusal(const Error &error)
{
    return error.kind == Error::Kind::Refused && !error.code.isEmpty();
}

} // namespace

void JudgedServers::begin(Rule rule)
{
    *this = {};
    m_rule = std::move(rule);
}

Result<void> JudgedServers::judgeWhereDue(ClusterLink &link)
{
    if (!m_rule)
        return {};
    if (!link.isCluster() && !m_isDue) { // before each batch
        TRY(link.ensureOpen());
        if (isAsJudged(link.alone()))
            return {};
    }
    const auto nodes = TRY(link.nodes());
    const bool isFirst = m_judged.isEmpty();
    const bool isDue = std::exchange(m_isDue, true);
    bool isAnyWell = false;
    bool isAnyJudged = false;
    bool isAnyNew = false;
    std::optional<Error> silent;
    for (RedisConnection *node : nodes) {
        if (!isDue && isAsJudged(*node)) {
            isAnyWell = true;
            continue;
        }
        const auto judged = judge(link, *node, isFirst);
        if (!judged) {
            const bool isRefusing
                = link.isCluster() && !isFirst && isServersRefusal(judged.error());
            if (!isRefusing && !link.isOfNode(judged.error()))
                return passOn(judged);
            silent = judged.error();
            m_judged.remove(node);
            m_unjudged.insert(node, judged.error());
            continue;
        }
        m_unjudged.remove(node);
        isAnyWell = isAnyJudged = true;
        isAnyNew = isAnyNew || m_judged.value(node).facts.runId != judged->facts.runId;
        m_judged.insert(node, *judged);
    }
    if (silent && !isAnyWell)
        return tl::unexpected(*silent);
    m_isDue = false;
    if (!isAnyJudged)
        return {};
    QList<RedisFacts> facts;
    for (RedisConnection *node : nodes) {
        if (m_judged.contains(node))
            facts += m_judged.value(node).facts;
    }
    m_facts = ofAllNodes(facts);
    if (isAnyNew && !isFirst)
        m_news = m_facts;
    return {};
}

Result<JudgedServers::Judged> JudgedServers::judge(ClusterLink &link, RedisConnection &node,
                                                   bool isFirst) const
{
    Judged judged;
    judged.facts = TRY(readFacts(node));
    judged.connection = node.timesConnected();
    if (link.isCluster() && judged.facts.role == "slave"_L1) {
        link.doubtMap();
        return fail(Error::Kind::Unreachable, u"going on with Redis"_s,
                    u"a node of the Cluster is a replica by now: another one has its slots"_s);
    }
    const QString refusal = m_rule(judged.facts);
    if (refusal.isEmpty())
        return judged;
    if (node.endpoint().sentinels)
        node.close(); // they may name another one by now
    return fail(Error::Kind::Refused, isFirst ? u"starting the relay"_s : u"going on with Redis"_s,
                refusal);
}

bool JudgedServers::isAsJudged(RedisConnection &node) const
{
    if (!m_rule)
        return true;
    const auto judged = m_judged.constFind(&node);
    return judged != m_judged.cend() && judged->connection == node.timesConnected();
}

std::optional<Error> JudgedServers::whyUnjudged(RedisConnection &node) const
{
    const auto why = m_unjudged.constFind(&node);
    return why == m_unjudged.cend() ? std::nullopt : std::optional(*why);
}

std::optional<RedisFacts> JudgedServers::takeNews()
{
    return std::exchange(m_news, std::nullopt);
}

} // namespace outbox::asynq
