// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An operator's statements for PostgreSQL 13 and later.
#include "connectors/sql/dialect/editdialect.h"
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

class PostgresEditDialect : public EditDialect
{
public:
    using EditDialect::EditDialect;

    [[nodiscard]] QString begin() const override { return u"BEGIN"_s; }
    [[nodiscard]] SqlText rights() const override
    {
        const SqlFragment beside = SqlFragment::of(
            quotedName(TableName{m_table.name.schema, auditTableName()}), u"text"_s);
        const auto update = [](const QStringList &names) -> SqlFragment {
            if (names.isEmpty() || names.constFirst().isEmpty())
                return u"false"_s;
            QList<SqlFragment> all;
            for (const QString &name : names) {
                if (!name.isEmpty())
                    all += u"has_column_privilege(o.t, "_s + SqlFragment::of(name, u"text"_s)
                        + u", 'UPDATE')"_s;
            }
            return u'(' + SqlFragment::joined(all, u" AND "_s) + u')';
        };
        const QList<SqlFragment> cells{
            u"has_any_column_privilege(o.t, 'UPDATE')"_s,
            update({m_shape.canMark() ? m_shape.processedColumn : QString(),
                    m_shape.processedTimeColumn}),
            u"has_table_privilege(o.t, 'DELETE')"_s,
            u"(SELECT coalesce(bool_and(has_column_privilege(o.t, i.attnum, 'INSERT')), false)"
            " FROM pg_attribute i WHERE i.attrelid = o.t AND i.attnum > 0 AND NOT i.attisdropped"
            " AND i.attgenerated = '')"_s,
            update({m_shape.leaseColumn, m_shape.ownerColumn}),
            update(editableColumns(m_shape, m_table)),
            u"n.nspname"_s,
            u"c.relname"_s,
            SqlFragment::filled(
                u"((SELECT count(*) FROM pg_attribute i WHERE i.attrelid = o.a AND NOT "
                u"i.attisdropped"
                " AND i.attname = ANY(%1) AND has_column_privilege(o.a, i.attnum, 'INSERT')) = %2)"_s,
                {SqlFragment::of(auditColumns(), u"text[]"_s),
                 QString::number(auditColumns().size())})};
        return u"SELECT "_s + SqlFragment::joined(cells, u"::text, "_s) + u"::text FROM (SELECT "_s
            + SqlFragment::of(tableName(), u"text"_s) + u"::regclass AS t, coalesce(to_regclass("_s
            + beside + u"), to_regclass('"_s + auditTableName()
            + u"')) AS a) o LEFT JOIN pg_class c ON c.oid = o.a"
              " LEFT JOIN pg_namespace n ON n.oid = c.relnamespace"_s;
    }
    [[nodiscard]] SqlText whole(const QStringList &keys) const override
    {
        QStringList cells{u"g.n::text"_s, keyText(), flavor().version(m_table)};
        for (const QString &name : wholeColumns()) {
            const QString cell = aliased(name);
            const bool bytes = column(name).typeClass == TypeClass::Bytes;
            // IS NOT NULL would be false for a composite with an empty field.
            cells += u"CASE WHEN "_s + cell + u" IS DISTINCT FROM NULL THEN "_s
                + (bytes ? u"'blob'"_s : u"'text'"_s) + u" END"_s;
            // concat writes what the type itself writes; a cast to text would cut the blanks of a
            // char.
            cells += (bytes ? u"%1::bytea"_s : u"concat(%1)"_s).arg(cell);
        }
        return u"SELECT "_s + cells.join(u", "_s) + u" FROM "_s + tableName()
            + u" AS t JOIN unnest("_s + SqlFragment::of(keys, u"text[]"_s)
            + u") WITH ORDINALITY AS g(id, n) ON t."_s + quotedName(m_shape.keyColumn)
            + u" = g.id::"_s + column(m_shape.keyColumn).type;
    }
    [[nodiscard]] SqlText hold(const QList<RowGuard> &rows, bool lock) const override
    {
        const SqlFragment select = u"SELECT "_s + keyText() + u" FROM "_s + tableName()
            + u" AS t JOIN "_s + guards(rows) + u" ON "_s + asSeen();
        // After waiting for nobody, the guard is asked again of the version that was locked.
        if (lock)
            return select + u" FOR UPDATE OF t SKIP LOCKED"_s;
        return u"WITH "_s + postgreslocks::commonTables() + u' ' + select + u" WHERE ("_s
            + postgreslocks::kind(u"t.xmax"_s, u"t.tableoid"_s) + u") IS NULL"_s;
    }
    [[nodiscard]] std::optional<SqlText> holderOf(const QStringList &keys) const override
    {
        const QString key = aliased(m_shape.keyColumn);
        return u"WITH "_s + postgreslocks::commonTables() + u", seen AS MATERIALIZED (SELECT "_s
            + key + u"::text AS id, t.xmax AS x, t.tableoid AS o FROM "_s + tableName()
            + u" AS t WHERE "_s + key + u" = ANY("_s
            + SqlFragment::of(keys, column(m_shape.keyColumn).type + u"[]"_s)
            + u")), kinds AS MATERIALIZED (SELECT s.*, "_s + postgreslocks::kind(u"s.x"_s, u"s.o"_s)
            + u" AS kind FROM seen s), held AS MATERIALIZED (SELECT k.*, "_s
            + postgreslocks::pid(u"k.kind"_s, u"k.x"_s, u"k.o"_s)
            + u" AS pid FROM kinds k WHERE k.kind IS NOT NULL) SELECT h.id, h.pid::text,"
              " a.application_name FROM held h LEFT JOIN pg_stat_activity a ON a.pid = h.pid"
              " LIMIT 1"_s;
    }
    [[nodiscard]] SqlText markProcessed(const QList<RowGuard> &rows,
                                        const QStringList &processed) const override
    {
        QStringList sets{states().markProcessed(false)};
        if (const QString when = m_shape.processedWhenColumn(); !when.isEmpty()) {
            const QString type = column(when).plainType;
            const QString epoch = type.contains(u"with time zone"_s) ? u"timestamptz 'epoch'"_s
                                                                     : u"timestamp 'epoch'"_s;
            sets += quotedName(when) + u" = ("_s + epoch
                + u" + nullif(g.us, '')::bigint * interval '1 microsecond')::"_s + type;
        }
        sets.removeAll(QString());
        return u"UPDATE "_s + tableName() + u" AS t SET "_s + sets.join(u", "_s)
            + u" FROM unnest("_s + SqlFragment::of(idsOf(rows), u"text[]"_s) + u", "_s
            + SqlFragment::of(versionsOf(rows), u"text[]"_s) + u", "_s
            + SqlFragment::of(processed, u"text[]"_s) + u") AS g(id, version, us) WHERE "_s
            + asSeen() + condition(RowChange::MarkProcessed) + returning();
    }
    [[nodiscard]] SqlText remove(const QList<RowGuard> &rows) const override
    {
        return u"DELETE FROM "_s + tableName() + u" AS t USING "_s + guards(rows) + u" WHERE "_s
            + asSeen() + u" RETURNING "_s + keyText();
    }
    [[nodiscard]] std::optional<SqlText> asStored(const Cell &cell,
                                                  const CatalogColumn &column) const override
    {
        if (column.typeClass != TypeClass::Json && column.typeClass != TypeClass::Time)
            return std::nullopt;
        return u"SELECT concat("_s
            + SqlFragment::of(QVariant::fromValue(TextBytes{cell.bytes}), column.type) + u')';
    }
    [[nodiscard]] SqlText record(const TableName &audit, const QList<AuditRow> &rows) const override
    {
        const qsizetype columns = auditColumns().size() - 1;
        QList<QStringList> values(columns);
        for (const AuditRow &row : rows) {
            const QStringList one = auditValues(row);
            for (qsizetype i = 0; i < columns; ++i)
                values[i] += one.at(i);
        }
        QList<SqlFragment> arrays;
        for (const QStringList &array : std::as_const(values))
            arrays += SqlFragment::of(array, u"text[]"_s);
        return u"INSERT INTO "_s + quotedName(audit) + u' ' + nameList(auditColumns())
            + u" SELECT clock_timestamp(), r.* FROM unnest("_s
            + SqlFragment::joined(arrays, u", "_s) + u") AS r"_s;
    }

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return postgresFlavor(); }
    [[nodiscard]] SqlText updateOf(const SqlFragment &sets, const QList<RowGuard> &rows,
                                   const SqlFragment &condition) const override
    {
        return u"UPDATE "_s + tableName() + u" AS t SET "_s + sets + u" FROM "_s + guards(rows)
            + u" WHERE "_s + asSeen() + condition + returning();
    }
    [[nodiscard]] QString returning() const override
    {
        return u" RETURNING "_s + keyText() + u", "_s + flavor().version(m_table);
    }
    [[nodiscard]] QString emptied(const CatalogColumn &column) const override
    {
        return !column.nullable && column.typeClass == TypeClass::Time
            ? u"'epoch'"_s
            : EditDialect::emptied(column);
    }
    [[nodiscard]] SqlFragment placeOf(const Cell &cell, const CatalogColumn &column) const override
    {
        const bool bytes = column.typeClass == TypeClass::Bytes;
        QVariant value;
        if (cell.kind != Cell::Kind::Null)
            value = bytes ? QVariant(cell.bytes) : QVariant::fromValue(TextBytes{cell.bytes});
        // without its length, which is checked when the value is stored
        return SqlFragment::of(value, bytes ? u"bytea"_s : column.plainType);
    }
    [[nodiscard]] SqlFragment holds(const Cell &cell, const CatalogColumn &column) const override
    {
        const QString name = aliased(column.name);
        if (column.typeClass == TypeClass::Bytes)
            return name + u" = "_s + SqlFragment::of(cell.boundBytes(), u"bytea"_s);
        // As `whole` reads it; json has no equality, and a collation may take two texts for one.
        return name + u" IS NOT NULL AND concat("_s + name + u") COLLATE \"C\" = "_s
            + SqlFragment::of(QVariant::fromValue(TextBytes{cell.bytes}), u"text"_s);
    }
    [[nodiscard]] SqlText insertion(const QString &names, const SqlFragment &lines) const override
    {
        return u"INSERT INTO "_s + tableName() + u" AS t "_s + names
            + u" OVERRIDING SYSTEM VALUE VALUES "_s + lines
            + u" ON CONFLICT DO NOTHING RETURNING "_s + keyText();
    }
    /// The rows as seen, as a table named g.
    [[nodiscard]] static SqlFragment guards(const QList<RowGuard> &rows)
    {
        return u"unnest("_s + SqlFragment::of(idsOf(rows), u"text[]"_s) + u", "_s
            + SqlFragment::of(versionsOf(rows), u"text[]"_s) + u") AS g(id, version)"_s;
    }
    [[nodiscard]] QString asSeen() const
    {
        return aliased(m_shape.keyColumn) + u" = g.id::"_s + column(m_shape.keyColumn).type
            + u" AND "_s + flavor().version(m_table) + u" = g.version"_s;
    }
};

} // namespace

std::unique_ptr<EditDialect> makePostgresEditDialect(const OutboxShape &shape,
                                                     const CatalogTable &table)
{
    return std::make_unique<PostgresEditDialect>(shape, table);
}

} // namespace outbox
