// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A bounded look at what columns hold: the values of one, the beginnings of the first of each.
// Errors: those of `SqlSession`.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "models/mapping/tablesurvey.h"
#include "models/result.h"

namespace outbox {

class SqlSession;

/// The expression of the first `characters` of a value, bytes as hexadecimal digits.
[[nodiscard]] QString beginningOf(const CatalogColumn &column, int characters,
                                  DatabaseUrl::Dialect dialect);

/// The values of a column among the 1,000 rows written first and the 1,000 written last (without a
/// `key` the first alone), the most frequent first; at most 60 of them. NULL is left out.
[[nodiscard]] Result<QList<ValueCount>> countedValues(SqlSession &session, const TableName &table,
                                                      const QString &column, const QStringList &key,
                                                      DatabaseUrl::Dialect dialect);

/// By column: the beginnings of the values in the first rows, bytes as hexadecimal digits.
[[nodiscard]] Result<QMap<QString, QStringList>>
sampledColumns(SqlSession &session, const CatalogTable &table, DatabaseUrl::Dialect dialect);

} // namespace outbox
