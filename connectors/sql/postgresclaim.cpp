// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What PostgresDialect says of many rows at once: claimed, or held first and taken then.
#include "connectors/sql/postgresdialect.h"
#include "connectors/sql/postgrestexts.h"
#include "connectors/sql/sqlnames.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace postgres;

namespace {

const QString nothing = u"NULL::text"_s;

} // namespace

QString PostgresDialect::scoped(const ClaimScope &scope, SqlText &sql) const
{
    QString due = wanted(scope.parked, sql);
    if (isPlace(scope.after))
        due += u" AND "_s + afterCursor(placeOrder(), u"c."_s, scope.after, sql);
    return u" FROM "_s + tableName() + u" AS c WHERE "_s + due + u" ORDER BY "_s
        + orderBy(claimOrder(), u"c."_s) + u" LIMIT "_s + bind(sql, scope.rows, u"bigint"_s)
        + u" FOR UPDATE OF c SKIP LOCKED"_s;
}

SqlText PostgresDialect::claim(const ClaimScope &scope) const
{
    SqlText sql;
    const QString chosen = u"SELECT c."_s + quotedName(m_shape.keyColumn) + scoped(scope, sql);
    sql.text = takingOf(chosen, scope.mostPayloadBytes, sql);
    return sql;
}

SqlText PostgresDialect::hold(const ClaimScope &scope) const
{
    SqlText sql;
    const Given cells = given(u"c."_s, scope.mostPayloadBytes, sql);
    // Rows that were changed meanwhile are not in their order, hence the outer one.
    sql.text = u"WITH taken AS MATERIALIZED (SELECT "_s + cells.columns + scoped(scope, sql)
        + u") "_s + cells.select;
    return sql;
}

QString PostgresDialect::takingHeld(const QStringList &keys, SqlText &sql) const
{
    return taking() + u" WHERE t."_s + quotedName(m_shape.keyColumn) + u" = ANY("_s
        + bind(sql, keys, column(m_shape.keyColumn).type + u"[]"_s) + u')';
}

SqlText PostgresDialect::takeHeld(const QStringList &keys) const
{
    SqlText sql;
    sql.text = takingHeld(keys, sql) + u" RETURNING "_s + textOf(u"t."_s, m_shape.keyColumn);
    return sql;
}

std::optional<SqlText> PostgresDialect::takeExactly(const QStringList &keys) const
{
    SqlText sql;
    // Whatever follows in the same flight is left out where this divides by zero.
    sql.text = u"WITH taken AS ("_s + takingHeld(keys, sql)
        + u" RETURNING 1) SELECT (1 / (count(*) = "_s + bind(sql, keys.size(), u"bigint"_s)
        + u")::integer)::text FROM taken"_s;
    return sql;
}

PostgresDialect::Given PostgresDialect::given(const QString &prefix, qint64 mostPayloadBytes,
                                              SqlText &sql) const
{
    QString payload = nothing;
    if (!m_shape.payloadColumn.isEmpty()) {
        payload = prefix + quotedName(m_shape.payloadColumn);
        if (column(m_shape.payloadColumn).typeClass != TypeClass::Bytes)
            payload += u"::text"_s;
    }
    QStringList columns{textOf(prefix, m_shape.keyColumn) + u" AS a0"_s,
                        textOf(prefix, m_shape.typeColumn) + u" AS a1"_s,
                        payload + u" AS a2"_s,
                        textOf(prefix, m_shape.queueColumn) + u" AS a3"_s,
                        textOf(prefix, m_shape.referenceTableColumn) + u" AS a4"_s,
                        textOf(prefix, m_shape.referenceIdColumn) + u" AS a5"_s};
    QString fit = u"a2"_s;
    QString tooMany = nothing;
    if (!m_shape.payloadColumn.isEmpty() && mostPayloadBytes > 0) {
        // The length of a value that stands beside its row is known without reading it.
        const QString most = bind(sql, mostPayloadBytes, u"bigint"_s);
        fit = u"CASE WHEN octet_length(a2) <= %1 THEN a2 END"_s.arg(most);
        tooMany = u"CASE WHEN octet_length(a2) > %1 THEN octet_length(a2)::text END"_s.arg(most);
    }
    QStringList cells{u"a0"_s, u"a1"_s, fit, u"a3"_s, u"a4"_s, u"a5"_s, tooMany};
    QStringList sorted;
    const QStringList places = placeColumns();
    for (const SortColumn &one : claimOrder()) {
        const QString alias = u"s%1"_s.arg(sorted.size());
        columns += prefix + quotedName(one.name) + u" AS "_s + alias;
        sorted += alias + (one.descending ? u" DESC"_s : QString());
        if (places.contains(one.name))
            cells += alias + u"::text"_s;
    }
    return {columns.join(u", "_s),
            u"SELECT "_s + cells.join(u", "_s) + u" FROM taken ORDER BY "_s + sorted.join(u", "_s)};
}

QString PostgresDialect::taking() const
{
    if (m_shape.processedHow == OutboxShape::ProcessedHow::Deleted)
        return u"DELETE FROM %1 AS t"_s.arg(tableName());
    return u"UPDATE %1 AS t SET %2 = %3"_s.arg(tableName(), quotedName(m_shape.processedColumn),
                                               nowFor(column(m_shape.processedColumn)));
}

QString PostgresDialect::takingOf(const QString &chosen, qint64 mostPayloadBytes,
                                  SqlText &sql) const
{
    const Given cells = given(u"t."_s, mostPayloadBytes, sql);
    // The array is made once, whatever the plan: an IN (SELECT … LIMIT) can take more than LIMIT
    // rows on the inner side of a nested loop. RETURNING has no order, hence the outer one.
    return u"WITH taken AS ("_s + taking() + u" WHERE t."_s + quotedName(m_shape.keyColumn)
        + u" = ANY(ARRAY("_s + chosen + u")) RETURNING "_s + cells.columns + u") "_s + cells.select;
}

} // namespace outbox
