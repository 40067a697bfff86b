// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/catalogreader.h"

#include "connectors/sql/catalogtexts.h"
#include "connectors/sql/mariadbcatalog.h"
#include "connectors/sql/postgrestexts.h"
#include "connectors/sql/sqlsession.h"

#include <QRegularExpression>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Columns of both statements below. One line for each column of each table, a table's together.
namespace CatalogCell {
enum {
    Schema,
    Table,
    Column,
    Type,
    Family,
    Nullable,
    HasDefault,
    Identity,
    KeyPosition,
    Rows,
    RowSecurity,
    DefaultSchema,
    Unique,
    Generated,
    PlainType,
    OneHeap,
    Default,
    Labels, ///< of an enum, a line each
    Comment
};
}

/// Far above any database an outbox stands in; keeps a catalog of partitions from filling memory.

// Planning costs a new session more than reading: each OFFSET 0 keeps one way of many, by the
// indexes of the catalog. A heap's access method has the number 2 on every server.
const QString postgresCatalog = uR"(
WITH c AS MATERIALIZED (SELECT c.oid, n.nspname, c.relname, c.reltuples, c.relrowsecurity,
 c.relkind = 'r' AND NOT c.relhassubclass AND c.relam = 2
  AND current_setting('server_version_num')::int >= 140000 AS heap,
 (SELECT i.indkey::int2[] FROM pg_index i
  WHERE i.indrelid = c.oid AND i.indisunique AND i.indimmediate AND i.indisvalid
  AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indnkeyatts = i.indnatts
  AND (i.indisprimary OR (i.indnatts = 1 AND (SELECT u.attnotnull FROM pg_attribute u
   WHERE u.attrelid = c.oid AND u.attnum = i.indkey[0])))
  ORDER BY i.indisprimary DESC, i.indexrelid LIMIT 1) AS key
 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't' AND NOT c.relispartition
 AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'%1)
SELECT c.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
 CASE WHEN b.typcategory = 'A' THEN 'array' WHEN b.typtype = 'e' THEN 'enum' ELSE b.typname END,
 (NOT a.attnotnull)::text, (a.atthasdef OR a.attidentity <> '')::text,
 (a.attidentity <> '' OR coalesce(d.expression, '') LIKE 'nextval(%')::text,
 coalesce(array_position(c.key, a.attnum) + 1, 0)::text, c.reltuples::bigint::text,
 c.relrowsecurity::text, current_schema()::text,
 (a.attnotnull AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique
  AND i.indisvalid AND i.indpred IS NULL AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum))::text,
 (a.attgenerated <> '')::text, format_type(a.atttypid, -1), c.heap::text, d.expression,
 CASE WHEN b.typtype = 'e' THEN (SELECT string_agg(e.enumlabel, E'\n' ORDER BY e.enumsortorder)
  FROM pg_enum e WHERE e.enumtypid = b.oid)
 ELSE (SELECT string_agg(pg_get_constraintdef(k.oid), ' ') FROM pg_constraint k
  WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]) END,
 (SELECT e.description FROM pg_description e WHERE e.objoid = c.oid
  AND e.classoid = 'pg_class'::regclass AND e.objsubid = a.attnum)
FROM c
JOIN LATERAL (SELECT * FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0
 AND NOT attisdropped OFFSET 0) a ON true
JOIN LATERAL (SELECT * FROM pg_type WHERE oid = a.atttypid OFFSET 0) t ON true
JOIN LATERAL (SELECT * FROM pg_type
 WHERE oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END OFFSET 0) b ON true
LEFT JOIN LATERAL (SELECT pg_get_expr(adbin, adrelid) AS expression FROM pg_attrdef
 WHERE a.atthasdef AND adrelid = c.oid AND adnum = a.attnum OFFSET 0) d ON true
ORDER BY c.nspname, c.relname, a.attnum LIMIT $1::bigint)"_s;

const QString sqliteCatalog = uR"(
SELECT 'main', m.name, p.name, p.type, m.sql, p."notnull" = 0, p.dflt_value IS NOT NULL, 0, p.pk,
 -1, 0, 'main',
 p."notnull" AND EXISTS (SELECT 1 FROM pragma_index_list(m.name) l
  WHERE l."unique" AND NOT l.partial AND (SELECT count(*) = 1 AND max(i.name) = p.name
   FROM pragma_index_info(l.name) i)), p.hidden > 1, p.type, 0,
 p.dflt_value, m.sql, NULL
FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) p
WHERE m.type = 'table' AND p.hidden <> 1 AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'
ORDER BY m.name, p.cid LIMIT ?)"_s;

TypeClass postgresClass(const QString &family)
{
    static const QHash<QString, TypeClass> classes{
        {u"int2"_s, TypeClass::Integer},     {u"int4"_s, TypeClass::Integer},
        {u"int8"_s, TypeClass::Integer},     {u"xid8"_s, TypeClass::Integer},
        {u"bool"_s, TypeClass::Flag},        {u"uuid"_s, TypeClass::Uuid},
        {u"timestamptz"_s, TypeClass::Time}, {u"timestamp"_s, TypeClass::Time},
        {u"date"_s, TypeClass::Time},        {u"json"_s, TypeClass::Json},
        {u"jsonb"_s, TypeClass::Json},       {u"bytea"_s, TypeClass::Bytes},
        {u"enum"_s, TypeClass::Named},       {u"array"_s, TypeClass::List},
        {u"text"_s, TypeClass::Text},        {u"varchar"_s, TypeClass::Text},
        {u"bpchar"_s, TypeClass::Text},      {u"citext"_s, TypeClass::Text}};
    return classes.value(family, TypeClass::Other);
}

/// SQLite declares whatever its author wrote; the words are those of shapes.md 5.1.
TypeClass sqliteClass(const QString &declared)
{
    const QString type = declared.toUpper();
    const auto has = [&type](QStringView word) { return type.contains(word); };
    if (has(u"BOOL"))
        return TypeClass::Flag;
    if (has(u"INT"))
        return TypeClass::Integer;
    if (has(u"UUID") || has(u"GUID") || has(u"CHAR(36)"))
        return TypeClass::Uuid;
    if (has(u"DATE") || has(u"TIME"))
        return TypeClass::Time;
    if (has(u"JSON"))
        return TypeClass::Json;
    if (has(u"BLOB") || has(u"BINARY") || has(u"BYTEA"))
        return TypeClass::Bytes;
    for (const QStringView number : {u"NUM", u"DEC", u"REAL", u"FLOA", u"DOUB"}) {
        if (has(number))
            return TypeClass::Other;
    }
    return type.isEmpty() ? TypeClass::Other : TypeClass::Text; // an enum's name, among others
}

bool isTrue(const QByteArray &cell)
{
    return cell == "true" || cell == "1";
}

/// What a check of SQLite allows for `column`: CHECK (column IN ('a', 'b')).
QString checkedList(const QString &declaration, const QString &column)
{
    const QRegularExpression check(u"check\\s*\\(\\s*[\"`\\[]?"_s
                                       + QRegularExpression::escape(column)
                                       + u"[\"`\\]]?\\s+in\\s*\\(([^)]*)\\)"_s,
                                   QRegularExpression::CaseInsensitiveOption);
    return check.match(declaration).captured(1);
}

QStringList labelsOf(const QString &cell, const CatalogColumn &column, bool sqlite)
{
    if (sqlite)
        return labelsIn(checkedList(cell, column.name));
    if (column.typeClass == TypeClass::Named)
        return cell.split(u'\n', Qt::SkipEmptyParts);
    // Other checks have texts in them that are no values.
    static const QRegularExpression anyOf(u"= ANY \\(+ARRAY\\["_s); // two where it casts varchar
    return cell.contains(anyOf) ? labelsIn(cell) : QStringList();
}

