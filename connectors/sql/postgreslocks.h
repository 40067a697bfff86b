// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who holds a row, told from its xmax without touching the row: expressions for PostgreSQL.
#pragma once

#include <QString>

namespace outbox::postgreslocks {

/// The common table expressions `clock` and `locks` that the others refer to.
[[nodiscard]] QString commonTables();

/// How the row version with `xmax` in the table `tableOid` is held: 'session' (the holder is known
/// by its transaction id), 'several' (a multixact with a live member), 'savepoint' (a live
/// transaction id that no session shows as its own: a released savepoint), or NULL: nobody holds
/// it.
[[nodiscard]] QString kind(const QString &xmax, const QString &tableOid);

/// The server process that belongs to a `kind`, or NULL where it cannot be said for sure.
[[nodiscard]] QString pid(const QString &kind, const QString &xmax, const QString &tableOid);

} // namespace outbox::postgreslocks
