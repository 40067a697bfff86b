// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relay.h"

#include "app/relay/rowfailure.h"
#include "models/elapsed.h"
#include "models/message/rowverdict.h"

#include <algorithm>
#include <numeric>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

bool endBadly(const QList<RelayStep> &steps)
{
    return !steps.isEmpty() && steps.last().error;
}

bool mayBeProven(const EnqueueAnswer &answer)
{
    return answer.kind == EnqueueAnswer::Kind::Stored
        || (answer.kind == EnqueueAnswer::Kind::Exists && answer.same);
}

} // namespace

Relay::Relay(Tools tools, RelayRules rules)
    : m_tools(std::move(tools)), m_rules(std::move(rules)),
      m_cursor([store = m_tools.lanes.first()] { return store->startOfFile(); },
               [store = m_tools.lanes.first()](const QStringList &place) {
                   return store->isFilePlace(place);
               },
               m_rules.sweepEveryMs),
      m_brokenQueues(m_rules.queue, m_rules.queueRestMs), m_parking(*m_tools.parking),
      m_trials(m_rules.triesBeforeParking, m_rules.retryAfterMs)
{
    for (OutboxStore *store : std::as_const(m_tools.lanes))
        m_lanes.emplaceBack().store = store;
}

QList<RelayStep> Relay::turn(int rows, bool isLast)
{
    QList<RelayStep> ended;
    m_last.rows = -1;
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
        return ended;
    }
    if (claim->rows.isEmpty()) {
        claimedNothing(lane, batch, ended);
        tellNoKey(claim->hasNoKey, ended);
        m_isNoKeyTold = claim->hasNoKey;
        return ended;
    }
    const int ahead = !isLast && mayOverlap(lane, claim->rows) ? rows : 0;
    if (claimAhead(lane, claim->rows, ahead, batch, ended)) {
        enqueue(lane, std::move(claim->rows), batch, ended);
        commit(lane, std::move(batch), ended);
        endTurn(lane, ahead, ended);
    }
    tellNoKey(claim->hasNoKey, ended);
    return ended;
}

Result<void> Relay::sendClaim(Lane &lane, int rows)
{
    TRY(readParking());
    if (isFull()) {
        const QString many = m_trials.count() == 0
            ? u"%1 rows are parked already"_s.arg(m_parking.rows().size())
            : u"%1 rows are parked already, and %2 failed"_s.arg(m_parking.rows().size())
                  .arg(m_trials.count());
        return fail(Error::Kind::Refused, u"claiming rows"_s, many, {},
                    u"Look at their reasons before more rows are set aside"_s);
    }
    ClaimStart &start = lane.start = m_cursor.next(m_trials.isSearching(), Clock::now());
    tell(RelayStage::Claiming);
    lane.sentAt = Clock::now();
    // Of a batch with rows of a queue that is still away the others are committed then.
    lane.isProbe
        = !start.isCareful && !m_trials.isSearching() && m_brokenQueues.isAnyDue(lane.sentAt);
    start.isCareful = start.isCareful || lane.isProbe;
    auto sent = lane.store->sendClaim(
        {rows, leftOut(), start.after, start.isSweep && !start.isByFile(), m_rules.mostPayloadBytes,
         start.isCareful, m_brokenQueues.leftOut(lane.sentAt), start.upTo});
    lane.claimSent = sent.has_value();
    lane.asked = rows;
    return sent;
}

Result<Claim> Relay::takeClaim(Lane &lane, Batch &batch)
{
    QElapsedTimer clock;
    clock.start();
    lane.claimSent = false;
    m_last.asked = lane.asked;
    m_last.sentAt = lane.sentAt;
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
    m_last.rows = batch.step.claimed;
    m_last.bytes = std::accumulate(
        claim->rows.cbegin(), claim->rows.cend(), qint64{0},
        [](qint64 sum, const ClaimedMessage &row) { return sum + row.payload.size(); });
    m_cursor.answered(lane.start, {claim->rows.size(), lane.asked, claim->last}, took,
                      m_trials.isSearching(), m_trials.isStuck(), Clock::now());
    if (claim->rows.isEmpty())
        return claim;
    m_isIdle = false;
    m_cursor.foundSome();
    batch.step.number = ++m_batches;
    return claim;
}

