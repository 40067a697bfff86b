// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows that a probe reads of a table, some written first and some written last: the beginnings
// of their values, and what clock the server has. Read-only, one statement each.
// Errors: those of `SqlSession`.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "models/result.h"
#include "models/shape/catalog.h"

namespace outbox {

class SqlSession;

inline constexpr int mostSampleCharacters = 60; ///< of a value; longer ones tell no more

struct RowSample
{
    qsizetype rows = 0;
    qint64 now = 0; ///< of the server, milliseconds since 1970
    /// By column, one value for each row; a null text is NULL. Times of PostgreSQL are seconds.
    QMap<QString, QStringList> cells;
};

/// `most`: rows of each end.
[[nodiscard]] Result<RowSample> sampledRows(SqlSession &session, const CatalogTable &table,
                                            DatabaseUrl::Dialect dialect, int most);
/// The values of one column in the rows of such a sample, each once, as it has them; NULL is none.
[[nodiscard]] Result<QStringList> sampledValues(SqlSession &session, const CatalogTable &table,
                                                const CatalogColumn &column,
                                                DatabaseUrl::Dialect dialect, int most);

} // namespace outbox
