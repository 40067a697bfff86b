// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/mariadb/mariadbparked.h"

namespace outbox::mariadb {

using namespace Qt::Literals::StringLiterals;

QString createParked(const QString &table)
{
    // Ids are told apart by their bytes, blanks at their end too; both columns together are as wide
    // as a key may be.
    const QString exact = u" CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,\n"_s;
    return u"CREATE TABLE "_s + table + u" (\n    `outbox` varchar(150)"_s + exact
        + u"    `id` varchar(600)"_s + exact
        + u"    `reason` text CHARACTER SET utf8mb4 NOT NULL,\n"
          "    `attempts` int NOT NULL,\n"
          "    `parked_at` datetime(6) NOT NULL,\n"
          "    `parked_by` text CHARACTER SET utf8mb4 NOT NULL,\n"
          "    PRIMARY KEY (`outbox`, `id`)\n) ENGINE = InnoDB;\n"
          "-- for each account that relays or parks, and SELECT for those that only look:\n"
          "-- GRANT SELECT, INSERT, UPDATE, DELETE ON "_s
        + table + u" TO deck_act;\n"_s;
}

} // namespace outbox::mariadb
