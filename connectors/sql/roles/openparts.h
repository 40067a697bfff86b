// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which columns nobody can know the part of: their names say nothing, and too few rows show it.
// A person is asked then. Pure.
#pragma once

#include "connectors/sql/roles/columnroles.h"
#include "connectors/sql/roles/tablefacts.h"

#include <QSet>

namespace outbox {

/// Names of columns that may decide what state a row is in, or what it holds. `named`: those that
/// have a part by their names; `roles`: what was taken for now.
[[nodiscard]] QStringList openColumns(const TableFacts &facts, const QSet<QString> &named,
                                      const ColumnRoles &roles);

/// Such a question begins with it.
inline constexpr QLatin1StringView openQuestion("Too little shows what these columns mean: ");

/// The question; empty where nothing is open.
[[nodiscard]] QString questionAbout(const QStringList &open);

} // namespace outbox
