// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one step of the relay did, and the sums a run is told by.
#pragma once

#include "models/ids.h"
#include "models/result.h"

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// A row that was set aside with its reason; it stays in the outbox.
struct ParkedRow
{
    MessageId id;
    QString reason;
    int attempts = 0; ///< how often it was tried; 0 = refused before it was sent
    QDateTime at; ///< when it was set aside, by the clock of the one who did it
    QString by = {}; ///< who set it aside: "outboxctl/ana@desk"
    /// How `reason` begins where a person set it aside, and not a relay.
    static constexpr QStringView byHand = u"set aside by hand";

    bool operator==(const ParkedRow &) const = default;
};

/// Rows that stay because their queues are away: they wait, and none of them is blamed.
struct WaitingRows
{
    QString node; ///< of a Redis Cluster, "host:port"; empty: it is not known which
    int rows = 0; ///< of one step
    Error error; ///< names the queues, and says why they are away

    bool operator==(const WaitingRows &) const = default;
};

/// One transaction of the relay: claimed rows, what the queue said, how it ended.
struct RelayStep
{
    QDateTime at;
    qint64 number = 0; ///< of the steps that claimed something; 0 = it claimed nothing
    int claimed = 0;
    int enqueued = 0; ///< newly stored in the queue
    int alreadyQueued = 0; ///< delivered before: in flight
    int alreadyDone = 0; ///< delivered before: completed and retained
    int deadInQueue = 0; ///< delivered before, archived by the queue
    QList<ParkedRow> parked; ///< set aside in this step
    QList<ParkedRow> failed; ///< their try failed for a reason that may pass: tried again, alone
    QList<WaitingRows> waiting; ///< for a queue that is away: claimed again when that has rested
    bool committed = false;
    std::optional<Error> error; ///< why the batch was rolled back
    enum class Doubt {
        None,
        Open, ///< the answer to its COMMIT was lost: its rows are gone, or come back
        Settled, ///< it is an earlier one, which was open, and this is how it ended
    };
    Doubt doubt = Doubt::None;
    double claimMs = 0;
    double enqueueMs = 0;
    double commitMs = 0;

    /// Rows whose tasks the queue had met before.
    [[nodiscard]] int seenBefore() const { return alreadyQueued + alreadyDone + deadInQueue; }
    [[nodiscard]] int delivered() const { return enqueued + seenBefore(); }
    /// Nothing of it has to stay.
    [[nodiscard]] bool isWhole() const
    {
        return parked.isEmpty() && failed.isEmpty() && waiting.isEmpty();
    }
    [[nodiscard]] double tookMs() const { return claimMs + enqueueMs + commitMs; }
    bool operator==(const RelayStep &) const = default;
};

/// Sums over a run; the members of the last line of `outboxctl relay`.
struct RelayTotals
{
    qint64 enqueued = 0;
    qint64 alreadyQueued = 0;
    qint64 alreadyDone = 0;
    qint64 deadInQueue = 0;
    qint64 parked = 0;
    qint64 batches = 0;
    qint64 rollbacks = 0;
    qint64 inDoubt = 0; ///< batches whose COMMIT was not answered, and may have gone or not

    /// Adds a step; only what was committed counts as delivered.
    void add(const RelayStep &step);
    [[nodiscard]] qint64 delivered() const
    {
        return enqueued + alreadyQueued + alreadyDone + deadInQueue;
    }
    bool operator==(const RelayTotals &) const = default;
};

/// Where a relay run stands.
enum class RelayState {
    Stopped,
    Starting,
    Running,
    Paused,
    Draining,
    BackingOff,
    Stopping,
    Failed
};

[[nodiscard]] QString word(RelayState state);
[[nodiscard]] QString label(RelayState state);

} // namespace outbox
