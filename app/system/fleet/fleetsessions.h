// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sessions that live in one room of a fleet: those with several systems, each in a place of its
// own.
#pragma once

#include "app/system/sources/outboxsource.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/room.h"

#include <QString>

#include <array>
#include <atomic>
#include <memory>

namespace outbox {

/// What one system is asked with.
struct SystemSessions
{
    OutboxSource outbox;
    AsynqInspector tasks;

    /// From any thread: shuts the database's sockets. Redis has a deadline in each call.
    void interrupt() noexcept { outbox.interrupt(); }
};

/// Made and used in the thread of its room, but for `interrupt`.
class FleetSessions
{
public:
    static constexpr int places = 8;

    /// Answers what `job` does of the sessions in a place. Those of a new system are not connected:
    /// they are made here.
    template <typename Job> auto use(int place, Job &&job)
    {
        auto &sessions = m_sessions.at(static_cast<std::size_t>(place));
        if (!sessions)
            sessions = std::make_unique<SystemSessions>();
        m_used = sessions.get();
        auto answer = job(*sessions);
        m_used = nullptr;
        return answer;
    }
    /// Another system may have the place: nothing of this one is kept, no shape and no address.
    void drop(int place) { m_sessions.at(static_cast<std::size_t>(place)).reset(); }
    /// From the thread that owns the room: frees the question in hand. Its sessions are dropped by
    /// a later job of that thread, so they are there.
    void interrupt() noexcept
    {
        if (SystemSessions *sessions = m_used)
            sessions->interrupt();
    }

private:
    std::array<std::unique_ptr<SystemSessions>, places> m_sessions;
    std::atomic<SystemSessions *> m_used{nullptr};
};

/// Where one system is asked.
struct QuestionPlace
{
    std::shared_ptr<Room<FleetSessions>> room;
    int place = 0;
    QString program; ///< as servers are told: "outboxctl"
};

} // namespace outbox
