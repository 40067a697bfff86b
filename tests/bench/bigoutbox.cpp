// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bigoutbox.h"

#include "tests/support/plainpostgres.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString indexes(const BigOutbox &outbox)
{
    if (!outbox.withIndexes)
        return {};
    return u"CREATE INDEX %1_created ON %1 (created_at, id);"
           "CREATE INDEX %1_open ON %1 (created_at, id) WHERE completed_at IS NULL;"_s.arg(
               outbox.table);
}

} // namespace

Result<void> fillPostgres(PlainPostgres &hand, const BigOutbox &outbox)
{
    const QString rows
        = u"CREATE TABLE %1 (id uuid NOT NULL, type text NOT NULL, payload jsonb NOT NULL,"
          " created_at timestamptz NOT NULL, completed_at timestamptz);"
          "INSERT INTO %1 SELECT overlay(overlay(lpad(to_hex(n), 32, '0') placing '7' from 13)"
          " placing 'a' from 17)::uuid, 'mail:kind' || n %% 20,"
          " jsonb_build_object('user', jsonb_build_object('id', n), 'text', repeat('x', 160)),"
          " now() - (%2 - n) * interval '10 ms',"
          " CASE WHEN n <= %2 - %3 THEN now() - (%2 - n) * interval '10 ms' END"
          " FROM generate_series(1, %2::bigint) n;"
          "ALTER TABLE %1 ADD PRIMARY KEY (id);"_s.replace(u"%%"_s, u"%"_s)
              .arg(outbox.table)
              .arg(outbox.rows)
              .arg(outbox.pending);
    for (const QString &sql :
         {rows, indexes(outbox), QString(u"VACUUM ANALYZE "_s + outbox.table)}) {
        if (const auto done = sql.isEmpty() ? PgResult() : hand.run(sql.toUtf8()); !done)
            return passOn(done);
    }
    return {};
}

Result<void> fillSqlite(const QString &file, const BigOutbox &outbox)
{
    Result<void> filled;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, file);
        database.setDatabaseName(file);
        QStringList statements{
            u"PRAGMA journal_mode = WAL"_s, u"PRAGMA synchronous = OFF"_s,
            u"CREATE TABLE %1 (id TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, payload TEXT NOT"
            " NULL, created_at TEXT NOT NULL, completed_at TEXT) WITHOUT ROWID"_s.arg(outbox.table),
            u"INSERT INTO %1 WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE"
            " n < %2) SELECT printf('%08x-0000-7000-a000-%012x', n / 65536, n), 'mail:kind' ||"
            " (n %% 20), json_object('user', json_object('id', n), 'text', printf('%.160c', 'x')),"
            " strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || ((%2 - n) * 0.01) || ' seconds'),"
            " CASE WHEN n <= %2 - %3 THEN datetime('now') END FROM c"_s.replace(u"%%"_s, u"%"_s)
                .replace(u"%1"_s, outbox.table)
                .replace(u"%2"_s, QString::number(outbox.rows))
                .replace(u"%3"_s, QString::number(outbox.pending))};
        statements += indexes(outbox).split(u';', Qt::SkipEmptyParts);
        statements += u"ANALYZE"_s;
        QSqlQuery query(database);
        bool works = database.open();
        for (const QString &sql : std::as_const(statements))
            works = works && query.exec(sql);
        if (!works) {
            filled = fail(Error::Kind::Constraint, u"filling "_s + file,
                          query.lastError().text() + database.lastError().text());
        }
    }
    QSqlDatabase::removeDatabase(file);
    return filled;
}

} // namespace outbox
