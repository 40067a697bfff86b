// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay's work: claim rows, enqueue them, commit; any doubt rolls the batch back.
#pragma once

#include "app/relay/brokenqueues.h"
#include "app/relay/claimcursor.h"
#include "app/relay/indoubtbatches.h"
#include "app/relay/parking/parkingcache.h"
#include "app/relay/relayobserver.h"
#include "app/relay/rowtrials.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "connectors/taskqueue.h"
#include "models/relay/relaystep.h"

#include <QSet>

#include <chrono>
#include <functional>
#include <optional>

namespace outbox {

/// Redis takes no larger value, and a message holds more than its payload.
constexpr qint64 largestPayloadBytes = 511LL * 1024 * 1024;

/// What the work needs to know.
struct RelayRules
{
    QueueName queue; ///< where a row names no queue itself
    qint64 retentionSeconds = 86'400;
    int triesBeforeParking = 3;
    int retryAfterMs = 500; ///< a row whose try failed rests so long, then twice as long …
    int queueRestMs = 5000; ///< so do the rows of a queue that is broken in Redis
    int mostParked = mostParkedRows;
    qint64 mostPayloadBytes = largestPayloadBytes;
    bool barrier = false; ///< nothing is sent before its row is on the server's disk
    int replicas = 0; ///< copies of Redis that must have a batch before its rows are given up
    bool onDisk = false; ///< Redis has a batch on its disk before its rows are given up
    int replicaTimeoutMs = 1000; ///< for each of the two
    /// Rows that commit late stand before the place where claims go on; a claim from the beginning
    /// finds them. It comes at least this often, but takes no more than a twentieth of the time;
    /// and whenever nothing else is to do, if that is not longer than a twentieth of the time
    /// either.
    int sweepEveryMs = 1000;

    bool operator==(const RelayRules &) const = default;
};

/// A policy between two connectors, with no thread of its own (source: the article "Transactional
/// Outbox Pattern" steps 2 and 3, order of correctness.md 3). The order for each batch is claim →
/// barrier → enqueue every row → COMMIT, and nothing else. With two lanes the database works on the
/// next batch while this one is in the queue: a lane is a session that holds one claim at a time.
/// No two claims run at once, so that batches come in the order of the mapping.
/// Blocking; used in the relay's room only.
///
/// Parked rows stay in the outbox; the claim leaves them out until somebody releases them. A row
/// whose try failed for a reason that may pass is left out as well, and tried alone, so that it
/// delays no other; after `triesBeforeParking` tries it is parked. Where a claim fails, or rows of
/// a batch turn out to be at fault, the next claim is a careful one, which finds all such rows of
/// a batch and delivers the others. Where that does not help, and where a COMMIT fails and names no
/// row, smaller and smaller batches find the guilty row (correctness.md 3, rule 6).
///
/// The relay sends and takes; what it knows between two turns is in machines that send nothing
/// themselves: `ClaimCursor`, `RowTrials`, `BrokenQueues`, `ParkingCache`, `InDoubtBatches`.
/// Errors: those of the store, of the queue and of the parked rows.
class Relay
{
    using Clock = std::chrono::steady_clock;

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
        RelayObserver observer{}; ///< may be empty; what it refers to outlives the relay
        /// Asked right before a COMMIT is sent; an error gives the batch back. May be empty.
        std::function<Result<void>()> mayCommit{};
    };

    Relay(Tools tools, RelayRules rules);

