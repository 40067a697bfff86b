// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the values of a status column mean, by their words (shapes.md 5.5). Pure.
#pragma once

#include "models/message/messagestate.h"
#include "models/shape/catalog.h"

#include <QString>
#include <QStringList>

namespace outbox {

/// Unknown where no word of it tells.
[[nodiscard]] MessageState stateOfValue(const QString &value);

/// Gives each of `values` of the status column of `finding` its place in the shape; what has none
/// is asked. `column` tells the default, which is what new rows have.
void mapStatus(const QStringList &values, const CatalogColumn &column, ProbeFinding &finding);

} // namespace outbox
