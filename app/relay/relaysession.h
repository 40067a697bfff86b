// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What lives in a relay's room: its database session, its queue connection, and the relay between
// them.
#pragma once

#include "app/relay/batchsize.h"
#include "app/relay/nodeconflicts.h"
#include "app/relay/parking/outboxparking.h"
#include "app/relay/relay.h"
#include "app/relay/relaymemory.h"
#include "connectors/asynq/asynqqueue.h"
#include "connectors/redis/sentinel/masterwatch.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/relay/relaystep.h"
#include "models/system/relayentry.h"
#include "models/system/snapshots.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace outbox {

/// Given the queue, answers the one that the relay uses in its place; that one outlives the relay.
/// Called in the relay's room whenever a session is opened. Empty = the queue itself is used.
using QueueAround = std::function<TaskQueue &(TaskQueue &)>;

/// What a relay is opened with.
struct RelayTarget
{
    StoreSettings store;
    OutboxShape shape;
    RedisEndpoint redis;
    RelayRules rules;
    QString clientName;
    QString notifyChannel;
    bool anyEvictionPolicy = false; ///< overridden in writing
    bool idsNeverReturn = false; ///< the same
    bool shardsChanged = false; ///< the same
    /// Tasks that wait in the relay's queue, or in one of the last batch, beyond which no more rows
    /// are claimed; 0 = no limit.
    qint64 deepestQueue = 0;
    /// For parked rows where no table keeps them, and for what is known of the queues from run to
    /// run; empty = the user's.
    QString stateFolder;
    /// Called in the relay's room; may be empty; what it refers to outlives the relay.
    RelayObserver observer{};
    QueueAround around{};
    /// What it tells others of itself; where host or version are empty, those of this machine and
    /// of this program. The start is filled in.
    RelayAbout about{};
};

/// Where a relay keeps what must outlive it.
struct RelayPlaces
{
    QString parking; ///< where parked rows are kept, in words
    QString memory; ///< where it is remembered what was delivered, in words
    /// Of these nobody remembered anything when the relay began: whether Redis has lost what was
    /// delivered there before is unknown.
    QStringList unknown;
};

/// What a relay works for.
enum class RelayAim {
    Always, ///< it waits for more
    NothingDue, ///< one run: it ends when nothing can be claimed
    Drained, ///< it ends when nothing is left, what others hold included
};

/// How a burst of steps ended.
struct RelayBurst
{
    enum class End {
        BudgetSpent, ///< time is up, there may be more
        Drained, ///< its aim is reached
        Failed, ///< the last step has the error
        QueueFull, ///< as many tasks wait in the queue as there may
        Held, ///< the master of Redis fails over; that was told before
        Stopped, ///< the stop token was seen
    };
    QList<RelayStep> steps;
    bool isTrying = false; ///< `Relay::isTrying` when it ended
    bool isQueueResting = false; ///< `Relay::isQueueResting` then
    std::optional<RedisFacts> facts; ///< of a Redis that was met anew meanwhile
    QString news; ///< of the database's servers; empty: there is none
    /// Rows that are not delivered yet, as far as `liveCaps` counts; once a minute, while rows wait
    /// for a queue, or where it failed for a server that is away.
    std::optional<qint64> rowsWaiting;
    End end = End::BudgetSpent;

    /// True where a batch was committed.
    [[nodiscard]] bool hasDelivered() const;
    /// True where rows were left in the outbox for a queue that is away.
    [[nodiscard]] bool hasLeftWaiting() const;
    /// False while rows fail and none gets through: that may be the server's fault.
    [[nodiscard]] bool worksWell() const;
    /// The last one: what was settled after it may have ended well.
    [[nodiscard]] Error error() const;
};

