// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The probe on a live database: the catalog is judged, then values are looked at for what it cannot
// tell; read-only, at most 1,000 rows of a table.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "models/result.h"
#include "models/shape/catalog.h"

#include <optional>

namespace outbox {

class SqlSession;

/// Judges the tables of `catalog` (or `only` that one) and completes each finding by its values. A
/// table that may not be read becomes a question, not an error.
[[nodiscard]] Result<QList<ProbeFinding>> probeTables(SqlSession &session, const Catalog &catalog,
                                                      const DatabaseUrl &url,
                                                      const std::optional<TableName> &only);

} // namespace outbox
