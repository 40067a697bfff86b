// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows as an operator writes them: the version that was seen, all cells, and the rights to them.
#pragma once

#include "models/content/cell.h"
#include "models/ids.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace outbox {

/// A row and the version that was seen of it (`Message::version`).
struct RowGuard
{
    MessageId id;
    QString version;

    bool operator==(const RowGuard &) const = default;
    friend size_t qHash(const RowGuard &guard, size_t seed = 0) noexcept
    {
        return qHashMulti(seed, guard.id.text, guard.version);
    }
};

/// A row that was written, and its version afterwards.
using RowWritten = RowGuard;

/// All columns of a row, the mapped ones and the others; generated columns are left out.
struct WholeRow
{
    MessageId id;
    QString version;
    QStringList columns;
    QList<Cell> cells; ///< one for each column
    TaskId task{}; ///< of an exported row; empty where nobody said

    bool operator==(const WholeRow &) const = default;
};

/// What the session's role may do to the table.
struct RowRights
{
    bool lock = false; ///< SELECT … FOR UPDATE
    bool reopen = false; ///< UPDATE of the processed column
    bool remove = false; ///< DELETE
    bool insert = false; ///< INSERT, for the undo of a purge
    bool release = false; ///< UPDATE of the lease columns
    bool edit = false; ///< UPDATE of the columns that hold what is sent
    bool audit = false; ///< INSERT into outbox_audit, which is there
};

/// A member of `RowRights` that an owner can give.
enum class RowRight { Lock, Reopen, Remove, Insert, Release, Edit };

} // namespace outbox
