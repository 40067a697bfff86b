// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relay.h"

#include "app/relay/verdict.h"

#include <QElapsedTimer>

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

/// The rows of one claim that are fit to be sent, beside their requests.
struct Relay::Batch
{
    QList<MessageId> ids;
    QList<EnqueueRequest> requests;
    QList<MessageId> stored; ///< newly stored in this batch
    std::optional<Error> doubt;
};

Relay::Relay(OutboxStore &store, TaskQueue &queue, RelayRules rules)
    : m_store(store), m_queue(queue), m_rules(std::move(rules))
{ }

const QList<ParkedRow> &Relay::parked() const
{
    return m_parked;
}

RelayStep Relay::step(int rows)
{
    RelayStep step;
    step.at = QDateTime::currentDateTimeUtc();
    if (m_parked.size() >= m_rules.mostParked) {
        step.error = Error{Error::Kind::Refused,
                           u"claiming rows"_s,
                           u"%1 rows are parked already"_s.arg(m_parked.size()),
                           {},
                           u"Look at their reasons before more rows are set aside"_s};
        return step;
    }

    QElapsedTimer clock;
    clock.start();
    auto claimed = m_store.claim(rows, m_parkedIds);
    step.claimMs = millisecondsOf(clock);
    if (!claimed) {
        step.error = claimed.error();
        return step;
    }
    step.claimed = static_cast<int>(claimed->size());
    if (claimed->isEmpty())
        return step;
    step.number = ++m_steps;

    Batch batch;
    batch.ids.reserve(claimed->size());
    batch.requests.reserve(claimed->size());
    for (ClaimedMessage &row : *claimed) {
        if (!row.problem.isEmpty()) {
            park(row.id, row.problem, step);
            continue;
        }
        EnqueueRequest request;
        request.id.text = m_store.shape().taskIdFor(row.id.text);
        request.queue = row.queue.isEmpty() ? m_rules.queue : QueueName{row.queue};
        request.type = std::move(row.type);
        request.payload = std::move(row.payload);
        request.retentionSeconds = m_rules.retentionSeconds;
        batch.requests += std::move(request);
        batch.ids += row.id;
    }
    if (!step.parked.isEmpty()) { // known before a byte was sent: leave them out and claim again
        giveBack(step, std::nullopt);
        return step;
    }

    // A relay that was stopped and continued may have lost its transaction; then others hold the
    // rows.
    if (auto alive = m_store.verifyClaim(); !alive) {
        giveBack(step, alive.error());
        return step;
    }

    clock.restart();
    const auto answers = m_queue.enqueue(batch.requests);
    step.enqueueMs = millisecondsOf(clock);
    if (!answers) {
        giveBack(step, answers.error());
        return step;
    }
    judge(batch, step, *answers);
    if (batch.doubt || !step.parked.isEmpty()) {
        remember(batch);
        giveBack(step, batch.doubt);
        return step;
    }

    clock.restart();
    auto committed = m_store.commit();
    step.commitMs = millisecondsOf(clock);
    if (!committed) { // unknown outcome: what comes back is answered "already there"
        remember(batch);
        step.error = committed.error();
        return step;
    }
    step.committed = true;
    if (!m_storedUncommitted.isEmpty() || !m_tries.isEmpty()) {
        for (const MessageId &id : std::as_const(batch.ids)) {
            m_storedUncommitted.remove(id);
            m_tries.remove(id);
        }
    }
    return step;
}

void Relay::judge(Batch &batch, RelayStep &step, const QList<EnqueueAnswer> &answers)
{
    using Act = RowVerdict::Act;
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
            park(id, verdict.reason, step);
            break;
        case Act::ParkAfterTries:
            if (!allRejected)
                countTry(id, verdict.reason, step);
            if (!batch.doubt && step.parked.isEmpty()) {
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

void Relay::remember(const Batch &batch)
{
    if (m_storedUncommitted.size() + batch.stored.size() > mostRemembered)
        m_storedUncommitted.clear();
    for (const MessageId &id : batch.stored)
        m_storedUncommitted.insert(id);
}

void Relay::park(const MessageId &id, const QString &reason, RelayStep &step)
{
    const ParkedRow row{id, reason};
    m_parked += row;
    m_parkedIds += id;
    m_tries.remove(id);
    step.parked += row;
}

void Relay::countTry(const MessageId &id, const QString &reason, RelayStep &step)
{
    if (++m_tries[id] >= m_rules.triesBeforeParking)
        park(id, reason, step);
}

void Relay::giveBack(RelayStep &step, const std::optional<Error> &why)
{
    step.error = why;
    step.enqueued = step.alreadyQueued = step.alreadyDone = step.deadInQueue = 0;
    if (auto rolledBack = m_store.rollback(); !rolledBack && !step.error)
        step.error = rolledBack.error();
}

Result<bool> Relay::isDrained()
{
    const auto left = m_store.anyLeft(m_parkedIds);
    if (!left)
        return passOn(left);
    return !*left;
}

} // namespace outbox
