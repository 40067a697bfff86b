// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which tables of a catalog are outboxes, with which shape, how sure, and why. Pure: no connection.
#pragma once

#include "models/catalog.h"

#include <optional>

namespace outbox {

/// Tables with at least 45 points, best first; with `only` given that one alone, whatever its
/// points.
[[nodiscard]] QList<ProbeFinding> probeCatalog(const Catalog &catalog,
                                               const std::optional<TableName> &only = {});

} // namespace outbox
