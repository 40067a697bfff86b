// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What PostgresDialect says of one row: claimed alone, and a failed try noted in it.
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/postgres/postgresdialect.h"
#include "connectors/sql/postgres/postgrestexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

SqlText PostgresDialect::firstDue(const ClaimScope &scope) const
{
    SqlText sql;
    sql.text = u"SELECT "_s + postgres::textOf(u"c."_s, m_shape.keyColumn) + u" FROM "_s
        + tableName() + u" AS c WHERE "_s;
    sql.text += wanted(scope, sql) + u" ORDER BY "_s + orderBy(claimOrder(), u"c."_s)
        + u" LIMIT 1 FOR UPDATE OF c SKIP LOCKED"_s;
    return sql;
}

SqlText PostgresDialect::claimOnly(const QString &key, qint64 mostPayloadBytes) const
{
    SqlText sql;
    const QString name = quotedName(m_shape.keyColumn);
    const QString row = states().due(u"c."_s) + u" AND c."_s + name + u" = "_s
        + postgres::bind(sql, key, column(m_shape.keyColumn).type);
    sql.text = takingOf(row, {mostPayloadBytes, false}, sql);
    return sql;
}

std::optional<SqlText> PostgresDialect::noteFailure(const QString &key, const QString &reason) const
{
    SqlText sql;
    QStringList sets;
    const CatalogColumn *attempts = m_table.column(m_shape.attemptsColumn);
    if (attempts && attempts->typeClass == TypeClass::Integer) {
        const QString name = quotedName(attempts->name);
        sets += name + u" = coalesce(t."_s + name + u", 0) + 1"_s;
    }
    const CatalogColumn *error = m_table.column(m_shape.errorColumn);
    if (error && error->typeClass == TypeClass::Text) {
        // A cast to the column's own type cuts what is longer.
        sets += quotedName(error->name) + u" = "_s
            + postgres::bind(sql, storable(reason), u"text"_s) + u"::"_s + error->type;
    }
    if (sets.isEmpty())
        return std::nullopt;
    const QString name = quotedName(m_shape.keyColumn);
    sql.text = u"UPDATE "_s + tableName() + u" AS t SET "_s + sets.join(u", "_s) + u" WHERE t."_s
        + name + u" = ANY(ARRAY(SELECT c."_s + name + u" FROM "_s + tableName() + u" AS c WHERE "_s
        + states().due(u"c."_s) + u" AND c."_s + name + u" = "_s
        + postgres::bind(sql, key, column(m_shape.keyColumn).type)
        + u" FOR UPDATE OF c SKIP LOCKED))"_s;
    return sql;
}

} // namespace outbox
