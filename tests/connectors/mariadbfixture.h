// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Databases and accounts for the tests of what MariaDB does in its own way.
#pragma once

#include "tests/connectors/editfixture.h"

namespace outbox {

class MariadbGround
{
public:
    static constexpr auto dialect = DatabaseUrl::Dialect::MariaDb;
    Databases databases;

    DatabaseUrl fresh() { return databases.fresh(dialect); }
    DatabaseUrl tenRows()
    {
        const DatabaseUrl url = fresh();
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(10, QStringLiteral("n, 'mail', 'x'"), QStringLiteral("outbox")));
        return url;
    }
    /// The same database as another account, which gets these rights: "SELECT ON a.*;INSERT ON …".
    static DatabaseUrl as(const DatabaseUrl &url, const QString &account, const QString &rights)
    {
        SideSession side(url);
        side.run(QStringLiteral("CREATE USER IF NOT EXISTS %1@localhost").arg(account));
        for (const QString &right : rights.split(u';', Qt::SkipEmptyParts))
            side.run(QStringLiteral("GRANT %1 TO %2@localhost").arg(right, account));
        DatabaseUrl other = url;
        other.user = account;
        return other;
    }
};

} // namespace outbox
