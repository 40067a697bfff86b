// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgrescatalog.h"

#include "connectors/sql/catalogtexts.h"
#include "connectors/sql/postgrestexts.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString readingCatalog = u"reading the catalog"_s;

/// Columns of the first statement: one line for each column of each table, a table's together.
namespace PostgresCell {
enum {
    Schema,
    Table,
    Column,
    Type,
    PlainType,
    Family,
    Default,
    Comment,
    Indexes,
    DefaultSchema,
    Facts ///< short ones in a line, by `Fact`
};
}

namespace Fact {
enum {
    Position,
    Base, ///< the number of the type itself, which that of a domain hides
    NotNull,
    HasDefault,
    Identity,
    Generated,
    TableId,
    HasChecks,
    Rows,
    RowSecurity,
    OneHeap
};
}

// A new session pays for planning, not for reading: each catalog that a statement names costs it
// more than the rows there. So what few tables have is asked for apart, indexes are read once and
// understood here, and each OFFSET 0 keeps one way of many, by the indexes of the catalog.
// Tables of the server itself have numbers below 16384, those of an extension may stand beside them
// in pg_catalog, which is number 11; the access method of a heap is number 2.
const QString columnsOfTables = uR"(
WITH c AS MATERIALIZED (SELECT c.*, n.nspname, (SELECT string_agg(concat_ws(' ', i.indisprimary,
  i.indimmediate, i.indexprs IS NULL, i.indnkeyatts, i.indkey), E'\n' ORDER BY i.indexrelid)
  FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid
  AND i.indpred IS NULL) AS indexes
 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't' AND NOT c.relispartition
 AND c.oid >= 16384 AND c.relnamespace <> 11 AND n.nspname <> 'information_schema'%1)
SELECT c.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
 format_type(a.atttypid, -1), CASE t.typcategory WHEN 'A' THEN 'array' WHEN 'E' THEN 'enum'
  ELSE format_type(CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END, NULL) END,
 CASE WHEN a.atthasdef THEN (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef
  WHERE adrelid = c.oid AND adnum = a.attnum) END,
 (SELECT description FROM pg_description
  WHERE objoid = c.oid AND classoid = 'pg_class'::regclass AND objsubid = a.attnum),
 c.indexes, current_schema(), concat_ws(' ', a.attnum,
  CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END, a.attnotnull, a.atthasdef,
  a.attidentity <> '', a.attgenerated <> '', c.oid, c.relchecks > 0, c.reltuples, c.relrowsecurity,
  c.relkind = 'r' AND NOT c.relhassubclass AND c.relam = 2
   AND current_setting('server_version_num')::int >= 140000)
FROM c
JOIN LATERAL (SELECT * FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0
 AND NOT attisdropped OFFSET 0) a ON true
JOIN LATERAL (SELECT * FROM pg_type WHERE oid = a.atttypid OFFSET 0) t ON true
ORDER BY c.nspname, c.relname, a.attnum LIMIT $1::bigint)"_s;

const QString labelsOfEnums = uR"(
SELECT enumtypid::text, enumlabel FROM pg_enum WHERE enumtypid = ANY($1::oid[])
ORDER BY enumsortorder)"_s;

const QString checksOfColumns = uR"(
SELECT conrelid::text, conkey[1]::text, pg_get_constraintdef(oid) FROM pg_constraint
WHERE contype = 'c' AND cardinality(conkey) = 1 AND conrelid = ANY($1::oid[]))"_s;

TypeClass classOfFamily(const QString &family)
{
    static const QHash<QString, TypeClass> classes{
        {u"smallint"_s, TypeClass::Integer},
        {u"integer"_s, TypeClass::Integer},
        {u"bigint"_s, TypeClass::Integer},
        {u"xid8"_s, TypeClass::Integer},
        {u"boolean"_s, TypeClass::Flag},
        {u"uuid"_s, TypeClass::Uuid},
        {u"timestamp with time zone"_s, TypeClass::Time},
        {u"timestamp without time zone"_s, TypeClass::Time},
        {u"date"_s, TypeClass::Time},
        {u"json"_s, TypeClass::Json},
        {u"jsonb"_s, TypeClass::Json},
        {u"bytea"_s, TypeClass::Bytes},
        {u"enum"_s, TypeClass::Named},
        {u"array"_s, TypeClass::List},
        {u"text"_s, TypeClass::Text},
        {u"character varying"_s, TypeClass::Text},
        {u"character"_s, TypeClass::Text},
        {u"citext"_s, TypeClass::Text}};
    return classes.value(family.section(u'.', -1), TypeClass::Other); // "extensions.citext"
}

bool isSet(const QString &fact)
{
    return fact == u"t";
}

/// A unique index without a condition.
struct UniqueIndex
{
    bool isPrimary = false;
    bool isImmediate = false;
    bool isOfColumns = false;
    qsizetype keyColumns = 0;
    QStringList positions; ///< "0" is an expression; those behind the key are only carried along
};

QList<UniqueIndex> uniqueIndexesIn(const QString &cell)
{
    QList<UniqueIndex> indexes;
    for (const QString &line : cell.split(u'\n', Qt::SkipEmptyParts)) {
        const QStringList parts = line.split(u' ');
        indexes += {isSet(parts.value(0)), isSet(parts.value(1)), isSet(parts.value(2)),
                    parts.value(3).toLongLong(), parts.mid(4)};
    }
    return indexes;
}