/// A table's only key column of the very type INTEGER is the row's own number.
void markRowId(CatalogTable &table, const QString &declaration)
{
    static const QRegularExpression withoutRowId(u"without\\s+rowid\\s*[,\\w\\s]*$"_s,
                                                 QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression autoIncrement(u"\\bautoincrement\\b"_s,
                                                  QRegularExpression::CaseInsensitiveOption);
    if (declaration.contains(withoutRowId))
        return;
    table.hasRowId = true;
    for (CatalogColumn &column : table.columns) {
        if (column.name.compare(u"rowid", Qt::CaseInsensitive) == 0)
            table.hasRowId = false; // the word means the column then
        if (table.primaryKey == QStringList{column.name}
            && column.type.compare(u"INTEGER", Qt::CaseInsensitive) == 0) {
            column.identity = true;
            column.hasDefault = true;
            table.givesKeysAgain = !declaration.contains(autoIncrement);
        }
    }
}

/// What the statement of SQLite or PostgreSQL has answered.
Result<Catalog> tablesIn(SqlSession &session, const SqlText &sql, bool sqlite)
{
    const auto rows = session.query(sql, u"reading the catalog"_s);
    if (!rows)
        return passOn(rows);
    Catalog catalog;
    catalog.defaultSchema = sqlite ? u"main"_s : u"public"_s;
    QList<std::pair<qint64, QString>> key;
    for (qsizetype row = 0; row < rows->size(); ++row) {
        const TableName name{rows->text(row, CatalogCell::Schema),
                             rows->text(row, CatalogCell::Table)};
        if (catalog.tables.isEmpty() || catalog.tables.constLast().name != name) {
            CatalogTable table;
            table.name = name;
            table.estimatedRows = rows->number(row, CatalogCell::Rows).value_or(-1);
            table.rowSecurity = isTrue(rows->bytes(row, CatalogCell::RowSecurity));
            table.isOneHeap = isTrue(rows->bytes(row, CatalogCell::OneHeap));
            catalog.tables += table;
            key.clear();
        }
        CatalogTable &table = catalog.tables.last();
        CatalogColumn column;
        column.name = rows->text(row, CatalogCell::Column);
        column.type = rows->text(row, CatalogCell::Type);
        column.typeClass = sqlite ? sqliteClass(column.type)
                                  : postgresClass(rows->text(row, CatalogCell::Family));
        column.generated = isTrue(rows->bytes(row, CatalogCell::Generated));
        column.plainType = rows->text(row, CatalogCell::PlainType);
        column.hasDefault = isTrue(rows->bytes(row, CatalogCell::HasDefault));
        column.identity = isTrue(rows->bytes(row, CatalogCell::Identity));
        column.defaultText = plainDefault(rows->text(row, CatalogCell::Default));
        column.isUtcByDefault = isTimeOfUtc(rows->text(row, CatalogCell::Default),
                                            sqlite ? Clock::Utc : Clock::Session);
        column.labels = labelsOf(rows->text(row, CatalogCell::Labels), column, sqlite);
        column.meanings = meaningsIn(rows->text(row, CatalogCell::Comment));
        const qint64 position = rows->integer(row, CatalogCell::KeyPosition).value_or(0);
        // SQLite lets a key column be declared without NOT NULL; nobody stores a NULL in one.
        column.nullable = isTrue(rows->bytes(row, CatalogCell::Nullable)) && position == 0;
        table.columns += column;
        if (isTrue(rows->bytes(row, CatalogCell::Unique)))
            table.uniqueColumns += column.name;
        if (position > 0) {
            key += {position, column.name};
            std::sort(key.begin(), key.end()); // an int2vector counts from 0, hence the + 1 above
            table.primaryKey.clear();
            for (const auto &part : std::as_const(key))
                table.primaryKey += part.second;
        }
        if (sqlite
            && (row + 1 == rows->size() || rows->text(row + 1, CatalogCell::Table) != name.table))
            markRowId(table, rows->text(row, CatalogCell::Family));
        if (!sqlite && !rows->isNull(row, CatalogCell::DefaultSchema))
            catalog.defaultSchema = rows->text(row, CatalogCell::DefaultSchema);
    }
    return catalog;
}

} // namespace

Result<Catalog> readCatalog(SqlSession &session, DatabaseUrl::Dialect dialect)
{
    if (dialect == DatabaseUrl::Dialect::MariaDb)
        return readMariadbCatalog(session);
    const bool sqlite = dialect == DatabaseUrl::Dialect::Sqlite;
    const QString text = sqlite ? sqliteCatalog : postgresCatalog.arg(QString());
    return tablesIn(session, {text, {mostColumns}}, sqlite);
}

Result<Catalog> readTables(SqlSession &session, DatabaseUrl::Dialect dialect,
                           const QList<TableName> &needed, const QStringList &besides)
{
    if (dialect != DatabaseUrl::Dialect::PostgreSql)
        return readCatalog(session, dialect);
    QStringList names = besides;
    for (const TableName &table : needed)
        names += table.table;
    SqlText sql{{}, {mostColumns}};
    const QString among = postgres::bind(sql, names, u"text[]"_s);
    sql.text = postgresCatalog.arg(u"\n AND c.relname = ANY("_s + among + u"::name[])"_s);
    auto catalog = tablesIn(session, sql, false);
    const bool isWhole = !catalog
        || std::all_of(needed.cbegin(), needed.cend(),
                       [&](const TableName &table) { return catalog->find(table); });
    return isWhole ? catalog : readCatalog(session, dialect);
}

} // namespace outbox
