// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay's work: claim rows, enqueue them, commit; any doubt rolls the batch back.
#pragma once

#include "app/relay/parking.h"
#include "app/relay/witness.h"
#include "connectors/sql/outboxstore.h"
#include "connectors/taskqueue.h"
#include "models/relaystep.h"

#include <QElapsedTimer>
#include <QHash>
#include <QSet>

#include <optional>

namespace outbox {

/// What the work needs to know.
struct RelayRules
{
    QueueName queue; ///< where a row names no queue itself
    qint64 retentionSeconds = 86'400;
    int triesBeforeParking = 3;
    int mostParked = 10'000; ///< beyond this something else is wrong: stop claiming
    bool barrier = false; ///< nothing is sent before its row is on the server's disk
    int replicas = 0; ///< copies of Redis that must have a batch before its rows are given up
    int replicaTimeoutMs = 1000;
    /// Rows that commit late stand behind the place where claims go on; a claim from the beginning
    /// finds them. It comes at least this often, but takes no more than a twentieth of the time.
    int sweepEveryMs = 1000;

    bool operator==(const RelayRules &) const = default;
};

/// A policy between two connectors, with no thread of its own (source: the article "Transactional
/// Outbox Pattern" steps 2 and 3, order of correctness.md 3). The order for each batch is claim →
/// barrier → enqueue every row → COMMIT, and nothing else. With two lanes the database works on the
/// next batch while this one is in the queue: a lane is a session that holds one claim at a time.
/// Blocking; used in the relay's room only.
///
/// Parked rows stay in the outbox; the claim leaves them out until somebody releases them.
class Relay
{
public:
    /// What it works with; all of it outlives the relay.
    struct Tools
    {
        /// One or two sessions, open with Relay access and with their shape; two only where
        /// `OutboxStore::mayOverlap`.
        QList<OutboxStore *> lanes;
        OutboxStore *barrier = nullptr; ///< a session of its own, where the rules ask for it
        TaskQueue *queue = nullptr;
        Parking *parking = nullptr;
        RelayWitness *witness = nullptr; ///< may be missing
    };

    Relay(Tools tools, RelayRules rules);

    /// Takes one batch of up to `rows` rows from the claim to its COMMIT, whose answer is waited
    /// for in the next turn when more is to come. Answers the batches that came to their end: none,
    /// one or two. `committed` is true when everything claimed was delivered; a batch with parked
    /// rows is rolled back without an error, and the next turn goes on without them. The last step
    /// claimed nothing when nothing can be claimed. With `isLast` no more is begun, so that nothing
    /// is under way afterwards.
    [[nodiscard]] QList<RelayStep> turn(int rows, bool isLast = false);
    /// Ends what is under way, so that no session holds anything: waits for the COMMIT that was
    /// sent, gives an open claim back.
    [[nodiscard]] QList<RelayStep> settle();
    /// True while a claim was sent that no turn has taken yet.
    [[nodiscard]] bool isUnderWay() const { return m_lanes.at(m_turn).claimSent; }
    /// How many rows the last turn claimed.
    [[nodiscard]] int lastClaimed() const { return m_lastClaimed; }
    [[nodiscard]] const QList<ParkedRow> &parked() const;
    /// True when nothing unprocessed is left but parked rows; rows that others hold count as left.
    /// After `settle`, or after a turn that claimed nothing.
    [[nodiscard]] Result<bool> isDrained();

private:
    struct Batch
    {
        RelayStep step;
        QList<MessageId> ids; ///< fit to be sent, beside their requests
        QList<EnqueueRequest> requests;
        QList<MessageId> stored; ///< newly stored in this batch
        std::optional<Error> doubt;
    };
    struct Lane
    {
        OutboxStore *store = nullptr;
        bool claimSent = false;
        std::optional<Batch> committing; ///< its COMMIT is on the way
    };

    [[nodiscard]] Result<void> sendClaim(Lane &lane, int rows);
    [[nodiscard]] Result<void> readParking();
    /// From the rows of a claim to requests; rows that are at fault themselves are parked.
    void prepare(Lane &lane, QList<ClaimedMessage> rows, Batch &batch);
    void deliver(Lane &lane, Batch batch, QList<RelayStep> &ended);
    [[nodiscard]] Result<void> mayBeSent(Lane &lane);
    void judge(Batch &batch, const QList<EnqueueAnswer> &answers);
    void endCommit(Lane &lane, QList<RelayStep> &ended);
    void giveBack(Lane &lane, Batch batch, QList<RelayStep> &ended);
    void park(const MessageId &id, const QString &reason, RelayStep &step);
    void countTry(const MessageId &id, const QString &reason, RelayStep &step);
    void remember(const Batch &batch);
    void tell(RelayMoment moment, const QList<MessageId> &ids = {});

    Tools m_tools;
    RelayRules m_rules;
    QList<Lane> m_lanes;
    qsizetype m_turn = 0; ///< the lane whose turn it is
    qint64 m_batches = 0;
    int m_lastClaimed = 0;

    QStringList m_after; ///< where the next claim goes on; empty = from the beginning
    QElapsedTimer m_sinceSweep;
    qint64 m_sweepCostNs = 0;
    bool m_sweeping = false;

    bool m_parkingRead = false;
    QElapsedTimer m_sinceParkingRead;
    QList<ParkedRow> m_parked;
    QList<MessageId> m_parkedIds;
    QHash<MessageId, int> m_tries;
    /// Stored by a batch of ours that was rolled back: found again, they count as enqueued by us.
    QSet<MessageId> m_storedUncommitted;
};

} // namespace outbox
