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

using Mark = BigOutbox::Mark;

/// The column of the mark, with the comma before it.
QString markColumn(const BigOutbox &outbox, const QString &time)
{
    switch (outbox.mark) {
    case Mark::CompletedAt:
        return u", completed_at "_s + time;
    case Mark::Status:
        return u", status varchar(20) NOT NULL DEFAULT 'pending'"_s;
    case Mark::None:
        break;
    }
    return {};
}

/// Its value in row `n`.
QString markOf(const BigOutbox &outbox, const QString &n, const QString &time)
{
    const QString isDone = n + u" <= "_s + QString::number(outbox.rows - outbox.pending);
    switch (outbox.mark) {
    case Mark::CompletedAt:
        return u", CASE WHEN %1 THEN %2 END"_s.arg(isDone, time);
    case Mark::Status:
        return u", CASE WHEN %1 THEN 'sent' ELSE 'pending' END"_s.arg(isDone);
    case Mark::None:
        break;
    }
    return {};
}

QString indexes(const BigOutbox &outbox)
{
    if (!outbox.withIndexes)
        return {};
    QString made = u"CREATE INDEX %1_created ON %1 (created_at, id);"_s;
    if (outbox.mark == Mark::CompletedAt)
        made += u"CREATE INDEX %1_open ON %1 (created_at, id) WHERE completed_at IS NULL;"_s;
    return made.replace(u"%1"_s, outbox.table);
}

} // namespace

Result<void> fillPostgres(PlainPostgres &hand, const BigOutbox &outbox)
{
    const QString rows
        = u"CREATE TABLE %1 (id uuid NOT NULL, type text NOT NULL, payload jsonb NOT NULL,"
          " created_at timestamptz NOT NULL%3);"
          "INSERT INTO %1 SELECT overlay(overlay(lpad(to_hex(n), 32, '0') placing '7' from 13)"
          " placing 'a' from 17)::uuid, 'mail:kind' || n %% 20,"
          " jsonb_build_object('user', jsonb_build_object('id', n), 'text', repeat('x', %4)),"
          " now() - (%2 - n) * interval '10 ms'%5"
          " FROM generate_series(1, %2::bigint) n;"
          "ALTER TABLE %1 ADD PRIMARY KEY (id);"_s.replace(u"%%"_s, u"%"_s)
              .replace(u"%5"_s, markOf(outbox, u"n"_s, u"now() - (%2 - n) * interval '10 ms'"_s))
              .replace(u"%4"_s, QString::number(outbox.textBytes))
              .replace(u"%3"_s, markColumn(outbox, u"timestamptz"_s))
              .arg(outbox.table)
              .arg(outbox.rows);
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
            " NULL, created_at TEXT NOT NULL%2) WITHOUT ROWID"_s.arg(outbox.table,
                                                                     markColumn(outbox, u"TEXT"_s)),
            u"INSERT INTO %1 WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE"
            " n < %2) SELECT printf('%08x-0000-7000-a000-%012x', n / 65536, n), 'mail:kind' ||"
            " (n %% 20), json_object('user', json_object('id', n), 'text', printf('%.%4c', 'x')),"
            " strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || ((%2 - n) * 0.01) || ' seconds')%3"
            " FROM c"_s.replace(u"%%"_s, u"%"_s)
                .replace(u"%1"_s, outbox.table)
                .replace(u"%2"_s, QString::number(outbox.rows))
                .replace(u"%3"_s, markOf(outbox, u"n"_s, u"datetime('now')"_s))
                .replace(u"%4"_s, QString::number(outbox.textBytes))};
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

void fillMariadb(const std::function<void(const QString &)> &run, const BigOutbox &outbox)
{
    run(u"SET unique_checks = 0, foreign_key_checks = 0"_s); // an empty table is filled in bulk
    run(u"CREATE TABLE %1 (id binary(16) NOT NULL PRIMARY KEY, type varchar(100) NOT NULL, payload"
        " longtext NOT NULL, created_at timestamp(6) NOT NULL DEFAULT current_timestamp(6)%2)"_s
            .arg(outbox.table, markColumn(outbox, u"timestamp(6) NULL"_s)));
    run(u"INSERT INTO %1 SELECT UNHEX(LPAD(HEX(seq), 32, '0')), CONCAT('mail:kind', seq MOD 20),"
        " CONCAT('{\"user\": {\"id\": ', seq, '}, \"text\": \"', REPEAT('x', %3), '\"}'),"
        " CURRENT_TIMESTAMP(6) - INTERVAL (%2 - seq) * 10000 MICROSECOND%4"
        " FROM seq_1_to_%2 ORDER BY seq"_s.replace(u"%1"_s, outbox.table)
            .replace(u"%2"_s, QString::number(outbox.rows))
            .replace(u"%3"_s, QString::number(outbox.textBytes))
            .replace(u"%4"_s, markOf(outbox, u"seq"_s, u"CURRENT_TIMESTAMP(6)"_s)));
    run(u"ANALYZE TABLE "_s + outbox.table);
}

} // namespace outbox
