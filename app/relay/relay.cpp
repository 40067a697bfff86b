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

double millisecondsOf(const QElapsedTimer &clock)
{
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

} // namespace

Relay::Relay(Tools tools, RelayRules rules) : m_tools(std::move(tools)), m_rules(std::move(rules))
{
    for (OutboxStore *store : std::as_const(m_tools.lanes))
        m_lanes += Lane{store, 0, false, false, false, {}};
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
    endCommit(lane, ended);
    if (!ended.isEmpty() && ended.last().error)
        return settleLanes() + ended;
    if (!lane.claimSent) {
        if (const MessageId alone = rested(); !alone.isEmpty() || isSearchNarrow())
            return ended + tryAlone(alone);
        const auto most = mostOfSearch(rows);
        if (!most)
            return failed(most.error());
        if (auto sent = sendClaim(lane, *most); !sent)
            return failed(sent.error());
    }
    QElapsedTimer clock;
    clock.start();
    lane.claimSent = false;
    auto claim = lane.store->takeClaim();
    m_lastAsked = lane.asked;
    Batch batch;
    batch.step.claimMs = millisecondsOf(clock);
    if (lane.isSweep)
        m_sweepCostNs = clock.nsecsElapsed();
    if (!claim) {
        if (!mayBeOfRow(claim.error()))
            return failed(claim.error());
        ended += settleLanes();
        m_searched = lane.asked;
        return ended;
    }
    const qsizetype nextTurn = (m_turn + 1) % m_lanes.size();
    Lane &next = m_lanes[nextTurn];
    batch.step.at = QDateTime::currentDateTimeUtc();
    batch.step.claimed = static_cast<int>(claim->rows.size());
    m_lastClaimed = batch.step.claimed;
    const bool isFull = claim->rows.size() >= lane.asked;
    m_after = isFull && m_searched == 0 && lane.isInOrder ? claim->last : QStringList();
    if (claim->rows.isEmpty() && next.claimSent) { // which may have found the rest
        m_lastClaimed = -1;
        m_turn = nextTurn;
        return ended;
    }
    if (claim->rows.isEmpty()) {
        m_searched = 0;
        ++m_empties;
        ended += settle(); // the COMMIT of the batch before
        if (lane.isSweep) // what was claimed was the whole table
            ended += batch.step;
        return ended;
    }
    batch.step.number = ++m_batches;
    // The next claims come first: the database works on one while these rows are made ready and
    // sent, and on another right behind their COMMIT.
    const bool overlaps = isFull && !isLast && &next != &lane && m_searched == 0
        && rested().isEmpty()
        && std::all_of(claim->rows.cbegin(), claim->rows.cend(),
                       [](const ClaimedMessage &row) { return row.problem.isEmpty(); });
    const auto goOnWith = [&](Lane &with) {
        auto sent = overlaps && !with.claimSent ? sendClaim(with, rows) : Result<void>();
        if (!sent)
            ended += failedStep(sent.error());
        return sent.has_value();
    };
    if (&next != &lane && !next.claimSent)
        endCommit(next, ended);
    if (!goOnWith(next)) {
        giveBack(lane, std::move(batch), ended);
        return settleLanes() + ended;
    }
    prepare(lane, std::move(claim->rows), batch);
    deliver(lane, std::move(batch), ended);
    if (lane.committing && (!overlaps || !goOnWith(lane)))
        endCommit(lane, ended);
    if (next.claimSent)
        m_turn = nextTurn;
    if (!ended.isEmpty() && ended.last().error)
        ended = settleLanes() + ended; // the error stays the last word
    return ended;
}

void Relay::prepare(Lane &lane, QList<ClaimedMessage> rows, Batch &batch)
{
    batch.requests.reserve(rows.size());
    for (ClaimedMessage &row : rows) {
        if (row.problem.isEmpty() && row.payload.size() > m_rules.mostPayloadBytes) {
            row.problem = u"the payload has %1 bytes, more than the %2 that may be sent"_s
                              .arg(row.payload.size())
                              .arg(m_rules.mostPayloadBytes);
        }
        if (!row.problem.isEmpty()) {
            park(row.id, row.problem, batch);
            continue;
        }
        EnqueueRequest request;
        request.id.text = lane.store->shape().taskIdFor(row.id.text);
        request.queue = row.queue.isEmpty() ? m_rules.queue : QueueName{row.queue};
        request.type = std::move(row.type);
        request.payload = std::move(row.payload);
        request.retentionSeconds = m_rules.retentionSeconds;
        batch.requests += std::move(request);
        batch.ids += std::move(row.id);
    }
    tell(RelayMoment::Claimed, batch.ids);
}

