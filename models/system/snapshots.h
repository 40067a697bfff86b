// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one look at the outbox, at the queue and at the retained ids answered. A number that could
// not be had is std::nullopt with its reason in `notes`; it is never 0.
#pragma once

#include "models/ids.h"
#include "models/message/message.h"
#include "models/message/messagestate.h"
#include "models/system/relayentry.h"
#include "models/system/standbystate.h"

#include <QDateTime>
#include <QList>
#include <QMap>
#include <QString>

#include <algorithm>
#include <optional>

namespace outbox {

/// How sure the program is of a mapping that nobody has confirmed: numbers that are read by it are
/// no facts.
struct MappingGuess
{
    std::optional<double> confidence; ///< 0 to 1; nullopt: it was saved without being confirmed
    qsizetype questions = 0; ///< that only a person can answer

    bool operator==(const MappingGuess &) const = default;
};

/// An index that looks at a large table miss, and how it is made.
struct IndexAdvice
{
    bool isOfPages = false; ///< pages of rows need it; else counts of rows that are not processed
    QString statement;

    bool operator==(const IndexAdvice &) const = default;
};

/// How many rows of an outbox are counted before a look stops.
struct CountCaps
{
    qint64 open = 1'000'000; ///< rows that are not processed
    qint64 processed = 1'000'000;

    /// Larger tables have so many processed rows that they are not even begun to be counted, where
    /// the server has an estimate.
    [[nodiscard]] qint64 mostCountedSize() const { return open + 10 * processed; }
    bool operator==(const CountCaps &) const = default;
};

/// What a look that comes every second may count.
constexpr CountCaps liveCaps{10'000, 10'000};

/// Whether a look asks how many rows come: who shows no rate need not.
enum class Arrivals { Asked, NotAsked };

/// Counts of one outbox at one moment.
struct OutboxSnapshot
{
    /// How far rows that are not delivered were counted.
    enum class Counted {
        All,
        Cut, ///< counting stopped: of each state there may be more
        Estimated, ///< the same, but `pending` is taken from the server's statistics
    };
    QDateTime at; ///< the database's clock, UTC
    std::optional<qint64> pending; ///< due rows that no one holds
    std::optional<qint64> waiting; ///< rows not yet due
    std::optional<qint64> locked; ///< rows an open transaction or a live lease holds
    std::optional<qint64> processed; ///< nullopt where the relay deletes rows
    std::optional<qint64> failed;
    std::optional<qint64> parked; ///< rows set aside beside the table; none of the others
    std::optional<qint64> unknown; ///< rows that the mapping gives no state
    std::optional<double> oldestPendingSeconds;
    /// Read from the marks of rows that stay, by the first look at a table: since when none left...
    std::optional<double> lastLeftSeconds;
    std::optional<double> worstDelaySeconds; ///< ... and the longest from made to marked, lately
    QList<LockHolder> holders;
    /// PostgreSQL: whoever keeps what others deleted from being cleaned up, the oldest; nullopt:
    /// nobody, or it is not known. Asked for now and then.
    std::optional<LockHolder> oldSnapshot;
    bool exact = true; ///< false: a count was capped, estimated, or made by a guess
    Counted counted = Counted::All;
    std::optional<MappingGuess> guess; ///< all of it was read by a mapping that is a guess
    bool lockVisible = true; ///< false where the database does not show which rows are held
    QString writerNote; ///< SQLite: "the database is being written by …"
    std::optional<StandbyState> standby; ///< the server is one: all counts are as old as it is
    double clockOffsetSeconds = 0; ///< database clock minus ours
    double tookMs = 0;
    QMap<QString, QString> notes; ///< by member: why it is missing or not exact
    QList<IndexAdvice> missingIndexes; ///< where the table is large
    /// Rows that came in the last ten seconds, a second; nullopt: this look is the first or did not
    /// ask, or the table does not tell (a note by "in_per_s").
    std::optional<double> inPerSecond;

    /// Rows that are not delivered yet, whatever they wait for.
    [[nodiscard]] std::optional<qint64> backlog() const
    {
        return pending ? std::optional(*pending + waiting.value_or(0) + locked.value_or(0))
                       : std::nullopt;
    }
    /// Whether the count of this name in `notes` is no estimate and no guess.
    [[nodiscard]] bool isExact(const QString &member) const
    {
        return exact || (!guess && !notes.contains(member));
    }
    /// The rows that were counted or estimated, in all states.
    [[nodiscard]] qint64 rows() const
    {
        qint64 sum = 0;
        for (const auto &count : {pending, waiting, locked, processed, failed, unknown})
            sum += count.value_or(0);
        return sum;
    }

    bool operator==(const OutboxSnapshot &) const = default;
};

/// One asynq server that serves queues.
struct QueueServer
{
    QString host;
    int pid = 0;
    QString serverId;
    int concurrency = 0;
    QMap<QString, int> queues; ///< name → priority
    QString status;
    QDateTime started;
    int activeWorkers = 0;

    bool operator==(const QueueServer &) const = default;
};

/// What a worker is running now.
struct QueueWorker
{
    QString serverId;
    TaskId task;
    QString type;
    QString queue;
    QDateTime started;
    QDateTime deadline;

