// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the values of a status mean by their words alone. Pure.
#pragma once

#include "connectors/sql/roles/tablefacts.h"
#include "models/message/messagestate.h"

namespace outbox {

/// By the words that everybody uses, or by the comment that explains the value.
[[nodiscard]] MessageState stateOf(const ColumnFacts &status, const QString &value);
/// What its words mean: rare ones, and those of other languages. Whoever uses it tells so.
[[nodiscard]] MessageState stateByMeaning(const QString &value);
/// Those of the rows, and those that catalog and comment name.
[[nodiscard]] QStringList allValues(const ColumnFacts &status);

} // namespace outbox
