// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relay.h"

#include "app/relay/rowfailure.h"
#include "app/relay/verdict.h"
#include "models/elapsed.h"

#include <algorithm>
#include <numeric>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostRemembered = 100'000;

ClaimCursor::Places placesOf(const OutboxStore &store)
{
    return {[&store] { return store.startOfFile(); },
            [&store](const QStringList &place) { return store.isFilePlace(place); }};
}

bool endBadly(const QList<RelayStep> &steps)
{
    return !steps.isEmpty() && steps.last().error;
}

} // namespace

Relay::Relay(Tools tools, RelayRules rules)
    : m_tools(std::move(tools)), m_rules(std::move(rules)),
      m_cursor(placesOf(*m_tools.lanes.first()), m_rules.sweepEveryMs),
      m_brokenQueues(m_rules.queue, m_rules.queueRestMs), m_parking(*m_tools.parking),
      m_trials(m_rules.triesBeforeParking, m_rules.retryAfterMs)
{
    for (OutboxStore *store : std::as_const(m_tools.lanes))
        m_lanes.emplaceBack().store = store;
}

QList<RelayStep> Relay::turn(int rows, bool isLast)
{
    QList<RelayStep> ended;
    m_lastClaimed = -1;
    settleDoubts(ended);
    Lane &lane = m_lanes[m_turn];
    endCommit(lane, ended);
    if (endBadly(ended))
        return settleLanes() + ended;
    if (!lane.claimSent) {
        if (const MessageId alone = toBeTried(); !alone.isEmpty() || m_trials.isSearchNarrow())
            return ended + timedTry(alone);
        if (m_trials.isStuck() && !m_trials.isSearching())
            m_cursor.lookFurther();
        if (const auto sent = sendClaim(lane, m_trials.claimSize(rows)); !sent)
            return ended + settleLanes() + QList{failedStep(sent.error())};
    }
    Batch batch;
    auto claim = takeClaim(lane, batch);
    if (!claim) {
        claimFailed(lane, claim.error(), ended);
    } else if (claim->rows.isEmpty()) {
        claimedNothing(lane, batch, ended);
        tellNoKey(claim->hasNoKey, ended);
        m_isNoKeyTold = claim->hasNoKey;
    } else {
        const bool hasNoKey = claim->hasNoKey;
        m_isIdle = false;
        m_cursor.foundSome();
        batch.step.number = ++m_batches;
        const bool overlaps = !isLast && mayOverlap(lane, claim->rows);
        carry(lane, std::move(claim->rows), std::move(batch), overlaps ? rows : 0, ended);
        tellNoKey(hasNoKey, ended);
    }
    return ended;
}

Result<Claim> Relay::takeClaim(Lane &lane, Batch &batch)
{
    QElapsedTimer clock;
    clock.start();
    lane.claimSent = false;
    m_lastAsked = lane.asked;
    auto claim = lane.store->takeClaim();
    batch.start = lane.start;
    batch.step.claimMs = millisecondsOf(clock);
    const std::chrono::nanoseconds took(clock.nsecsElapsed());
    if (!claim) {
        m_cursor.failed(lane.start, claim.error(), took, Clock::now());
        return claim;
    }
    batch.step.at = QDateTime::currentDateTimeUtc();
    batch.step.claimed = static_cast<int>(claim->rows.size());
    m_lastClaimed = batch.step.claimed;
    m_lastBytes = std::accumulate(
        claim->rows.cbegin(), claim->rows.cend(), qint64{0},
        [](qint64 sum, const ClaimedMessage &row) { return sum + row.payload.size(); });
    m_cursor.answered(lane.start, {claim->rows.size(), lane.asked, claim->last}, took,
                      m_trials.isSearching(), m_trials.isStuck(), Clock::now());
    return claim;
}

void Relay::claimFailed(Lane &lane, const Error &error, QList<RelayStep> &ended)
{
    if (!mayBeOfRow(error)) {
        const bool namesNoRow = lane.start.isSweep && !lane.start.after.isEmpty();
        if (!namesNoRow)
            m_trials.searchIfLateAgain(error, lane.asked);
        ended += settleLanes();
        ended += failedStep(error);
    } else if (lane.start.isCareful || m_trials.isSearching()) {
        ended += settleLanes();
        m_trials.search(lane.asked);
    } else {
        m_cursor.claimCarefully(lane.start, true);
        passTurn();
    }
}

void Relay::claimedNothing(const Lane &lane, const Batch &batch, QList<RelayStep> &ended)
{
    if (nextLane().claimSent || m_cursor.isCarefulNext()) { // which may find the rest
        m_lastClaimed = -1;
        return passTurn();
    }
    const ClaimCursor::Emptiness found = m_cursor.foundNone(lane.start);
    if (found == ClaimCursor::Emptiness::File) {
        m_lastClaimed = -1;
        return;
    }
    m_isIdle = true;
    ended += settle(); // the COMMIT of the batch before
    if (found == ClaimCursor::Emptiness::Rest)
        return;
    m_trials.foundNothing(!lane.start.isCareful); // a careful claim only looked: it proves nothing
    ended += batch.step;
}

