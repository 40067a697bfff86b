// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/mariadb/mariadbdialect.h"

#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbtexts.h"
#include "models/filter/pagerequest.h"
#include "models/mapping/meaning.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString mariadbNull = u"NULL"_s;

} // namespace

SqlFragment MariadbDialect::isAmong(const QStringList &keys) const
{
    if (m_shape.keyParts.isEmpty())
        return mariadb::among(column(m_shape.keyColumn), keys);
    QList<SqlFragment> these;
    for (const QString &key : keys)
        these += hasKey(key);
    return these.isEmpty() ? SqlFragment(u"false"_s)
                           : u'(' + SqlFragment::joined(these, u" OR "_s) + u')';
}

SqlText MariadbDialect::snapshot(const CountCaps &caps, const QStringList &parked) const
{
    const RowStates states = this->states();
    SqlFragment processed = mariadbNull;
    SqlFragment apart = mariadbNull;
    const auto counted = [](const QString &from, qint64 cap) {
        return u"(SELECT COUNT(*) FROM (SELECT 1 FROM "_s + from + u" LIMIT "_s
            + SqlFragment::of(cap + 1) + u") p)"_s;
    };
    if (const QString done = states.processed(u"t."_s); done != u"false") {
        processed = u"CASE WHEN one.size > "_s + SqlFragment::of(caps.mostCountedSize())
            + u" THEN -1 ELSE "_s + counted(tableName() + u" AS t WHERE "_s + done, caps.processed)
            + u" END"_s;
    }
    // w: who holds the row by a live lease. The seldom owners are counted together, since there may
    // be as many of them as rows.
    const QString named = states.owner(u"t."_s);
    const QString owner = u"CASE WHEN %1 THEN IFNULL(%2, '') END"_s.arg(
        states.surelyLocked(u"t."_s), named.isEmpty() ? mariadbNull : mariadb::exactly(named).text);
    if (m_shape.failedHow == OutboxShape::FailedHow::Table)
        apart = counted(quotedName(neighbour(m_shape.failedIn.table)), caps.open);
    const SqlFragment size = u"(SELECT i.TABLE_ROWS FROM information_schema.TABLES i WHERE"
                             " i.TABLE_SCHEMA = DATABASE() AND i.TABLE_NAME = "_s
        + SqlFragment::of(m_table.name.table) + u')';
    return u"SELECT g.kind, NULL, g.w, NULL, CAST(g.n AS SIGNED), g.c, "_s + mariadb::nowUs()
        + u", "_s + processed + u", one.size, g.s, "_s + apart + u" FROM (SELECT "_s + size
        + u" AS size) AS one LEFT JOIN (SELECT p.kind, p.w, p.s, SUM(p.n) AS n,"
          " MIN(p.c) AS c FROM (SELECT CASE WHEN o.w IS NOT NULL THEN 'lease' END AS kind,"
          " CASE WHEN o.place <= %1 THEN o.w END AS w, o.s, o.n, o.c FROM"
          " (SELECT r.w, r.s, COUNT(*) AS n, MIN(r.c) AS c,"
          " ROW_NUMBER() OVER (PARTITION BY r.w IS NULL, r.s ORDER BY COUNT(*) DESC) AS place"
          " FROM (SELECT "_s.arg(mostLeaseOwners)
        + timeUs(m_shape.createdColumn, Reading::Earlier) + u" AS c, "_s + owner + u" AS w, "_s
        + stateBeside(isParked(parked), states.state(u"t."_s, true)) + u" AS s FROM "_s
        + tableName() + u" AS t WHERE "_s + states.open(u"t."_s) + u" LIMIT "_s
        + SqlFragment::of(caps.open + 1)
        + u") AS r GROUP BY r.w, r.s) AS o) AS p GROUP BY p.kind, p.w, p.s) AS g ON true"_s;
}

