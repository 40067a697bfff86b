// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Hears from sentinels that the master is about to be another node, so that a relay stops in time.
#pragma once

#include "connectors/redis/endpoint.h"

#include <memory>

namespace outbox {

/// One subscription to each sentinel, and a question to each every second, in a room of its own. It
/// may only stop somebody: where the master is, is for `MasterSearch` to find out. Questions are
/// for any thread and never wait.
class MasterWatch
{
public:
    /// `endpoint` has sentinels. Waits until each of them was asked once, which takes 300 ms for
    /// each step that one of them does not answer, and longer where a name is not found: what
    /// happens to a connection that is made afterwards is noticed.
    MasterWatch(const RedisEndpoint &endpoint, const QString &clientName);
    ~MasterWatch();
    MasterWatch(const MasterWatch &) = delete;
    MasterWatch &operator=(const MasterWatch &) = delete;

    /// A sentinel has begun a failover of the master: what is written there now may be lost. Over
    /// when a sentinel names another master, when those who began have given up, or three times the
    /// failover timeout later that the sentinel has for that master.
    [[nodiscard]] bool isHeld() const;
    /// The same, or `takeMove` has something to tell.
    [[nodiscard]] bool isInDoubt() const;
    /// The master is another one than before, or may be: a connection must be made anew. Once for
    /// each time, and again for each sentinel that names the new one later than others.
    [[nodiscard]] bool takeMove();
    /// A failover has begun. Once for each.
    [[nodiscard]] bool takeHold();
    /// For 5 s no sentinel was heard, so that a failover would not be noticed before it is done.
    /// Once for each silence.
    [[nodiscard]] bool takeSilence();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// A watch where `endpoint` has sentinels, else nullptr. Whoever connects does so behind it: it
/// notices what happens to that connection.
[[nodiscard]] std::unique_ptr<MasterWatch> masterWatchOf(const RedisEndpoint &endpoint,
                                                         const QString &clientName);

} // namespace outbox
