// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What SqliteDialect says of parts: slices of the table to be counted, slices of a payload.
#include "connectors/sql/sqlitedialect.h"
#include "connectors/sql/sqlitetexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace sqlite;

SqlText SqliteDialect::countSlice(const RowSpan &span, const QStringList &parked) const
{
    SqlText sql; // values are bound in the order of the text
    const QString isParked = parked.isEmpty() ? QString() : isAmong(parked, sql);
    sql.text = u"SELECT d.s, CAST(count(*) AS TEXT) FROM (SELECT "_s
        + stateOfAny(states(), isParked) + u" AS s FROM "_s + tableName() + u" AS t"_s;
    const QStringList range = within(span, sql);
    if (!range.isEmpty())
        sql.text += u" WHERE "_s + range.join(u" AND "_s);
    sql.text += u") d GROUP BY d.s"_s;
    return sql;
}

SqlText SqliteDialect::payloadSlice(const QString &key, qint64 from, qint64 bytes) const
{
    SqlText sql;
    const QString payload = u"CAST("_s + aliased(m_shape.payloadColumn) + u" AS BLOB)"_s;
    sql.text = u"SELECT substr("_s + payload + u", "_s + bind(sql, from + 1) + u", "_s;
    sql.text += bind(sql, bytes) + u"), CAST(length("_s + payload + u") AS TEXT) FROM "_s
        + tableName() + u" AS t WHERE "_s + states().scope(u"t."_s);
    const QStringList names = m_shape.keyColumns();
    const QStringList parts = keyPartsOf(key);
    for (qsizetype i = 0; i < parts.size(); ++i)
        sql.text += u" AND "_s + aliased(names.at(i)) + u" = "_s + bind(sql, parts.at(i));
    return sql;
}

} // namespace outbox
