// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one place that chooses between the databases' own classes.
#include "connectors/sql/catalog/sqlcatalog.h"
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/documentdialect.h"
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/storesettings.h"
#include "connectors/sql/mariadb/mariadbtexts.h"
#include "connectors/sql/postgres/postgrestexts.h"
#include "connectors/sql/session/sqlsession.h"
#include "connectors/sql/session/storedurability.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The last three are nullptr for what a database is not used for.
struct DatabaseClasses
{
    std::unique_ptr<SqlSession> (*session)(SocketBreaker &);
    const SqlCatalog &(*catalog)();
    const SqlFlavor &(*flavor)();
    std::unique_ptr<Dialect> (*rows)(const OutboxShape &, const CatalogTable &);
    std::unique_ptr<EditDialect> (*edits)(const OutboxShape &, const CatalogTable &) = nullptr;
    std::unique_ptr<DocumentDialect> (*documents)(const DocumentShape &, const CatalogTable &)
        = nullptr;
    Result<StoreDurability> (*durability)(SqlSession &, const StoreSettings &) = nullptr;
};

DatabaseClasses classesOf(DatabaseUrl::Dialect dialect)
{
    switch (dialect) {
    case DatabaseUrl::Dialect::Sqlite:
        return {makeSqliteSession, sqliteCatalog,         sqliteFlavor,
                makeSqliteDialect, makeSqliteEditDialect, makeSqliteDocumentDialect,
                sqliteDurability};
    case DatabaseUrl::Dialect::MariaDb:
        return {makeMariadbSession, mariadbCatalog,         mariadbFlavor,
                makeMariadbDialect, makeMariadbEditDialect, makeMariadbDocumentDialect,
                mariadbDurability};
    case DatabaseUrl::Dialect::PostgreSql:
        break;
    }
    return {makePostgresSession, postgresCatalog,         postgresFlavor,
            makePostgresDialect, makePostgresEditDialect, makePostgresDocumentDialect,
            postgresDurability};
}

} // namespace

std::unique_ptr<SqlSession> makeSession(const StoreSettings &settings, SocketBreaker &breaker)
{
    return classesOf(settings.url.dialect).session(breaker);
}

Result<StoreDurability> durabilityOf(SqlSession &session, const StoreSettings &settings)
{
    const auto ask = classesOf(settings.url.dialect).durability;
    if (ask)
        return ask(session, settings);
    return fail(Error::Kind::Unsupported, u"asking whether records last"_s,
                databaseOf(settings.url.dialect).lacks(u"a table of records"_s));
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

bool hasEditDialect(DatabaseUrl::Dialect dialect)
{
    return classesOf(dialect).edits != nullptr;
}

std::unique_ptr<EditDialect> makeEditDialect(DatabaseUrl::Dialect dialect, const OutboxShape &shape,
                                             const CatalogTable &table)
{
    const auto make = classesOf(dialect).edits;
    return make ? make(shape, table) : nullptr;
}

std::unique_ptr<DocumentDialect> makeDocumentDialect(DatabaseUrl::Dialect dialect,
                                                     const DocumentShape &shape,
                                                     const CatalogTable &table)
{
    const auto make = classesOf(dialect).documents;
    return make ? make(shape, table) : nullptr;
}

} // namespace outbox
