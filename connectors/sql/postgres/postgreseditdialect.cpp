// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgres/postgreseditdialect.h"

#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/postgres/postgreslocks.h"
#include "connectors/sql/postgres/postgrestexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QStringList versionsOf(const QList<RowGuard> &rows)
{
    QStringList versions;
    for (const RowGuard &row : rows)
        versions += row.version;
    return versions;
}

/// What an emptied column of a lease holds.
QString postgresEmptied(const CatalogColumn &column)
{
    if (column.nullable)
        return u"NULL"_s;
    switch (column.typeClass) {
    case TypeClass::Time:
        return u"'epoch'"_s;
    case TypeClass::Integer:
        return u"0"_s;
    case TypeClass::Uuid:
        return u"'00000000-0000-0000-0000-000000000000'"_s;
    default:
        return u"''"_s;
    }
}

} // namespace

QString PostgresEditDialect::begin() const
{
    return u"BEGIN"_s;
}

QString PostgresEditDialect::guards(const QList<RowGuard> &rows, SqlText &sql)
{
    const QString ids = postgres::bind(sql, idsOf(rows), u"text[]"_s);
    return u"unnest("_s + ids + u", "_s + postgres::bind(sql, versionsOf(rows), u"text[]"_s)
        + u") AS g(id, version)"_s;
}

QString PostgresEditDialect::asSeen() const
{
    return u"t."_s + quotedName(m_shape.keyColumn) + u" = g.id::"_s + column(m_shape.keyColumn).type
        + u" AND "_s + postgres::version(u"t."_s) + u" = g.version"_s;
}

QString PostgresEditDialect::written() const
{
    return u" RETURNING "_s + postgres::textOf(u"t."_s, m_shape.keyColumn) + u", "_s
        + postgres::version(u"t."_s);
}

SqlText PostgresEditDialect::rights() const
{
    SqlText sql;
    const QString table = postgres::bind(sql, tableName(), u"text"_s);
    const QString beside = postgres::bind(
        sql, quotedName(TableName{m_table.name.schema, auditTableName()}), u"text"_s);
    const QString columns = postgres::bind(sql, auditColumns(), u"text[]"_s);
    const auto update = [&sql](const QStringList &names) {
        if (names.constFirst().isEmpty())
            return u"false"_s;
        QStringList all;
        for (const QString &name : names) {
            if (!name.isEmpty())
                all += u"has_column_privilege(o.t, "_s + postgres::bind(sql, name, u"text"_s)
                    + u", 'UPDATE')"_s;
        }
        return QString(u'(' + all.join(u" AND "_s) + u')');
    };
    const QStringList cells{
        u"has_any_column_privilege(o.t, 'UPDATE')"_s,
        update(
            {m_shape.canMark() ? m_shape.processedColumn : QString(), m_shape.processedTimeColumn}),
        u"has_table_privilege(o.t, 'DELETE')"_s,
        u"(SELECT coalesce(bool_and(has_column_privilege(o.t, i.attnum, 'INSERT')), false)"
        " FROM pg_attribute i WHERE i.attrelid = o.t AND i.attnum > 0 AND NOT i.attisdropped"
        " AND i.attgenerated = '')"_s,
        update({m_shape.leaseColumn, m_shape.ownerColumn}),
        u"n.nspname"_s,
        u"c.relname"_s,
        u"((SELECT count(*) FROM pg_attribute i WHERE i.attrelid = o.a AND NOT i.attisdropped"
        " AND i.attname = ANY(%1) AND has_column_privilege(o.a, i.attnum, 'INSERT')) = %2)"_s.arg(
            columns, QString::number(auditColumns().size()))};
    sql.text = u"SELECT "_s + cells.join(u"::text, "_s) + u"::text FROM (SELECT "_s + table
        + u"::regclass AS t, coalesce(to_regclass("_s + beside + u"), to_regclass('"_s
        + auditTableName()
        + u"')) AS a) o LEFT JOIN pg_class c ON c.oid = o.a"
          " LEFT JOIN pg_namespace n ON n.oid = c.relnamespace"_s;
    return sql;
}

