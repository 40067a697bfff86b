// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/catalog/catalogreader.h"

#include "connectors/sql/catalog/sqlcatalog.h"

#include <algorithm>

namespace outbox {

Result<Catalog> readCatalog(SqlSession &session, DatabaseUrl::Dialect dialect)
{
    return catalogOf(dialect).read(session, {});
}

Result<Catalog> readTables(SqlSession &session, DatabaseUrl::Dialect dialect,
                           const QList<TableName> &needed, const QStringList &besides)
{
    if (!catalogOf(dialect).readsByName())
        return readCatalog(session, dialect);
    QStringList names = besides;
    for (const TableName &table : needed)
        names += table.table;
    auto catalog = catalogOf(dialect).read(session, names);
    const bool isWhole = !catalog
        || std::all_of(needed.cbegin(), needed.cend(),
                       [&](const TableName &table) { return catalog->find(table); });
    return isWhole ? catalog : readCatalog(session, dialect);
}

} // namespace outbox
