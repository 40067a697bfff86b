// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/mariadb/mariadbparked.h"

#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbtexts.h"

namespace outbox::mariadb {

using namespace Qt::Literals::StringLiterals;

Result<TableRights> rightsOn(SqlSession &session, const TableName &table,
                             const QStringList &columns)
{
    const QString doing = u"asking for the rights on "_s + table.text();
    TableRights rights;
    bool mayWrite = true;
    for (const QString &right : {u"select"_s, u"insert"_s, u"update"_s}) {
        const auto asked = session.query(mayAll(table, columns, right), doing);
        if (!asked)
            return passOn(asked);
        const bool may = asked->size() == 1 && asked->bytes(0, 0) == "1";
        if (right == u"select")
            rights.read = may;
        else
            mayWrite = mayWrite && may;
    }
    const auto deleting = session.query(tryDelete(table), doing);
    if (!deleting && deleting.error().kind != Error::Kind::Refused)
        return passOn(deleting);
    rights.write = mayWrite && deleting.has_value();
    return rights;
}

SqlText parkedRows(const TableName &table, const QString &outbox, int most)
{
    return u"SELECT t.id, t.reason, t.attempts, TIMESTAMPDIFF(MICROSECOND, '1970-01-01',"
           " t.parked_at) DIV 1000, t.parked_by FROM %1 AS t WHERE t.outbox = "_s.arg(
               quotedName(table))
        + SqlFragment::of(outbox) + u" ORDER BY t.parked_at, t.id LIMIT "_s + SqlFragment::of(most);
}

SqlText putParked(const TableName &table, const QStringList &columns, const QString &outbox,
                  const QList<ParkedRow> &rows, const QString &by)
{
    QStringList names;
    QStringList sets;
    for (const QString &name : columns) {
        names += quotedName(name);
        sets += u"%1 = VALUES(%1)"_s.arg(quotedName(name));
    }
    QList<SqlFragment> lines;
    for (const ParkedRow &row : rows) {
        lines += SqlFragment::filled(u"(%1, %2, %3, %4, UTC_TIMESTAMP(6), %5)"_s,
                                     {SqlFragment::of(outbox), SqlFragment::of(row.id.text),
                                      SqlFragment::of(row.reason), SqlFragment::of(row.attempts),
                                      SqlFragment::of(by)});
    }
    if (lines.isEmpty())
        lines += u"(?, ?, ?, ?, UTC_TIMESTAMP(6), ?)"_s; // for a plan
    return u"INSERT INTO "_s + quotedName(table) + u" ("_s + names.join(u", "_s) + u") VALUES "_s
        + SqlFragment::joined(lines, u", "_s) + u" ON DUPLICATE KEY UPDATE "_s + sets.join(u", "_s);
}

SqlText releaseParked(const TableName &table, const QString &outbox, const QStringList &ids)
{
    QList<SqlFragment> places;
    for (const QString &id : ids)
        places += SqlFragment::of(id);
    if (places.isEmpty())
        places += u"?"_s; // for a plan
    return byKey() + u"DELETE FROM "_s + quotedName(table) + u" WHERE outbox = "_s
        + SqlFragment::of(outbox) + u" AND id IN ("_s + SqlFragment::joined(places, u", "_s) + u')';
}

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
