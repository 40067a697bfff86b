// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names, lists and values as SQL text: quoting, array values, LIKE patterns. Pure.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "models/shape/outboxshape.h"

#include <QString>
#include <QStringList>

namespace outbox {

/// A name in its exact spelling, for PostgreSQL and SQLite alike.
[[nodiscard]] QString quotedName(const QString &name);
/// `"schema"."table"`, or the table alone.
[[nodiscard]] QString quotedName(const TableName &name);
/// For people, who run it in sessions of their own: there MariaDB may take "…" for a string.
[[nodiscard]] QString quotedName(const QString &name, DatabaseUrl::Dialect dialect);
[[nodiscard]] QString quotedName(const TableName &name, DatabaseUrl::Dialect dialect);
/// For people, inside of a sentence.
[[nodiscard]] QString inBackticks(const QString &name);
/// The text of a PostgreSQL array value.
[[nodiscard]] QString postgresArray(const QStringList &items);
/// A pattern with `*` and `?` as one for LIKE … ESCAPE '!'.
[[nodiscard]] QString likePattern(const QString &wildcards);
/// Without NUL, which no database text can hold.
[[nodiscard]] QString storable(QString text);
/// The candidate with the fewest edits, or empty when none is near.
[[nodiscard]] QString nearestName(const QString &wanted, const QStringList &candidates);
/// For QSqlDatabase: never given twice in this process.
[[nodiscard]] QString uniqueConnectionName();

} // namespace outbox