void Relay::tellNoKey(bool hasNoKey, QList<RelayStep> &ended)
{
    if (!hasNoKey || std::exchange(m_isNoKeyTold, true))
        return;
    ended += failedStep({Error::Kind::Constraint,
                         u"claiming rows"_s,
                         u"a row that is due has no key, or one that is no text"_s,
                         {},
                         u"No statement can name such a row: give it one. It stays, the others"
                         " go on"_s});
}

bool Relay::mayOverlap(const Lane &lane, const QList<ClaimedMessage> &rows)
{
    if (rows.size() < lane.asked || &nextLane() == &lane || m_trials.isSearching())
        return false;
    if (!toBeTried().isEmpty())
        return false;
    return lane.start.isCareful
        || std::all_of(rows.cbegin(), rows.cend(),
                       [](const ClaimedMessage &row) { return row.problem.isEmpty(); });
}

bool Relay::haveLeftOut(const QList<ClaimedMessage> &rows) const
{
    const QList<MessageId> ids = leftOut();
    const QSet<MessageId> staying(ids.cbegin(), ids.cend());
    return std::any_of(rows.cbegin(), rows.cend(),
                       [&staying](const ClaimedMessage &row) { return staying.contains(row.id); });
}

void Relay::carry(Lane &lane, QList<ClaimedMessage> rows, Batch batch, int ahead,
                  QList<RelayStep> &ended)
{
    // A claim that was sent before a batch was given back may bring what was set aside since.
    if (!m_cursor.isInOrder(lane.start) && haveLeftOut(rows))
        return giveBack(lane, std::move(batch), ended);
    // The next claims come first: the database works on one while these rows are made ready and
    // sent, and on another right behind their COMMIT.
    const auto goOnWith = [&](Lane &with) {
        const auto sent = ahead > 0 && !with.claimSent ? sendClaim(with, ahead) : Result<void>();
        if (!sent)
            ended += failedStep(sent.error());
        return sent.has_value();
    };
    Lane &next = nextLane();
    if (&next != &lane && !next.claimSent)
        endCommit(next, ended);
    if (!goOnWith(next)) {
        giveBack(lane, std::move(batch), ended);
        ended = settleLanes() + ended;
        return;
    }
    comeBack(rows, ended);
    prepare(lane, std::move(rows), batch);
    deliver(lane, std::move(batch), ended);
    // Behind a careful batch comes nothing before its COMMIT is answered, which may yet fail alone.
    if (lane.committing && !(ahead > 0 && (lane.start.isCareful || goOnWith(lane))))
        endCommit(lane, ended);
    passTurn();
    if (endBadly(ended))
        ended = settleLanes() + ended; // the error stays the last word
}

void Relay::passTurn()
{
    if (nextLane().claimSent)
        m_turn = (m_turn + 1) % m_lanes.size();
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
    if (!committed) { // what comes back is answered "already there"
        remember(batch);
        m_cursor.goBack(batch.start, Clock::now());
        const Error &error = committed.error();
        blame(batch, error, false);
        batch.step.error = error; // the session is lost with it
        lane.left.clear();
        // The server itself did not say that it rolled back, and no claim of ours tells.
        if (!lane.store->isOpen() && !haveOthersClaimed(batch)) {
            batch.step.doubt = RelayStep::Doubt::Open;
            m_inDoubt.add({batch.step, batch.ids, batch.queueBatch});
        }
        tell(RelayStage::RolledBack, batch.ids);
        noteFailures(lane, batch.step);
    } else {
        m_trials.gotThrough(batch.ids.size());
        noteFailures(lane, batch.step);
        lane.left = batch.ids;
        batch.step.committed = true;
        tookLeave(batch.ids, batch.queueBatch);
    }
    ended += batch.step;
}

void Relay::giveBack(Lane &lane, Batch batch, QList<RelayStep> &ended)
{
    RelayStep &step = batch.step;
    remember(batch);
    m_cursor.goBack(batch.start, Clock::now());
    if (!batch.start.isCareful && !(step.parked.isEmpty() && step.failed.isEmpty()))
        m_cursor.claimCarefully(lane.start, false);
    step.error = batch.doubt;
    step.enqueued = step.alreadyQueued = step.alreadyDone = step.deadInQueue = 0;
    if (auto rolledBack = lane.store->rollback(); !rolledBack && !step.error)
        step.error = rolledBack.error();
    tell(RelayStage::RolledBack, batch.ids);
    noteFailures(lane, step);
    ended += step;
}

void Relay::remember(const Batch &batch)
{
    if (m_storedUncommitted.size() + batch.stored.size() > mostRemembered)
        m_storedUncommitted.clear();
    for (const MessageId &id : batch.stored)
        m_storedUncommitted.insert(id);
}

void Relay::tell(RelayStage moment, const QList<MessageId> &ids)
{
    if (m_tools.observer)
        m_tools.observer->at(moment, ids);
}

} // namespace outbox