void Relay::claimedNothing(const Lane &lane, const Batch &batch, QList<RelayStep> &ended)
{
    if (m_cursor.isCarefulNext()) { // which may find the rest
        m_last.rows = -1;
        return;
    }
    const ClaimCursor::Emptiness found = m_cursor.foundNone(lane.start);
    if (found == ClaimCursor::Emptiness::File) {
        m_last.rows = -1;
        return;
    }
    m_isIdle = true;
    ended += settle(); // the COMMIT of the batch before
    if (found == ClaimCursor::Emptiness::Rest)
        return;
    m_trials.foundNothing(!lane.start.isCareful); // a careful claim only looked: it proves nothing
    if (!lane.start.isCareful || lane.isProbe)
        m_brokenQueues.foundNothing(lane.sentAt);
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
    if (!toBeTried().isEmpty() || lane.store->isPooled())
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

bool Relay::haveResting(const Lane &lane, const QList<ClaimedMessage> &rows) const
{
    if (!m_brokenQueues.isAnyAway() || lane.store->shape().queueColumn.isEmpty())
        return false;
    const QStringList queues = m_brokenQueues.leftOut(Clock::now());
    return std::any_of(rows.cbegin(), rows.cend(),
                       [&queues](const ClaimedMessage &row) { return queues.contains(row.queue); });
}

bool Relay::claimAhead(Lane &lane, const QList<ClaimedMessage> &rows, int ahead, Batch &batch,
                       QList<RelayStep> &ended)
{
    // A claim that was sent before a batch was given back may bring what was set aside since; one
    // that was sent before a queue was away, its rows.
    if ((!m_cursor.isInOrder(lane.start) && haveLeftOut(rows)) || haveResting(lane, rows)) {
        giveBack(lane, std::move(batch), ended);
        return false;
    }
    // The next claim comes first: the database works on it while these rows are made ready and
    // sent. It stands right behind the COMMIT of its lane, but for a careful batch, whose COMMIT
    // may yet fail alone.
    Lane &next = nextLane();
    const bool mayFollow = ahead > 0 && next.committing && !next.committing->start.isCareful;
    if (&next != &lane && !mayFollow)
        endCommit(next, ended);
    const auto sent = ahead > 0 ? sendClaim(next, ahead) : Result<void>();
    if (sent)
        return true;
    ended += failedStep(sent.error());
    giveBack(lane, std::move(batch), ended);
    ended = settleLanes() + ended;
    return false;
}

void Relay::enqueue(Lane &lane, QList<ClaimedMessage> rows, Batch &batch, QList<RelayStep> &ended)
{
    comeBack(rows, ended);
    prepare(lane, std::move(rows), batch);
    // Known before a byte was sent: the batch is given back, and these rows are left out.
    if (batch.doubt || batch.ids.isEmpty()
        || !(batch.start.isCareful || batch.step.parked.isEmpty()))
        return;
    if (auto may = mayBeSent(lane); !may) {
        batch.doubt = may.error();
        return;
    }
    QElapsedTimer clock;
    clock.start();
    tell(RelayStage::Enqueueing, batch.ids);
    auto answers = m_tools.queue->enqueue(batch.requests);
    batch.queueBatch = m_tools.queue->lastBatch();
    tell(RelayStage::Enqueued, batch.ids);
    if (answers) { // nothing is a proof before its copies are there
        const bool isWorthIt = mayAnyGo(batch, *answers);
        const auto have = isWorthIt ? haveCopies(batch, *answers) : Result<void>();
        judgeQueues(lane, batch, *answers, std::chrono::milliseconds(clock.elapsed()));
        judge(batch, *answers);
        if (!have && !batch.doubt)
            batch.doubt = have.error();
        if (!isWorthIt) // nobody was asked for copies
            batch.proofs.clear();
    } else {
        blame(batch, answers.error(), true);
    }
    batch.requests.clear();
    batch.step.enqueueMs = millisecondsOf(clock);
}

void Relay::prepare(Lane &lane, QList<ClaimedMessage> rows, Batch &batch)
{
    batch.requests.reserve(rows.size());
    const bool mayReturn = lane.store->shape().mayReturn();
    const bool mayWait = lane.store->shape().hasShards() && m_brokenQueues.isAny();
    const auto now = Clock::now();
    bool doesOneWait = false;
    for (ClaimedMessage &row : rows) {
        if (!row.problem.isEmpty()) {
            park(row.id, row.problem, batch);
            continue;
        }
        EnqueueRequest request;
        request.id = std::move(row.task);
        request.also = std::move(row.also);
        request.bornUs = row.bornUs;
        request.mayReturn = mayReturn;
        request.queue = row.queue.isEmpty() ? m_rules.queue : QueueName{row.queue};
        if (mayWait && m_brokenQueues.letWait(request.queue, row.id, now)) {
            m_trials.remove(row.id);
            doesOneWait = true;
            continue;
        }
        request.type = std::move(row.type);
        request.payload = std::move(row.payload);
        request.retentionSeconds = m_rules.retentionSeconds;
        batch.requests += std::move(request);
        batch.ids += std::move(row.id);
    }
    if (doesOneWait) {
        batch.ids.clear();
        batch.requests.clear();
        if (!batch.doubt)
            batch.doubt = m_brokenQueues.tooManyRows(now);
    }
    if (batch.start.isCareful)
        takeFit(lane, batch);
    tell(RelayStage::Claimed, batch.ids);
}

void Relay::takeFit(Lane &lane, Batch &batch)
{
    if (batch.ids.isEmpty())
        return;
    const qsizetype count = batch.ids.size();
    const auto refused = lane.store->consumeLocked(batch.ids, batch.start.areSuspect);
    // Where every row is refused it may be for no row's sake: they are looked at one by one, from
    // the first one on, and so is a batch that no part can be taken of.
    if (refused ? count > 1 && refused->size() == count : mayBeOfRow(refused.error())) {
        searchAmong(batch);
        batch.ids.clear();
        return;
    }
    if (!refused) {
        m_trials.searchIfLateAgain(refused.error(), count);
        batch.doubt = refused.error();
        return;
    }
    QSet<MessageId> staying;
    for (const auto &[id, error] : *refused) {
        staying += id;
        if (!error.code.isEmpty() && !mayBeOfRow(error)) {
            m_trials.searchIfLateAgain(error, count);
            batch.doubt = error;
        } else if (!batch.doubt) {
            countTry(id, reasonOf(error), batch, {});
        }
    }
    if (staying.isEmpty() || batch.doubt)
        return;
    QList<MessageId> ids;
    QList<EnqueueRequest> requests;
    for (qsizetype i = 0; i < count; ++i) {
        if (staying.contains(batch.ids.at(i)))
            continue;
        ids += std::move(batch.ids[i]);
        requests += std::move(batch.requests[i]);
    }
    batch.ids = std::move(ids);
    batch.requests = std::move(requests);
}

Result<void> Relay::mayBeSent(Lane &lane)
{
    // A relay that was stopped and continued may have lost its transaction; then others hold the
    // rows.
    TRY(lane.store->verifyClaim());
    return m_rules.barrier && m_tools.barrier ? m_tools.barrier->makeDurable() : Result<void>();
}

bool Relay::mayAnyGo(const Batch &batch, const QList<EnqueueAnswer> &answers)
{
    const bool isBroken = std::any_of(answers.cbegin(), answers.cend(), [](const auto &answer) {
        return answer.kind == EnqueueAnswer::Kind::QueueBroken;
    });
    const bool mayGo = batch.start.isCareful
        ? std::any_of(answers.cbegin(), answers.cend(), mayBeProven)
        : std::all_of(answers.cbegin(), answers.cend(), mayBeProven);
    return mayGo && !isBroken && answers.size() == batch.requests.size();
}

Result<void> Relay::haveCopies(const Batch &batch, QList<EnqueueAnswer> &answers)
{
    const CopyTerms terms{m_rules.replicas, m_rules.onDisk, m_rules.replicaTimeoutMs};
    if (!terms.isAny())
        return {};
    return m_tools.queue->awaitCopies(terms, batch.requests, answers);
}

void Relay::judgeQueues(const Lane &lane, Batch &batch, const QList<EnqueueAnswer> &answers,
                        std::chrono::milliseconds took)
{
    QueueTrouble trouble = m_brokenQueues.judge(batch.requests, answers, Clock::now(), took);
    batch.step.waiting = std::move(trouble.away);
    const OutboxShape &shape = lane.store->shape();
    if (trouble.broken)
        batch.doubt = std::move(trouble.broken);
    // All rows are of one queue: no claim can leave it out, and nothing is to be done meanwhile.
    else if (!batch.step.waiting.isEmpty() && shape.queueColumn.isEmpty() && !shape.hasShards())
        batch.doubt = batch.step.waiting.first().error;
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
    batch.proofs.reserve(answers.size());
    for (qsizetype i = 0; i < answers.size(); ++i) {
        const MessageId &id = batch.ids.at(i);
        const RowVerdict verdict = verdictOn(id, answers.at(i));
        if (verdict.proof)
            batch.proofs += *verdict.proof;
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
                countTry(id, verdict.reason, batch, {true, m_trials.wasRefused()});
            } else if (!batch.doubt) {
                batch.doubt = Error{Error::Kind::Constraint,
                                    u"enqueueing row "_s + id.text,
                                    verdict.reason,
                                    answers.at(i).code,
                                    {}};
            }
            break;
        case Act::WaitForQueue: // the queue was judged already
            m_trials.remove(id);
            if (answers.at(i).wasStored)
                batch.stored += id;
            break;
        case Act::RollBack:
            batch.doubt = Error{
                Error::Kind::Protocol, u"enqueueing row "_s + id.text, verdict.reason, {}, {}};
            break;
        }
    }
    // Once may be the server's; where it stays so they are looked at one by one.
    if (allRejected && m_trials.isRefusedAgain())
        searchAmong(batch);
}

