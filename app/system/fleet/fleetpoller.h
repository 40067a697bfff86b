// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks at many systems all the time, a few of them at once, and tells what it saw.
#pragma once

#include "app/system/fleet/fleetpace.h"
#include "app/system/fleet/fleetreading.h"
#include "app/system/fleet/statusquestion.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace outbox {

/// Each look is that of `status`, with its deadline, and is judged as `watch` does. At most eight
/// are taken at a time, each in a room; no room waits for another one. Six of them at most ask one
/// database server, and four at most ask systems that did not answer. Systems whose databases are
/// opened by the same address, user and password are asked one after another by one session. Such
/// sessions stay open between looks: 64, the one not used for the longest time is closed for
/// another.
/// Nothing here waits, but the destructor for what is under way, as everywhere. Rooms are made when
/// they are needed first. Lives in the thread of its owner.
class FleetPoller : public QObject
{
    Q_OBJECT

public:
    /// `program` is who servers are told that looks.
    explicit FleetPoller(QString program, QObject *parent = nullptr);
    ~FleetPoller() override;

    /// These are watched from now on. One that is as it was goes on.
    void setSystems(const QList<FleetSystem> &systems);
    void start();
    /// What is under way ends, and is told; sessions are closed half a minute later.
    void stop();
    [[nodiscard]] bool isRunning() const { return m_tick.isActive(); }
    /// Every system is due, also one that refused us: a wrong password is not tried again by
    /// itself.
    void lookNow();
    /// What the looks of the last ten seconds cost.
    [[nodiscard]] FleetCost cost() const;

signals:
    void looked(const outbox::FleetReading &reading);

private:
    struct Address;
    struct Watched;
    struct FleetRoom;
    using Entry = std::shared_ptr<Watched>;

    void askDue();
    void ask(const Entry &system);
    void take(const Entry &system, const SystemReading &look, const ClosedSources &closed,
              const QuestionCost &cost);
    void judgeServers(Watched &system, const SystemReading &look, const ClosedSources &closed);
    /// Of its sources, why they are not to be asked now.
    [[nodiscard]] ClosedSources knownOf(const Watched &system, qint64 now) const;
    /// That of systems that are watched already, or a new one.
    [[nodiscard]] std::shared_ptr<Address> addressOf(const FleetSystem &system);
    /// The room of its address where that is free, or another one; nullptr: there is none now.
    [[nodiscard]] FleetRoom *roomFor(const Watched &system, qint64 now);
    [[nodiscard]] FleetRoom *freeRoom();
    [[nodiscard]] qsizetype systemsIn(const FleetRoom &room) const;
    /// Closes a session where there are as many as may be.
    void makeWayForSession();
    /// Closes the session, and forgets what was known of its systems; nobody is asked there now.
    void leave(Address &address);
    void forget(const Watched &system);
    void closeSessions();

    QString m_program;
    QTimer m_tick;
    QTimer m_rest; ///< nobody looked for so long
    QElapsedTimer m_clock;
    std::vector<Entry> m_systems;
    std::vector<std::weak_ptr<Address>> m_addresses;
    int m_lastNumber = 0; ///< of an address or a system
    std::vector<std::unique_ptr<FleetRoom>> m_rooms;
    AwayServers m_away;
    FleetMeter m_meter;
};

} // namespace outbox
