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

constexpr int sweepShare = 20; ///< one part in so many of the time may go into sweeps

} // namespace

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
    const Begin *first = nullptr;
    const Begin *inFile = nullptr;
    for (Lane &lane : m_lanes) {
        endCommit(lane, ended);
        if (!std::exchange(lane.claimSent, false))
            continue;
        if (lane.begin.isByFile())
            inFile = &lane.begin;
        else if (!first || lane.begin.isSweep
                 || (!first->isSweep && lane.begin.number < first->number))
            first = &lane.begin;
        if (const auto claim = lane.store->takeClaim(); !claim || claim->rows.isEmpty())
            continue;
        if (const auto undone = lane.store->rollback(); !undone)
            ended += failedStep(undone.error());
        tell(RelayStage::RolledBack);
    }
    for (const Begin *begin : {first, inFile}) {
        if (begin)
            goBack(*begin);
    }
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
    lane.isCareful = m_careful && !m_trials.isSearching();
    lane.areSuspect = lane.isCareful && m_careful->areSuspect;
    Begin &begin = lane.begin;
    begin.after = lane.isCareful ? m_careful->after : m_after;
    begin.upTo = lane.isCareful ? m_careful->upTo : QStringList();
    begin.isSweep
        = begin.after.isEmpty() || (lane.isCareful ? m_careful->fromStart : sweepDueMs() == 0);
    begin.number = ++m_claims;
    begin.backs = m_backs;
    if (begin.isSweep && !lane.isCareful && m_detour && m_detour->until.hasExpired())
        begin.after.clear();
    if (begin.isSweep && !lane.isCareful)
        sweepByFile(lane, begin);
    m_isFilesTurn = !begin.isByFile();
    m_careful.reset();
    if (begin.isSweep)
        m_sinceSweep.start();
    tell(RelayStage::Claiming);
    auto sent = lane.store->sendClaim(
        {rows, leftOut(), begin.after, begin.isSweep && !begin.isByFile(), m_rules.mostPayloadBytes,
         lane.isCareful, m_brokenQueues.leftOut(Clock::now()), begin.upTo});
    lane.claimSent = sent.has_value();
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
    if (lane.begin.isSweep)
        m_sweepCostNs = nanoseconds;
    if (!claim && claim.error().kind == Error::Kind::Timeout)
        return takeDetour(lane, nanoseconds);
    if (claim && m_detour && lane.begin.after.isEmpty()) { // the straight way is free again
        m_detour.reset();
        m_after.clear();
    }
}

void Relay::takeDetour(const Lane &lane, qint64 nanoseconds)
{
    const QStringList &late = lane.begin.after;
    const QStringList file = lane.store->startOfFile();
    if (lane.begin.isByFile())
        return; // it is put off by what this one cost
    if (!late.isEmpty() && late != file) {
        if (!lane.begin.isSweep || file.isEmpty() || lane.store->isFilePlace(late))
            return; // the same
        m_inFile = Detour{file, QDeadlineTimer(sweepShare * nanoseconds / 1'000'000)};
        m_sweepCostNs = 0; // of one by the file it is not known yet
        return;
    }
    const QStringList place = late.isEmpty() && !file.isEmpty() ? file : m_passed;
    m_detour.reset();
    if (!place.isEmpty())
        m_detour = Detour{place, QDeadlineTimer(sweepShare * nanoseconds / 1'000'000)};
    if (m_after.isEmpty() || m_after == late)
        m_after = place;
    if (place == file) // what a sweep of it costs is not known yet
        m_sweepCostNs = 0;
}

QStringList Relay::beginning() const
{
    return m_detour && !m_detour->until.hasExpired() ? m_detour->place : QStringList();
}

void Relay::sweepByFile(const Lane &lane, Begin &begin)
{
    if (m_inFile && m_inFile->until.hasExpired())
        m_inFile.reset();
    if (!m_inFile || begin.after.isEmpty() || lane.store->isFilePlace(begin.after))
        return;
    begin.isSweep = m_isFilesTurn && !m_trials.isSearching();
    if (begin.isSweep)
        begin.upTo = std::exchange(begin.after, m_inFile->place);
}

void Relay::goOnInFile(const Lane &lane, const Claim &claim)
{
    if (!m_inFile)
        return;
    const bool isMore = claim.rows.size() >= lane.asked && isInOrder(lane.begin);
    m_inFile->place = isMore && !claim.last.isEmpty() ? claim.last : lane.store->startOfFile();
    if (isMore)
        m_sinceSweep.invalidate(); // the rest at once
}

void Relay::goBack(const Begin &begin)
{
    if (begin.isByFile()) { // they stand before the mark, wherever that is
        if (m_inFile)
            m_inFile->place = m_lanes.first().store->startOfFile();
        m_sinceSweep.invalidate();
        ++m_backs;
        return;
    }
    const bool wentFurther = !begin.isSweep && begin.number > m_backTo;
    if (!begin.isSweep && isInOrder(begin)) {
        m_after = begin.after;
        m_backTo = begin.number;
    } else if (!wentFurther) {
        m_after = beginning();
        m_backTo = 0;
    }
    ++m_backs;
}

void Relay::goOnBehind(const Lane &lane, const Claim &claim)
{
    if (lane.begin.isByFile())
        return goOnInFile(lane, claim);
    m_isAtEnd = claim.rows.size() < lane.asked;
    if (m_trials.isStuck() && lane.isCareful)
        m_lookedUpTo = m_isAtEnd ? QStringList() : claim.last;
    if (m_trials.isSearching())
        m_after = beginning();
    if (m_trials.isSearching() || !isInOrder(lane.begin))
        return;
    // A sweep that came to the end met rows that committed late; the place is behind them already.
    const bool moves = !lane.begin.isSweep || !m_isAtEnd || m_after.isEmpty();
    if (!moves || claim.last.isEmpty())
        return;
    m_passed = m_after = claim.last;
    m_backTo = m_claims; // of what is under way nothing is known to stand behind it
}

void Relay::claimCarefully(const Lane &lane, bool areSuspect)
{
    if (!m_careful) // the other lane's turn comes when an ordinary claim meets that row again
        m_careful = Careful{lane.begin.after, lane.begin.isSweep, areSuspect, lane.begin.upTo};
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
