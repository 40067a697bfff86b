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
    return u"SELECT "_s + postgres::textOf(u"c."_s, m_shape.keyColumn) + u" FROM "_s + tableName()
        + u" AS c WHERE "_s + wanted(scope) + u" ORDER BY "_s + orderBy(claimOrder(), u"c."_s)
        + u" LIMIT 1 FOR UPDATE OF c SKIP LOCKED"_s;
}

SqlText PostgresDialect::claimOnly(const QString &key, qint64 mostPayloadBytes) const
{
    const SqlFragment row = states().due(u"c."_s) + u" AND c."_s + quotedName(m_shape.keyColumn)
        + u" = "_s + SqlFragment::of(key, column(m_shape.keyColumn).type);
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
        + SqlFragment::of(key, column(m_shape.keyColumn).type)
        + u" FOR UPDATE OF c SKIP LOCKED))"_s;
}

} // namespace outbox
