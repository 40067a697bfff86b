// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the tables of a MariaDB database.
// Errors: those of `SqlSession`.
#pragma once

#include "connectors/sql/session/sqlsession.h"
#include "models/shape/catalog.h"

namespace outbox {

/// Those of the database that the session is in; other databases of the server are other systems.
[[nodiscard]] Result<Catalog> readMariadbCatalog(SqlSession &session);

} // namespace outbox
