// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks a database whether it can be relied on for what is done: a read that is stale, or a record
// that is lost, lets a message run twice.
// Errors: those of `SqlSession`.
#pragma once

#include "connectors/sql/driver/storesettings.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/designs/donestore.h"

namespace outbox {

/// Where the session may write, and can, it is set so that its records last. Unsupported where the
/// database is not used for records.
[[nodiscard]] Result<StoreDurability> durabilityOf(SqlSession &session,
                                                   const StoreSettings &settings);

} // namespace outbox
