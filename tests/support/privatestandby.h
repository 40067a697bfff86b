// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real standby of a private PostgreSQL: it follows, asynchronously or not, is cut off, and is
// promoted.
#pragma once

#include "app/demo/privateserver.h"

namespace outbox {

/// Once promoted it is a primary like any other.
class PrivateStandby : public PrivatePostgres
{
public:
    /// Copies the primary and follows it, at the address it has. Where a server of its own ran here
    /// before, such as a primary that was left behind, that one is killed and its data are gone.
    [[nodiscard]] Result<void> follow(const PrivatePostgres &primary);
    /// Makes the primary wait at each COMMIT for this standby, and waits until it does.
    [[nodiscard]] static Result<void> makeSynchronous(const PrivatePostgres &primary);
    /// Waits until everything that the primary has written by now can be seen here.
    [[nodiscard]] Result<void> catchUp(const PrivatePostgres &primary);
    /// From now on nothing comes from the primary.
    [[nodiscard]] Result<void> cutOff();
    [[nodiscard]] Result<void> promote();
};

} // namespace outbox
