// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a relay does about rows that fail: finds them, tries them alone, parks them.
#include "app/relay/relay.h"
#include "app/relay/rowfailure.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int failuresBorne = 3; ///< so often a failure without a named reason is the server's
constexpr int longestRestMs = 60'000;
constexpr int trialShare = 20; ///< one part in so many of the time goes into tries of single rows
constexpr int mostTrials = 100; ///< so many failed and no other got through since: see `isStuck`

} // namespace

void Relay::noteFailures(Lane &lane, const RelayStep &step)
{
    // A note for people in the row's own columns. Where it cannot be written (no right, a trigger)
    // the reason is told all the same, and kept with the parked row.
    for (const QList<ParkedRow> &rows : {step.failed, step.parked}) {
        for (const ParkedRow &row : rows)
            static_cast<void>(lane.store->noteFailure(row.id, row.reason));
    }
}

bool Relay::isStuck() const
{
    return m_trials.size() >= mostTrials
        && std::count_if(m_trials.cbegin(), m_trials.cend(),
                         [this](const Trial &trial) { return !isProven(trial); })
        >= mostTrials;
}

bool Relay::isFull() const
{
    return m_parking.rows().size() + m_trials.size() >= m_rules.mostParked;
}

bool Relay::isProven(const Trial &trial) const
{
    return m_commits > trial.commits || m_empties > trial.empties;
}

bool Relay::isProvenFor(const Trial &trial, Cause cause) const
{
    if (m_commits > trial.commits)
        return true;
    // Several that fail together may fail for the sake of what they have in common.
    const bool isFit
        = !cause.isDoubtful || (cause.isQueue && m_trials.size() == 1 && m_searched == 0);
    return m_empties > trial.empties && isFit && (!cause.isQueue || trial.isQueueWell);
}

int Relay::mostOfSearch(int rows) const
{
    if (m_searched == 0)
        return rows;
    // A part that fails is work in vain, one that gets through is not: rather small ones.
    const qsizetype part = std::max<qsizetype>(2, m_searched / 8);
    return static_cast<int>(std::min<qsizetype>(rows, part));
}

void Relay::searchAmong(Batch &batch)
{
    m_searched = isStuck() ? 0 : batch.ids.size();
    if (m_searched > 0 || batch.doubt)
        return;
    batch.doubt
        = Error{Error::Kind::Constraint,
                u"delivering rows"_s,
                u"%1 rows failed one after another and none got through"_s.arg(m_trials.size()),
                {},
                u"The last error tells why; the table or the server is at fault"_s};
}