/// The key is the primary one, or else the first column that alone tells rows apart.
void takeUniqueIndexes(CatalogTable &table, const QList<UniqueIndex> &indexes,
                       const QHash<QString, QString> &names)
{
    const auto isNeverNull = [&table](const QString &name) {
        const CatalogColumn *column = table.column(name);
        return column && !column->nullable;
    };
    bool isPrimary = false;
    for (const UniqueIndex &index : indexes) {
        const QString first = names.value(index.positions.value(0));
        const bool isAlone = index.keyColumns == 1 && isNeverNull(first);
        if (isAlone && !table.uniqueColumns.contains(first))
            table.uniqueColumns += first;
        const bool isWhole = index.isImmediate && index.isOfColumns
            && index.keyColumns == index.positions.size() && (index.isPrimary || isAlone);
        if (!isWhole || isPrimary || (!index.isPrimary && !table.primaryKey.isEmpty()))
            continue;
        isPrimary = index.isPrimary;
        table.primaryKey.clear();
        for (const QString &position : index.positions)
            table.primaryKey += names.value(position);
    }
}

/// Values that columns may have: of enums, by the number of the type; of checks, by "table column".
Result<QHash<QString, QStringList>> readLabels(SqlSession &session, const QSet<QString> &enums,
                                               const QSet<QString> &checked)
{
    // Other checks have texts in them that are no values.
    static const QRegularExpression anyOf(u"= ANY \\(+ARRAY\\["_s); // two where it casts varchar
    QHash<QString, QStringList> labels;
    const auto ask = [&](const QString &text, const QSet<QString> &ids) -> Result<SqlRows> {
        if (ids.isEmpty())
            return SqlRows();
        return session.query({text, {QStringList(ids.cbegin(), ids.cend())}}, readingCatalog);
    };
    const auto ofEnums = ask(labelsOfEnums, enums);
    if (!ofEnums)
        return passOn(ofEnums);
    for (qsizetype row = 0; row < ofEnums->size(); ++row)
        labels[ofEnums->text(row, 0)] += ofEnums->text(row, 1);
    const auto checks = ask(checksOfColumns, checked);
    if (!checks)
        return passOn(checks);
    for (qsizetype row = 0; row < checks->size(); ++row) {
        const QString check = checks->text(row, 2);
        if (check.contains(anyOf))
            labels[checks->text(row, 0) + u' ' + checks->text(row, 1)] += labelsIn(check);
    }
    return labels;
}

CatalogColumn columnIn(const SqlRows &rows, qsizetype row, const QStringList &facts)
{
    CatalogColumn column;
    column.name = rows.text(row, PostgresCell::Column);
    column.type = rows.text(row, PostgresCell::Type);
    column.plainType = rows.text(row, PostgresCell::PlainType);
    column.typeClass = classOfFamily(rows.text(row, PostgresCell::Family));
    column.nullable = !isSet(facts.value(Fact::NotNull));
    column.generated = isSet(facts.value(Fact::Generated));
    const QString expression = rows.text(row, PostgresCell::Default);
    const bool isIdentity = isSet(facts.value(Fact::Identity));
    column.identity = isIdentity || expression.startsWith(u"nextval(");
    column.hasDefault = isIdentity || isSet(facts.value(Fact::HasDefault));
    column.defaultText = plainDefault(expression);
    column.isUtcByDefault = isTimeOfUtc(expression, Clock::Session);
    column.meanings = meaningsIn(rows.text(row, PostgresCell::Comment));
    return column;
}

} // namespace

Result<Catalog> readPostgresCatalog(SqlSession &session, const QStringList &names)
{
    SqlText sql{{}, {mostColumns}};
    sql.text
        = columnsOfTables.arg(names.isEmpty() ? QString()
                                              : u"\n AND c.relname = ANY("_s
                                      + postgres::bind(sql, names, u"text[]"_s) + u"::name[])"_s);
    const auto rows = session.query(sql, readingCatalog);
    if (!rows)
        return passOn(rows);
    QSet<QString> enums;
    QSet<QString> checked;
    QList<QStringList> facts;
    for (qsizetype row = 0; row < rows->size(); ++row) {
        facts += rows->text(row, PostgresCell::Facts).split(u' ');
        const QStringList &known = facts.constLast();
        if (rows->bytes(row, PostgresCell::Family) == "enum")
            enums += known.value(Fact::Base);
        if (isSet(known.value(Fact::HasChecks)))
            checked += known.value(Fact::TableId);
    }
    const auto labels = readLabels(session, enums, checked);
    if (!labels)
        return passOn(labels);
    Catalog catalog;
    catalog.defaultSchema = u"public"_s;
    QHash<QString, QString> byPosition;
    for (qsizetype row = 0; row < rows->size(); ++row) {
        const QStringList &known = facts.at(row);
        const QString id = known.value(Fact::TableId);
        if (row == 0 || id != facts.at(row - 1).value(Fact::TableId)) {
            CatalogTable table;
            table.name
                = {rows->text(row, PostgresCell::Schema), rows->text(row, PostgresCell::Table)};
            table.estimatedRows = known.value(Fact::Rows).toDouble();
            table.rowSecurity = isSet(known.value(Fact::RowSecurity));
            table.isOneHeap = isSet(known.value(Fact::OneHeap));
            catalog.tables += table;
            byPosition.clear();
        }
        CatalogTable &table = catalog.tables.last();
        CatalogColumn column = columnIn(*rows, row, known);
        const QString position = known.value(Fact::Position);
        column.labels = labels->value(column.typeClass == TypeClass::Named ? known.value(Fact::Base)
                                                                           : id + u' ' + position);
        byPosition.insert(position, column.name);
        table.columns += column;
        if (row + 1 == rows->size() || id != facts.at(row + 1).value(Fact::TableId))
            takeUniqueIndexes(table, uniqueIndexesIn(rows->text(row, PostgresCell::Indexes)),
                              byPosition);
        if (!rows->isNull(row, PostgresCell::DefaultSchema))
            catalog.defaultSchema = rows->text(row, PostgresCell::DefaultSchema);
    }
    return catalog;
}

} // namespace outbox
