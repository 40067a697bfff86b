// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the relay does where a turn cannot end well: claims that failed, rows that are set aside or
// tried alone, batches in doubt.
#include "app/relay/relay.h"
#include "app/relay/rowfailure.h"

#include <QElapsedTimer>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostRemembered = 100'000;

} // namespace

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
    }
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

void Relay::noteFailures(Lane &lane, const RelayStep &step)
{
    // A note for people in the row's own columns. Where it cannot be written (no right, a trigger)
    // the reason is told all the same, and kept with the parked row.
    for (const QList<ParkedRow> &rows : {step.failed, step.parked}) {
        for (const ParkedRow &row : rows)
            static_cast<void>(lane.store->noteFailure(row.id, row.reason));
    }
}

void Relay::remember(const Batch &batch)
{
    if (m_storedUncommitted.size() + batch.stored.size() > mostRemembered)
        m_storedUncommitted.clear();
    for (const MessageId &id : batch.stored)
        m_storedUncommitted.insert(id);
}

bool Relay::haveOthersClaimed(const Batch &batch) const
{
    QSet<MessageId> claimed;
    for (const Lane &lane : m_lanes) {
        for (const MessageId &id : lane.committing ? lane.committing->ids : lane.left)
            claimed += id;
    }
    return std::any_of(batch.ids.cbegin(), batch.ids.cend(),
                       [&claimed](const MessageId &id) { return claimed.contains(id); });
}

void Relay::settleDoubts(QList<RelayStep> &ended)
{
    const auto lane = std::find_if(m_lanes.begin(), m_lanes.end(), [](const Lane &one) {
        return !one.claimSent && !one.committing;
    });
    if (m_inDoubt.isEmpty() || lane == m_lanes.end())
        return;
    const auto settled = m_inDoubt.settle(
        [lane](const QList<MessageId> &ids) { return lane->store->fateOf(ids); });
    for (const InDoubtBatch &batch : settled) {
        if (batch.step.committed)
            tookLeave(batch.ids, batch.queueBatch);
        ended += batch.step;
    }
}

void Relay::comeBack(const QList<ClaimedMessage> &rows, QList<RelayStep> &ended)
{
    if (m_inDoubt.isEmpty())
        return;
    QList<MessageId> claimed;
    for (const ClaimedMessage &row : rows)
        claimed += row.id;
    ended += m_inDoubt.comeBack(claimed);
}

} // namespace outbox
