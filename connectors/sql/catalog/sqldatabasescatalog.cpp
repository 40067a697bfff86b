// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one place that chooses between the catalogs of the databases.
#include "connectors/sql/catalog/sqlcatalog.h"

namespace outbox {

const SqlCatalog &catalogOf(DatabaseUrl::Dialect dialect)
{
    switch (dialect) {
    case DatabaseUrl::Dialect::Sqlite:
        return sqliteCatalog();
    case DatabaseUrl::Dialect::MariaDb:
        return mariadbCatalog();
    case DatabaseUrl::Dialect::PostgreSql:
        break;
    }
    return postgresCatalog();
}

} // namespace outbox