void Relay::commit(Lane &lane, Batch batch, QList<RelayStep> &ended)
{
    if (!batch.doubt && !batch.proofs.isEmpty() && m_tools.mayCommit) {
        if (auto may = m_tools.mayCommit(); !may)
            batch.doubt = may.error();
    }
    if (batch.doubt || batch.proofs.isEmpty() || !(batch.step.isWhole() || batch.start.isCareful))
        return giveBack(lane, std::move(batch), ended);
    if (batch.proofs.size() < batch.ids.size()) {
        if (!batch.step.waiting.isEmpty())
            remember(batch);
        batch.ids.clear();
        for (const DeliveryProof &proof : std::as_const(batch.proofs))
            batch.ids += proof.row();
        tell(RelayStage::Narrowed, batch.ids);
    }

    tell(RelayStage::Committing, batch.ids);
    const auto sent
        = lane.store->sendCommit(batch.proofs, m_tools.queue->livesBy(batch.queueBatch));
    if (!sent)
        batch.doubt = sent.error(); // what of it arrived is not known: `endCommit` tells
    tell(RelayStage::CommitSent, batch.ids);
    lane.committing = std::move(batch);
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

void Relay::tookLeave(const QList<MessageId> &ids, qint64 queueBatch)
{
    m_tools.queue->committed(queueBatch, static_cast<int>(ids.size()));
    m_trials.committed(ids);
    if (!m_storedUncommitted.isEmpty()) {
        for (const MessageId &id : ids)
            m_storedUncommitted.remove(id);
    }
    tell(RelayStage::Committed, ids);
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

void Relay::endTurn(Lane &lane, int ahead, QList<RelayStep> &ended)
{
    // No claim is sent to this lane as well: of two that run at once each takes some of the rows
    // between them, and the later ones may come first.
    if (ahead > 0)
        m_turn = (m_turn + 1) % m_lanes.size();
    else
        endCommit(lane, ended);
    if (endBadly(ended))
        ended = settleLanes() + ended; // the error stays the last word
}

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
    std::optional<ClaimStart> begun;
    for (Lane &lane : m_lanes) {
        endCommit(lane, ended);
        if (!std::exchange(lane.claimSent, false))
            continue;
        begun = lane.start;
        if (const auto claim = lane.store->takeClaim(); !claim || claim->rows.isEmpty())
            continue;
        if (const auto undone = lane.store->rollback(); !undone)
            ended += failedStep(undone.error());
        tell(RelayStage::RolledBack);
    }
    if (begun) // behind the rows of a COMMIT that failed
        m_cursor.goBack(*begun, Clock::now());
    return ended;
}

Result<bool> Relay::isDrained()
{
    const auto left = TRY(m_lanes.first().store->anyLeft(m_parking.ids()));
    return !left;
}

void Relay::tell(RelayStage moment, const QList<MessageId> &ids)
{
    if (m_tools.observer)
        m_tools.observer(moment, ids);
}

} // namespace outbox
