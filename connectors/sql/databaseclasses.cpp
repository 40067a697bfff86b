// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one place that chooses between the databases' own classes.
#include "connectors/sql/catalog/sqlcatalog.h"
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/documentdialect.h"
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/storesettings.h"
#include "connectors/sql/mariadb/mariadbtexts.h"
#include "connectors/sql/postgres/postgrestexts.h"
#include "connectors/sql/session/sqlsession.h"
#include "connectors/sql/session/storedurability.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

namespace outbox {

namespace {

struct DatabaseClasses
{
    std::unique_ptr<SqlSession> (*session)(SocketBreaker &);
    Result<StoreDurability> (*durability)(SqlSession &, const StoreSettings &);
    const SqlCatalog &(*catalog)();
    const SqlFlavor &(*flavor)();
    std::unique_ptr<Dialect> (*rows)(const OutboxShape &, const CatalogTable &);
    std::unique_ptr<EditDialect> (*edits)(const OutboxShape &, const CatalogTable &);
    std::unique_ptr<DocumentDialect> (*documents)(const DocumentShape &, const CatalogTable &);
};

DatabaseClasses classesOf(DatabaseUrl::Dialect dialect)
{
    switch (dialect) {
    case DatabaseUrl::Dialect::Sqlite:
        return {makeSqliteSession,
                sqliteDurability,
                sqliteCatalog,
                sqliteFlavor,
                makeSqliteDialect,
                makeSqliteEditDialect,
                makeSqliteDocumentDialect};
    case DatabaseUrl::Dialect::MariaDb:
        return {makeMariadbSession,
                mariadbDurability,
                mariadbCatalog,
                mariadbFlavor,
                makeMariadbDialect,
                makeMariadbEditDialect,
                makeMariadbDocumentDialect};
    case DatabaseUrl::Dialect::PostgreSql:
        break;
    }
    return {makePostgresSession,
            postgresDurability,
            postgresCatalog,
            postgresFlavor,
            makePostgresDialect,
            makePostgresEditDialect,
            makePostgresDocumentDialect};
}

} // namespace

std::unique_ptr<SqlSession> makeSession(const StoreSettings &settings, SocketBreaker &breaker)
{
    return classesOf(settings.url.dialect).session(breaker);
}

Result<StoreDurability> durabilityOf(SqlSession &session, const StoreSettings &settings)
{
    return classesOf(settings.url.dialect).durability(session, settings);
}

const SqlCatalog &catalogOf(DatabaseUrl::Dialect dialect)
{
    return classesOf(dialect).catalog();
}

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
