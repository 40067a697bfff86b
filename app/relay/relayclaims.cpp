// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay's claims: when the next one is sent, where it begins, and how it is given back.
#include "app/relay/relay.h"
#include "app/relay/rowfailure.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QList<RelayStep> Relay::settle()
{
    QList<RelayStep> ended = settleLanes();
    if (auto kept = m_parking.write(); !kept)
        ended += failedStep(kept.error());
    return ended;
}

QList<RelayStep> Relay::settleLanes()
{
    QList<RelayStep> ended;
    QList<ClaimStart> starts;
    for (Lane &lane : m_lanes) {
        endCommit(lane, ended);
        if (!std::exchange(lane.claimSent, false))
            continue;
        starts += lane.start;
        if (const auto claim = lane.store->takeClaim(); !claim || claim->rows.isEmpty())
            continue;
        if (const auto undone = lane.store->rollback(); !undone)
            ended += failedStep(undone.error());
        tell(RelayStage::RolledBack);
    }
    m_cursor.goBack(starts, Clock::now());
    return ended;
}

Result<void> Relay::sendClaim(Lane &lane, int rows)
{
    if (auto read = readParking(); !read)
        return read;
    if (isFull()) {
        const QString many = m_trials.count() == 0
            ? u"%1 rows are parked already"_s.arg(m_parking.rows().size())
            : u"%1 rows are parked already, and %2 failed"_s.arg(m_parking.rows().size())
                  .arg(m_trials.count());
        return fail(Error::Kind::Refused, u"claiming rows"_s, many, {},
                    u"Look at their reasons before more rows are set aside"_s);
    }
    const ClaimStart &start = lane.start = m_cursor.next(m_trials.isSearching(), Clock::now());
    tell(RelayStage::Claiming);
    auto sent = lane.store->sendClaim(
        {rows, leftOut(), start.after, start.isSweep && !start.isByFile(), m_rules.mostPayloadBytes,
         start.isCareful, m_brokenQueues.leftOut(Clock::now()), start.upTo});
    lane.claimSent = sent.has_value();
    lane.asked = rows;
    return sent;
}

Result<void> Relay::readParking()
{
    const auto read = m_parking.refresh(Clock::now());
    if (!read)
        return passOn(read);
    if (*read) {
        for (const MessageId &id : m_parking.ids())
            m_trials.remove(id); // somebody else was quicker
    }
    return {};
}

Result<bool> Relay::isDrained()
{
    const auto left = m_lanes.first().store->anyLeft(m_parking.ids());
    if (!left)
        return passOn(left);
    return !*left;
}

} // namespace outbox
