// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a relay does between a claim and its COMMIT: rows become requests, the queue answers, and
// what may not go stays behind.
#include "app/relay/relay.h"
#include "app/relay/rowfailure.h"
#include "app/relay/verdict.h"
#include "models/elapsed.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

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
    for (const RefusedRow &row : *refused) {
        staying += row.id;
        if (!row.error.code.isEmpty() && !mayBeOfRow(row.error)) {
            m_trials.searchIfLateAgain(row.error, count);
            batch.doubt = row.error;
        } else if (!batch.doubt) {
            countTry(row.id, reasonOf(row.error), batch, {});
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

void Relay::deliver(Lane &lane, Batch batch, QList<RelayStep> &ended)
{
    // Known before a byte was sent: leave them out, claim again.
    if (batch.doubt || batch.ids.isEmpty()
        || !(batch.start.isCareful || batch.step.parked.isEmpty()))
        return giveBack(lane, std::move(batch), ended);
    if (auto may = mayBeSent(lane); !may) {
        batch.doubt = may.error();
        return giveBack(lane, std::move(batch), ended);
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
    if (batch.doubt || batch.proofs.isEmpty() || !(isWhole || batch.start.isCareful))
        return giveBack(lane, std::move(batch), ended);
    if (batch.proofs.size() < batch.ids.size()) {
        batch.ids.clear();
        for (const DeliveryProof &proof : std::as_const(batch.proofs))
            batch.ids += proof.row();
        tell(RelayStage::Narrowed, batch.ids);
    }

    tell(RelayStage::Committing, batch.ids);
    const auto sent = lane.store->sendCommit(batch.proofs);
    if (!sent)
        batch.doubt = sent.error(); // what of it arrived is not known: `endCommit` tells
    tell(RelayStage::CommitSent, batch.ids);
    lane.committing = std::move(batch);
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

Result<void> Relay::mayBeSent(Lane &lane)
{
    // A relay that was stopped and continued may have lost its transaction; then others hold the
    // rows.
    if (auto alive = lane.store->verifyClaim(); !alive)
        return alive;
    return m_rules.barrier && m_tools.barrier ? m_tools.barrier->makeDurable() : Result<void>();
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
        if (auto proof = DeliveryProof::from(id, answers.at(i)))
            batch.proofs += *std::move(proof);
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

} // namespace outbox
