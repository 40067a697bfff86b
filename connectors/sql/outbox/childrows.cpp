// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/childrows.h"

#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbtexts.h"
#include "connectors/sql/postgres/postgrestexts.h"
#include "connectors/sql/session/sqlsession.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// One foreign key whose children are touched by the deletion of a parent.
struct ChildKey
{
    TableName table;
    QString name;
    QString rule;
    ChildFate fate = ChildFate::Deleted;
    bool isHidden = false; ///< row security keeps children from this role, not from the deletion
    QStringList columns;
    QStringList referenced; ///< columns of the outbox, one for each
};

/// A line for each column of each key.
namespace KeyColumn {
enum { Schema, Table, Name, Rule, Hidden, Column, Referenced, Place };
}

// The table, its partitions and its heirs: a deletion reaches the rows of all, and fires the keys
// that refer to any. A key that a partition has from its parent stands for nothing of its own.
constexpr QLatin1StringView postgresKeys(R"(
WITH RECURSIVE tree(oid) AS (SELECT $1::text::regclass::oid
  UNION SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN tree t ON i.inhparent = t.oid)
SELECT n.nspname::text, r.relname::text, c.conname::text,
  CASE c.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' ELSE 'SET DEFAULT' END,
  row_security_active(c.conrelid)::text, a.attname::text, b.attname::text, k.n::text
FROM pg_catalog.pg_constraint c
JOIN pg_catalog.pg_class r ON r.oid = c.conrelid
JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
CROSS JOIN LATERAL unnest(c.conkey, c.confkey) WITH ORDINALITY AS k(child, parent, n)
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.child
JOIN pg_catalog.pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = k.parent
WHERE c.contype = 'f' AND c.confdeltype IN ('c', 'n', 'd')
  AND c.confrelid IN (SELECT oid FROM tree)
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint p
    WHERE p.oid = c.conparentid AND p.confrelid IN (SELECT oid FROM tree))
ORDER BY 1, 2, 3, k.n)");

constexpr QLatin1StringView mariadbKeys(R"(
SELECT k.TABLE_SCHEMA, k.TABLE_NAME, k.CONSTRAINT_NAME, r.DELETE_RULE, 'false', k.COLUMN_NAME,
  k.REFERENCED_COLUMN_NAME, CAST(k.ORDINAL_POSITION AS CHAR)
FROM information_schema.REFERENTIAL_CONSTRAINTS r JOIN information_schema.KEY_COLUMN_USAGE k
  ON k.CONSTRAINT_SCHEMA = r.CONSTRAINT_SCHEMA AND k.CONSTRAINT_NAME = r.CONSTRAINT_NAME
  AND k.TABLE_NAME = r.TABLE_NAME
WHERE r.UNIQUE_CONSTRAINT_SCHEMA = ? AND r.REFERENCED_TABLE_NAME = ?
  AND r.DELETE_RULE IN ('CASCADE', 'SET NULL', 'SET DEFAULT')
ORDER BY 1, 2, 3, k.ORDINAL_POSITION)");

constexpr QLatin1StringView sqliteKeys(R"(
SELECT '', m.name, CAST(f.id AS TEXT), f.on_delete, 'false', f."from", f."to",
  CAST(f.seq AS TEXT)
FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
WHERE m.type = 'table' AND f."table" = ? COLLATE NOCASE
ORDER BY m.name, f.id, f.seq)");

constexpr QLatin1StringView postgresTriggers(R"(
WITH RECURSIVE tree(oid) AS (SELECT $1::text::regclass::oid
  UNION SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN tree t ON i.inhparent = t.oid)
SELECT tgname::text FROM pg_catalog.pg_trigger
WHERE tgrelid IN (SELECT oid FROM tree) AND NOT tgisinternal AND tgenabled <> 'D'
  AND (tgtype & 8) <> 0
UNION SELECT rulename::text FROM pg_catalog.pg_rewrite
WHERE ev_class IN (SELECT oid FROM tree) AND ev_type = '4' AND ev_enabled <> 'D'
ORDER BY 1)");

