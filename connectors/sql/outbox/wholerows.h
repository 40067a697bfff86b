// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whole rows out of the database and back into it, byte for byte.
#pragma once

#include "connectors/sql/dialect/editdialect.h"

namespace outbox {

/// The answer to `EditDialect::whole`, in the order in which the keys were asked for.
[[nodiscard]] QList<WholeRow> wholeRowsFrom(const SqlRows &rows, const QStringList &columns);

/// Fails with Invalid where `row` cannot be a row of `table` under its id: an export of another
/// table or of an earlier form of it, or a line that names one row and holds another.
[[nodiscard]] Result<void> checkWholeRow(const WholeRow &row, const CatalogTable &table,
                                         const QString &keyColumn, DatabaseUrl::Dialect dialect,
                                         const QString &doing);

/// What its cells hold, in bytes.
[[nodiscard]] qint64 bytesOf(const WholeRow &row);

/// How many of `rows`, from `first` on, one INSERT takes: the same columns, a bounded number of
/// values and of bytes.
[[nodiscard]] qsizetype rowsOfOneInsert(const QList<WholeRow> &rows, qsizetype first);

} // namespace outbox
