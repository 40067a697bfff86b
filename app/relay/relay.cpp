// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relay.h"

#include "app/relay/rowfailure.h"
#include "app/relay/verdict.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostRemembered = 100'000;
constexpr int parkingReadEveryMs = 5000; ///< so long a release by hand may take to be seen
constexpr int sweepShare = 20; ///< one part in so many of the time may go into sweeps
constexpr int mostTrials = 100; ///< so many failing rows without a good one: it is no row's fault

double millisecondsOf(const QElapsedTimer &clock)
{
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

/// A part that fails is work in vain, one that gets through is not: rather small ones.
qsizetype searchStep(qsizetype among)
{
    return std::max<qsizetype>(2, among / 8);
}

} // namespace

Relay::Relay(Tools tools, RelayRules rules) : m_tools(std::move(tools)), m_rules(std::move(rules))
{
    for (OutboxStore *store : std::as_const(m_tools.lanes))
        m_lanes += Lane{store, false, {}};
}

const QList<ParkedRow> &Relay::parked() const
{
    return m_parked;
}

QList<RelayStep> Relay::turn(int rows, bool isLast)
{
    QList<RelayStep> ended;
    m_lastClaimed = 0;
    const auto failed = [&](const Error &error) {
        ended += settleLanes();
        ended += failedStep(error);
        return ended;
    };
    Lane &lane = m_lanes[m_turn];
    if (!lane.claimSent) {
        if (const MessageId alone = toBeTried(); !alone.isEmpty() || isSearchNarrow())
            return timedTry(alone);
        if (m_trials.size() >= mostTrials) {
            return failed(
                {Error::Kind::Constraint,
                 u"claiming rows"_s,
                 u"%1 rows failed one after another and none got through"_s.arg(m_trials.size()),
                 {},
                 u"The last error tells why; the table or the server is at fault"_s});
        }
        if (m_searched > 0)
            rows = static_cast<int>(std::min<qsizetype>(rows, searchStep(m_searched)));
        m_lastAsked = rows;
        endCommit(lane, ended);
        if (auto sent = sendClaim(lane, rows); !sent)
            return failed(sent.error());
    }
    QElapsedTimer clock;
    clock.start();
    lane.claimSent = false;
    m_lastClaimed = -1;
    auto claim = lane.store->takeClaim();
    Batch batch;
    batch.isCareful = lane.isCareful;
    batch.step.claimMs = millisecondsOf(clock);
    if (m_sweeping)
        m_sweepCostNs = clock.nsecsElapsed();
    if (!claim) {
        if (!mayBeOfRow(claim.error()))
            return failed(claim.error());
        ended += settleLanes();
        if (lane.isCareful || m_searched > 0)
            m_searched = rows;
        else
            claimCarefully(lane, true);
        return ended;
    }
    batch.step.at = QDateTime::currentDateTimeUtc();
    batch.step.claimed = static_cast<int>(claim->rows.size());
    m_lastClaimed = batch.step.claimed;
    const bool isFull = claim->rows.size() >= rows;
    m_after = isFull && m_searched == 0 ? claim->last : QStringList();
    m_isIdle = claim->rows.isEmpty();
    if (m_isIdle) {
        m_searched = 0;
        ++m_empties;
        ended += settle(); // the COMMIT of the batch before
        if (m_sweeping) // what was claimed was the whole table
            ended += batch.step;
        return ended;
    }
    batch.step.number = ++m_batches;
    // The next claim first: the database works on it while these rows are made ready and sent.
    Lane &next = m_lanes[(m_turn + 1) % m_lanes.size()];
    const bool overlaps = isFull && !isLast && &next != &lane && m_searched == 0
        && toBeTried().isEmpty()
        && (lane.isCareful
            || std::all_of(claim->rows.cbegin(), claim->rows.cend(),
                           [](const ClaimedMessage &row) { return row.problem.isEmpty(); }));
    if (&next != &lane)
        endCommit(next, ended);
    if (overlaps) {
        if (auto sent = sendClaim(next, rows); !sent) {
            giveBack(lane, std::move(batch), ended);
            return failed(sent.error());
        }
        m_turn = (m_turn + 1) % m_lanes.size();
    }
    prepare(lane, std::move(claim->rows), batch);
    deliver(lane, std::move(batch), ended);
    if (lane.committing && !overlaps)
        endCommit(lane, ended);
    if (!ended.isEmpty() && ended.last().error)
        ended = settleLanes() + ended; // the error stays the last word
    return ended;
}

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
    if (m_parked.size() >= m_rules.mostParked) {
        return fail(Error::Kind::Refused, u"claiming rows"_s,
                    u"%1 rows are parked already"_s.arg(m_parked.size()), {},
                    u"Look at their reasons before more rows are set aside"_s);
    }
    const qint64 pauseMs
        = std::max<qint64>(m_rules.sweepEveryMs, sweepShare * m_sweepCostNs / 1'000'000);
    lane.isCareful = m_careful && m_searched == 0;
    lane.areSuspect = lane.isCareful && m_careful->areSuspect;
    lane.after = lane.isCareful ? m_careful->after : m_after;
    m_careful.reset();
    m_sweeping = lane.after.isEmpty() || !m_sinceSweep.isValid()
        || (!lane.isCareful && m_sinceSweep.hasExpired(pauseMs));
    if (m_sweeping) {
        m_sinceSweep.start();
        lane.after.clear();
    }
    tell(RelayMoment::Claiming);
    auto sent = lane.store->sendClaim(
        {rows, m_leftOut, lane.after, m_rules.mostPayloadBytes, lane.isCareful});
    lane.claimSent = sent.has_value();
    return sent;
}

