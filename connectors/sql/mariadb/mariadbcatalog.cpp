// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables of a MariaDB database, and what belongs to them.
#include "connectors/sql/catalog/sqlcatalog.h"
#include "connectors/sql/dialect/catalogtexts.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbtexts.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Columns of the first statement: one line for each column of each table, a table's together.
namespace MariadbCell {
enum { Database, Table, Column, Type, Family, Nullable, Default, Extra, Rows, Engine, Comment };
}

const QString columnsOfDatabase = uR"(
SELECT DATABASE(), c.TABLE_NAME, c.COLUMN_NAME, c.COLUMN_TYPE, c.DATA_TYPE, c.IS_NULLABLE,
 NULLIF(c.COLUMN_DEFAULT, 'NULL'), c.EXTRA, t.TABLE_ROWS, t.ENGINE,
 c.COLUMN_COMMENT
FROM information_schema.TABLES t JOIN information_schema.COLUMNS c
 ON c.TABLE_SCHEMA = DATABASE() AND c.TABLE_NAME = t.TABLE_NAME
WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE'
ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION LIMIT ?)"_s;

/// Unique indexes over whole columns, a key's first.
const QString uniqueIndexes = uR"(
SELECT s.TABLE_NAME, s.INDEX_NAME, s.COLUMN_NAME, s.NULLABLE, s.SUB_PART IS NOT NULL
FROM information_schema.STATISTICS s
WHERE s.TABLE_SCHEMA = DATABASE() AND s.NON_UNIQUE = 0
ORDER BY s.TABLE_NAME, s.INDEX_NAME <> 'PRIMARY', s.INDEX_NAME, s.SEQ_IN_INDEX)"_s;

const QString checksOfTables = uR"(
SELECT TABLE_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS
WHERE CONSTRAINT_SCHEMA = DATABASE())"_s;

TypeClass classOf(const QString &family, const QString &type)
{
    static const QHash<QString, TypeClass> classes{
        {u"tinyint"_s, TypeClass::Integer},   {u"smallint"_s, TypeClass::Integer},
        {u"mediumint"_s, TypeClass::Integer}, {u"int"_s, TypeClass::Integer},
        {u"bigint"_s, TypeClass::Integer},    {u"uuid"_s, TypeClass::Uuid},
        {u"datetime"_s, TypeClass::Time},     {u"timestamp"_s, TypeClass::Time},
        {u"date"_s, TypeClass::Time},         {u"json"_s, TypeClass::Json},
        {u"binary"_s, TypeClass::Bytes},      {u"varbinary"_s, TypeClass::Bytes},
        {u"tinyblob"_s, TypeClass::Bytes},    {u"blob"_s, TypeClass::Bytes},
        {u"mediumblob"_s, TypeClass::Bytes},  {u"longblob"_s, TypeClass::Bytes},
        {u"enum"_s, TypeClass::Named},        {u"char"_s, TypeClass::Text},
        {u"varchar"_s, TypeClass::Text},      {u"tinytext"_s, TypeClass::Text},
        {u"text"_s, TypeClass::Text},         {u"mediumtext"_s, TypeClass::Text},
        {u"longtext"_s, TypeClass::Text}};
    if (type.startsWith("tinyint(1)"_L1) || type == u"bit(1)")
        return TypeClass::Flag;
    if (type == u"char(36)" || type == u"binary(16)")
        return TypeClass::Uuid;
    return classes.value(family, TypeClass::Other);
}

struct Index
{
    QString table;
    QString name;
    QStringList columns;
    bool tellsApart = true; ///< no NULLs, and whole columns
};

Result<QList<Index>> readIndexes(SqlSession &session, const QString &doing)
{
    const auto rows = TRY(session.query({uniqueIndexes, {}}, doing));
    QList<Index> indexes;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        const QString table = rows.text(row, 0);
        const QString name = rows.text(row, 1);
        if (indexes.isEmpty() || indexes.constLast().table != table
            || indexes.constLast().name != name)
            indexes += Index{table, name, {}, true};
        Index &index = indexes.last();
        index.columns += rows.text(row, 2);
        const bool mayBeNull = rows.bytes(row, 3) == "YES";
        const bool isPrefix = rows.bytes(row, 4) == "1";
        index.tellsApart = index.tellsApart && !mayBeNull && !isPrefix && !rows.isNull(row, 2);
    }
    return indexes;
}

/// What checks say of columns, each named "table.column".
struct Checks
{
    QSet<QString> json; ///< the server keeps a text to JSON: its way to have that type
    QHash<QString, QStringList> labels; ///< all values that are allowed
};

