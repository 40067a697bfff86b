// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of other tables that refer to a row of the outbox, and what its deletion does to them.
#pragma once

#include "models/ids.h"
#include "models/shape/outboxshape.h"

namespace outbox {

/// What the foreign key says of the child when the row is deleted.
enum class ChildFate {
    Deleted, ///< ON DELETE CASCADE
    Changed, ///< ON DELETE SET NULL, SET DEFAULT
    Dangling, ///< SQLite with foreign keys off: it stays, and refers to nothing
};

/// The children that one row has in one table, by one foreign key.
struct ChildRows
{
    MessageId parent;
    TableName table;
    QString rule; ///< "CASCADE", as the database says it
    ChildFate fate = ChildFate::Deleted;
    qint64 rows = 0;

    bool operator==(const ChildRows &) const = default;
};

} // namespace outbox
