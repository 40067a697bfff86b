// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What PostgresDialect says of a claim: which rows, in which order, and how they are taken, at once
// or after they were held; one row alone, and a failed try noted in it.
#include "connectors/sql/driver/postgresclient.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/postgres/postgresdialect.h"
#include "connectors/sql/postgres/postgrestexts.h"

#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Types whose values come as the bytes of their texts anyway. Without a cast the server says so
/// when the column is of another type by now, rather than to send that type's text.
bool comesAsText(const QString &type)
{
    return type == u"text" || type == u"json" || type.startsWith("character varying"_L1);
}

} // namespace

struct PostgresDialect::ClaimOptions
{
    qint64 mostPayloadBytes = 0; ///< see `ClaimScope`
    bool byFile = false; ///< in the order in which they lie in the file
    bool tellsPlace = false; ///< where in the file, too
    bool isMoved = false; ///< what is given are versions that stand elsewhere in the file
};

struct PostgresDialect::ClaimColumns
{
    QString columns;
    SqlFragment select;
    QString order;
};

QString PostgresDialect::startOfFile() const
{
    return m_table.isOneHeap ? u"(0,0)"_s : QString();
}

bool PostgresDialect::prefersFile() const
{
    const QList<SortColumn> order = placeOrder();
    const bool isByKey = order.size() == 1 && column(m_shape.keyColumn).type == u"uuid";
    // Rows that stay behind as processed ones are moved in the file, and would be read again.
    return isByKey && m_table.isOneHeap
        && m_shape.processedHow == OutboxShape::ProcessedHow::Deleted;
}

bool PostgresDialect::isFilePlace(const QStringList &place) const
{
    static const QRegularExpression ctid(u"^\\(\\d+,\\d+\\)$"_s);
    return place.size() == 1 && !startOfFile().isEmpty()
        && ctid.match(place.constFirst()).hasMatch();
}

SqlText PostgresDialect::isPartitionedNow() const
{
    if (!m_table.isOneHeap)
        return {};
    return {u"SELECT c.relkind::text FROM pg_catalog.pg_class c WHERE (c.relkind = 'p'"
            " OR EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid))"
            " AND c.oid = pg_catalog.to_regclass($1)"_s,
            {tableName()}};
}

QString PostgresDialect::fromTable() const
{
    // ONLY: the rows of an heir that came later have the same places in the file.
    return (m_table.isOneHeap ? u"ONLY "_s : QString()) + tableName();
}

SqlFragment PostgresDialect::locked(const SqlFragment &wantedRows) const
{
    return u" FROM "_s + fromTable() + u" AS c WHERE "_s + wantedRows
        + u" FOR UPDATE OF c SKIP LOCKED"_s;
}

SqlFragment PostgresDialect::wantedRows(const ClaimScope &scope) const
{
    SqlFragment wantedRows = wanted(scope);
    const bool byFile = isFilePlace(scope.after);
    if (byFile) // read as it lies, so that nothing has to be sorted
        wantedRows += u" AND c.ctid > "_s + SqlFragment::of(scope.after.constFirst(), u"tid"_s);
    else if (isPlace(scope.after))
        wantedRows += u" AND "_s + afterCursor(placeOrder(), u"c."_s, scope.after);
    if (byFile && isPlace(scope.upTo)) // in words that no index can serve
        wantedRows
            += u" AND ("_s + afterCursor(placeOrder(), u"c."_s, scope.upTo) + u") IS NOT TRUE"_s;
    if (!byFile)
        wantedRows += u" ORDER BY "_s + orderBy(claimOrder(), u"c."_s);
    return wantedRows + u" LIMIT "_s + SqlFragment::of(scope.rows, u"bigint"_s);
}

PostgresDialect::ClaimOptions PostgresDialect::claimOptionsOf(const ClaimScope &scope) const
{
    // Rows that are claimed behind a key keep to the order of the keys.
    return {scope.mostPayloadBytes, isFilePlace(scope.after),
            scope.after.isEmpty() && prefersFile()};
}

SqlText PostgresDialect::claim(const ClaimScope &scope) const
{
    ClaimOptions options = claimOptionsOf(scope);
    options.isMoved = m_shape.processedHow != OutboxShape::ProcessedHow::Deleted;
    return takingOf(wantedRows(scope), options);
}

