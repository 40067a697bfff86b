// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which row is guilty: failed tries, proofs that the servers are well, and the search for a row
// among many.
#pragma once

#include "models/ids.h"
#include "models/result.h"

#include <QHash>
#include <QList>

#include <chrono>
#include <optional>

namespace outbox {

/// Decides what follows from each failure of a relay (correctness.md 3, rule 6). It sends nothing
/// itself.
/// - An error may name a row, a batch, or the server. An error of the server counts for no row, but
///   a row that makes the server hang up looks like a server that is lost: after several such
///   failures in a row one row is suspected.
/// - A row that failed is on trial: it is left out of ordinary claims and tried alone, after rests
///   that get longer. Its last try parks it only where others got through meanwhile.
/// - Where a whole batch fails and no row is named, smaller and smaller batches are claimed until
///   the guilty row is found.
/// Used in the relay's room.
class RowTrials
{
public:
    using Time = std::chrono::steady_clock::time_point;

    /// A row is parked at its `mostTries`th try; the first rest is `retryAfterMs` milliseconds.
    RowTrials(int mostTries, int retryAfterMs)
        : m_mostTries(mostTries), m_retryAfterMs(retryAfterMs)
    { }

    /// Why a try failed.
    struct Cause
    {
        bool isQueue = false; ///< the queue refused the row; else the database did
        bool isDoubtful = false; ///< it may well be the fault of no row
        bool isLate
            = false; ///< it took too long, perhaps for somebody's lock: the row rests longer
    };
    /// What follows from a failed try.
    enum class Next {
        Rest, ///< it is tried again, alone
        Park, ///< it had its last try, and others got through
        Distrust, ///< it had its last try, but no other row got through: the servers may be at
                  ///< fault
    };
    /// Counts a failed try of the row, which is on trial from then on. A row to be parked stays on
    /// trial until it is removed.
    [[nodiscard]] Next countTry(const MessageId &id, Cause cause, Time now);

    /// What an error of a whole batch means.
    struct Blame
    {
        std::optional<Cause> cause; ///< it counts as a try of the batch's only row
        bool isTold = false; ///< the batch ends with this error
    };
    /// Judges an error that names no row: it counts for the one row of the batch, begins or goes on
    /// with the search for it among many, or is the server's. What the queue answers for a whole
    /// batch is the server's, because the queue names a row that is at fault; only a loss may be
    /// a row's all the same.
    [[nodiscard]] Blame blame(const QList<MessageId> &ids, const Error &error, bool isOfQueue);

    /// How many rows are on trial.
    [[nodiscard]] qsizetype count() const { return m_trials.size(); }
    [[nodiscard]] QList<MessageId> ids() const { return m_trials.keys(); }
    /// How often the row was tried; 0 = it is not on trial.
    [[nodiscard]] int triesOf(const MessageId &id) const { return m_trials.value(id).tries; }
    /// The row is on trial no more. Answers how often it was tried; 0 = it was not on trial.
    int remove(const MessageId &id) { return m_trials.take(id).tries; }
    /// The next try of the row is the last one.
    [[nodiscard]] bool isLastTry(const MessageId &id) const;
    /// Whether the queue answered a question right before the last try of the row.
    void setQueueWell(const MessageId &id, bool isWell);
    /// The row that rested long enough to be tried again; empty = none. While other work is to do,
    /// not `isFree`, no more than a twentieth of the time goes into tries.
    [[nodiscard]] MessageId due(Time now, bool isFree) const;
    /// A try ended; it took `cost`.
    void tried(std::chrono::nanoseconds cost, Time now);
    /// So many rows failed, and none got through since, that it may be no row's fault. No more are
    /// tried alone then; careful claims look through the table for one that gets through.
    [[nodiscard]] bool isStuck() const;
    /// Rows are tried alone, or looked for; any of it may be the server's fault yet.
    [[nodiscard]] bool isTrying() const { return isSearching() || !m_trials.isEmpty(); }

    /// Looks for one guilty row among the next `rows` rows; 0 ends the search.
    void search(qsizetype rows) { m_searched = rows; }
    [[nodiscard]] bool isSearching() const { return m_searched > 0; }
    /// Few enough are left to look at them one by one.
    [[nodiscard]] bool isSearchNarrow() const { return m_searched > 0 && m_searched < 4; }
    /// How many rows to claim where `rows` are asked for.
    [[nodiscard]] int claimSize(int rows) const;
    /// So many of the rows among which the search goes on were delivered.
    void gotThrough(qsizetype rows);
    /// Searches among `rows` rows where the error is the third Timeout since a batch got through.
    void searchIfLateAgain(const Error &error, qsizetype rows);
    /// All of `rows` rows were refused: searches among them. While the relay is stuck that is an
    /// error, of the kind Constraint, instead.
    [[nodiscard]] std::optional<Error> searchAmong(qsizetype rows);
    /// The queue refused all rows of a batch. True where it is to be searched: once may be the
    /// server's fault.
    [[nodiscard]] bool isRefusedAgain();
    /// The queue refused a whole batch since one got through.
    [[nodiscard]] bool wasRefused() const { return m_refusedInSeries > 0; }

    /// A batch was committed: its rows are on trial no more, and the servers are well.
    void committed(const QList<MessageId> &ids);
    /// The whole table held nothing to claim. `isProof`: which shows that the database is well.
    void foundNothing(bool isProof);

private:
    struct Trial
    {
        int tries = 0;
        Time since; ///< the last try
        qint64 commits = 0; ///< `m_commits` at the first try
        qint64 empties = 0; ///< `m_empties` at the first try
        bool isSlow = false; ///< a try of it took too long
        bool isQueueWell = false; ///< see `setQueueWell`
    };
    /// Other rows got through since its first try, or there were none.
    [[nodiscard]] bool isProven(const Trial &trial) const;
    /// The server that refused the row is well. With nothing else to deliver, an answered claim
    /// shows it of the database, and an answered question shows it of the queue.
    [[nodiscard]] bool isProvenFor(const Trial &trial, Cause cause) const;
    [[nodiscard]] bool isLateAgain(const Error &error);

    int m_mostTries;
    int m_retryAfterMs;
    QHash<MessageId, Trial> m_trials;
    qint64 m_commits = 0; ///< batches that were committed
    qint64 m_empties = 0; ///< times that nothing was left to claim
    /// Failures since a batch was committed.
    int m_lostInSeries = 0; ///< the connection was lost
    int m_lateInSeries = 0; ///< claims, takes, enqueues and COMMITs that took too long
    int m_refusedInSeries = 0; ///< batches of which the queue refused every row
    qsizetype m_searched = 0; ///< among so many of the next rows one spoils the batch; 0 = none
    std::optional<Time> m_triedAt; ///< when the last try ended
    std::chrono::nanoseconds m_tryCost{0}; ///< of that try
};

} // namespace outbox
