// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Families of tables that libraries deliver, told by their columns, and what nobody can derive from
// a catalog about them (shapes.md 6). Pure.
#pragma once

#include "models/shape/catalog.h"

#include <QString>

#include <optional>

namespace outbox {

struct FamilyMatch
{
    QString family;
    int missing = 0; ///< columns of the fingerprint that are not there
    int columns = 0;
};

/// The family `table` belongs to, by the columns of it and the tables beside it.
[[nodiscard]] std::optional<FamilyMatch> familyOf(const CatalogTable &table,
                                                  const Catalog &catalog);

/// `shape` with what is known of the family put in; names are taken from the catalog, and members
/// whose tables or columns are not there stay as they were.
[[nodiscard]] OutboxShape withFamily(const OutboxShape &shape, const QString &family,
                                     const CatalogTable &table, const Catalog &catalog);

/// Whether the family says what the values of its status mean.
[[nodiscard]] bool isStatusExplained(const QString &family);

} // namespace outbox
