// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgres/postgresdialect.h"

#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/postgres/postgreslocks.h"
#include "connectors/sql/postgres/postgrestexts.h"
#include "models/filter/pagerequest.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString PostgresDialect::tableOid() const
{
    return u"'%1'::regclass::oid"_s.arg(tableName().replace(u'\'', u"''"_s));
}

QString PostgresDialect::rowLock() const
{
    // What is asked of the table itself is asked once, and not thought to be asked for each row.
    const QString oid = m_table.isOneHeap ? tableOid() : u"t.tableoid"_s;
    return u'(' + postgreslocks::kind(u"t.xmax"_s, oid) + u')';
}

QString PostgresDialect::isRowHeld() const
{
    // IS NULL is what the planner takes to be seldom. Of IS NOT NULL it would think that it holds
    // for nearly all rows, and go a long way for the others.
    return u"CASE WHEN "_s + rowLock() + u" IS NULL THEN true END IS NULL"_s;
}

QString PostgresDialect::tablesOfLocks() const
{
    return u"WITH "_s + postgreslocks::commonTables() + u' ';
}

SqlFragment PostgresDialect::keyAmong(const QString &prefix, const QString &compared,
                                      const QStringList &keys) const
{
    const bool isComposite = m_shape.keyColumn.isEmpty();
    const QString key = isComposite ? states().key(prefix) : prefix + quotedName(m_shape.keyColumn);
    const QString type = isComposite ? u"text[]"_s : column(m_shape.keyColumn).type + u"[]"_s;
    return key + u' ' + compared + u'(' + SqlFragment::of(keys, type) + u')';
}

SqlFragment PostgresDialect::isAmong(const QStringList &keys) const
{
    return keyAmong(u"t."_s, u"= ANY"_s, keys);
}

SqlFragment PostgresDialect::butParked(const QStringList &parked) const
{
    return parked.isEmpty() ? SqlFragment() : u" AND "_s + keyAmong(u"c."_s, u"<> ALL"_s, parked);
}

SqlFragment PostgresDialect::butQueues(const QStringList &queues) const
{
    if (queues.isEmpty() || m_shape.queueColumn.isEmpty())
        return {};
    return u" AND coalesce(("_s + postgres::textOf(u"c."_s, m_shape.queueColumn)
        + u")::text, '') <> ALL("_s + SqlFragment::of(queues, u"text[]"_s) + u')';
}

SqlFragment PostgresDialect::wanted(const ClaimScope &scope) const
{
    return states().due(u"c."_s) + butParked(scope.parked) + butQueues(scope.queues);
}

SqlText PostgresDialect::anyLeft(const QStringList &parked) const
{
    return u"SELECT ''::text FROM "_s + tableName() + u" AS c WHERE "_s + states().left(u"c."_s)
        + butParked(parked) + u" LIMIT 1"_s;
}

SqlFragment PostgresDialect::processedWithin(double seconds) const
{
    const CatalogColumn &since = column(m_shape.processedWhenColumn());
    const QString zone = m_shape.zoneOf(since.name);
    const SqlFragment age = SqlFragment::of(seconds, u"double precision"_s);
    if (postgres::isWithoutZone(since)) {
        return zone.isEmpty()
            ? SqlFragment(u"false"_s)
            : aliased(since.name) + u" >= "_s + postgres::firstLocal(seconds, zone, true);
    }
    if (since.typeClass == TypeClass::Time) { // the bare column: its index serves
        return aliased(since.name) + u" > "_s + postgres::nowFor(since)
            + u" - make_interval(secs => "_s + age + u')';
    }
    return postgres::microseconds(u"t."_s, &since, zone) + u" > (extract(epoch FROM now()) - "_s
        + age + u") * 1000000"_s;
}

SqlFragment PostgresDialect::afterCursor(const QList<SortColumn> &order, const QString &prefix,
                                         const QStringList &after) const
{
    QStringList names;
    QList<SqlFragment> values;
    bool oneWay = true;
    for (qsizetype i = 0; i < order.size(); ++i) {
        names += prefix + quotedName(order.at(i).name);
        values += placed(after.at(i), order.at(i).name);
        oneWay = oneWay && order.at(i).descending == order.constFirst().descending;
    }
    if (oneWay) { // one row comparison is one index range
        return u'(' + names.join(u", "_s)
            + (order.constFirst().descending ? u") < ("_s : u") > ("_s)
            + SqlFragment::joined(values, u", "_s) + u')';
    }
    QList<SqlFragment> ways;
    SqlFragment equal;
    for (qsizetype i = 0; i < order.size(); ++i) {
        ways += u'(' + equal + names.at(i) + (order.at(i).descending ? u" < "_s : u" > "_s)
            + values.at(i) + u')';
        equal += names.at(i) + u" = "_s + values.at(i) + u" AND "_s;
    }
    return u'(' + SqlFragment::joined(ways, u" OR "_s) + u')';
}

