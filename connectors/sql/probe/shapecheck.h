// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a shape fits a catalog: every name is there, and every column is of a kind that serves.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "models/result.h"
#include "models/shape/catalog.h"

namespace outbox {

/// What a mapping names, its own table first.
[[nodiscard]] QList<TableName> tablesOf(const OutboxShape &shape);

/// The catalog's entry for the shape's table. Fails with Invalid and the nearest name as a hint, or
/// with Unsupported where a column cannot serve its purpose.
[[nodiscard]] Result<CatalogTable> checkShape(const OutboxShape &shape, const Catalog &catalog,
                                              DatabaseUrl::Dialect dialect);

/// Why rows of a shape that fits must not be marked as processed; empty where they may be.
[[nodiscard]] QString whyOnlyLook(const OutboxShape &shape, const CatalogTable &table,
                                  DatabaseUrl::Dialect dialect);

} // namespace outbox