Result<Checks> readChecks(SqlSession &session, const QString &doing)
{
    const auto rows = TRY(session.query({checksOfTables, {}}, doing));
    // The server quotes the name as this session does.
    static const QRegularExpression json(u"^json_valid\\([\"`](.*)[\"`]\\)$"_s);
    static const QRegularExpression list(
        u"^\\(?[\"`]((?:[^\"`]|\"\"|``)+)[\"`] in \\(((?:'(?:[^'\\\\]|''|\\\\.)*',? ?)+)\\)\\)?$"_s,
        QRegularExpression::CaseInsensitiveOption);
    Checks checks;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        const QString column = rows.text(row, 0) + u'.';
        const QString clause = rows.text(row, 1);
        if (const auto match = json.match(clause); match.hasMatch())
            checks.json += column + match.captured(1);
        else if (const auto values = list.match(clause); values.hasMatch())
            checks.labels.insert(column + values.captured(1),
                                 labelsIn(values.captured(2), Literals::WithBackslashes));
    }
    return checks;
}

void takeIndexes(Catalog &catalog, const QList<Index> &indexes)
{
    QHash<QString, CatalogTable *> tables;
    for (CatalogTable &table : catalog.tables)
        tables.insert(table.name.table, &table);
    for (const Index &index : indexes) {
        CatalogTable *table = tables.value(index.table);
        if (!table || !index.tellsApart)
            continue;
        if (index.columns.size() == 1)
            table->uniqueColumns += index.columns.constFirst();
        if (index.name == u"PRIMARY" || (table->primaryKey.isEmpty() && index.columns.size() == 1))
            table->primaryKey = index.columns;
    }
}

Result<Catalog> readMariadbCatalog(SqlSession &session)
{
    const QString doing = u"reading the catalog"_s;
    const auto rows = TRY(session.query({columnsOfDatabase, {mostColumns}}, doing));
    const auto indexes = TRY(readIndexes(session, doing));
    const auto checks = TRY(readChecks(session, doing));
    const auto here = TRY(session.query({u"SELECT DATABASE()"_s, {}}, doing));
    Catalog catalog;
    catalog.defaultSchema = here.text(0, 0);
    for (qsizetype row = 0; row < rows.size(); ++row) {
        const TableName name{rows.text(row, MariadbCell::Database),
                             rows.text(row, MariadbCell::Table)};
        if (catalog.tables.isEmpty() || catalog.tables.constLast().name != name) {
            CatalogTable table;
            table.name = name;
            table.estimatedRows = rows.number(row, MariadbCell::Rows).value_or(-1);
            table.transactional = rows.text(row, MariadbCell::Engine) == u"InnoDB";
            catalog.tables += table;
        }
        CatalogColumn column;
        column.name = rows.text(row, MariadbCell::Column);
        column.type = rows.text(row, MariadbCell::Type);
        column.plainType = rows.text(row, MariadbCell::Family);
        const QString full = name.table + u'.' + column.name;
        column.typeClass
            = checks.json.contains(full) ? TypeClass::Json : classOf(column.plainType, column.type);
        if (column.type == u"uuid")
            column.uuidForm = OutboxShape::KeyForm::Uuid;
        else if (column.type == u"binary(16)")
            column.uuidForm = OutboxShape::KeyForm::UuidBytes;
        column.saysZone = column.plainType == u"timestamp"; // it keeps UTC
        const QString extra = rows.text(row, MariadbCell::Extra).toUpper();
        column.generated = extra.contains(u"GENERATED"_s);
        column.isUpdatedByItself = extra.contains(u"ON UPDATE"_s);
        column.identity = extra.contains(u"AUTO_INCREMENT"_s);
        column.hasDefault = column.identity || !rows.isNull(row, MariadbCell::Default);
        column.defaultText
            = plainDefault(rows.text(row, MariadbCell::Default), Literals::WithBackslashes);
        column.isUtcByDefault = isTimeOfUtc(rows.text(row, MariadbCell::Default), Clock::Session);
        column.meanings = meaningsIn(rows.text(row, MariadbCell::Comment));
        column.labels = column.typeClass == TypeClass::Named
            ? labelsIn(column.type) // these know no backslash
            : checks.labels.value(full);
        column.nullable = rows.bytes(row, MariadbCell::Nullable) == "YES";
        catalog.tables.last().columns += column;
    }
    takeIndexes(catalog, indexes);
    return catalog;
}

const QString mariadbIndexes = u"SELECT s.COLUMN_NAME, NULL FROM information_schema.STATISTICS s"
                               " WHERE s.TABLE_SCHEMA = DATABASE() AND s.TABLE_NAME = ?"
                               " AND s.SEQ_IN_INDEX = 1"_s;

constexpr QLatin1StringView mariadbKeys(R"(
SELECT k.TABLE_SCHEMA, k.TABLE_NAME, k.CONSTRAINT_NAME, r.DELETE_RULE, 'false', k.COLUMN_NAME,
  k.REFERENCED_COLUMN_NAME, CAST(k.ORDINAL_POSITION AS CHAR)
FROM information_schema.REFERENTIAL_CONSTRAINTS r JOIN information_schema.KEY_COLUMN_USAGE k
  ON k.CONSTRAINT_SCHEMA = r.CONSTRAINT_SCHEMA AND k.CONSTRAINT_NAME = r.CONSTRAINT_NAME
  AND k.TABLE_NAME = r.TABLE_NAME
WHERE r.UNIQUE_CONSTRAINT_SCHEMA = ? AND r.REFERENCED_TABLE_NAME = ?
  AND r.DELETE_RULE IN ('CASCADE', 'SET NULL', 'SET DEFAULT')
ORDER BY 1, 2, 3, k.ORDINAL_POSITION)");