QString aboutChildren(const ChildQuestion &question)
{
    return u"asking which tables refer to "_s + question.table.name.text();
}

SqlText keysOf(const ChildQuestion &question)
{
    const TableName &name = question.table.name;
    switch (question.dialect) {
    case DatabaseUrl::Dialect::Sqlite:
        return {sqliteKeys, {name.table}};
    case DatabaseUrl::Dialect::MariaDb:
        return {mariadbKeys, {name.schema, name.table}};
    case DatabaseUrl::Dialect::PostgreSql:
        break;
    }
    return {postgresKeys, {quotedName(name)}};
}

/// Whether SQLite does what foreign keys say, in this session.
Result<bool> isEnforced(const ChildQuestion &question)
{
    if (!databaseOf(question.dialect).isFile())
        return true;
    const auto rows
        = question.session.query({u"PRAGMA foreign_keys"_s, {}}, aboutChildren(question));
    if (!rows)
        return passOn(rows);
    return rows->size() == 1 && rows->text(0, 0) == u"1";
}

/// Without those that an enforced key keeps from going by itself.
Result<QList<ChildKey>> childKeys(const ChildQuestion &question)
{
    const auto enforced = isEnforced(question);
    if (!enforced)
        return passOn(enforced);
    const auto rows = question.session.query(keysOf(question), aboutChildren(question));
    if (!rows)
        return passOn(rows);
    QList<ChildKey> keys;
    for (qsizetype row = 0; row < rows->size(); ++row) {
        using namespace KeyColumn;
        ChildKey key;
        key.table = {rows->text(row, Schema), rows->text(row, Table)};
        key.name = rows->text(row, Name);
        key.rule = rows->text(row, Rule);
        key.isHidden = rows->text(row, Hidden) == u"true";
        if (!*enforced)
            key.fate = ChildFate::Dangling;
        else if (key.rule == u"CASCADE")
            key.fate = ChildFate::Deleted;
        else if (key.rule.startsWith(u"SET "_s))
            key.fate = ChildFate::Changed;
        else
            continue;
        const bool goesOn = !keys.isEmpty() && keys.constLast().table == key.table
            && keys.constLast().name == key.name;
        if (!goesOn)
            keys += key;
        keys.last().columns += rows->text(row, Column);
        // SQLite: a key that names no columns means the primary key.
        keys.last().referenced += rows->isNull(row, Referenced)
            ? question.table.primaryKey.value(rows->integer(row, Place).value_or(0))
            : rows->text(row, Referenced);
    }
    return keys;
}

bool isSameTable(const ChildKey &key, const CatalogTable &table, DatabaseUrl::Dialect dialect)
{
    if (databaseOf(dialect).isFile())
        return key.table.table.compare(table.name.table, Qt::CaseInsensitive) == 0;
    return key.table == table.name;
}