SqlText PostgresDialect::pageOf(const SqlFragment &chosen, const QList<SortColumn> &order,
                                qint64 payloadLimit) const
{
    const QList<SqlFragment> cells = shownCells(payloadLimit);
    const QStringList lease = leaseCells();
    QList<SqlFragment> inner{u"t.tableoid AS o"_s,
                             u"t.xmax AS x"_s,
                             flavor().version(m_table) + u" AS v"_s,
                             lease.constFirst() + u" AS l"_s,
                             lease.constLast() + u" AS lo"_s,
                             states().state(u"t."_s, false) + u"::text AS st"_s,
                             timeUs(m_shape.leaseColumn, Reading::Later) + u" AS le"_s,
                             processedText() + u" AS pt"_s,
                             writtenUs(m_shape.createdColumn) + u" AS b"_s};
    QStringList outer;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        inner += cells.at(i) + u" AS a%1"_s.arg(i);
        outer += u"p.a%1"_s.arg(i);
    }
    outer += {u"(extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text"_s,
              u"h.kind"_s,
              u"h.pid::text"_s,
              u"a.application_name"_s,
              u"extract(epoch FROM clock_timestamp() - a.xact_start)::text"_s,
              u"p.v"_s,
              u"p.l"_s,
              u"p.lo"_s,
              u"p.le::text"_s,
              u"p.pt::text"_s,
              u"p.st"_s,
              u"p.b::text"_s};
    QStringList sorted;
    for (const SortColumn &one : order) {
        const QString alias = u"s%1"_s.arg(sorted.size());
        inner += aliased(one.name) + u" AS "_s + alias;
        outer += u"p."_s + alias + u"::text"_s;
        sorted += u"p."_s + alias + (one.descending ? u" DESC"_s : QString());
    }
    const SqlFragment cellsOfPage = SqlFragment::joined(inner, u", "_s);
    // Rows first, then their cells: else the server makes those of all rows that it has to sort.
    QStringList named{u"t.tableoid"_s, u"t.xmin"_s, u"t.xmax"_s};
    for (const CatalogColumn &one : m_table.columns) {
        const QString name = aliased(one.name);
        if (cellsOfPage.text.contains(name)) // no more: a role may see some columns alone
            named += name;
    }
    return u"WITH "_s + postgreslocks::commonTables() + u", page AS MATERIALIZED (SELECT "_s
        + cellsOfPage + u" FROM (SELECT "_s + named.join(u", "_s) + u" FROM "_s + tableName()
        + u" t"_s + chosen + u") t), kinds AS MATERIALIZED (SELECT v.o, v.x, "_s
        + postgreslocks::kind(u"v.x"_s, u"v.o"_s)
        + u" AS kind FROM (SELECT DISTINCT o, x FROM page) v), held AS MATERIALIZED"
          " (SELECT k.*, "_s
        + postgreslocks::pid(u"k.kind"_s, u"k.x"_s, u"k.o"_s)
        + u" AS pid FROM kinds k WHERE k.kind IS NOT NULL) SELECT "_s + outer.join(u", "_s)
        + u" FROM page p LEFT JOIN held h ON h.o = p.o AND h.x = p.x"
          " LEFT JOIN "_s
        + postgreslocks::sessions() + u" a ON a.pid = h.pid ORDER BY "_s + sorted.join(u", "_s);
}

SqlText PostgresDialect::oldestSnapshot() const
{
    // A standby that reports its snapshots has a sender without a database.
    return {u"SELECT a.pid::text, a.application_name,"
            " extract(epoch FROM clock_timestamp() - a.xact_start)::text FROM "_s
                + postgreslocks::sessions()
                + u" a WHERE a.pid <> pg_backend_pid()"
                  " AND (a.datid = (SELECT datid FROM pg_stat_get_activity(pg_backend_pid()))"
                  " OR a.datid IS NULL)"
                  " AND (a.backend_xmin IS NOT NULL OR a.backend_xid IS NOT NULL)"
                  " ORDER BY greatest(age(a.backend_xmin), age(a.backend_xid)) DESC, a.xact_start"
                  " LIMIT 1"_s,
            {}};
}

SqlText PostgresDialect::rowsIn(const RowSpan &span, const PageRequest &request,
                                const SqlFragment &condition) const
{
    return pageOf(firstOf(chosenIn(span, request, condition), span.order, request.limit + 1),
                  span.order, request.payloadPrefixBytes);
}

SqlText PostgresDialect::find(const QString &key, qint64 payloadLimit) const
{
    const QList<SortColumn> order = pageOrder(true);
    return pageOf(firstOf({states().scope(u"t."_s) + u" AND "_s + hasKey(key)}, order, 1), order,
                  qMin<qint64>(payloadLimit, 1 << 30));
}

