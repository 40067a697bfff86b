// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables of a PostgreSQL database, and what belongs to them.
#include "connectors/sql/catalog/sqlcatalog.h"
#include "connectors/sql/dialect/catalogtexts.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/postgres/postgrestexts.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <numeric>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString readingCatalog = u"reading the catalog"_s;

// A new session pays for planning, not for reading: each catalog that a statement joins costs it
// more than the rows there. So every statement names one catalog, only those that tell something
// here are asked, and their answers are put together by the program.

/// Tables of the server itself have numbers below 16384, those of an extension may stand beside
/// them in pg_catalog, which is number 11; the access method of a heap is number 2.
const QString allTables = uR"(
SELECT oid::text, relnamespace::regnamespace::text, relname, current_schema(), concat_ws(' ',
 relnatts, relhasindex, relchecks > 0, reltuples, relrowsecurity, relkind = 'r'
  AND NOT relhassubclass AND relam = 2 AND current_setting('server_version_num')::int >= 140000)
FROM pg_class
WHERE oid >= 16384 AND relkind IN ('r', 'p') AND relpersistence <> 't' AND NOT relispartition
 AND relnamespace <> 11%1)"_s;

namespace TableCell {
enum { Id, Schema, Name, DefaultSchema, Facts };
}

namespace TableFact {
enum { Columns, HasIndexes, HasChecks, Rows, RowSecurity, OneHeap };
}

/// Types with numbers from 10000 on may be domains or enums: these are asked for apart.
const QString columnsOfTables = uR"(
SELECT attrelid::text, attname, format_type(atttypid, atttypmod), format_type(atttypid, -1),
 CASE WHEN atttypid < 10000 THEN format_type(atttypid, NULL) END, concat_ws(' ', attnum, atttypid,
 attnotnull, atthasdef, attidentity <> '', attgenerated <> '')
FROM pg_attribute WHERE attrelid = ANY($1::oid[]) AND attnum > 0 AND NOT attisdropped
ORDER BY attrelid, attnum)"_s;

namespace ColumnCell {
enum { TableId, Name, Type, PlainType, Family, Facts };
}

namespace ColumnFact {
enum { Position, TypeId, NotNull, HasDefault, Identity, Generated };
}

// The others tell in each row whose it is, a table, a type or "table column", and one text.

const QString familiesOfTypes = uR"(
SELECT oid::text, concat_ws(' ', CASE typtype WHEN 'd' THEN typbasetype ELSE oid END,
 CASE typcategory WHEN 'E' THEN 'enum'
  ELSE format_type(CASE typtype WHEN 'd' THEN typbasetype ELSE oid END, NULL) END)
FROM pg_type WHERE oid = ANY($1::oid[]))"_s;

const QString uniqueIndexesOfTables = uR"(
SELECT indrelid::text, concat_ws(' ', indisprimary, indimmediate, indexprs IS NULL, indnkeyatts,
 indkey)
FROM pg_index WHERE indrelid = ANY($1::oid[]) AND indisunique AND indisvalid AND indpred IS NULL
ORDER BY indexrelid)"_s;

const QString defaultsOfColumns = uR"(
SELECT concat(adrelid, ' ', adnum), pg_get_expr(adbin, adrelid) FROM pg_attrdef
WHERE adrelid = ANY($1::oid[]))"_s;

const QString commentsOfColumns = uR"(
SELECT concat(objoid, ' ', objsubid), description FROM pg_description
WHERE objoid = ANY($1::oid[]) AND classoid = 'pg_class'::regclass AND objsubid > 0)"_s;

const QString labelsOfEnums = uR"(
SELECT enumtypid::text, enumlabel FROM pg_enum WHERE enumtypid = ANY($1::oid[])
ORDER BY enumsortorder)"_s;

const QString checksOfColumns = uR"(
SELECT concat(conrelid, ' ', conkey[1]), pg_get_constraintdef(oid) FROM pg_constraint
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
        {u"text"_s, TypeClass::Text},
        {u"character varying"_s, TypeClass::Text},
        {u"character"_s, TypeClass::Text},
        {u"citext"_s, TypeClass::Text}};
    if (family.endsWith(u"[]"))
        return TypeClass::List;
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

