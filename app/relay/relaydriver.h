// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs a relay: pace, NOTIFY wake-up, back-off, pause, drain, graceful stop.
#pragma once

#include "app/relay/relaysession.h"
#include "app/relay/relaysettings.h"
#include "models/relay/schedule.h"
#include "models/relay/relaystep.h"
#include "models/result.h"
#include "models/system/snapshots.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>

namespace outbox {

/// One running relay in a room of its own, with its own pair of connections. Lives in the thread of
/// the one who made it; needs an event loop. Every stop is at a clean border: a step is one
/// transaction. The room works in bursts of a quarter of a second, so that a pause is heard
/// soon; a stop is heard after the batch in hand.
class RelayDriver : public QObject
{
    Q_OBJECT

public:
    explicit RelayDriver(QObject *parent = nullptr);
    ~RelayDriver() override;

    [[nodiscard]] RelayState state() const;
    [[nodiscard]] const RelayTotals &totals() const;
    [[nodiscard]] const RelaySettings &settings() const;
    /// While it backs off, or a queue is away: `RelayBurst::rowsWaiting`, as it was counted last.
    [[nodiscard]] std::optional<qint64> rowsWaiting() const;
    /// What `queueRests` told last.
    [[nodiscard]] bool isQueueResting() const;

    /// Opens both connections and begins. Refusals (retention, eviction policy, shape, read-only
    /// server, a barrier where there is none) are told by `failed` before a row is touched. With
    /// `drainOnly` it ends when the outbox is empty.
    void start(StoreSettings store, const OutboxShape &shape, const RedisEndpoint &redis,
               const RelaySettings &settings, bool drainOnly = false);
    /// No claims until `resume`; a relay that is backing off pauses once its connections stand.
    void pause();
    void resume();
    /// Goes on until the outbox is empty but for parked rows, then stops. Rows that others hold are
    /// waited for.
    void drain();
    /// No new claim; the batch in hand is finished within the grace time, else rolled back.
    void stop();
    /// Rolls the batch in hand back at once by closing the database session.
    void abandon();
    /// What stands between the relay and its queue from the next `start` on.
    void setQueueAround(QueueAround around);
    /// Does `act` in the relay's room, between two bursts. Nothing is done where no relay runs.
    void inRoom(std::function<void(RelaySession &)> act);

signals:
    void stateChanged(outbox::RelayState state);
    /// Both connections stand; again when another Redis was met. What Redis says of itself decides
    /// what may be promised; `places` are as they were when the relay began.
    void opened(const outbox::RedisFacts &facts, const outbox::RelayPlaces &places);
    /// The room has answered: a burst, a slice of a wait, a try to connect. Comes several times a
    /// second from a relay that lives, in every state but Starting; a room that hangs is silent.
    /// `isWell`: the outbox was worked on, or waited for, without an error.
    void answered(bool isWell);
    /// Of each burst, before it is told as `answered`: whether the rows of a queue that is broken,
    /// or away, are left out. Other rows may be delivered well meanwhile.
    void queueRests(bool doesRest);
    /// By a schedule: nothing is done until then.
    void runPlanned(const QDateTime &next);
    void runEnded(const outbox::JobRun &run);
    void stepsTaken(const QList<outbox::RelayStep> &steps);
    /// The next try comes in `milliseconds`; `error` says why it waits.
    void backingOff(const outbox::Error &error, int milliseconds);
    /// The database goes on elsewhere: another server was promoted; or relays on several nodes
    /// undo each other's work. `text` is for the log.
    void serverChanged(const QString &text);
    /// Why it did not start, or must not go on: Redis lost what it was given, or the address leads
    /// to another database. Other errors are cured by backing off and trying again once it runs.
    void failed(const outbox::Error &error);
    /// After the last step: "drained", "stopped", "abandoned" or "failed".
    void finished(const QString &how);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace outbox
