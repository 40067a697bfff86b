// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay's claims: when the next one is sent, where it begins, and how it is given back.
#include "app/relay/relay.h"
#include "app/relay/rowfailure.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int parkingReadEveryMs = 5000; ///< so long a release by hand may take to be seen
constexpr int sweepShare = 20; ///< one part in so many of the time may go into sweeps

} // namespace

QList<RelayStep> Relay::settle()
{
    QList<RelayStep> ended = settleLanes();
    if (auto kept = keepParked(); !kept)
        ended += failedStep(kept.error());
    return ended;
}

QList<RelayStep> Relay::settleLanes()
{
    QList<RelayStep> ended;
    for (Lane &lane : m_lanes) {
        endCommit(lane, ended);
        if (!std::exchange(lane.claimSent, false))
            continue;
        m_after.clear();
        if (const auto claim = lane.store->takeClaim(); !claim || claim->rows.isEmpty())
            continue;
        if (const auto undone = lane.store->rollback(); !undone)
            ended += failedStep(undone.error());
        tell(RelayMoment::RolledBack);
    }
    return ended;
}

Result<void> Relay::sendClaim(Lane &lane, int rows)
{
    if (auto read = readParking(); !read)
        return read;
    if (isFull()) {
        const QString many = m_trials.isEmpty()
            ? u"%1 rows are parked already"_s.arg(m_parked.size())
            : u"%1 rows are parked already, and %2 failed"_s.arg(m_parked.size())
                  .arg(m_trials.size());
        return fail(Error::Kind::Refused, u"claiming rows"_s, many, {},
                    u"Look at their reasons before more rows are set aside"_s);
    }
    lane.isCareful = m_careful && m_searched == 0;
    lane.areSuspect = lane.isCareful && m_careful->areSuspect;
    lane.after = lane.isCareful ? m_careful->after : m_after;
    lane.isSweep
        = lane.after.isEmpty() || (lane.isCareful ? m_careful->fromStart : sweepDueMs() == 0);
    m_careful.reset();
    if (lane.isSweep)
        m_sinceSweep.start();
    tell(RelayMoment::Claiming);
    auto sent = lane.store->sendClaim(
        {rows, m_leftOut, lane.after, lane.isSweep, m_rules.mostPayloadBytes, lane.isCareful});
    lane.claimSent = sent.has_value();
    lane.isInOrder = true;
    lane.asked = rows;
    return sent;
}

qint64 Relay::sweepDueMs() const
{
    if (!m_sinceSweep.isValid())
        return 0;
    const qint64 share = sweepShare * m_sweepCostNs / 1'000'000;
    const qint64 pause = m_isAtEnd ? share : std::max<qint64>(m_rules.sweepEveryMs, share);
    return std::max<qint64>(0, pause - m_sinceSweep.elapsed());
}

void Relay::noteSweep(const Lane &lane, qint64 nanoseconds, const Result<Claim> &claim)
{
    if (!lane.isSweep)
        return;
    m_sweepCostNs = nanoseconds;
    // An old snapshot may keep more dead versions than can be passed over in time by their keys.
    if (!claim && claim.error().kind == Error::Kind::Timeout && m_after.isEmpty())
        m_after = lane.store->startOfFile();
}

void Relay::goOnBehind(const Lane &lane, const Claim &claim)
{
    m_isAtEnd = claim.rows.size() < lane.asked;
    if (isStuck() && lane.isCareful)
        m_lookedUpTo = m_isAtEnd ? QStringList() : claim.last;
    if (m_searched > 0 || !lane.isInOrder)
        return m_after.clear();
    // A sweep that came to the end met rows that committed late; the place is behind them already.
    const bool moves = !lane.isSweep || !m_isAtEnd || m_after.isEmpty();
    if (moves && !claim.last.isEmpty())
        m_after = claim.last;
}

void Relay::claimCarefully(const Lane &lane, bool areSuspect)
{
    if (!m_careful) // the other lane's turn comes when an ordinary claim meets that row again
        m_careful = Careful{lane.after, lane.isSweep, areSuspect};
}

Result<void> Relay::readParking()
{
    if (m_parkingRead && !m_sinceParkingRead.hasExpired(parkingReadEveryMs))
        return {};
    if (auto kept = keepParked(); !kept) {
        if (!m_parkingRead)
            return kept;
        m_sinceParkingRead.start(); // known they are all the same; `settle` tells, and tries again
        return {};
    }
    auto rows = m_tools.parking->rows();
    if (!rows)
        return passOn(rows);
    m_parkingRead = true;
    m_sinceParkingRead.start();
    m_parked = *std::move(rows);
    m_parkedIds.clear();
    for (const ParkedRow &row : std::as_const(m_parked)) {
        m_parkedIds += row.id;
        m_trials.remove(row.id); // somebody else was quicker
    }
    refreshLeftOut();
    return {};
}

Result<bool> Relay::isDrained()
{
    const auto left = m_lanes.first().store->anyLeft(m_parkedIds);
    if (!left)
        return passOn(left);
    return !*left;
}

} // namespace outbox
