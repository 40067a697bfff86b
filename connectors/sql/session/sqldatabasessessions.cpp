// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one place that chooses between the sessions of the databases.
#include "connectors/sql/driver/storesettings.h"
#include "connectors/sql/session/sqlsession.h"
#include "connectors/sql/session/storedurability.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

std::unique_ptr<SqlSession> makeSession(const StoreSettings &settings, SocketBreaker &breaker)
{
    switch (settings.url.dialect) {
    case DatabaseUrl::Dialect::Sqlite:
        return makeSqliteSession();
    case DatabaseUrl::Dialect::MariaDb:
        return makeMariadbSession(breaker);
    case DatabaseUrl::Dialect::PostgreSql:
        break;
    }
    return makePostgresSession(breaker);
}

Result<StoreDurability> durabilityOf(SqlSession &session, const StoreSettings &settings)
{
    switch (settings.url.dialect) {
    case DatabaseUrl::Dialect::Sqlite:
        return StoreDurability{
            true, u"SQLite: every reader of the file sees what was committed before"_s};
    case DatabaseUrl::Dialect::MariaDb:
        return mariadbDurability(session);
    case DatabaseUrl::Dialect::PostgreSql:
        break;
    }
    return postgresDurability(session, settings);
}

} // namespace outbox
