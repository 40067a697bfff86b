// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table in which the database itself keeps the record of what operators did: its name, its
// columns, how it is made.
#pragma once

#include "connectors/sql/outboxeditor.h"

namespace outbox {

[[nodiscard]] QString auditTableName();
/// The first one is the time.
[[nodiscard]] QStringList auditColumns();
/// The values of one record, for the columns after the time.
[[nodiscard]] QStringList auditValues(const AuditRow &row);

} // namespace outbox
