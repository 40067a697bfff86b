// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Is a table an outbox at all (shapes.md 5.2)? Points by its name and columns. Pure.
#pragma once

#include "connectors/sql/roles/columnroles.h"

namespace outbox {

constexpr int enoughPoints = 45;
/// Enough where a neighbour holds the positions of consumers, or a family is recognized.
constexpr int enoughWithEvidence = 25;

[[nodiscard]] int pointsOf(const CatalogTable &table, const ColumnRoles &roles);
} // namespace outbox
