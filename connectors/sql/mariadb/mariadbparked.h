// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The statements of the table outbox_parked for MariaDB.
// Errors: those of `SqlSession`.
#pragma once

#include "connectors/sql/session/sqlsession.h"
#include "models/relay/relaystep.h"
#include "models/result.h"
#include "models/shape/outboxshape.h"

namespace outbox::mariadb {

/// What a session may do with a table.
struct TableRights
{
    bool read = false;
    bool write = false; ///< INSERT, UPDATE and DELETE
};

[[nodiscard]] Result<TableRights> rightsOn(SqlSession &session, const TableName &table,
                                           const QStringList &columns);

/// id, reason, attempts, time in milliseconds and by whom; oldest first.
[[nodiscard]] SqlText parkedRows(const TableName &table, const QString &outbox, int most);
/// `columns`: outbox, id, reason, attempts, parked_at, parked_by.
[[nodiscard]] SqlText putParked(const TableName &table, const QStringList &columns,
                                const QString &outbox, const QList<ParkedRow> &rows,
                                const QString &by);
[[nodiscard]] SqlText releaseParked(const TableName &table, const QString &outbox,
                                    const QStringList &ids);
/// CREATE TABLE and its grants, for an owner to run.
[[nodiscard]] QString createParked(const QString &table);

} // namespace outbox::mariadb