QList<UniqueIndex> uniqueIndexesIn(const QStringList &lines)
{
    QList<UniqueIndex> indexes;
    for (const QString &line : lines) {
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

/// What the server tells of each of some objects.
using Texts = QHash<QString, QStringList>;

struct Question
{
    const QString &statement;
    QSet<QString> ids;
    Texts &answer;
};

Result<void> ask(SqlSession &session, std::initializer_list<Question> questions)
{
    for (const auto &[statement, ids, answer] : questions) {
        if (ids.isEmpty())
            continue;
        const auto rows = TRY(
            session.query({statement, {QStringList(ids.cbegin(), ids.cend())}}, readingCatalog));
        for (qsizetype row = 0; row < rows.size(); ++row)
            answer[rows.text(row, 0)] += rows.text(row, 1);
    }
    return {};
}

/// A name as it is, of one as a statement writes it.
QString nameIn(const QString &written)
{
    return written.startsWith(u'"') ? written.mid(1).chopped(1).replace(u"\"\""_s, u"\""_s)
                                    : written;
}

/// The tables and what belongs to their numbers.
struct Tables
{
    Catalog catalog;
    QStringList ids; ///< of each table
    QSet<QString> withIndexes;
    QSet<QString> withChecks;
};

/// Rows of `allTables` by schema and name. Sorted by the server, they would cost a new session a
/// look at how texts are compared.
QList<qsizetype> inOrder(const SqlRows &rows)
{
    QList<qsizetype> order(rows.size());
    std::iota(order.begin(), order.end(), qsizetype(0));
    const auto placeOf = [&rows](qsizetype row) {
        return std::pair(rows.bytes(row, TableCell::Schema), rows.bytes(row, TableCell::Name));
    };
    std::sort(order.begin(), order.end(),
              [&placeOf](qsizetype a, qsizetype b) { return placeOf(a) < placeOf(b); });
    return order;
}

Result<Tables> readNamed(SqlSession &session, const QStringList &names)
{
    const SqlFragment named = names.isEmpty()
        ? SqlFragment()
        : u"\n AND relname = ANY("_s + SqlFragment::of(names, u"text[]"_s) + u"::name[])"_s;
    const SqlText sql = SqlFragment::filled(allTables, {named});
    const auto rows = TRY(session.query(sql, readingCatalog));
    Tables tables;
    tables.catalog.defaultSchema = u"public"_s;
    qint64 columns = 0;
    for (const qsizetype row : inOrder(rows)) {
        const QStringList facts = rows.text(row, TableCell::Facts).split(u' ');
        columns += facts.value(TableFact::Columns).toLongLong();
        if (columns > mostColumns)
            break;
        const QString schema = nameIn(rows.text(row, TableCell::Schema));
        if (!rows.isNull(row, TableCell::DefaultSchema))
            tables.catalog.defaultSchema = rows.text(row, TableCell::DefaultSchema);
        if (schema == u"information_schema")
            continue;
        CatalogTable table;
        table.name = {schema, rows.text(row, TableCell::Name)};
        table.estimatedRows = facts.value(TableFact::Rows).toDouble();
        table.rowSecurity = isSet(facts.value(TableFact::RowSecurity));
        table.isOneHeap = isSet(facts.value(TableFact::OneHeap));
        tables.catalog.tables += table;
        const QString id = rows.text(row, TableCell::Id);
        tables.ids += id;
        if (isSet(facts.value(TableFact::HasIndexes)))
            tables.withIndexes += id;
        if (isSet(facts.value(TableFact::HasChecks)))
            tables.withChecks += id;
    }
    return tables;
}

/// All that is told of columns beside pg_attribute.
struct ColumnTexts
{
    Texts families;
    Texts defaults;
    Texts comments;
    Texts labels;
    Texts checks;
};

CatalogColumn columnIn(const SqlRows &rows, qsizetype row, const ColumnTexts &texts)
{
    // Other checks have texts in them that are no values.
    static const QRegularExpression anyOf(u"= ANY \\(+ARRAY\\["_s); // two where it casts varchar
    const QStringList facts = rows.text(row, ColumnCell::Facts).split(u' ');
    const QString id
        = rows.text(row, ColumnCell::TableId) + u' ' + facts.value(ColumnFact::Position);
    const QString told = texts.families.value(facts.value(ColumnFact::TypeId)).value(0);
    const QString expression = texts.defaults.value(id).value(0);
    const bool isIdentity = isSet(facts.value(ColumnFact::Identity));
    CatalogColumn column;
    column.name = rows.text(row, ColumnCell::Name);
    column.type = rows.text(row, ColumnCell::Type);
    column.plainType = rows.text(row, ColumnCell::PlainType);
    column.typeClass
        = classOfFamily(rows.isNull(row, ColumnCell::Family) ? told.section(u' ', 1)
                                                             : rows.text(row, ColumnCell::Family));
    if (column.type == u"uuid")
        column.uuidForm = OutboxShape::KeyForm::Uuid;
    column.saysZone = column.type.contains(u"with time zone"_s);
    column.nullable = !isSet(facts.value(ColumnFact::NotNull));
    column.generated = isSet(facts.value(ColumnFact::Generated));
    column.identity = isIdentity || expression.startsWith(u"nextval(");
    column.hasDefault = isIdentity || isSet(facts.value(ColumnFact::HasDefault));
    column.defaultText = plainDefault(expression);
    column.isUtcByDefault = isTimeOfUtc(expression, Clock::Session);
    column.meanings = meaningsIn(texts.comments.value(id).value(0));
    if (column.typeClass == TypeClass::Named)
        column.labels = texts.labels.value(told.section(u' ', 0, 0));
    for (const QString &check : texts.checks.value(id)) {
        if (column.typeClass != TypeClass::Named && check.contains(anyOf))
            column.labels += labelsIn(check);
    }
    return column;
}

/// What else is told of the columns, where there is something.
Result<ColumnTexts> readColumnTexts(SqlSession &session, const Tables &tables,
                                    const SqlRows &columns)
{
    QSet<QString> types;
    QSet<QString> withDefaults;
    for (qsizetype row = 0; row < columns.size(); ++row) {
        const QStringList facts = columns.text(row, ColumnCell::Facts).split(u' ');
        if (columns.isNull(row, ColumnCell::Family))
            types += facts.value(ColumnFact::TypeId);
        if (isSet(facts.value(ColumnFact::HasDefault)))
            withDefaults += columns.text(row, ColumnCell::TableId);
    }
    ColumnTexts texts;
    TRY(ask(session,
            {{familiesOfTypes, types, texts.families},
             {defaultsOfColumns, withDefaults, texts.defaults},
             {commentsOfColumns, {tables.ids.cbegin(), tables.ids.cend()}, texts.comments},
             {checksOfColumns, tables.withChecks, texts.checks}}));
    QSet<QString> enums;
    for (const QStringList &family : std::as_const(texts.families)) {
        if (family.constFirst().endsWith(u" enum"))
            enums += family.constFirst().section(u' ', 0, 0);
    }
    TRY(ask(session, {{labelsOfEnums, enums, texts.labels}}));
    return texts;
}

Result<Catalog> readPostgresCatalog(SqlSession &session, const QStringList &names)
{
    auto tables = readNamed(session, names);
    if (!tables || tables->ids.isEmpty())
        return tables ? Result<Catalog>(tables->catalog) : passOn(tables);
    const auto columns = TRY(session.query({columnsOfTables, {tables->ids}}, readingCatalog));
    const auto texts = TRY(readColumnTexts(session, *tables, columns));
    Texts indexes;
    TRY(ask(session, {{uniqueIndexesOfTables, tables->withIndexes, indexes}}));
    QHash<QString, QList<qsizetype>> rowsOf;
    for (qsizetype row = 0; row < columns.size(); ++row)
        rowsOf[columns.text(row, ColumnCell::TableId)] += row;
    Catalog &catalog = tables->catalog;
    for (qsizetype at = 0; at < catalog.tables.size(); ++at) {
        CatalogTable &table = catalog.tables[at];
        QHash<QString, QString> byPosition;
        for (const qsizetype row : rowsOf.value(tables->ids.at(at))) {
            table.columns += columnIn(columns, row, texts);
            byPosition.insert(columns.text(row, ColumnCell::Facts).section(u' ', 0, 0),
                              table.columns.constLast().name);
        }
        takeUniqueIndexes(table, uniqueIndexesIn(indexes.value(tables->ids.at(at))), byPosition);
    }
    catalog.tables.removeIf([](const CatalogTable &table) { return table.columns.isEmpty(); });
    return catalog;
}

const QString postgresIndexes = uR"(SELECT (SELECT a.attname FROM pg_attribute a
WHERE a.attrelid = i.indrelid AND a.attnum = i.indkey[0] AND a.attnum > 0),
 pg_get_expr(i.indpred, i.indrelid) FROM pg_index i
WHERE i.indrelid = $1::regclass AND i.indisvalid)"_s;

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

