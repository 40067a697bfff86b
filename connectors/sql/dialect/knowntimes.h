// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the catalog tells of the times of a table: which columns say their zone themselves.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "models/shape/catalog.h"

namespace outbox {

/// `shape` with the form of each of its times that needs no zone, or whose default is the time of
/// UTC. What it says of a column that cannot be so it says no more.
[[nodiscard]] OutboxShape withKnownTimes(const OutboxShape &shape, const CatalogTable &table,
                                         DatabaseUrl::Dialect dialect);

} // namespace outbox
