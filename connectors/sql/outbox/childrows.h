// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What goes along with a deleted row of the outbox: children in other tables, and the doings of
// triggers. No export holds them, and no undo brings them back.
// Errors: those of `SqlSession`.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "models/message/childrows.h"
#include "models/result.h"
#include "models/shape/catalog.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace outbox {

class SqlSession;

/// The table, its key, and the session that asks about them.
struct ChildQuestion
{
    SqlSession &session;
    DatabaseUrl::Dialect dialect;
    const CatalogTable &table;
    QString keyColumn; ///< empty: several columns are the key, and no row has children here
};

/// Those of `keys` that have children, by tables and foreign keys. Tables that would refuse the
/// deletion are left out: it fails there by itself. Fails with Refused where this role may not see
/// all children; MariaDB does not tell a role of a table that it may not see.
[[nodiscard]] Result<QList<ChildRows>> childrenOf(const ChildQuestion &question,
                                                  const QStringList &keys);
/// Names of what runs when rows of the table are deleted: triggers, and rules of PostgreSQL.
/// MariaDB names them to who has the right TRIGGER.
[[nodiscard]] Result<QStringList> deleteTriggersOf(const ChildQuestion &question);

} // namespace outbox
