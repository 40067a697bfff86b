// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which rights one of our statements needs on PostgreSQL, which of them a session lacks, and the
// GRANT that would give them.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/shape/catalog.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace outbox {

/// A right on one table.
struct NeededRight
{
    TableName table; ///< without a schema where the statement names none
    QString right; ///< SELECT, INSERT, UPDATE, DELETE, TRUNCATE
    QStringList columns; ///< of an UPDATE: those that are set
    /// Rows are locked, for which UPDATE of any column will do; the one of `columns` is as good.
    bool anyColumn = false;

    bool operator==(const NeededRight &) const = default;
};

/// Read off the text. System catalogs are left out; so is what a function of the server needs.
[[nodiscard]] QList<NeededRight> neededRights(const QString &sql);

/// What to do about it, with names as they stand in the statement, quoted as people write them.
[[nodiscard]] QString grantHint(const QList<NeededRight> &rights, const QString &role,
                                DatabaseUrl::Dialect dialect = {});

/// Asks which of the rights that `sql` needs are missing, by the names that the server has for role
/// and tables. Outside a transaction; empty where none is missing, or where nobody answers.
[[nodiscard]] QString missingRightsHint(SqlSession &session, const QString &sql);

} // namespace outbox
