// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Judges one table of a catalog (shapes.md 5.3, 5.4): the shape grows member by member, each with
// its reason. Pure.
#pragma once

#include "connectors/sql/roles/columnroles.h"
#include "models/shape/catalog.h"

namespace outbox {

/// `roles`: which columns play which part, by names or by rows.
[[nodiscard]] ProbeFinding judgementOf(const CatalogTable &table, const Catalog &catalog,
                                       const ColumnRoles &roles);

} // namespace outbox
