// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What PostgresDialect says of a claim: which rows, in which order, and how they are taken.
#include "connectors/sql/postgresdialect.h"
#include "connectors/sql/postgrestexts.h"
#include "connectors/sql/sqlnames.h"

#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace postgres;

SqlText PostgresDialect::claim(int rows, const QStringList &parked, const QStringList &after) const
{
    SqlText sql;
    QString due = wanted(parked, sql);
    const bool byFile = isFilePlace(after);
    if (byFile) // read as it lies, so that nothing has to be sorted
        due += u" AND c.ctid > "_s + bind(sql, after.constFirst(), u"tid"_s);
    else if (isPlace(after))
        due += u" AND "_s + afterCursor(placeOrder(), u"c."_s, after, sql);
    if (!byFile)
        due += u" ORDER BY "_s + orderBy(claimOrder(), u"c."_s);
    sql.text = takingOf(due + u" LIMIT "_s + bind(sql, rows, u"bigint"_s), byFile);
    return sql;
}

QString PostgresDialect::startOfFile() const
{
    const QList<SortColumn> order = placeOrder();
    const bool isByKey = order.size() == 1 && column(m_shape.keyColumn).type == u"uuid";
    // Rows that stay behind as processed ones are moved in the file, and would be read again.
    return isByKey && m_table.isOneHeap
            && m_shape.processedHow == OutboxShape::ProcessedHow::Deleted
        ? u"(0,0)"_s
        : QString();
}

bool PostgresDialect::isFilePlace(const QStringList &place) const
{
    static const QRegularExpression ctid(u"^\\(\\d+,\\d+\\)$"_s);
    return place.size() == 1 && m_table.isOneHeap && ctid.match(place.constFirst()).hasMatch();
}

QString PostgresDialect::takingOf(const QString &wantedRows, bool byFile) const
{
    // A row's place in the file spares the second search for its key; while it is locked it stays
    // there. ONLY: the rows of an heir that came later have the same places.
    const QString mark = m_table.isOneHeap ? u"ctid"_s : quotedName(m_shape.keyColumn);
    const QString from = (m_table.isOneHeap ? u"ONLY "_s : QString()) + tableName();
    const QString chosen = u"SELECT c."_s + mark + u" FROM "_s + from + u" AS c WHERE "_s
        + wantedRows + u" FOR UPDATE OF c SKIP LOCKED"_s;
    QString payload = u"NULL::text"_s;
    if (!m_shape.payloadColumn.isEmpty()) {
        payload = u"t."_s + quotedName(m_shape.payloadColumn);
        if (column(m_shape.payloadColumn).typeClass != TypeClass::Bytes)
            payload += u"::text"_s;
    }
    QStringList returned{textOf(u"t."_s, m_shape.keyColumn) + u" AS a0"_s,
                         textOf(u"t."_s, m_shape.typeColumn) + u" AS a1"_s,
                         payload + u" AS a2"_s,
                         textOf(u"t."_s, m_shape.queueColumn) + u" AS a3"_s,
                         textOf(u"t."_s, m_shape.referenceTableColumn) + u" AS a4"_s,
                         textOf(u"t."_s, m_shape.referenceIdColumn) + u" AS a5"_s};
    QStringList sorted;
    QStringList given{u"a0"_s, u"a1"_s, u"a2"_s, u"a3"_s, u"a4"_s, u"a5"_s};
    const QStringList places = placeColumns();
    const QList<SortColumn> order = byFile ? QList{SortColumn{u"ctid"_s}} : claimOrder();
    for (const SortColumn &one : order) {
        const QString alias = u"s%1"_s.arg(sorted.size());
        returned += u"t."_s + quotedName(one.name) + u" AS "_s + alias;
        sorted += alias + (one.descending ? u" DESC"_s : QString());
        if (byFile || places.contains(one.name)) // by another name, or its text would be sorted by
            given += alias + u"::text AS place_"_s + alias;
    }
    const QString write = m_shape.processedHow == OutboxShape::ProcessedHow::Deleted
        ? u"DELETE FROM %1 AS t"_s.arg(from)
        : u"UPDATE %1 AS t SET %2"_s.arg(from, states().markProcessed());
    // The array is made once, whatever the plan: an IN (SELECT … LIMIT) can take more than LIMIT
    // rows on the inner side of a nested loop. RETURNING has no order, hence the outer one.
    return u"WITH taken AS ("_s + write + u" WHERE t."_s + mark + u" = ANY(ARRAY("_s + chosen
        + u")) RETURNING "_s + returned.join(u", "_s) + u") SELECT "_s + given.join(u", "_s)
        + u" FROM taken ORDER BY "_s + sorted.join(u", "_s);
}

} // namespace outbox