    /// Takes one batch of up to `rows` rows from the claim to its COMMIT, whose answer is waited
    /// for in a later turn when more is to come. Answers the batches that came to their end: none
    /// or some. `committed` is true when everything claimed was delivered, but for the rows that
    /// the step names as parked, failed or waiting. A batch with such rows that was not claimed
    /// carefully is rolled back without an error, and claimed carefully next; without the rows of
    /// queues that are away, where claims can leave these out. The last step claimed nothing when
    /// nothing can be claimed. With `isLast` no more is begun; what is under way is for further
    /// turns, or for `settle`.
    [[nodiscard]] QList<RelayStep> turn(int rows, bool isLast = false);
    /// Ends what is under way, so that no session holds anything: waits for the COMMIT that was
    /// sent, gives an open claim back.
    [[nodiscard]] QList<RelayStep> settle();
    /// True while a claim was sent that no turn has taken yet.
    [[nodiscard]] bool isUnderWay() const { return m_lanes.at(m_turn).claimSent; }
    /// What the last turn claimed.
    struct LastClaim
    {
        int rows = 0; ///< -1 where that tells nothing: the turn tried one row alone, the claim
                      ///< failed, or a careful one comes behind it
        int asked = 0; ///< for so many rows
        qint64 bytes = 0; ///< of payload
        Clock::time_point sentAt{}; ///< the claim
    };
    [[nodiscard]] const LastClaim &lastClaim() const { return m_last; }
    /// In how many milliseconds a claim may begin at the beginning again; 0 = now. Until then rows
    /// that commit late are not seen.
    [[nodiscard]] qint64 sweepDueMs() const { return m_cursor.sweepDueMs(Clock::now()); }
    /// Rows that failed are tried alone, or looked for among others; any of it may be the server's
    /// fault yet.
    [[nodiscard]] bool isTrying() const { return m_trials.isTrying(); }
    /// A queue is broken or away: its rows wait.
    [[nodiscard]] bool isQueueResting() const { return m_brokenQueues.isAny(); }
    [[nodiscard]] bool isQueueAway() const { return m_brokenQueues.isAnyAway(); }
    /// In how many milliseconds a claim may find rows that the last one left out for a queue that
    /// is away; nullopt where it left out none.
    [[nodiscard]] std::optional<qint64> queueRestMs() const
    {
        return m_brokenQueues.leftMs(m_last.sentAt, Clock::now());
    }
    [[nodiscard]] const QList<ParkedRow> &parked() const { return m_parking.rows(); }
    /// True when nothing unprocessed is left but parked rows; rows that others hold count as left.
    /// After `settle`, or after a turn that claimed nothing.
    [[nodiscard]] Result<bool> isDrained();

private:
    struct Batch
    {
        RelayStep step;
        ClaimStart start; ///< of the claim that met its rows
        QList<MessageId> ids; ///< fit to be sent, beside their requests
        QList<EnqueueRequest> requests;
        QList<MessageId> stored; ///< newly stored in this batch
        QList<DeliveryProof> proofs; ///< of the rows that may go
        qint64 queueBatch = 0; ///< its number in the queue's count
        std::optional<Error> doubt; ///< why none of it may be committed
    };
    struct Lane
    {
        OutboxStore *store = nullptr;
        int asked = 0; ///< rows, by the last claim that was sent
        bool claimSent = false;
        Clock::time_point sentAt{}; ///< that claim
        ClaimStart start; ///< of that claim
        bool isProbe = false; ///< it is careful for a queue that may still be away, and no more
        std::optional<Batch> committing; ///< its COMMIT is on the way
        QList<MessageId> left; ///< the rows of its last batch that was committed
    };

