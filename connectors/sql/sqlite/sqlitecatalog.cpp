// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables of a SQLite file, and what belongs to them.
#include "connectors/sql/catalog/sqlcatalog.h"
#include "connectors/sql/dialect/catalogtexts.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

#include <QMap>
#include <QRegularExpression>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Columns of the statement: one line for each column of each table, a table's together.
namespace SqliteCell {
enum {
    Table,
    Column,
    Type,
    Declaration, ///< of the whole table
    Nullable,
    HasDefault,
    KeyPosition,
    Unique,
    Generated,
    Default
};
}

const QString tablesOfFile = uR"(
SELECT m.name, p.name, p.type, m.sql, p."notnull" = 0, p.dflt_value IS NOT NULL, p.pk,
 p."notnull" AND EXISTS (SELECT 1 FROM pragma_index_list(m.name) l
  WHERE l."unique" AND NOT l.partial AND (SELECT count(*) = 1 AND max(i.name) = p.name
   FROM pragma_index_info(l.name) i)), p.hidden > 1, p.dflt_value
FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) p
WHERE m.type = 'table' AND p.hidden <> 1 AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'
ORDER BY m.name, p.cid LIMIT ?)"_s;

/// A number in it that is a time is a moment, whatever the zone.
bool isOfNumbers(const QString &declared)
{
    const QString type = declared.toUpper();
    static const QStringList words{u"NUM"_s, u"DEC"_s, u"REAL"_s, u"FLOA"_s, u"DOUB"_s};
    return std::any_of(words.begin(), words.end(),
                       [&type](const QString &word) { return type.contains(word); });
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
    // A type may be an enum's name.
    return type.isEmpty() || isOfNumbers(type) ? TypeClass::Other : TypeClass::Text;
}

bool isTrue(const QByteArray &cell)
{
    return cell == "1";
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

Result<Catalog> readSqliteCatalog(SqlSession &session)
{
    const auto rows = TRY(session.query({tablesOfFile, {mostColumns}}, u"reading the catalog"_s));
    Catalog catalog;
    catalog.defaultSchema = u"main"_s;
    QMap<qint64, QString> key;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        const QString name = rows.text(row, SqliteCell::Table);
        if (row == 0 || name != rows.text(row - 1, SqliteCell::Table)) {
            CatalogTable table;
            table.name = {catalog.defaultSchema, name};
            catalog.tables += table;
            key.clear();
        }
        CatalogTable &table = catalog.tables.last();
        const QString declaration = rows.text(row, SqliteCell::Declaration);
        CatalogColumn column;
        column.name = rows.text(row, SqliteCell::Column);
        column.type = rows.text(row, SqliteCell::Type);
        column.plainType = column.type;
        column.typeClass = sqliteClass(column.type);
        if (column.type == u"uuid")
            column.uuidForm = OutboxShape::KeyForm::Uuid;
        column.saysZone = isOfNumbers(column.type);
        column.generated = isTrue(rows.bytes(row, SqliteCell::Generated));
        column.hasDefault = isTrue(rows.bytes(row, SqliteCell::HasDefault));
        column.defaultText = plainDefault(rows.text(row, SqliteCell::Default));
        column.isUtcByDefault = isTimeOfUtc(rows.text(row, SqliteCell::Default), Clock::Utc);
        column.labels = labelsIn(checkedList(declaration, column.name));
        const qint64 position = rows.integer(row, SqliteCell::KeyPosition).value_or(0);
        // SQLite lets a key column be declared without NOT NULL; nobody stores a NULL in one.
        column.nullable = isTrue(rows.bytes(row, SqliteCell::Nullable)) && position == 0;
        table.columns += column;
        if (isTrue(rows.bytes(row, SqliteCell::Unique)))
            table.uniqueColumns += column.name;
        if (position > 0) {
            key.insert(position, column.name);
            table.primaryKey = key.values();
        }
        if (row + 1 == rows.size() || rows.text(row + 1, SqliteCell::Table) != name)
            markRowId(table, declaration);
    }
    return catalog;
}

constexpr QLatin1StringView sqliteKeys(R"(
SELECT '', m.name, CAST(f.id AS TEXT), f.on_delete, 'false', f."from", f."to",
  CAST(f.seq AS TEXT)
FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
WHERE m.type = 'table' AND f."table" = ? COLLATE NOCASE
ORDER BY m.name, f.id, f.seq)");

/// The text of an index is kept as it was written; its condition stands behind the last bracket.
const QString sqliteIndexes
    = u"SELECT (SELECT x.name FROM pragma_index_info(l.name) x WHERE x.seqno = 0),"
      " CASE WHEN l.partial THEN (SELECT m.sql FROM sqlite_schema m WHERE m.type = 'index'"
      " AND m.name = l.name) END FROM pragma_index_list(?) l"_s;

class SqliteCatalog : public SqlCatalog
{
public:
    [[nodiscard]] Result<Catalog> read(SqlSession &session,
                                       const QStringList & /*names*/) const override
    {
        return readSqliteCatalog(session);
    }
    [[nodiscard]] Result<TableRights> rightsOn(SqlSession & /*session*/,
                                               const TableName & /*table*/,
                                               const QStringList & /*columns*/) const override
    {
        return TableRights{true, true}; // a file that is read-only refuses the relay itself
    }
    [[nodiscard]] SqlText isThere(const TableName &table) const override
    {
        return {u"SELECT count(*) FROM sqlite_schema WHERE name = ? COLLATE NOCASE"_s,
                {table.table}};
    }
    [[nodiscard]] SqlText indexesOf(const CatalogTable &table) const override
    {
        return {sqliteIndexes, {table.name.table}};
    }
    [[nodiscard]] QString createIndex(const TableName &table, const QString &suffix,
                                      const QString &listed) const override
    {
        return u"CREATE INDEX "_s + quotedName(table.table + suffix) + u" ON "_s
            + quotedName(table.table) + listed;
    }
    [[nodiscard]] SqlText childKeysOf(const TableName &table) const override
    {
        return {sqliteKeys, {table.table}};
    }
    [[nodiscard]] SqlText deleteTriggersOf(const TableName &table) const override
    {
        return {
            u"SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE "
            "NOCASE ORDER BY name"_s,
            {table.table}};
    }
};

} // namespace

const SqlCatalog &sqliteCatalog()
{
    static const SqliteCatalog catalog;
    return catalog;
}

} // namespace outbox
