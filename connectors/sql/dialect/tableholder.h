// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who keeps a whole table from others: told with the error of the one who waited in vain.
#pragma once

#include "connectors/sql/session/sqlsession.h"
#include "models/shape/shaperules.h"

namespace outbox {

/// `error`, and where it is PostgreSQL's "lock not available" also who holds `table` so that nobody
/// can read or write it, as far as the role may see that. Asks the server once, without any lock;
/// `session` has no open transaction. Other errors come back as they are.
[[nodiscard]] Error withTableHolder(Error error, SqlSession &session, const TableName &table);

} // namespace outbox