    bool operator==(const QueueWorker &) const = default;
};

/// A task that a scheduler enqueues again and again.
struct SchedulerEntry
{
    QString id;
    QString spec; ///< when: "@every 30s", "0 4 * * *"
    QString type; ///< of the task
    QStringList options; ///< as the scheduler writes them: `Queue("mail")`
    std::optional<QDateTime> next; ///< UTC
    std::optional<QDateTime> previous; ///< nullopt: not yet

    bool operator==(const SchedulerEntry &) const = default;
};

/// What most of the dead tasks of a queue died of, as far as its newest ones were read.
struct DeadCause
{
    QueueName queue;
    QString cause; ///< what their errors have in common, as `causeOf` says it; empty: the most have
                   ///< none
    qint64 count = 0; ///< of `read`, that have it
    qint64 read = 0;
    qint64 dead = 0; ///< there were so many, and ...
    std::optional<qint64> failedTotal; ///< ... so many attempts had failed, when they were read

    bool operator==(const DeadCause &) const = default;
};

/// Sizes of one queue.
struct QueueSnapshot
{
    QDateTime at; ///< Redis TIME, UTC
    QueueName name;
    qint64 pending = 0;
    qint64 active = 0;
    qint64 scheduled = 0;
    qint64 retry = 0;
    qint64 archived = 0;
    qint64 completed = 0;
    std::optional<qint64>
        aggregating; ///< nullopt when there are too many groups to look at cheaply
    bool known = true; ///< false: not a member of asynq:queues
    bool paused = false;
    std::optional<qint64> processedTotal; ///< attempts since ever; display only
    std::optional<qint64> failedTotal;
    std::optional<double>
        oldestPendingSeconds; ///< nullopt when nothing waits or the time is unknown
    std::optional<int> servers; ///< live servers that serve this queue
    QList<RelayEntry> relays; ///< that have delivered to it; see `relaysOf`
    std::optional<DeadCause> deadCause; ///< nullopt: not read
    double tookMs = 0;
    QMap<QString, QString> notes;

    bool operator==(const QueueSnapshot &) const = default;
};

/// The queue with the most dead tasks; its end where no task is dead.
[[nodiscard]] inline QList<QueueSnapshot>::const_iterator
withMostDead(const QList<QueueSnapshot> &queues)
{
    const auto most = std::max_element(queues.cbegin(), queues.cend(),
                                       [](const QueueSnapshot &one, const QueueSnapshot &other) {
                                           return one.archived < other.archived;
                                       });
    return most == queues.cend() || most->archived == 0 ? queues.cend() : most;
}

/// The one of this name; nullptr: there is none.
[[nodiscard]] inline const QueueSnapshot *queueNamed(const QList<QueueSnapshot> &queues,
                                                     const QueueName &name)
{
    for (const QueueSnapshot &queue : queues) {
        if (queue.name == name)
            return &queue;
    }
    return nullptr;
}

/// All queues of a system together.
struct QueueSums
{
    qint64 pending = 0;
    qint64 active = 0;
    qint64 scheduled = 0;
    qint64 retry = 0;
    qint64 archived = 0;
    qint64 aggregating = 0;
    bool exact = true; ///< false: the groups of a queue were not counted

    QueueSums() = default;
    explicit QueueSums(const QList<QueueSnapshot> &queues)
    {
        for (const QueueSnapshot &queue : queues) {
            pending += queue.pending;
            active += queue.active;
            scheduled += queue.scheduled;
            retry += queue.retry;
            archived += queue.archived;
            aggregating += queue.aggregating.value_or(0);
            exact = exact && queue.aggregating.has_value();
        }
    }
    /// Tasks that are not done, the dead ones apart.
    [[nodiscard]] qint64 depth() const
    {
        return pending + active + scheduled + retry + aggregating;
    }

    bool operator==(const QueueSums &) const = default;
};

/// The retained ids of one queue: what a replay would be refused by.
struct DedupSnapshot
{
    QDateTime at;
    QueueName name;
    qint64 retained = 0; ///< completed and kept
    qint64 expired = 0; ///< kept beyond their time: still refused until a janitor runs
    std::optional<QDateTime> soonestExpiry;
    std::optional<QDateTime> latestExpiry;
    std::optional<qint64> bytes; ///< estimate from a sample
    int sampled = 0;
    QList<qint64> expiryPerHour; ///< next 24 hours; index 0 = the coming hour
    double tookMs = 0;

    bool operator==(const DedupSnapshot &) const = default;
};

/// Facts about the Redis server that decide what may be promised.
struct RedisFacts
{
    QString version; ///< of Redis; Valkey 8 and newer say 7.2.4
    QString valkeyVersion; ///< empty: it is none
    QString role; ///< master or slave
    QString mode; ///< standalone, cluster or sentinel
    QString runId;
    qint64 dbSize = 0;
    qint64 usedMemory = 0;
    qint64 maxMemory = 0; ///< 0 = no limit
    QString maxMemoryPolicy;
    bool aofEnabled = false;
    QString aofLastWriteStatus;
    QString rdbLastSaveStatus;
    bool loading = false;
    int connectedReplicas = 0;
    int connectedClients = 0;
    double clockOffsetSeconds = 0; ///< Redis TIME minus ours

    bool operator==(const RedisFacts &) const = default;
};

} // namespace outbox