SqlText PostgresEditDialect::whole(const QStringList &keys) const
{
    SqlText sql;
    QStringList cells{u"g.n::text"_s, postgres::textOf(u"t."_s, m_shape.keyColumn),
                      postgres::version(u"t."_s)};
    for (const QString &name : wholeColumns()) {
        const QString cell = u"t."_s + quotedName(name);
        const bool bytes = column(name).typeClass == TypeClass::Bytes;
        // IS NOT NULL would be false for a composite with an empty field.
        cells += u"CASE WHEN "_s + cell + u" IS DISTINCT FROM NULL THEN "_s
            + (bytes ? u"'blob'"_s : u"'text'"_s) + u" END"_s;
        // concat writes what the type itself writes; a cast to text would cut the blanks of a char.
        cells += (bytes ? u"%1::bytea"_s : u"concat(%1)"_s).arg(cell);
    }
    sql.text = u"SELECT "_s + cells.join(u", "_s) + u" FROM "_s + tableName()
        + u" AS t JOIN unnest("_s + postgres::bind(sql, keys, u"text[]"_s)
        + u") WITH ORDINALITY AS g(id, n) ON t."_s + quotedName(m_shape.keyColumn) + u" = g.id::"_s
        + column(m_shape.keyColumn).type;
    return sql;
}

SqlText PostgresEditDialect::hold(const QList<RowGuard> &rows, bool lock) const
{
    SqlText sql;
    const QString from = tableName() + u" AS t JOIN "_s + guards(rows, sql) + u" ON "_s + asSeen();
    const QString select
        = u"SELECT "_s + postgres::textOf(u"t."_s, m_shape.keyColumn) + u" FROM "_s + from;
    if (lock) {
        // After waiting for nobody, the guard is asked again of the version that was locked.
        sql.text = select + u" FOR UPDATE OF t SKIP LOCKED"_s;
    } else {
        sql.text = u"WITH "_s + postgreslocks::commonTables() + u' ' + select + u" WHERE ("_s
            + postgreslocks::kind(u"t.xmax"_s, u"t.tableoid"_s) + u") IS NULL"_s;
    }
    return sql;
}

std::optional<SqlText> PostgresEditDialect::holderOf(const QStringList &keys) const
{
    SqlText sql;
    const QString key = u"t."_s + quotedName(m_shape.keyColumn);
    sql.text = u"WITH "_s + postgreslocks::commonTables() + u", seen AS MATERIALIZED (SELECT "_s
        + key + u"::text AS id, t.xmax AS x, t.tableoid AS o FROM "_s + tableName()
        + u" AS t WHERE "_s + key + u" = ANY("_s
        + postgres::bind(sql, keys, column(m_shape.keyColumn).type + u"[]"_s)
        + u")), kinds AS MATERIALIZED (SELECT s.*, "_s + postgreslocks::kind(u"s.x"_s, u"s.o"_s)
        + u" AS kind FROM seen s), held AS MATERIALIZED (SELECT k.*, "_s
        + postgreslocks::pid(u"k.kind"_s, u"k.x"_s, u"k.o"_s)
        + u" AS pid FROM kinds k WHERE k.kind IS NOT NULL) SELECT h.id, h.pid::text,"
          " a.application_name FROM held h LEFT JOIN pg_stat_activity a ON a.pid = h.pid LIMIT 1"_s;
    return sql;
}

SqlText PostgresEditDialect::reopen(const QList<RowGuard> &rows) const
{
    SqlText sql;
    const RowStates states(m_shape, m_table, postgres::stateTexts());
    sql.text = u"UPDATE "_s + tableName() + u" AS t SET "_s + states.markPending() + u" FROM "_s
        + guards(rows, sql) + u" WHERE "_s + asSeen() + u" AND "_s + states.processed(u"t."_s)
        + written();
    return sql;
}

bool PostgresEditDialect::isProcessedText(const QString &text) const
{
    if (text.isEmpty()) // the mark is no time
        return m_shape.processedHow != OutboxShape::ProcessedHow::Time;
    bool isNumber = false;
    text.toLongLong(&isNumber); // microseconds, which is all that such a column holds
    return isNumber;
}

