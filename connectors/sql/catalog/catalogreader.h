// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the catalog of a database: user schemas only, bounded, in few statements.
// Errors: those of `SqlSession`.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "models/result.h"
#include "models/shape/catalog.h"

namespace outbox {

class SqlSession;

[[nodiscard]] Result<Catalog> readCatalog(SqlSession &session, DatabaseUrl::Dialect dialect);

/// Those tables, by their names in whatever schema, or more: for whoever knows what to look for.
/// All where a needed one is not there, so that an error can name what is near.
[[nodiscard]] Result<Catalog> readTables(SqlSession &session, DatabaseUrl::Dialect dialect,
                                         const QList<TableName> &needed,
                                         const QStringList &besides = {});

} // namespace outbox