SqlText PostgresDialect::hold(const ClaimScope &scope) const
{
    const ClaimColumns cells = claimColumns(u"c."_s, claimOptionsOf(scope));
    // Rows that were changed meanwhile are not in their order, hence the outer one.
    return u"WITH taken AS MATERIALIZED (SELECT "_s + cells.columns + locked(wantedRows(scope))
        + u") "_s + cells.select + cells.order;
}

SqlFragment PostgresDialect::takingHeld(const QStringList &keys) const
{
    return taking() + u" WHERE t."_s + quotedName(m_shape.keyColumn) + u" = ANY("_s
        + SqlFragment::of(keys, column(m_shape.keyColumn).type + u"[]"_s) + u')';
}

SqlText PostgresDialect::consumeLocked(const QStringList &keys) const
{
    return takingHeld(keys) + u" RETURNING "_s + textOf(m_shape.keyColumn);
}

std::optional<SqlText> PostgresDialect::consumeExactly(const QStringList &keys) const
{
    // Whatever follows in the same flight is left out where this divides by zero.
    return u"WITH taken AS ("_s + takingHeld(keys) + u" RETURNING 1) SELECT (1 / (count(*) = "_s
        + SqlFragment::of(keys.size(), u"bigint"_s) + u")::integer)::text FROM taken"_s;
}

PostgresDialect::ClaimColumns PostgresDialect::claimColumns(const QString &prefix,
                                                            ClaimOptions options) const
{
    QString payload = postgres::nullText;
    QString length = u"octet_length(a2)"_s;
    if (!m_shape.payloadColumn.isEmpty()) {
        const CatalogColumn &known = column(m_shape.payloadColumn);
        payload = prefix + quotedName(known.name);
        if (known.typeClass != TypeClass::Bytes && !comesAsText(known.type))
            payload += u"::text"_s;
        if (known.type == u"json")
            length = u"octet_length(a2::text)"_s;
    }
    QStringList columns{postgres::textOf(prefix, m_shape.keyColumn) + u" AS a0"_s,
                        postgres::textOf(prefix, m_shape.typeColumn) + u" AS a1"_s,
                        payload + u" AS a2"_s,
                        postgres::textOf(prefix, m_shape.queueTextColumn()) + u" AS a3"_s,
                        postgres::textOf(prefix, m_shape.referenceTableColumn) + u" AS a4"_s,
                        postgres::textOf(prefix, m_shape.referenceIdColumn) + u" AS a5"_s,
                        postgres::microseconds(prefix, m_table.column(bornColumn()), asWrittenDown)
                            + u"::text AS a6"_s,
                        postgres::microseconds(prefix, m_table.column(comparedBirth()),
                                               m_shape.zoneOf(comparedBirth()), Reading::Later)
                            + u"::text AS a7"_s};
    SqlFragment fit = u"a2"_s;
    SqlFragment tooMany = postgres::nullText;
    if (!m_shape.payloadColumn.isEmpty() && options.mostPayloadBytes > 0) {
        // The length of a value that stands beside its row is known without reading it.
        const SqlFragment most = SqlFragment::of(options.mostPayloadBytes, u"bigint"_s);
        fit = u"CASE WHEN "_s + length + u" <= "_s + most + u" THEN a2 END"_s;
        tooMany
            = u"CASE WHEN "_s + length + u" > "_s + most + u" THEN "_s + length + u"::text END"_s;
    }
    QList<SqlFragment> cells{u"a0"_s, u"a1"_s, fit,     u"a3"_s, u"a4"_s,
                             u"a5"_s, tooMany, u"a6"_s, u"a7"_s};
    QStringList sorted;
    const QStringList places = placeColumns();
    const QList<SortColumn> order = options.byFile ? QList{SortColumn{u"ctid"_s}} : claimOrder();
    for (const SortColumn &one : order) {
        const QString alias = u"s%1"_s.arg(sorted.size());
        columns += prefix + quotedName(one.name) + u" AS "_s + alias;
        sorted += alias + (one.descending ? u" DESC"_s : QString());
        // by another name, or its text would be sorted by
        if (options.byFile && options.isMoved)
            cells += u"(SELECT max(mark)::text FROM picked, unnest(marks) AS mark) AS place"_s;
        else if (options.byFile || places.contains(one.name))
            cells += alias + u"::text AS place_"_s + alias;
    }
    if (options.tellsPlace) {
        columns += prefix + u"ctid::text AS place"_s;
        cells += u"place"_s;
    }
    return {columns.join(u", "_s),
            u"SELECT "_s + SqlFragment::joined(cells, u", "_s) + u" FROM taken"_s,
            u" ORDER BY "_s + sorted.join(u", "_s)};
}