/// Blocking; used in its room only, but for `interrupt`.
/// Errors: those of the store and of the queue; Refused where the relay must not start.
class RelaySession
{
public:
    /// Opens both connections and refuses what correctness.md 3 refuses (eviction policy), and a
    /// Redis that cannot say what is on its disk where batches wait for that.
    [[nodiscard]] Result<void> open(const RelayTarget &target);
    /// What Redis said of itself when it was opened.
    [[nodiscard]] const RedisFacts &facts() const { return m_queue.facts(); }
    /// Reconnects whichever side was lost. A Redis is judged anew then.
    [[nodiscard]] Result<void> ensureOpen();
    /// Redis has lost what it was given, so that nothing may go on by itself (correctness.md 3,
    /// rule 12), the address leads to another database than before, or the session was cut off.
    /// From then on `ensureOpen` says why; a session that is opened anew begins with what it finds.
    [[nodiscard]] bool mustStop() const { return m_lost || m_cutOff; }
    /// Once for each Redis that was met anew.
    [[nodiscard]] std::optional<RedisFacts> takeNewFacts() { return m_queue.takeNewFacts(); }
    /// Works until `budgetMs` is spent, `mostRows` were claimed, an error, or a stop; then no
    /// session holds anything. While nothing can be claimed it waits, here and not between two
    /// bursts, for a NOTIFY or until `pollMs` have passed since it last looked. `rows` is the
    /// largest batch.
    [[nodiscard]] RelayBurst work(int rows, qint64 mostRows, int budgetMs, int pollMs, RelayAim aim,
                                  const std::stop_token &stop);
    /// Reconnects where that is needed and keeps other runs on this table away; false: there is
    /// one.
    [[nodiscard]] Result<bool> beginRun();
    [[nodiscard]] Result<void> endRun() { return m_lanes.front().releaseJobLock(); }
    /// Ends the waiting: the next burst begins with a look.
    void lookNow() { m_idleUntil = QDeadlineTimer(0); }
    /// Cuts all connections, also in the middle of a batch. The session does not come back, as
    /// after SIGKILL; `ensureOpen` answers `error` from now on.
    void cutOff(const Error &error);
    /// Where parked rows are kept, in words.
    [[nodiscard]] QString parkingPlace() const { return m_parking.place(); }
    [[nodiscard]] RelayPlaces places() const;
    /// Closes the queue first, then the database, as the article asks.
    void close();
    /// From any thread: shuts the database socket.
    void interrupt() noexcept;

private:
    [[nodiscard]] Result<void> openStores(const RelayTarget &target);
    /// Opens the memory, and compares what the database keeps of other relays with Redis. Fails as
    /// `AsynqQueue::meet` where that lost something, unless the loss was told before.
    [[nodiscard]] Result<void> recall(const RelayTarget &target);
    /// The queues that rows may be sent to, as far as the shape tells.
    [[nodiscard]] QStringList queues() const;
    /// Agrees on the shards, and meets those queues.
    [[nodiscard]] Result<void> meetQueues(const RelayTarget &target);
    /// Takes note where the error says that Redis has lost something.
    void noteLoss(const Error &error);
    /// Hands on, and takes note where the address leads to another database.
    [[nodiscard]] Result<void> noteOther(Result<void> opened);
    [[nodiscard]] Result<bool> isQueueFull();
    /// For `RelayBurst::news`: what was met of the database's servers, and of their conflicts by
    /// these steps.
    [[nodiscard]] QString takeNews(const QList<RelayStep> &steps);
    /// For `RelayBurst::rowsWaiting`; no claim is open.
    [[nodiscard]] std::optional<qint64> countWaiting(const RelayBurst &burst);
    /// Fails where the watch has told something that the operator must know: once for each.
    [[nodiscard]] Result<void> heedWatch();
    /// Lets go of a master that may be none any more.
    void followMaster();
    /// Until something may be there to claim or `milliseconds` are over; hears a stop within 50 ms,
    /// but not while other hosts are asked.
    [[nodiscard]] Result<void> waitWhileIdle(qint64 milliseconds, const std::stop_token &stop);
    /// Fails where the database is at an earlier primary than one that another host is. No-op
    /// within 10 s of the last rows that were committed, or of the last question, and longer where
    /// that one took more than a second.
    [[nodiscard]] Result<void> leaveEarlierPrimary();

    RelayTarget m_target;
    std::array<OutboxStore, 2> m_lanes; ///< the second one is open where two may hold claims
    OutboxStore m_barrier; ///< open where the rules ask for it
    AsynqQueue m_queue; ///< its server is judged once in each burst
    RelayMemory m_memory;
    std::optional<Error> m_lost; ///< see `mustStop`
    std::optional<Error> m_cutOff; ///< see `cutOff`; also where the database is another one
    OutboxParking m_parking;
    BatchSize m_size;
    NodeConflicts m_conflicts;
    QElapsedTimer m_sinceBacklog;
    QElapsedTimer m_sinceCounted; ///< the rows that wait
    std::unique_ptr<MasterWatch> m_watch; ///< where sentinels know the master
    QDeadlineTimer m_idleUntil{0}; ///< nothing could be claimed: the next look without a NOTIFY
    std::optional<Relay> m_relay; ///< after everything it works with
};

} // namespace outbox