SqlFragment MariadbDialect::select(qint64 payloadLimit, const QList<SortColumn> &order,
                                   For what) const
{
    const RowStates states = this->states();
    const auto orNothing = [](const QString &text) { return text.isEmpty() ? mariadbNull : text; };
    SqlFragment payload = mariadbNull;
    QString payloadBytes = mariadbNull;
    if (!m_shape.payloadColumn.isEmpty()) {
        const QString name = mariadb::aliased(m_shape.payloadColumn);
        const bool bytes = column(m_shape.payloadColumn).typeClass == TypeClass::Bytes;
        payload = u"LEFT("_s + name + u", "_s + SqlFragment::of(payloadLimit) + u')';
        payloadBytes
            = bytes ? u"LENGTH(%1)"_s.arg(name) : u"LENGTH(CONVERT(%1 USING utf8mb4))"_s.arg(name);
    }
    QList<SqlFragment> cells{keyText(),
                             orNothing(typeText()),
                             payload,
                             payloadBytes,
                             timeUs(m_shape.createdColumn, Reading::Earlier),
                             timeUs(m_shape.processedWhenColumn(), Reading::Earlier),
                             textOfColumn(m_shape.attemptsColumn),
                             orNothing(states.error(u"t."_s)),
                             textOfColumn(m_shape.queueColumn),
                             textOfColumn(m_shape.referenceTableColumn),
                             textOfColumn(m_shape.referenceIdColumn),
                             mariadb::nowUs(),
                             what == For::Plan ? u"CASE WHEN f.k0 IS NULL THEN 'undecided' END"_s
                                               : mariadbNull,
                             mariadbNull,
                             mariadbNull,
                             mariadbNull,
                             what == For::List ? mariadbNull : mariadb::version(m_table),
                             u"CASE WHEN %1 THEN 'live' WHEN %2 THEN 'over' END"_s.arg(
                                 states.locked(u"t."_s),
                                 m_shape.lockedHow == OutboxShape::LockedHow::Until
                                     ? mariadb::leaseIsOver(m_shape, m_table)
                                     : states.lockIsOver(u"t."_s)),
                             orNothing(states.owner(u"t."_s)),
                             timeUs(m_shape.leaseColumn, Reading::Later),
                             writtenUs(m_shape.processedWhenColumn()),
                             states.state(u"t."_s, false),
                             writtenUs(m_shape.createdColumn)};
    for (const SortColumn &one : order)
        cells += mariadb::exactTextOf(column(one.name));
    return u"SELECT "_s + SqlFragment::joined(cells, u", "_s) + u" FROM "_s + tableName()
        + u" AS t"_s;
}

QString MariadbDialect::keyText() const
{
    if (m_shape.keyParts.isEmpty())
        return textOfColumn(m_shape.keyColumn);
    QStringList parts; // the colon between them stands in none
    for (const QString &name : m_shape.keyColumns())
        parts += u"REPLACE(REPLACE("_s + textOfColumn(name) + u", '%', '%25'), ':', '%3A')"_s;
    return u"CONCAT("_s + parts.join(u", ':', "_s) + u')';
}

QString MariadbDialect::typeText() const
{
    if (!m_shape.typeIn.isEmpty())
        return states().type(u"t."_s);
    return m_shape.typeColumn.isEmpty() ? QString() : textOfColumn(m_shape.typeColumn);
}

QList<SqlFragment> MariadbDialect::filters(const PageRequest &request) const
{
    QList<SqlFragment> conditions{states().scope(u"t."_s)};
    // Who holds a row is not seen here, but leases are.
    conditions += states().filter(u"t."_s, request.states, u"false"_s);
    if (!request.ids.isEmpty())
        conditions += isAmong(keyTexts(request.ids));
    const auto byAge = [&](const QString &name, const std::optional<double> &seconds, QChar sign) {
        if (!seconds)
            return;
        const QString zone = m_shape.zoneOf(name);
        if (name.isEmpty() || (zone.isEmpty() && mariadb::isWithoutZone(column(name)))) {
            conditions += u"false"_s; // no row can be said to be that old
            return;
        }
        const CatalogColumn &since = column(name);
        const auto span = static_cast<qint64>(*seconds * 1e6);
        if (since.typeClass == TypeClass::Time) { // the bare column, so that its index serves
            conditions += mariadb::aliased(name) + u" >= "_s
                + mariadb::firstLocal(span - 1, mariadb::isWithoutZone(since) ? zone : u"UTC"_s);
        } else {
            conditions += u'(' + mariadb::microseconds(&since, zone) + u") "_s + sign + u" ("_s
                + mariadb::nowUs() + u" - "_s + SqlFragment::of(span) + u')';
        }
    };
    byAge(m_shape.processedWhenColumn(), request.processedWithinSeconds, u'>');
    return conditions;
}

