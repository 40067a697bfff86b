// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The middle of a relay's turn: rows become requests, the queue answers, and what cannot go is set
// aside or tried alone.
#include "app/relay/relay.h"
#include "app/relay/rowfailure.h"
#include "models/elapsed.h"
#include "models/message/rowverdict.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

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
    const auto answers = m_tools.queue->enqueue(batch.requests);
    batch.queueBatch = m_tools.queue->lastBatch();
    if (answers) {
        if (auto broken = m_brokenQueues.judge(batch.requests, *answers, Clock::now()))
            batch.doubt = std::move(broken);
    }
    batch.requests.clear();
    if (answers)
        judge(batch, *answers);
    else
        blame(batch, answers.error(), true);
    tell(RelayStage::Enqueued, batch.ids);
    const bool isWhole = batch.step.parked.isEmpty() && batch.step.failed.isEmpty();
    if (!batch.doubt && (isWhole || batch.start.isCareful)) {
        if (auto have = haveReplicas(); !have)
            batch.doubt = have.error();
    }
    batch.step.enqueueMs = millisecondsOf(clock);
}

void Relay::prepare(Lane &lane, QList<ClaimedMessage> rows, Batch &batch)
{
    batch.requests.reserve(rows.size());
    const bool mayReturn = lane.store->shape().mayReturn();
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
        request.type = std::move(row.type);
        request.payload = std::move(row.payload);
        request.retentionSeconds = m_rules.retentionSeconds;
        batch.requests += std::move(request);
        batch.ids += std::move(row.id);
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

Result<void> Relay::haveReplicas()
{
    if (m_rules.replicas <= 0)
        return {};
    const auto have
        = TRY(m_tools.queue->replicasThatHaveIt(m_rules.replicas, m_rules.replicaTimeoutMs));
    if (have >= m_rules.replicas)
        return {};
    return fail(Error::Kind::Timeout, u"waiting for replicas of Redis"_s,
                u"%1 of %2 have the batch after %3 ms"_s.arg(have)
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
        case Act::WaitForQueue: // the batch has its error already
            m_trials.remove(id);
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

void Relay::park(const MessageId &id, const QString &reason, Batch &batch)
{
    if (m_parking.contains(id)) {
        batch.doubt = Error{Error::Kind::Conflict,
                            u"parking row "_s + id.text,
                            u"it is parked, and was claimed all the same: "_s + reason,
                            {},
                            u"Put the row right by hand"_s};
        return;
    }
    const ParkedRow row{id, reason, m_trials.remove(id), QDateTime::currentDateTimeUtc()};
    m_parking.add(row);
    batch.step.parked += row;
}

void Relay::countTry(const MessageId &id, const QString &reason, Batch &batch,
                     RowTrials::Cause cause)
{
    using Next = RowTrials::Next;
    const Next next = m_trials.countTry(id, cause, Clock::now());
    if (next == Next::Park)
        return park(id, reason, batch);
    batch.step.failed
        += ParkedRow{id, reason, m_trials.triesOf(id), QDateTime::currentDateTimeUtc()};
    if (next == Next::Distrust && !batch.doubt) {
        batch.doubt = Error{Error::Kind::Constraint,
                            u"delivering row "_s + id.text,
                            reason,
                            {},
                            u"No other row got through since: look at the servers first"_s};
    }
}

void Relay::blame(Batch &batch, const Error &error, bool isOfQueue)
{
    const RowTrials::Blame blame = m_trials.blame(batch.ids, error, isOfQueue);
    if (blame.cause)
        countTry(batch.ids.first(), reasonOf(error), batch, *blame.cause);
    if (blame.isTold)
        batch.doubt = error;
}

void Relay::searchAmong(Batch &batch)
{
    auto error = m_trials.searchAmong(batch.ids.size());
    if (error && !batch.doubt)
        batch.doubt = std::move(error);
}

bool Relay::isFull() const
{
    return m_parking.rows().size() + m_trials.count() >= m_rules.mostParked;
}

MessageId Relay::toBeTried() const
{
    return m_trials.due(Clock::now(), m_isIdle || isFull());
}

Result<void> Relay::readParking()
{
    const auto read = TRY(m_parking.refresh(Clock::now()));
    if (read) {
        for (const MessageId &id : m_parking.ids())
            m_trials.remove(id); // somebody else was quicker
    }
    return {};
}

QList<RelayStep> Relay::timedTry(const MessageId &id)
{
    QElapsedTimer clock;
    clock.start();
    const bool wasStuck = m_trials.isStuck();
    QList<RelayStep> ended = tryAlone(id);
    if (wasStuck && m_trials.isSearchNarrow()) // rather look elsewhere than find more of them
        m_trials.search(0);
    m_trials.tried(std::chrono::nanoseconds(clock.nsecsElapsed()), Clock::now());
    return ended;
}

QList<RelayStep> Relay::tryAlone(const MessageId &id)
{
    QList<RelayStep> ended = settleLanes();
    m_last.rows = -1;
    const auto failed = [&ended](const Error &error) {
        ended += failedStep(error);
        return ended;
    };
    if (auto read = readParking(); !read)
        return failed(read.error());
    Lane &lane = m_lanes[m_turn];
    if (m_trials.isLastTry(id))
        m_trials.setQueueWell(id, m_tools.queue->backlog(m_rules.queue).has_value());
    tell(RelayStage::Claiming);
    auto claim = lane.store->claimSingle(id, leftOut(), m_rules.mostPayloadBytes,
                                         m_brokenQueues.leftOut(Clock::now()));
    if (!claim) {
        if (id.isEmpty() && claim.error().kind == Error::Kind::Timeout)
            m_trials.search(0); // no row can be named; an ordinary claim may find another way
        return failed(claim.error());
    }
    Batch batch;
    // A row that is known is tried alone again; one that was only found is claimed as others are.
    batch.start = m_cursor.single(id.isEmpty());
    batch.step.at = QDateTime::currentDateTimeUtc();
    if (claim->error && !mayBeOfRow(*claim->error) && claim->error->kind != Error::Kind::Timeout)
        return failed(*claim->error);
    if (!claim->error && !claim->row) { // gone, or others have it: no longer our concern
        m_trials.remove(id);
        if (id.isEmpty())
            m_trials.search(0);
        return ended;
    }
    batch.step.claimed = 1;
    batch.step.number = ++m_batches;
    if (claim->error) {
        batch.ids = {claim->id};
        blame(batch, *claim->error, false);
        batch.step.error = batch.doubt;
        noteFailures(lane, batch.step);
        ended += batch.step;
        return ended;
    }
    enqueue(lane, {*std::move(claim->row)}, batch, ended);
    commit(lane, std::move(batch), ended);
    endCommit(lane, ended);
    return ended;
}

} // namespace outbox
