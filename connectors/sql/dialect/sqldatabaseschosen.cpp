// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one place that chooses between the databases' own classes.
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/documentdialect.h"
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/dialect/sqlflavor.h"

namespace outbox {

namespace {

struct OwnClasses
{
    const SqlFlavor &(*flavor)();
    std::unique_ptr<Dialect> (*rows)(const OutboxShape &, const CatalogTable &);
    std::unique_ptr<EditDialect> (*edits)(const OutboxShape &, const CatalogTable &);
    std::unique_ptr<DocumentDialect> (*documents)(const DocumentShape &, const CatalogTable &);
};

OwnClasses classesOf(DatabaseUrl::Dialect dialect)
{
    switch (dialect) {
    case DatabaseUrl::Dialect::Sqlite:
        return {sqliteFlavor, makeSqliteDialect, makeSqliteEditDialect, makeSqliteDocumentDialect};
    case DatabaseUrl::Dialect::MariaDb:
        return {mariadbFlavor, makeMariadbDialect, makeMariadbEditDialect,
                makeMariadbDocumentDialect};
    case DatabaseUrl::Dialect::PostgreSql:
        break;
    }
    return {postgresFlavor, makePostgresDialect, makePostgresEditDialect,
            makePostgresDocumentDialect};
}

} // namespace

const SqlFlavor &flavorOf(DatabaseUrl::Dialect dialect)
{
    return classesOf(dialect).flavor();
}

std::unique_ptr<Dialect> makeDialect(DatabaseUrl::Dialect dialect, const OutboxShape &shape,
                                     const CatalogTable &table)
{
    return classesOf(dialect).rows(shape, table);
}

std::unique_ptr<EditDialect> makeEditDialect(DatabaseUrl::Dialect dialect, const OutboxShape &shape,
                                             const CatalogTable &table)
{
    return classesOf(dialect).edits(shape, table);
}

std::unique_ptr<DocumentDialect> makeDocumentDialect(DatabaseUrl::Dialect dialect,
                                                     const DocumentShape &shape,
                                                     const CatalogTable &table)
{
    return classesOf(dialect).documents(shape, table);
}

} // namespace outbox