/// Key and number of children of those rows that have some. A row that refers to itself is no
/// child: it is in the export.
SqlText childCountOf(const ChildQuestion &question, const ChildKey &key, const QStringList &keys)
{
    const QString parent = u"t."_s + quotedName(question.keyColumn);
    QStringList pairs;
    for (qsizetype i = 0; i < key.columns.size(); ++i) {
        pairs += u"c."_s + quotedName(key.columns.at(i)) + u" = t."_s
            + quotedName(key.referenced.at(i));
    }
    if (isSameTable(key, question.table, question.dialect))
        pairs += u"c."_s + quotedName(question.keyColumn) + u" <> "_s + parent;
    const CatalogColumn &column = *question.table.column(question.keyColumn);
    QString text;
    QString count;
    SqlFragment meant;
    switch (question.dialect) {
    case DatabaseUrl::Dialect::PostgreSql:
        text = postgres::textOf(u"t."_s, question.keyColumn);
        count = u"count(*)::text"_s;
        meant = parent + u" = ANY("_s + SqlFragment::of(keys, column.type + u"[]"_s) + u')';
        break;
    case DatabaseUrl::Dialect::MariaDb:
        text = mariadb::textOf(question.table, question.keyColumn);
        count = u"CAST(count(*) AS CHAR)"_s;
        meant = mariadb::among(column, keys);
        break;
    case DatabaseUrl::Dialect::Sqlite:
        text = sqlite::textOf(question.keyColumn);
        count = u"CAST(count(*) AS TEXT)"_s;
        meant = parent + u" IN "_s + sqlite::keysIn(keys);
        break;
    }
    return u"SELECT "_s + text + u", "_s + count + u" FROM "_s + quotedName(question.table.name)
        + u" AS t JOIN "_s + quotedName(key.table) + u" AS c ON "_s + pairs.join(u" AND "_s)
        + u" WHERE "_s + meant + u" GROUP BY "_s + parent;
}

Failure hiddenChildren(const ChildQuestion &question, const ChildKey &key)
{
    return fail(Error::Kind::Refused, aboutChildren(question),
                u"row security hides rows of %1 from this role"_s.arg(key.table.text()), {},
                u"Ask with a role that the policies of %1 do not bind"_s.arg(key.table.text()));
}

/// The events of a trigger, as its text says them: what stands between its name and its table.
bool isOnDelete(const QString &createTrigger)
{
    static const QRegularExpression head(
        uR"(\bTRIGGER\b.*?\b(DELETE|INSERT|UPDATE)\b(?=\s+(?:ON|OF)\b))"_s,
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption);
    const auto found = head.match(createTrigger);
    return found.captured(1).compare(u"DELETE"_s, Qt::CaseInsensitive) == 0;
}

} // namespace

Result<QList<ChildRows>> childrenOf(const ChildQuestion &question, const QStringList &keys)
{
    QList<ChildRows> children;
    if (keys.isEmpty() || question.keyColumn.isEmpty()) // nothing writes to rows of several keys
        return children;
    const auto known = childKeys(question);
    if (!known)
        return passOn(known);
    for (const ChildKey &key : *known) {
        if (key.isHidden)
            return hiddenChildren(question, key);
        const auto counts = question.session.query(
            childCountOf(question, key, keys),
            u"counting rows of %1 that refer to %2 rows"_s.arg(key.table.text()).arg(keys.size()));
        if (!counts)
            return passOn(counts);
        for (qsizetype row = 0; row < counts->size(); ++row) {
            children += ChildRows{{counts->text(row, 0)},
                                  key.table,
                                  key.rule,
                                  key.fate,
                                  counts->integer(row, 1).value_or(0)};
        }
    }
    return children;
}

Result<QStringList> deleteTriggersOf(const ChildQuestion &question)
{
    const TableName &name = question.table.name;
    SqlText sql{postgresTriggers, {quotedName(name)}};
    const bool isSqlite = question.dialect == DatabaseUrl::Dialect::Sqlite;
    if (isSqlite) {
        sql = {
            u"SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE "
            "NOCASE ORDER BY name"_s,
            {name.table}};
    } else if (question.dialect == DatabaseUrl::Dialect::MariaDb) {
        sql = {u"SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE EVENT_MANIPULATION ="
               " 'DELETE' AND EVENT_OBJECT_SCHEMA = ? AND EVENT_OBJECT_TABLE = ? ORDER BY 1"_s,
               {name.schema, name.table}};
    }
    const auto rows = question.session.query(sql, u"asking for the triggers of "_s + name.text());
    if (!rows)
        return passOn(rows);
    QStringList names;
    for (qsizetype row = 0; row < rows->size(); ++row) {
        if (!isSqlite || isOnDelete(rows->text(row, 1)))
            names += rows->text(row, 0);
    }
    return names;
}

} // namespace outbox
