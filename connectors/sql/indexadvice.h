// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether the looks of a console find their rows by an index, or read a whole large table.
#pragma once

#include "connectors/sql/dialect.h"
#include "models/snapshots.h"

#include <QElapsedTimer>

namespace outbox {

class SqlSession;

/// Where looks read more than they must. The indexes are read again once a minute, so that one made
/// meanwhile is noticed. One thread, that of the session.
class IndexAdviser
{
public:
    /// The indexes that are missing, with the statements that make them; what was last known where
    /// the catalog cannot be read.
    [[nodiscard]] QList<IndexAdvice> missing(SqlSession &session, const Dialect &dialect,
                                             DatabaseUrl::Dialect kind);
    void forget();

private:
    QElapsedTimer m_since;
    QList<IndexAdvice> m_last;
};

/// Whether an index over all rows begins with this column; false where that cannot be read.
[[nodiscard]] bool hasIndex(SqlSession &session, const CatalogTable &table,
                            DatabaseUrl::Dialect kind, const QString &column);

} // namespace outbox
