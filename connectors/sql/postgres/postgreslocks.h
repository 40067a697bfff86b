// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who holds a row, told from its xmax without touching the row: expressions for PostgreSQL.
#pragma once

#include <QString>

namespace outbox::postgreslocks {

/// The sessions of the server with `pid`, `application_name` and `xact_start`. As `commonTables`
/// does, it asks the function and not the view over it (pg_stat_activity, pg_locks): a new session
/// plans the other parts of a view, too, and planning is most of what a look costs.
[[nodiscard]] QString sessions();

/// The common table expressions `clock` and `locks` that the others refer to.
[[nodiscard]] QString commonTables();

/// How the row version with `xmax` in the table `tableOid` is held: 'session' (the holder is known
/// by its transaction id), 'several' (a multixact with a live member), 'savepoint' (a live
/// transaction id that no session shows as its own: a released savepoint), or NULL: nobody holds
/// it.
[[nodiscard]] QString kind(const QString &xmax, const QString &tableOid);

/// The server process that belongs to a `kind`, or NULL where it cannot be said for sure.
[[nodiscard]] QString pid(const QString &kind, const QString &xmax, const QString &tableOid);

/// The common table expressions that end with `sums`: the rows `n` and the oldest time `c`, in
/// microseconds, for each holder (kind, pid, and w: the owner of a lease) and state s. They read
/// one named `versions` that has the same by table o and xmax x; `oldest` are the microseconds of
/// its c, the table named v.
[[nodiscard]] QString holders(const QString &oldest, bool hasLeases);

/// The cells of a snapshot up to `SnapshotColumn::OldestUs`, of `sums` named g and `sessions` named
/// a.
[[nodiscard]] QString holderCells();

} // namespace outbox::postgreslocks
