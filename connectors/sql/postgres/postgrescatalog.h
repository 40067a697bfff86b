// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the tables of a PostgreSQL database.
// Errors: those of `SqlSession`.
#pragma once

#include "connectors/sql/session/sqlsession.h"
#include "models/shape/catalog.h"

namespace outbox {

/// The tables of all schemas of users; with `names` only those of these names, in any schema.
[[nodiscard]] Result<Catalog> readPostgresCatalog(SqlSession &session,
                                                  const QStringList &names = {});

} // namespace outbox
