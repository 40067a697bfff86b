// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What several systems are asked with in one room of a fleet: those of one database share a
// session, those of one Redis a connection; what is known of an outbox is one system's alone.
#pragma once

#include "app/system/sources/outboxsource.h"
#include "app/system/sources/target.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/room.h"

#include <QString>

#include <atomic>
#include <map>
#include <memory>
#include <vector>

namespace outbox {

/// The connections of one room, one to each Redis with the same way in. Each lasts as long as a
/// system has it.
class QueueConnections
{
public:
    /// The one to this Redis; a new one is not open.
    [[nodiscard]] std::shared_ptr<AsynqInspector> at(const RedisEndpoint &endpoint);

private:
    struct Known
    {
        RedisEndpoint endpoint;
        std::weak_ptr<AsynqInspector> tasks;
    };
    std::vector<Known> m_known;
};

/// What one system is asked with. Made and used in the thread of its room.
class SystemSessions
{
public:
    /// `queues` outlives it.
    SystemSessions(std::shared_ptr<SharedSession> shared, QueueConnections &queues);

    /// As `OutboxSource::recognize`; anew, too, where the outbox is not known here.
    [[nodiscard]] Result<OutboxShape> recognize(const StoreSettings &settings, const Target &target,
                                                bool anew);
    /// Of this system alone, with the shape that was recognized last.
    [[nodiscard]] OutboxSource &outbox() { return *m_outbox; }
    /// There is a session with the database, whatever became of the outbox.
    [[nodiscard]] bool isConnected() const { return m_shared->isUp(); }
    /// The connection to this Redis, which may not be open.
    [[nodiscard]] AsynqInspector &tasksAt(const RedisEndpoint &endpoint);

private:
    std::shared_ptr<SharedSession> m_shared;
    QueueConnections &m_queues;
    std::unique_ptr<OutboxSource> m_outbox; ///< never nullptr
    std::shared_ptr<AsynqInspector> m_tasks; ///< those it used last; nullptr: none
    bool m_isKnown = false; ///< the outbox was recognized, and no look at it failed to do so since
};

/// Where a system is in a room.
struct FleetPlace
{
    int address = 0; ///< who has the same one is asked by the same session
    int system = 0;
};

/// Made and used in the thread of its room, but for `interrupt`.
class FleetSessions
{
public:
    /// Answers what `job` does of the sessions in a place. Those of a new address are not
    /// connected, and of a new system nothing is known.
    template <typename Job> auto use(const FleetPlace &place, Job &&job)
    {
        Address &at = m_addresses[place.address];
        SystemSessions &sessions
            = at.systems.try_emplace(place.system, at.shared, m_queues).first->second;
        m_used = at.shared.get();
        auto answer = job(sessions);
        m_used = nullptr;
        return answer;
    }
    /// Nothing of this system is kept. The session stays for the others.
    void dropSystem(const FleetPlace &place);
    /// The session ends, and nothing is kept of the systems that it was for.
    void dropAddress(int address) { m_addresses.erase(address); }
    /// From the thread that owns the room: frees the question in hand, where it is at a database.
    /// Redis has a deadline in each call. Sessions are dropped by later jobs of that thread, so
    /// they are there.
    void interrupt() noexcept
    {
        if (SharedSession *shared = m_used)
            shared->interrupt();
    }

private:
    struct Address
    {
        std::shared_ptr<SharedSession> shared = std::make_shared<SharedSession>();
        std::map<int, SystemSessions> systems;
    };

    QueueConnections m_queues;
    std::map<int, Address> m_addresses;
    std::atomic<SharedSession *> m_used{nullptr};
};

/// Where one system is asked.
struct QuestionPlace
{
    std::shared_ptr<Room<FleetSessions>> room;
    FleetPlace place;
    QString program; ///< as servers are told: "outboxctl"
};

} // namespace outbox
