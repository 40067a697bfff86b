// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an OutboxEditor has open, what its session may do, and the one way to write, which rolls
// back on every error.
#pragma once

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/outbox/parkedtable.h"
#include "connectors/sql/outbox/statustable.h"
#include "connectors/sql/session/databasesession.h"

#include <functional>
#include <memory>
#include <optional>

namespace outbox {

/// Errors: those of `OutboxEditor`.
struct EditSession
{
    DatabaseSession session;
    OutboxShape shape;
    std::unique_ptr<Dialect> look;
    std::unique_ptr<EditDialect> edit;
    StatusTableAccess status;
    ParkedTableAccess parked;
    std::optional<RowRights> rights; ///< as last asked for
    std::optional<TableName> audit; ///< where records go
    std::optional<TableName> closedAudit; ///< there, but not for this role
    bool inTransaction = false;

    /// Checks the shape against the catalog of a session that was just opened.
    [[nodiscard]] Result<void> prepare();
    [[nodiscard]] Result<void> readyToWrite(const QString &doing) const;
    /// Those rows whose id can be a key of the table at all.
    [[nodiscard]] QList<RowGuard> possible(const QList<RowGuard> &rows) const;
    /// Those that the database does not have as they were seen are left out, where it is not the
    /// statements themselves that compare; then the open transaction keeps the others as they are.
    /// Rows that others hold are waited for, or left out as well.
    enum class IfHeld { Wait, LeaveOut };
    [[nodiscard]] Result<QList<RowGuard>> asSeen(const QList<RowGuard> &rows, const QString &doing,
                                                 IfHeld held);
    /// Runs what `build` makes of the rows; no line for those that cannot be there.
    [[nodiscard]] Result<SqlRows>
    write(RowWrite kind, const QString &what, const QList<RowGuard> &rows,
          const std::function<SqlText(const QList<RowGuard> &)> &build);
    /// Inserts the rows, and answers the keys of those whose key was not there.
    [[nodiscard]] Result<SqlRows> insertNew(const QList<WholeRow> &rows, const QString &doing);
    /// Key and version of the rows in the answer of a write.
    [[nodiscard]] Result<QList<RowWritten>> writtenIn(const SqlRows &answer);
    [[nodiscard]] Failure cannot(const QString &what, const QString &why);
    /// Rolls back; says who holds the row where a lock was waited for in vain.
    [[nodiscard]] Failure rolledBack(Error error, const QList<RowGuard> &rows);
    [[nodiscard]] Result<RowRights> askRights();
};

} // namespace outbox