QString PostgresDialect::taking() const
{
    if (m_shape.processedHow == OutboxShape::ProcessedHow::Deleted)
        return u"DELETE FROM %1 AS t"_s.arg(fromTable());
    return u"UPDATE %1 AS t SET %2"_s.arg(fromTable(), states().markProcessed());
}

SqlFragment PostgresDialect::takingOf(const SqlFragment &wantedRows, ClaimOptions options) const
{
    // A row's place in the file spares the second search for its key; while it is locked it stays
    // there.
    const QString mark = m_table.isOneHeap ? u"ctid"_s : quotedName(m_shape.keyColumn);
    const QString type = m_table.isOneHeap ? u"tid"_s : column(m_shape.keyColumn).type;
    const ClaimColumns cells = claimColumns(u"t."_s, options);
    // The array is made once, whatever the plan: an IN (SELECT … LIMIT) can take more than LIMIT
    // rows on the inner side of a nested loop. RETURNING has no order, hence the outer one.
    // Rows that a trigger or a policy keeps are in no answer: the condition, which is looked at
    // once, fails where fewer went than were picked.
    return u"WITH picked AS MATERIALIZED (SELECT ARRAY(SELECT c."_s + mark + locked(wantedRows)
        + u") AS marks), taken AS ("_s + taking() + u" WHERE t."_s + mark
        + u" = ANY((SELECT marks FROM picked)::"_s + type + u"[]) RETURNING "_s + cells.columns
        + u") "_s + cells.select
        + u" WHERE (CASE WHEN (SELECT count(*) FROM taken) >= (SELECT cardinality(marks)"
          " FROM picked) THEN 'true' ELSE '%1' END)::boolean"_s.arg(keptRowMark)
        + cells.order;
}

SqlText PostgresDialect::firstDue(const ClaimScope &scope) const
{
    return u"SELECT "_s + postgres::textOf(u"c."_s, m_shape.keyColumn) + u" FROM "_s + tableName()
        + u" AS c WHERE "_s + wanted(scope) + u" ORDER BY "_s + orderBy(claimOrder(), u"c."_s)
        + u" LIMIT 1 FOR UPDATE OF c SKIP LOCKED"_s;
}

SqlText PostgresDialect::claimOnly(const QString &key, qint64 mostPayloadBytes) const
{
    const SqlFragment row = states().due(u"c."_s) + u" AND c."_s + quotedName(m_shape.keyColumn)
        + u" = "_s + placed(key, m_shape.keyColumn);
    return takingOf(row, {mostPayloadBytes, false});
}

std::optional<SqlText> PostgresDialect::noteFailure(const QString &key, const QString &reason) const
{
    QList<SqlFragment> sets;
    const CatalogColumn *attempts = m_table.column(m_shape.attemptsColumn);
    if (attempts && attempts->typeClass == TypeClass::Integer) {
        const QString name = quotedName(attempts->name);
        sets += name + u" = coalesce(t."_s + name + u", 0) + 1"_s;
    }
    const CatalogColumn *error = m_table.column(m_shape.errorColumn);
    if (error && error->typeClass == TypeClass::Text) {
        // A cast to the column's own type cuts what is longer.
        sets += quotedName(error->name) + u" = "_s + SqlFragment::of(storable(reason), u"text"_s)
            + u"::"_s + error->type;
    }
    if (sets.isEmpty())
        return std::nullopt;
    const QString name = quotedName(m_shape.keyColumn);
    return u"UPDATE "_s + tableName() + u" AS t SET "_s + SqlFragment::joined(sets, u", "_s)
        + u" WHERE t."_s + name + u" = ANY(ARRAY(SELECT c."_s + name + u" FROM "_s + tableName()
        + u" AS c WHERE "_s + states().due(u"c."_s) + u" AND c."_s + name + u" = "_s
        + placed(key, m_shape.keyColumn) + u" FOR UPDATE OF c SKIP LOCKED))"_s;
}

} // namespace outbox
