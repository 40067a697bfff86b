// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which tables of a catalog are outboxes, and what shape each has (shapes.md 5), by its names and
// by what its rows say where somebody looked at them. Pure.
#pragma once

#include "connectors/sql/roles/rowroleassignment.h"
#include "models/shape/catalog.h"

#include <QList>

#include <optional>

namespace outbox {

/// What rows say, by the text of the table's name.
using RowReadings = QMap<QString, RowReading>;

/// The likely outboxes, the best first; with `only`, that table whatever it is.
[[nodiscard]] QList<ProbeFinding> probeCatalog(const Catalog &catalog,
                                               const std::optional<TableName> &only = std::nullopt,
                                               const RowReadings &readings = {});

/// The tables whose rows may say more than their names, the likeliest first.
[[nodiscard]] QList<const CatalogTable *> tablesToLookAt(const Catalog &catalog);

} // namespace outbox