    [[nodiscard]] Lane &nextLane() { return m_lanes[(m_turn + 1) % m_lanes.size()]; }
    [[nodiscard]] Result<void> sendClaim(Lane &lane, int rows);
    [[nodiscard]] Result<Claim> takeClaim(Lane &lane, Batch &batch);
    void claimFailed(Lane &lane, const Error &error, QList<RelayStep> &ended);
    void claimedNothing(const Lane &lane, const Batch &batch, QList<RelayStep> &ended);
    /// Of rows that no claim can give: they stay, and it is told once.
    void tellNoKey(bool hasNoKey, QList<RelayStep> &ended);
    /// Whether more may be claimed before these rows are committed. Not behind a pooler: what is
    /// asked beside a batch would wait there for the connection of a claim of ours.
    [[nodiscard]] bool mayOverlap(const Lane &lane, const QList<ClaimedMessage> &rows);
    [[nodiscard]] bool haveLeftOut(const QList<ClaimedMessage> &rows) const;
    /// Whether the queue of one of these rows is away by now, and rests.
    [[nodiscard]] bool haveResting(const Lane &lane, const QList<ClaimedMessage> &rows) const;
    /// Sends the claim of the next lane, of `ahead` rows; 0 = none. False where the rows of `lane`
    /// had to be given back instead.
    [[nodiscard]] bool claimAhead(Lane &lane, const QList<ClaimedMessage> &rows, int ahead,
                                  Batch &batch, QList<RelayStep> &ended);
    /// Carries the rows of a claim to the queue. The batch knows then which of them may go.
    void enqueue(Lane &lane, QList<ClaimedMessage> rows, Batch &batch, QList<RelayStep> &ended);
    /// Sends the COMMIT of the rows that may go; gives the batch back where it may not go as it is.
    void commit(Lane &lane, Batch batch, QList<RelayStep> &ended);
    /// Waits for the answer to that COMMIT, where it was sent.
    void endCommit(Lane &lane, QList<RelayStep> &ended);
    void giveBack(Lane &lane, Batch batch, QList<RelayStep> &ended);
    void endTurn(Lane &lane, int ahead, QList<RelayStep> &ended);
    /// Learns what others parked and released meanwhile.
    [[nodiscard]] Result<void> readParking();
    /// From the rows of a claim to requests; rows that are at fault themselves are parked. Where
    /// a row has to wait for its queue, and no claim could know that, the batch is without rows:
    /// it is given back, and the row left out of the next one.
    void prepare(Lane &lane, QList<ClaimedMessage> rows, Batch &batch);
    [[nodiscard]] Result<void> mayBeSent(Lane &lane);
    /// Whether rows of the batch may go now. Where none may it is given back, whatever copies there
    /// are, and waits for none.
    [[nodiscard]] static bool mayAnyGo(const Batch &batch, const QList<EnqueueAnswer> &answers);
    /// Waits for replicas and disk. Servers that have too few copies of their rows answer QueueAway
    /// from then on; where there is one server alone it fails.
    [[nodiscard]] Result<void> haveCopies(const Batch &batch, QList<EnqueueAnswer> &answers);
    void judge(Batch &batch, const QList<EnqueueAnswer> &answers);
    /// Takes note of queues that are broken or away; `took`: until all had answered.
    void judgeQueues(const Lane &lane, Batch &batch, const QList<EnqueueAnswer> &answers,
                     std::chrono::milliseconds took);
    /// Of a careful batch: takes the rows that are fit, so that those which the database refuses
    /// are known before a byte is sent.
    void takeFit(Lane &lane, Batch &batch);
    void park(const MessageId &id, const QString &reason, Batch &batch);
    void countTry(const MessageId &id, const QString &reason, Batch &batch, RowTrials::Cause cause);
    /// Puts down an error that names no row: to the one row of the batch, or to the batch itself.
    void blame(Batch &batch, const Error &error, bool isOfQueue);
    /// After the rollback: writes why rows failed into their own columns, for people.
    void noteFailures(Lane &lane, const RelayStep &step);
    /// `settle`, without writing down what was parked.
    [[nodiscard]] QList<RelayStep> settleLanes();
    /// One batch of one row: `id`, or the first one that is due.
    [[nodiscard]] QList<RelayStep> tryAlone(const MessageId &id);
    /// The same, and takes note of what it cost.
    [[nodiscard]] QList<RelayStep> timedTry(const MessageId &id);
    /// The row that is to be tried alone now; empty = none.
    [[nodiscard]] MessageId toBeTried() const;
    /// As many are left out as may be.
    [[nodiscard]] bool isFull() const;
    /// The whole batch was refused: its rows are looked at one by one, unless the relay is stuck.
    void searchAmong(Batch &batch);
    /// The rows that claims leave out.
    [[nodiscard]] QList<MessageId> leftOut() const
    {
        return m_parking.ids() + m_trials.ids() + m_brokenQueues.rowsLeftOut(Clock::now());
    }
    void remember(const Batch &batch);
    /// Another lane has claimed rows of the batch since.
    [[nodiscard]] bool haveOthersClaimed(const Batch &batch) const;
    /// Tells how those batches ended, as far as that is known by now.
    void settleDoubts(QList<RelayStep> &ended);
    /// Rows that this relay can claim were not committed by a batch in doubt.
    void comeBack(const QList<ClaimedMessage> &rows, QList<RelayStep> &ended);
    /// The rows of a batch have left the outbox.
    void tookLeave(const QList<MessageId> &ids, qint64 queueBatch);
    void tell(RelayStage moment, const QList<MessageId> &ids = {});

    Tools m_tools;
    RelayRules m_rules;
    QList<Lane> m_lanes;
    qsizetype m_turn = 0; ///< the lane whose turn it is
    qint64 m_batches = 0; ///< that were begun
    LastClaim m_last;
    ClaimCursor m_cursor;
    BrokenQueues m_brokenQueues;
    ParkingCache m_parking;
    RowTrials m_trials;
    bool m_isIdle = false; ///< the last claim found nothing
    bool m_isNoKeyTold = false; ///< that a row has no key, since the table was empty
    InDoubtBatches m_inDoubt;
    /// Stored in the queue by a batch that was rolled back: such rows count as newly enqueued when
    /// the queue has them already.
    QSet<MessageId> m_storedUncommitted;
};

} // namespace outbox