SqlText PostgresEditDialect::markProcessed(const QList<RowGuard> &rows,
                                           const QStringList &processed) const
{
    SqlText sql;
    const RowStates states(m_shape, m_table, postgres::stateTexts());
    QStringList sets{states.markProcessed(false)};
    if (const QString when = m_shape.processedWhenColumn(); !when.isEmpty()) {
        const QString type = column(when).plainType;
        const QString epoch = type.contains(u"with time zone"_s) ? u"timestamptz 'epoch'"_s
                                                                 : u"timestamp 'epoch'"_s;
        sets += quotedName(when) + u" = ("_s + epoch
            + u" + nullif(g.us, '')::bigint * interval '1 microsecond')::"_s + type;
    }
    sets.removeAll(QString());
    const QString ids = postgres::bind(sql, idsOf(rows), u"text[]"_s);
    const QString versions = postgres::bind(sql, versionsOf(rows), u"text[]"_s);
    sql.text = u"UPDATE "_s + tableName() + u" AS t SET "_s + sets.join(u", "_s)
        + u" FROM unnest("_s + ids + u", "_s + versions + u", "_s
        + postgres::bind(sql, processed, u"text[]"_s) + u") AS g(id, version, us) WHERE "_s
        + asSeen() + u" AND "_s + states.open(u"t."_s) + written();
    return sql;
}

SqlText PostgresEditDialect::release(const QList<RowGuard> &rows) const
{
    SqlText sql;
    QStringList sets;
    for (const QString &name : {m_shape.leaseColumn, m_shape.ownerColumn}) {
        if (!name.isEmpty())
            sets += quotedName(name) + u" = "_s + postgresEmptied(column(name));
    }
    sql.text = u"UPDATE "_s + tableName() + u" AS t SET "_s + sets.join(u", "_s) + u" FROM "_s
        + guards(rows, sql) + u" WHERE "_s + asSeen() + u" AND "_s
        + postgres::leaseIsOver(m_shape, m_table, u"t."_s) + written();
    return sql;
}

SqlText PostgresEditDialect::remove(const QList<RowGuard> &rows) const
{
    SqlText sql;
    sql.text = u"DELETE FROM "_s + tableName() + u" AS t USING "_s + guards(rows, sql)
        + u" WHERE "_s + asSeen() + u" RETURNING "_s + postgres::textOf(u"t."_s, m_shape.keyColumn);
    return sql;
}

SqlText PostgresEditDialect::insert(const QList<WholeRow> &rows) const
{
    SqlText sql;
    const QStringList &names = rows.constFirst().columns;
    QStringList lines;
    for (const WholeRow &row : rows) {
        QStringList values;
        for (qsizetype i = 0; i < names.size(); ++i) {
            const CatalogColumn &place = column(names.at(i));
            const Cell &cell = row.cells.at(i);
            const bool bytes = place.typeClass == TypeClass::Bytes;
            QVariant value;
            if (cell.kind != Cell::Kind::Null)
                value = bytes ? QVariant(cell.bytes) : QVariant::fromValue(TextBytes{cell.bytes});
            // without its length, which is checked when the value is stored
            values += postgres::bind(sql, value, bytes ? u"bytea"_s : place.plainType);
        }
        lines += u'(' + values.join(u", "_s) + u')';
    }
    sql.text = u"INSERT INTO "_s + tableName() + u" AS t "_s + nameList(names)
        + u" OVERRIDING SYSTEM VALUE VALUES "_s + lines.join(u", "_s)
        + u" ON CONFLICT DO NOTHING RETURNING "_s + postgres::textOf(u"t."_s, m_shape.keyColumn);
    return sql;
}

SqlText PostgresEditDialect::record(const TableName &audit, const QList<AuditRow> &rows) const
{
    SqlText sql;
    const qsizetype columns = auditColumns().size() - 1;
    QList<QStringList> values(columns);
    for (const AuditRow &row : rows) {
        const QStringList one = auditValues(row);
        for (qsizetype i = 0; i < columns; ++i)
            values[i] += one.at(i);
    }
    QStringList arrays;
    for (const QStringList &array : std::as_const(values))
        arrays += postgres::bind(sql, array, u"text[]"_s);
    sql.text = u"INSERT INTO "_s + quotedName(audit) + u' ' + nameList(auditColumns())
        + u" SELECT clock_timestamp(), r.* FROM unnest("_s + arrays.join(u", "_s) + u") AS r"_s;
    return sql;
}

std::unique_ptr<EditDialect> makePostgresEditDialect(const OutboxShape &shape,
                                                     const CatalogTable &table)
{
    return std::make_unique<PostgresEditDialect>(shape, table);
}

} // namespace outbox