Result<void> Relay::readParking()
{
    if (m_parkingRead && !m_sinceParkingRead.hasExpired(parkingReadEveryMs))
        return {};
    if (auto kept = keepParked(); !kept)
        return kept;
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

void Relay::endCommit(Lane &lane, QList<RelayStep> &ended)
{
    if (!lane.committing)
        return;
    Batch batch = *std::exchange(lane.committing, std::nullopt);
    QElapsedTimer clock;
    clock.start();
    const auto committed = batch.doubt ? tl::unexpected(*batch.doubt) : lane.store->takeCommit();
    batch.step.commitMs = millisecondsOf(clock);
    if (!committed) { // unknown outcome: what comes back is answered "already there"
        remember(batch);
        m_after.clear();
        const Error error = committed.error();
        blame(batch, error);
        batch.step.error = error; // the session is lost with it
        tell(RelayMoment::RolledBack, batch.ids);
        keep(lane, batch.step);
    } else {
        batch.step.committed = true;
        ++m_commits;
        m_lostInSeries = 0;
        m_searched = std::max<qsizetype>(0, m_searched - batch.ids.size());
        keep(lane, batch.step);
        const bool isOfTrials = !m_trials.isEmpty();
        if (!m_storedUncommitted.isEmpty() || isOfTrials) {
            for (const MessageId &id : std::as_const(batch.ids)) {
                m_storedUncommitted.remove(id);
                m_trials.remove(id);
            }
        }
        if (isOfTrials)
            refreshLeftOut();
        tell(RelayMoment::Committed, batch.ids);
    }
    ended += batch.step;
}

void Relay::giveBack(Lane &lane, Batch batch, QList<RelayStep> &ended)
{
    RelayStep &step = batch.step;
    remember(batch);
    m_after.clear(); // these rows stand before it now
    if (!batch.isCareful && !(step.parked.isEmpty() && step.failed.isEmpty()))
        claimCarefully(lane, false);
    step.error = batch.doubt;
    step.enqueued = step.alreadyQueued = step.alreadyDone = step.deadInQueue = 0;
    if (auto rolledBack = lane.store->rollback(); !rolledBack && !step.error)
        step.error = rolledBack.error();
    tell(RelayMoment::RolledBack, batch.ids);
    keep(lane, step);
    ended += step;
}

void Relay::remember(const Batch &batch)
{
    if (m_storedUncommitted.size() + batch.stored.size() > mostRemembered)
        m_storedUncommitted.clear();
    for (const MessageId &id : batch.stored)
        m_storedUncommitted.insert(id);
}

void Relay::tell(RelayMoment moment, const QList<MessageId> &ids)
{
    if (m_tools.witness)
        m_tools.witness->at(moment, ids);
}

Result<bool> Relay::isDrained()
{
    const auto left = m_lanes.first().store->anyLeft(m_parkedIds);
    if (!left)
        return passOn(left);
    return !*left;
}

} // namespace outbox