constexpr QLatin1StringView postgresTriggers(R"(
WITH RECURSIVE tree(oid) AS (SELECT $1::text::regclass::oid
  UNION SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN tree t ON i.inhparent = t.oid)
SELECT tgname::text FROM pg_catalog.pg_trigger
WHERE tgrelid IN (SELECT oid FROM tree) AND NOT tgisinternal AND tgenabled <> 'D'
  AND (tgtype & 8) <> 0
UNION SELECT rulename::text FROM pg_catalog.pg_rewrite
WHERE ev_class IN (SELECT oid FROM tree) AND ev_type = '4' AND ev_enabled <> 'D'
ORDER BY 1)");

const QString postgresNames = u"SELECT system_identifier::text, current_database()::text"
                              " FROM pg_control_system()"_s;

/// Counted by PostgreSQL itself, committed or not. A standby is not told of inserts; neither is
/// anybody where they are not counted.
const QString insertedRowsOf
    = uR"(SELECT sum(pg_stat_get_tuples_inserted(c.oid))::text FROM pg_class c
WHERE (c.oid = $1::regclass
    OR c.oid IN (SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = $1::regclass))
AND current_setting('track_counts') = 'on' AND NOT pg_is_in_recovery() HAVING count(*) > 0)"_s;

class PostgresCatalog : public SqlCatalog
{
public:
    [[nodiscard]] Result<Catalog> read(SqlSession &session, const QStringList &names) const override
    {
        return readPostgresCatalog(session, names);
    }
    [[nodiscard]] bool readsByName() const override { return true; }
    [[nodiscard]] Result<TableRights> rightsOn(SqlSession &session, const TableName &table,
                                               const QStringList & /*columns*/) const override
    {
        const auto may = [&table](const QString &right) {
            return u"has_table_privilege("_s + SqlFragment::of(quotedName(table), u"text"_s)
                + u", '"_s + right + u"')"_s;
        };
        const SqlText sql = SqlFragment::filled(
            u"SELECT %1::text, (%2 AND %3 AND %4)::text"_s,
            {may(u"SELECT"_s), may(u"INSERT"_s), may(u"UPDATE"_s), may(u"DELETE"_s)});
        const auto rights = TRY(session.query(sql, u"asking for the rights on "_s + table.text()));
        return TableRights{rights.size() == 1 && rights.bytes(0, 0) == "true",
                           rights.size() == 1 && rights.bytes(0, 1) == "true"};
    }
    [[nodiscard]] SqlText isThere(const TableName &table) const override
    {
        return u"SELECT count(*)::text FROM pg_class c JOIN pg_namespace n"
               " ON n.oid = c.relnamespace WHERE n.nspname = "_s
            + SqlFragment::of(table.schema, u"name"_s) + u" AND c.relname = "_s
            + SqlFragment::of(table.table, u"name"_s);
    }
    [[nodiscard]] SqlText indexesOf(const CatalogTable &table) const override
    {
        return {postgresIndexes, {quotedName(table.name)}};
    }
    [[nodiscard]] QString createIndex(const TableName &table, const QString & /*suffix*/,
                                      const QString &listed) const override
    {
        // It finds a name by itself.
        return u"CREATE INDEX CONCURRENTLY ON "_s + quotedName(table) + listed;
    }
    [[nodiscard]] SqlText childKeysOf(const TableName &table) const override
    {
        return {postgresKeys, {quotedName(table)}};
    }
    [[nodiscard]] SqlText deleteTriggersOf(const TableName &table) const override
    {
        return {postgresTriggers, {quotedName(table)}};
    }
    [[nodiscard]] SqlText ownNames() const override { return postgresNames; }
    [[nodiscard]] SqlText insertedRows(const TableName &table) const override
    {
        return {insertedRowsOf, {quotedName(table)}};
    }
};

} // namespace

const SqlCatalog &postgresCatalog()
{
    static const PostgresCatalog catalog;
    return catalog;
}

} // namespace outbox