SqlText PostgresDialect::references(const CatalogTable &target, const QStringList &keys,
                                    qint64 payloadLimit) const
{
    const CatalogColumn &key = *target.column(target.primaryKey.constFirst());
    const bool typed = key.typeClass == TypeClass::Uuid || key.typeClass == TypeClass::Integer
        || key.typeClass == TypeClass::Text;
    const QString name = u"r."_s + quotedName(key.name);
    const SqlFragment wanted = typed
        ? name + u" = ANY("_s + SqlFragment::of(keys, key.type + u"[]"_s) + u')'
        : name + u"::text = ANY("_s + SqlFragment::of(keys, u"text[]"_s) + u')';
    return u"SELECT j.key, left(j.json, "_s
        + SqlFragment::of(qMin<qint64>(payloadLimit, 1 << 30), u"integer"_s)
        + u"), octet_length(j.json)::text FROM (SELECT "_s + name
        + u"::text AS key, row_to_json(r)::text AS json FROM "_s + quotedName(target.name)
        + u" r WHERE "_s + wanted + u") j"_s;
}

QList<SqlFragment> PostgresDialect::within(const RowSpan &span) const
{
    QList<SqlFragment> conditions;
    if (!span.after.isEmpty())
        conditions += afterCursor(span.order, u"t."_s, span.after);
    if (span.upTo.isEmpty())
        return conditions;
    const bool descending = span.order.constFirst().descending;
    const bool oneWay
        = std::all_of(span.order.begin(), span.order.end(),
                      [descending](const SortColumn &one) { return one.descending == descending; });
    const QString sign = descending ? u" >= "_s : u" <= "_s;
    QStringList names;
    QList<SqlFragment> values;
    for (const SortColumn &one : span.order) {
        if (!oneWay && !names.isEmpty())
            break; // the first column alone is what the index walks
        names += aliased(one.name);
        values += placed(span.upTo.at(values.size()), one.name);
    }
    conditions += u'(' + names.join(u", "_s) + u')' + sign + u'('
        + SqlFragment::joined(values, u", "_s) + u')';
    if (!oneWay)
        conditions += u"NOT "_s + afterCursor(span.order, u"t."_s, span.upTo);
    if (span.after.isEmpty() || !oneWay)
        return conditions;
    // Of two bounds of whole keys the planner thinks as of two accidents, and rather reads a large
    // table than a tenth of its index; two bounds of one column it knows for a span.
    const SortColumn &first = span.order.constFirst();
    const auto bound = [&](const QString &than, const QString &value) {
        conditions += aliased(first.name) + than + placed(value, first.name);
    };
    bound(sign, span.upTo.constFirst());
    bound(descending ? u" <= "_s : u" >= "_s, span.after.constFirst());
    return conditions;
}

SqlText PostgresDialect::countSlice(const RowSpan &span, const QStringList &parked) const
{
    // By version first, so that who holds rows is asked once for all that one session holds.
    return u"WITH "_s + postgreslocks::commonTables()
        + u", versions AS MATERIALIZED (SELECT t.tableoid AS o, t.xmax AS x, ("_s
        + stateOfAny(states(), isParked(parked)) + u")::text AS s, count(*) AS n FROM "_s
        + tableName() + u" t"_s + where(within(span))
        + u" GROUP BY 1, 2, 3), kinds AS (SELECT v.s, v.n, "_s
        + postgreslocks::kind(u"v.x"_s, u"v.o"_s)
        + u" AS kind FROM versions v) SELECT CASE WHEN k.kind IS NOT NULL"
          " AND k.s NOT IN ('processed', 'failed') THEN 'locked' ELSE k.s END, sum(k.n)::text"
          " FROM kinds k GROUP BY 1"_s;
}

SqlText PostgresDialect::payloadSlice(const QString &key, qint64 from, qint64 bytes) const
{
    const QString name = aliased(m_shape.payloadColumn);
    const bool isBytes = column(m_shape.payloadColumn).typeClass == TypeClass::Bytes;
    // A text is turned into bytes once a slice; OFFSET 0 keeps that from being done twice.
    return u"SELECT substring(p.b FROM "_s + SqlFragment::of(from + 1, u"integer"_s) + u" FOR "_s
        + SqlFragment::of(bytes, u"integer"_s) + u"), octet_length(p.b)::text FROM (SELECT "_s
        + (isBytes ? name : QString(u"convert_to("_s + name + u"::text, 'UTF8')"_s))
        + u" AS b FROM "_s + tableName() + u" t WHERE "_s + states().scope(u"t."_s) + u" AND "_s
        + hasKey(key) + u" OFFSET 0) p"_s;
}

std::unique_ptr<Dialect> makePostgresDialect(const OutboxShape &shape, const CatalogTable &table)
{
    return std::make_unique<PostgresDialect>(shape, table);
}

} // namespace outbox