void Relay::deliver(Lane &lane, Batch batch, QList<RelayStep> &ended)
{
    if (!batch.step.parked.isEmpty()) // known before a byte was sent: leave them out, claim again
        return giveBack(lane, std::move(batch), ended);
    if (auto may = mayBeSent(lane); !may) {
        batch.doubt = may.error();
        return giveBack(lane, std::move(batch), ended);
    }
    QElapsedTimer clock;
    clock.start();
    tell(RelayMoment::Enqueueing, batch.ids);
    const auto answers = m_tools.queue->enqueue(batch.requests);
    batch.requests.clear();
    if (answers)
        judge(batch, *answers);
    else
        blame(batch, answers.error());
    tell(RelayMoment::Enqueued, batch.ids);
    const bool isWhole = batch.step.parked.isEmpty() && batch.step.failed.isEmpty();
    if (!batch.doubt && isWhole) {
        if (auto have = haveReplicas(); !have)
            batch.doubt = have.error();
    }
    batch.step.enqueueMs = millisecondsOf(clock);
    if (batch.doubt || !isWhole)
        return giveBack(lane, std::move(batch), ended);

    tell(RelayMoment::Committing, batch.ids);
    const auto sent = lane.store->sendCommit();
    if (!sent)
        batch.doubt = sent.error(); // what of it arrived is not known: `endCommit` tells
    tell(RelayMoment::CommitSent, batch.ids);
    lane.committing = std::move(batch);
}

Result<void> Relay::mayBeSent(Lane &lane)
{
    // A relay that was stopped and continued may have lost its transaction; then others hold the
    // rows.
    if (auto alive = lane.store->verifyClaim(); !alive)
        return alive;
    return m_rules.barrier && m_tools.barrier ? m_tools.barrier->makeDurable() : Result<void>();
}

Result<void> Relay::haveReplicas()
{
    if (m_rules.replicas <= 0)
        return {};
    const auto have = m_tools.queue->replicasThatHaveIt(m_rules.replicas, m_rules.replicaTimeoutMs);
    if (!have)
        return passOn(have);
    if (*have >= m_rules.replicas)
        return {};
    return fail(Error::Kind::Timeout, u"waiting for replicas of Redis"_s,
                u"%1 of %2 have the batch after %3 ms"_s.arg(*have)
                    .arg(m_rules.replicas)
                    .arg(m_rules.replicaTimeoutMs),
                {}, u"The rows stay in the outbox; see to the replicas"_s);
}

void Relay::judge(Batch &batch, const QList<EnqueueAnswer> &answers)
{
    using Act = RowVerdict::Act;
    RelayStep &step = batch.step;
    if (answers.size() != batch.ids.size()) {
        batch.doubt = Error{Error::Kind::Protocol,
                            u"enqueueing %1 rows"_s.arg(batch.ids.size()),
                            u"the queue answered %1 times"_s.arg(answers.size()),
                            {},
                            {}};
        return;
    }
    // An error that every row gets names the server, not a row: it counts for none of them.
    const bool allRejected = answers.size() > 1
        && std::all_of(answers.begin(), answers.end(), [](const EnqueueAnswer &answer) {
                                 return answer.kind == EnqueueAnswer::Kind::Rejected;
                             });
    batch.stored.reserve(answers.size());
    for (qsizetype i = 0; i < answers.size(); ++i) {
        const MessageId &id = batch.ids.at(i);
        const RowVerdict verdict = verdictOn(answers.at(i));
        switch (verdict.act) {
        case Act::Deliver:
            ++step.enqueued;
            batch.stored += id;
            break;
        case Act::AlreadyQueued:
            m_storedUncommitted.contains(id) ? ++step.enqueued : ++step.alreadyQueued;
            break;
        case Act::AlreadyDone:
            m_storedUncommitted.contains(id) ? ++step.enqueued : ++step.alreadyDone;
            break;
        case Act::DeadInQueue:
            ++step.deadInQueue;
            break;
        case Act::Park:
            park(id, verdict.reason, batch);
            break;
        case Act::ParkAfterTries:
            if (!allRejected) {
                countTry(id, verdict.reason, batch);
            } else if (!batch.doubt) {
                batch.doubt = Error{Error::Kind::Constraint,
                                    u"enqueueing row "_s + id.text,
                                    verdict.reason,
                                    answers.at(i).code,
                                    {}};
            }
            break;
        case Act::RollBack:
            batch.doubt = Error{
                Error::Kind::Protocol, u"enqueueing row "_s + id.text, verdict.reason, {}, {}};
            break;
        }
    }
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
    m_after.clear(); // these rows stand before it now, and before what is under way
    for (Lane &other : m_lanes)
        other.isInOrder = false;
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

} // namespace outbox
