// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many rows the transactions of a MariaDB server hold: totals only, since it tells of no row by
// whom it is held.
#pragma once

#include "connectors/sql/session/sqlsession.h"

namespace outbox {

/// A sentence for a person; takes no lock.
[[nodiscard]] QString mariadbLockNote(SqlSession &session);

} // namespace outbox
