// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/slotstrikes.h"

#include "connectors/redis/cluster/slots.h"
#include "tests/support/patience.h"

#include <algorithm>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int keysAStep = 100;
constexpr int longMs = 60'000;
constexpr int askEveryMs = 20;
/// A replica that stands still for two seconds is taken for a dead one.
constexpr int longestWithoutTaskMs = 1000;

/// Whether it is time to ask again, which is noted.
bool isDue(QElapsedTimer &asked)
{
    if (asked.isValid() && !asked.hasExpired(askEveryMs))
        return false;
    asked.start();
    return true;
}

} // namespace

SlotMover::SlotMover(ClusterWorld &world, QByteArrayList keys, Manner manner)
    : m_world(world), m_keys(std::move(keys)), m_manner(manner), m_random(manner.seed),
      m_moves(m_keys.size(), 0)
{
    m_since.start();
}

bool SlotMover::concerns(int node) const
{
    return !isAtRest() && (node == m_from || node == m_to);
}

Result<void> SlotMover::begin(int away)
{
    m_queue = (m_queue + 1) % int(m_keys.size());
    const int slot = slotOf(m_keys.at(m_queue));
    m_from = m_world.ownerOf(slot);
    QList<int> targets = m_world.owners();
    targets.removeAll(m_from);
    targets.removeAll(away);
    if (m_from == away || targets.isEmpty())
        return {}; // the next queue's slot may move
    m_to = targets.at(m_random.bounded(int(targets.size())));
    m_stage = Stage::Moving;
    return m_world.beginMove(slot, m_to);
}

Result<void> SlotMover::step(int away, bool begins)
{
    switch (m_stage) {
    case Stage::Resting:
        return begins && m_since.hasExpired(m_manner.pauseMs) ? begin(away) : Result<void>();
    case Stage::Moving: {
        const auto left = m_world.moveKeys(keysAStep);
        if (!left)
            return passOn(left);
        if (*left > 0)
            return {};
        m_stage = Stage::Settling;
        m_since.start();
        ++m_moves[m_queue];
        return m_world.endMove();
    }
    case Stage::Settling:
        break;
    }
    if (m_world.isKnownToAll(m_keys.at(m_queue))) {
        m_stage = Stage::Resting;
        m_since.start();
    } else if (m_since.hasExpired(patient(longMs))) {
        return fail(Error::Kind::Timeout, u"moving a slot"_s, u"not all nodes know who has it"_s);
    }
    return {};
}

PrimaryKiller::PrimaryKiller(ClusterWorld &world, QByteArrayList keys, Rules rules)
    : m_world(world), m_keys(std::move(keys)), m_rules(rules)
{
    m_sinceKill.start();
    m_atRest.start();
}

int PrimaryKiller::away() const
{
    return m_stage == Stage::CutOff || m_stage == Stage::Dead ? m_victim : -1;
}

bool PrimaryKiller::concerns(int node) const
{
    return !isAtRest() && (node == m_victim || node == m_world.partnerOf(m_victim));
}

Result<void> PrimaryKiller::step(const SlotMover &mover, bool begins)
{
    switch (m_stage) {
    case Stage::Resting:
        if (!begins || m_kills >= m_rules.most || !m_sinceKill.hasExpired(m_rules.everyMs)
            || !isDue(m_asked))
            return {};
        return begin(mover);
    case Stage::CutOff:
        return goOnAlone();
    case Stage::Dead:
        return awaitHeir();
    case Stage::Joining:
        break;
    }
    return awaitCopy();
}

bool PrimaryKiller::mayDie(int node, const SlotMover &mover)
{
    const auto isHere
        = [this, node](const QByteArray &key) { return m_world.ownerOf(slotOf(key)) == node; };
    return !mover.concerns(node) && std::any_of(m_keys.begin(), m_keys.end(), isHere)
        && m_world.isCopy(m_world.partnerOf(node));
}

Result<void> PrimaryKiller::begin(const SlotMover &mover)
{
    const auto isKnown = [this](const QByteArray &key) { return m_world.isKnownToAll(key); };
    const QList<int> owners = m_world.owners();
    const auto victim = std::find_if(owners.begin(), owners.end(),
                                     [this, &mover](int node) { return mayDie(node, mover); });
    if (victim == owners.end() || !std::all_of(m_keys.begin(), m_keys.end(), isKnown))
        return {}; // it is asked again
    m_victim = *victim;
    if (m_rules.aloneMs <= 0) {
        kill();
        return {};
    }
    m_world.server(m_world.partnerOf(m_victim)).freeze();
    m_stage = Stage::CutOff;
    m_hasMore = false;
    m_since.start();
    const auto cut = m_world.hand(m_victim).command({"CLIENT", "KILL", "TYPE", "replica"},
                                                    u"cutting a replica off"_s);
    if (!cut)
        return passOn(cut);
    m_storedBefore = stored().value_or(0);
    return {};
}

std::optional<qint64> PrimaryKiller::stored()
{
    QList<RedisCommand> commands;
    for (const QByteArray &key : std::as_const(m_keys)) {
        if (m_world.ownerOf(slotOf(key)) == m_victim)
            commands += RedisCommand{"LLEN", key};
    }
    const auto replies = m_world.hand(m_victim).pipeline(commands);
    if (!replies)
        return std::nullopt;
    qint64 sum = 0;
    for (const RedisReply &reply : *replies)
        sum += reply.integer;
    return sum;
}

Result<void> PrimaryKiller::goOnAlone()
{
    if (m_hasMore) {
        if (m_since.hasExpired(m_rules.aloneMs))
            kill();
        return {};
    }
    if (m_since.hasExpired(longestWithoutTaskMs)) {
        kill();
    } else if (isDue(m_asked) && stored().value_or(0) > m_storedBefore) {
        m_hasMore = true;
        m_since.start();
    }
    return {};
}

void PrimaryKiller::kill()
{
    m_world.server(m_victim).kill();
    m_world.server(m_world.partnerOf(m_victim)).thaw();
    m_stage = Stage::Dead;
    m_since.start();
    m_sinceKill.start();
    ++m_kills;
}

Result<void> PrimaryKiller::awaitHeir()
{
    if (!isDue(m_asked))
        return {};
    if (m_since.hasExpired(patient(longMs)))
        return fail(Error::Kind::Timeout, u"killing a primary"_s, u"it has no heir"_s);
    if (!m_world.hasHeir(m_victim))
        return {};
    m_longestMs = std::max(m_longestMs, m_since.elapsed());
    m_stage = Stage::Joining;
    m_since.start();
    return m_world.revive(m_victim);
}

Result<void> PrimaryKiller::awaitCopy()
{
    if (!isDue(m_asked))
        return {};
    if (m_since.hasExpired(patient(longMs)))
        return fail(Error::Kind::Timeout, u"killing a primary"_s, u"it does not come back"_s);
    if (m_world.isCopy(m_victim)) {
        m_stage = Stage::Resting;
        m_atRest.start();
    }
    return {};
}

} // namespace outbox::crash
