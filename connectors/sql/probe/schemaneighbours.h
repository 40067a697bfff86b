// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables beside an outbox that say something about its rows (shapes.md 5.4): positions of
// consumers, states by membership, locks, dead letters, an archive, nodes, lookups. Pure.
#pragma once

#include "connectors/sql/roles/columnroles.h"
#include "models/shape/catalog.h"

namespace outbox {

/// How far consumers are in `table`; `keys` are its key columns, in the order they are compared.
[[nodiscard]] Positions positionsOf(const CatalogTable &table, const Catalog &catalog,
                                    const QStringList &keys);

/// The table whose rows say by their presence that a row is in one of the states of `words`.
[[nodiscard]] RelatedTable memberOf(const CatalogTable &table, const Catalog &catalog,
                                    const QStringList &words);
/// Where the processes are that `in` names as owners.
[[nodiscard]] NodeTable nodesOf(const RelatedTable &in, const CatalogTable &table,
                                const Catalog &catalog);
[[nodiscard]] RelatedTable lockRowsOf(const CatalogTable &table, const Catalog &catalog);
[[nodiscard]] RelatedTable deadLettersOf(const CatalogTable &table, const Catalog &catalog);
/// A table of the same columns; empty where there is none.
[[nodiscard]] TableName archiveOf(const CatalogTable &table, const Catalog &catalog);
[[nodiscard]] RelatedTable typeLookupOf(const CatalogTable &table, const Catalog &catalog);

} // namespace outbox