SqlFragment MariadbDialect::afterCursor(const QList<SortColumn> &order,
                                        const QStringList &after) const
{
    const auto compared = [&](qsizetype place, const QString &sign) {
        const CatalogColumn &one = column(order.at(place).name);
        return mariadb::aliased(one.name) + sign
            + SqlFragment::of(mariadb::valueOf(after.at(place), one));
    };
    const auto beyond
        = [&order](qsizetype place) { return order.at(place).descending ? u" < "_s : u" > "_s; };
    if (order.size() == 1)
        return compared(0, beyond(0));
    // The first column alone bounds the range that an index has to walk.
    const SqlFragment range = compared(0, order.constFirst().descending ? u" <= "_s : u" >= "_s);
    QList<SqlFragment> ways;
    for (qsizetype i = 0; i < order.size(); ++i) {
        QList<SqlFragment> way;
        for (qsizetype j = 0; j < i; ++j)
            way += compared(j, u" = "_s);
        way += compared(i, beyond(i));
        ways += u'(' + SqlFragment::joined(way, u" AND "_s) + u')';
    }
    return range + u" AND ("_s + SqlFragment::joined(ways, u" OR "_s) + u')';
}

SqlFragment MariadbDialect::hasKey(const QString &key) const
{
    const QStringList names = m_shape.keyColumns();
    const QStringList parts = keyPartsOf(key);
    QList<SqlFragment> same;
    for (qsizetype i = 0; i < parts.size(); ++i)
        same += mariadb::equals(column(names.at(i)), parts.at(i));
    return same.isEmpty() ? SqlFragment(u"false"_s)
                          : u'(' + SqlFragment::joined(same, u" AND "_s) + u')';
}

SqlFragment MariadbDialect::freeOnes(const SqlFragment &chosen) const
{
    const QString key = mariadb::aliased(m_shape.keyColumn);
    return SqlFragment::filled(
        u" LEFT JOIN (SELECT %1 AS k0 FROM (SELECT %1 AS k0 FROM %2 AS t%3) AS c STRAIGHT_JOIN"
        " %2 AS t ON %1 = c.k0 LOCK IN SHARE MODE SKIP LOCKED) AS f ON f.k0 = %1"_s,
        {key, tableName(), chosen});
}

SqlText MariadbDialect::rowsIn(const RowSpan &span, const PageRequest &request,
                               const CheckNode &checks, PayloadTexts texts) const
{
    const SqlFragment chosen
        = where(filters(request) + QList<SqlFragment>{pushed(checks, texts)} + within(span))
        + u" ORDER BY "_s + orderBy(span.order, u"t."_s) + u" LIMIT "_s
        + SqlFragment::of(request.limit + 1);
    // Rows with a key of several columns are written by no verb of ours.
    const bool isPlan = request.withVersions && m_shape.keyParts.isEmpty();
    return select(request.payloadPrefixBytes, span.order, isPlan ? For::Plan : For::List)
        + (isPlan ? freeOnes(chosen) : SqlFragment()) + chosen;
}

SqlText MariadbDialect::find(const QString &key, qint64 payloadLimit) const
{
    return select(payloadLimit, pageOrder(true), For::Find) + u" WHERE "_s + states().scope(u"t."_s)
        + u" AND "_s + hasKey(key) + u" LIMIT 1"_s;
}

SqlText MariadbDialect::references(const CatalogTable &target, const QStringList &keys,
                                   qint64 payloadLimit) const
{
    const CatalogColumn &key = *target.column(target.primaryKey.constFirst());
    QList<SqlFragment> members;
    for (const CatalogColumn &one : target.columns) {
        const bool written = one.typeClass == TypeClass::Bytes || isUuidBytes(one)
            || one.type.startsWith("float"_L1) || one.type.startsWith("bit("_L1);
        members += SqlFragment::of(one.name) + u", "_s
            + (written ? mariadb::textOf(target, one.name) : mariadb::aliased(one.name));
    }
    return u"SELECT j.id, LEFT(CAST(j.json AS BINARY), "_s + SqlFragment::of(payloadLimit)
        + u"), LENGTH(j.json) FROM (SELECT "_s + mariadb::textOf(target, key.name)
        + u" AS id, JSON_COMPACT(JSON_OBJECT("_s + SqlFragment::joined(members, u", "_s)
        + u")) AS json FROM "_s + quotedName(target.name) + u" AS t WHERE "_s
        + mariadb::among(key, keys) + u") AS j"_s;
}

std::unique_ptr<Dialect> makeMariadbDialect(const OutboxShape &shape, const CatalogTable &table)
{
    return std::make_unique<MariadbDialect>(shape, table);
}

} // namespace outbox