QList<RelayStep> Relay::tryAlone(const MessageId &id)
{
    QList<RelayStep> ended = settleLanes();
    m_lastClaimed = -1;
    const auto failed = [&ended](const Error &error) {
        ended += failedStep(error);
        return ended;
    };
    if (auto read = readParking(); !read)
        return failed(read.error());
    Lane &lane = m_lanes[m_turn];
    if (const auto trial = m_trials.find(id);
        trial != m_trials.end() && trial->tries + 1 >= m_rules.triesBeforeParking)
        trial->isQueueWell = m_tools.queue->backlog(m_rules.queue).has_value();
    tell(RelayStage::Claiming);
    auto claim = lane.store->claimSingle(id, m_leftOut, m_rules.mostPayloadBytes,
                                         m_brokenQueues.leftOut(Clock::now()));
    if (!claim) {
        if (id.isEmpty() && claim.error().kind == Error::Kind::Timeout)
            m_searched = 0; // no row can be named; an ordinary claim may find another way
        return failed(claim.error());
    }
    Batch batch;
    // A row that is known is tried alone again; one that was only found is claimed as others are.
    batch.begin = {m_after, id.isEmpty(), ++m_claims, m_backs};
    batch.step.at = QDateTime::currentDateTimeUtc();
    if (claim->error && !mayBeOfRow(*claim->error) && claim->error->kind != Error::Kind::Timeout)
        return failed(*claim->error);
    if (!claim->error && !claim->row) { // gone, or others have it: no longer our concern
        m_trials.remove(id);
        refreshLeftOut();
        if (id.isEmpty())
            m_searched = 0;
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
    comeBack({*claim->row}, ended);
    prepare(lane, {*std::move(claim->row)}, batch);
    deliver(lane, std::move(batch), ended);
    endCommit(lane, ended);
    return ended;
}

QList<RelayStep> Relay::timedTry(const MessageId &id)
{
    QElapsedTimer clock;
    clock.start();
    const bool wasStuck = isStuck();
    QList<RelayStep> ended = tryAlone(id);
    if (wasStuck && isSearchNarrow()) // rather look elsewhere than find more of them
        m_searched = 0;
    m_trialCostNs = clock.nsecsElapsed();
    m_sinceTrial.start();
    return ended;
}

bool Relay::isLateAgain(const Error &error)
{
    return error.kind == Error::Kind::Timeout && ++m_lateInSeries >= failuresBorne;
}

void Relay::blame(Batch &batch, const Error &error, bool isOfQueue)
{
    // A row that makes the server hang up looks like a server that is lost, again and again.
    const bool isAlone = batch.ids.size() == 1;
    const bool isLate = isLateAgain(error);
    const bool isLoss
        = error.kind == Error::Kind::Unreachable || error.kind == Error::Kind::Timeout;
    const bool isLost = error.kind == Error::Kind::Unreachable && ++m_lostInSeries > failuresBorne;
    const bool isSuspect
        = isLost || isLate || (isLoss && isAlone && m_trials.contains(batch.ids.first()));
    const bool isKnown = m_searched > 0 && !isLoss; // told when the search for the row began
    if ((isOfQueue || !mayBeOfRow(error)) && !isSuspect) {
        batch.doubt = error;
        return;
    }
    m_searched = isAlone ? 0 : batch.ids.size();
    if (isAlone)
        countTry(batch.ids.first(), reasonOf(error), batch, {isOfQueue, isLoss});
    if (isAlone && error.kind == Error::Kind::Timeout && m_trials.contains(batch.ids.first()))
        m_trials[batch.ids.first()].isSlow = true;
    if (isLoss || (!isAlone && !isKnown))
        batch.doubt = error;
}

MessageId Relay::toBeTried() const
{
    const bool isCheap
        = !m_sinceTrial.isValid() || m_sinceTrial.nsecsElapsed() >= trialShare * m_trialCostNs;
    return m_isIdle || isCheap || isFull() ? rested() : MessageId();
}

MessageId Relay::rested() const
{
    for (auto trial = m_trials.cbegin(); trial != m_trials.cend(); ++trial) {
        // The try that parks it waits for a proof that others get through.
        const bool waits = trial->tries + 1 >= m_rules.triesBeforeParking && !isProven(*trial);
        const int shift = std::min(trial->tries - 1, 16) + (waits || trial->isSlow ? 4 : 0);
        const qint64 restMs
            = std::min<qint64>(longestRestMs, qint64{m_rules.retryAfterMs} << shift);
        if (trial->since.hasExpired(restMs))
            return trial.key();
    }
    return {};
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
    const ParkedRow row{id, reason, m_trials.take(id).tries, QDateTime::currentDateTimeUtc()};
    m_parking.add(row);
    refreshLeftOut();
    batch.step.parked += row;
}

void Relay::countTry(const MessageId &id, const QString &reason, Batch &batch, Cause cause)
{
    Trial &trial = m_trials[id];
    if (trial.tries == 0) {
        trial.commits = m_commits;
        trial.empties = m_empties;
    }
    ++trial.tries;
    trial.since.start();
    const bool isLast = trial.tries >= m_rules.triesBeforeParking;
    if (isLast && isProvenFor(trial, cause))
        return park(id, reason, batch);
    batch.step.failed += ParkedRow{id, reason, trial.tries, QDateTime::currentDateTimeUtc()};
    if (isLast && !batch.doubt) {
        batch.doubt = Error{Error::Kind::Constraint,
                            u"delivering row "_s + id.text,
                            reason,
                            {},
                            u"No other row got through since: look at the servers first"_s};
    }
    refreshLeftOut();
}

void Relay::refreshLeftOut()
{
    m_leftOut = m_parking.ids() + m_trials.keys();
}

} // namespace outbox