/// `server_uid` is not in every release; a system variable that is missing is no line here.
const QString mariadbNames = uR"(
SELECT COALESCE(
 (SELECT NULLIF(VARIABLE_VALUE, '') FROM information_schema.GLOBAL_STATUS
  WHERE VARIABLE_NAME = 'WSREP_CLUSTER_STATE_UUID'),
 (SELECT NULLIF(VARIABLE_VALUE, '') FROM information_schema.GLOBAL_VARIABLES
  WHERE VARIABLE_NAME = 'SERVER_UID'),
 CONCAT_WS(':', @@hostname, @@port, @@datadir)), DATABASE())"_s;

Result<TableRights> rightsOnTable(SqlSession &session, const TableName &table,
                                  const QStringList &columns)
{
    const QString doing = u"asking for the rights on "_s + table.text();
    TableRights rights;
    bool mayWrite = true;
    for (const QString &right : {u"select"_s, u"insert"_s, u"update"_s}) {
        const auto asked = TRY(session.query(mariadb::mayAll(table, columns, right), doing));
        const bool may = asked.size() == 1 && asked.bytes(0, 0) == "1";
        if (right == u"select")
            rights.read = may;
        else
            mayWrite = mayWrite && may;
    }
    const auto deleting = session.query(mariadb::tryDelete(table), doing);
    if (!deleting && deleting.error().kind != Error::Kind::Refused)
        return passOn(deleting);
    rights.write = mayWrite && deleting.has_value();
    return rights;
}

class MariadbCatalog : public SqlCatalog
{
public:
    [[nodiscard]] Result<Catalog> read(SqlSession &session,
                                       const QStringList & /*names*/) const override
    {
        return readMariadbCatalog(session);
    }
    [[nodiscard]] Result<TableRights> rightsOn(SqlSession &session, const TableName &table,
                                               const QStringList &columns) const override
    {
        return rightsOnTable(session, table, columns);
    }
    [[nodiscard]] SqlText isThere(const TableName &table) const override
    {
        return {u"SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"
                " AND TABLE_NAME = ?"_s,
                {table.table}};
    }
    [[nodiscard]] SqlText indexesOf(const CatalogTable &table) const override
    {
        return {mariadbIndexes, {table.name.table}};
    }
    [[nodiscard]] QString createIndex(const TableName &table, const QString &suffix,
                                      const QString &listed) const override
    {
        constexpr auto us = DatabaseUrl::Dialect::MariaDb;
        return u"CREATE INDEX "_s + quotedName(table.table + suffix, us) + u" ON "_s
            + quotedName(table.table, us) + listed;
    }
    [[nodiscard]] SqlText childKeysOf(const TableName &table) const override
    {
        return {mariadbKeys, {table.schema, table.table}};
    }
    [[nodiscard]] SqlText deleteTriggersOf(const TableName &table) const override
    {
        return {u"SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE EVENT_MANIPULATION ="
                " 'DELETE' AND EVENT_OBJECT_SCHEMA = ? AND EVENT_OBJECT_TABLE = ? ORDER BY 1"_s,
                {table.schema, table.table}};
    }
    [[nodiscard]] SqlText ownNames() const override { return mariadbNames; }
    /// Totals only: the server tells of no row by whom it is held.
    [[nodiscard]] QString lockNote(SqlSession &session) const override
    {
        const QString blind = u"MariaDB does not tell which rows are held"_s;
        const auto held
            = session.query({u"SELECT COUNT(*), IFNULL(SUM(trx_rows_locked), 0),"
                             " IFNULL(MAX(TIMESTAMPDIFF(SECOND, trx_started, NOW())), 0)"
                             " FROM information_schema.INNODB_TRX WHERE trx_rows_locked > 0"_s,
                             {}},
                            u"asking for the locks of the server"_s);
        if (!held) {
            return held.error().kind == Error::Kind::Refused
                ? blind + u", and totals only to those with the right PROCESS"_s
                : blind;
        }
        if (held->text(0, 0) == u"0")
            return blind + u"; no transaction of the server holds any now"_s;
        return blind
            + u"; in all its tables %1 transactions hold %2 locks now, the oldest for %3 s"_s.arg(
                held->text(0, 0), held->text(0, 1), held->text(0, 2));
    }
};

} // namespace

const SqlCatalog &mariadbCatalog()
{
    static const MariadbCatalog catalog;
    return catalog;
}

} // namespace outbox
