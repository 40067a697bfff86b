// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What holds for each table of ours that an owner makes beside an outbox.
#pragma once

#include "connectors/sql/catalog/sqlcatalog.h"
#include "models/shape/catalog.h"

#include <QHash>
#include <QString>
#include <QStringList>

namespace outbox {

/// Why a table of our name is none of ours, which has these columns and this primary key; empty
/// where it may be.
[[nodiscard]] QString whyNotOurs(const CatalogTable &table, const QStringList &columns,
                                 const QStringList &key);

/// What of it this role may not do; empty: it may read it and write to it.
[[nodiscard]] QString whyNotAllowed(const TableRights &rights);

/// CREATE TABLE of one, for PostgreSQL and SQLite alike. No column may be null, and each is a text
/// where `types`, by column, has no word for it or an empty one.
[[nodiscard]] QString createSideTable(const QString &table, const QStringList &columns,
                                      const QHash<QString, QString> &types, const QStringList &key);

} // namespace outbox
