// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A short name for one table of one database: its keys are told from those of all other tables by
// it.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/shape/catalog.h"

namespace outbox {

/// Eight letters made from names that last. Of PostgreSQL: the cluster's identifier, database,
/// schema and table, so that it outlives a promotion. Of MariaDB: what names the server, or its
/// Galera cluster, and so another one after a failover. Of SQLite: the path of the file. `table` is
/// the catalog's name.
[[nodiscard]] Result<QString> tableSource(SqlSession &session, const DatabaseUrl &url,
                                          const TableName &table);

} // namespace outbox
