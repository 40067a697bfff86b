// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/sqlite/sqlitedialect.h"

#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/sqlite/sqlitetexts.h"
#include "models/filter/pagerequest.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString sqliteNull = u"NULL"_s;

/// How the column holds its time, and the time: "text:2026-01-02 03:04:05.678901".
QString markOf(const QString &name)
{
    if (name.isEmpty())
        return sqliteNull;
    return u"CASE WHEN typeof(%1) IN ('text', 'integer', 'real') THEN typeof(%1) || ':' || %2 END"_s
        .arg(sqlite::aliased(name), sqlite::exactTextOf(name));
}

/// JSON text of a row; bytes as hex. A function takes at most 127 arguments, so a wide row is put
/// together from pieces. Their ends are never braces of a value: every value is a string or a
/// number.
QString jsonObject(const CatalogTable &table, SqlText &sql)
{
    constexpr qsizetype piece = 50;
    QStringList pieces;
    for (qsizetype from = 0; from < table.columns.size(); from += piece) {
        QStringList members;
        for (const CatalogColumn &one : table.columns.mid(from, piece)) {
            members += sqlite::bind(sql, one.name)
                + u", CASE typeof(%1) WHEN 'blob' THEN hex(%1) ELSE %1 END"_s.arg(
                    sqlite::aliased(one.name));
        }
        pieces += u"trim(json_object("_s + members.join(u", "_s) + u"), '{}')"_s;
    }
    return u"'{' || "_s + pieces.join(u" || ',' || "_s) + u" || '}'"_s;
}

} // namespace

QString SqliteDialect::isAmong(const QStringList &keys, SqlText &sql) const
{
    // A row without a key is none of them.
    return u"ifnull("_s + states().key(u"t."_s) + u", '') IN (SELECT value FROM json_each("_s
        + sqlite::bind(sql, keys) + u"))"_s;
}

QString SqliteDialect::butParked(const QStringList &parked, SqlText &sql) const
{
    return parked.isEmpty() ? QString() : u" AND NOT "_s + isAmong(parked, sql);
}

QString SqliteDialect::butQueues(const QStringList &queues, SqlText &sql) const
{
    if (queues.isEmpty() || m_shape.queueColumn.isEmpty())
        return {};
    return u" AND ifnull("_s + sqlite::textOf(m_shape.queueColumn)
        + u", '') NOT IN (SELECT value FROM json_each("_s + sqlite::bind(sql, queues) + u"))"_s;
}

QString SqliteDialect::wanted(const ClaimScope &scope, SqlText &sql) const
{
    return u" FROM "_s + tableName() + u" AS t WHERE "_s + states().due(u"t."_s) + u" AND "_s
        + sqlite::aliased(m_shape.keyColumn) + u" IS NOT NULL"_s + butParked(scope.parked, sql)
        + butQueues(scope.queues, sql);
}

QString SqliteDialect::claimed(const ClaimScope &scope, SqlText &sql) const
{
    QString text = wanted(scope, sql);
    if (isPlace(scope.after))
        text += u" AND "_s + afterCursor(placeOrder(), scope.after, sql);
    return text + u" ORDER BY "_s + orderBy(claimOrder(), u"t."_s) + u" LIMIT "_s
        + sqlite::bind(sql, scope.rows);
}

std::optional<SqlText> SqliteDialect::anyDue() const
{
    SqlText sql;
    sql.text = u"SELECT ''"_s + wanted({}, sql) + u" LIMIT 1"_s;
    return sql;
}

std::optional<SqlText> SqliteDialect::anyWithoutKey() const
{
    const CatalogColumn &key = column(m_shape.keyColumn);
    if (key.type.compare(u"integer"_s, Qt::CaseInsensitive) == 0 && m_table.hasRowId)
        return std::nullopt; // the row's own number
    SqlText sql; // a primary key of any other type may be NULL in SQLite
    sql.text = u"SELECT '' FROM "_s + tableName() + u" AS t WHERE "_s + states().due(u"t."_s)
        + u" AND "_s + sqlite::aliased(m_shape.keyColumn) + u" IS NULL LIMIT 1"_s;
    return sql;
}

SqlText SqliteDialect::anyLeft(const QStringList &parked) const
{
    SqlText sql;
    sql.text = u"SELECT '' FROM "_s + tableName() + u" AS t WHERE "_s + states().left(u"t."_s);
    if (!m_shape.keyColumn.isEmpty()) // without a key it will never be delivered
        sql.text += u" AND "_s + sqlite::aliased(m_shape.keyColumn) + u" IS NOT NULL"_s;
    sql.text += butParked(parked, sql) + u" LIMIT 1"_s;
    return sql;
}

QString SqliteDialect::claimCells(qint64 mostPayloadBytes, SqlText &sql) const
{
    QString payload = sqliteNull;
    QString tooMany = sqliteNull;
    if (!m_shape.payloadColumn.isEmpty()) {
        const QString column = sqlite::aliased(m_shape.payloadColumn);
        payload = u"CAST(%1 AS BLOB)"_s.arg(column);
        if (mostPayloadBytes > 0) {
            // That of a blob is known without reading it.
            const QString length = u"CASE typeof(%1) WHEN 'blob' THEN length(%1)"
                                   " ELSE length(CAST(%1 AS BLOB)) END"_s.arg(column);
            const QString most = sqlite::bind(sql, mostPayloadBytes);
            payload = u"CASE WHEN %1 <= %2 THEN %3 END"_s.arg(length, most, payload);
            tooMany = u"CASE WHEN %1 > %2 THEN %1 END"_s.arg(length,
                                                             sqlite::bind(sql, mostPayloadBytes));
        }
    }
    QStringList cells{sqlite::textOf(m_shape.keyColumn),
                      sqlite::textOf(m_shape.typeColumn),
                      payload,
                      sqlite::textOf(m_shape.queueColumn),
                      sqlite::textOf(m_shape.referenceTableColumn),
                      sqlite::textOf(m_shape.referenceIdColumn),
                      tooMany,
                      sqlite::microseconds(bornColumn(), asWrittenDown),
                      timeUs(comparedBirth(), Reading::Later)};
    for (const QString &name : placeColumns())
        cells += sqlite::exactTextOf(name);
    return cells.join(u", "_s);
}

QString SqliteDialect::takingStart() const
{
    if (m_shape.processedHow == OutboxShape::ProcessedHow::Deleted)
        return u"DELETE FROM "_s + tableName() + u" AS t"_s;
    return u"UPDATE "_s + tableName() + u" AS t SET "_s + states().markProcessed();
}

SqlText SqliteDialect::claim(const ClaimScope &scope) const
{
    SqlText sql;
    sql.text = u"SELECT "_s + claimCells(scope.mostPayloadBytes, sql);
    sql.text += claimed(scope, sql);
    return sql;
}

SqlText SqliteDialect::hold(const ClaimScope &scope) const
{
    return claim(scope); // the write lock keeps everybody else away
}

SqlText SqliteDialect::consumeLocked(const QStringList &keys) const
{
    SqlText sql = *consumeRead(keys);
    sql.text += u" RETURNING CAST("_s + quotedName(m_shape.keyColumn) + u" AS TEXT)"_s;
    return sql;
}

std::optional<SqlText> SqliteDialect::consumeRead(const QStringList &keys) const
{
    // By nothing but the keys: the clock goes on, and other rows may be due than those that were
    // read a moment ago. The write lock keeps the rows as they were.
    SqlText sql;
    sql.text = takingStart() + u" WHERE "_s + sqlite::aliased(m_shape.keyColumn) + u" IN "_s
        + sqlite::keysIn(sql, keys);
    return sql;
}

QString SqliteDialect::timeUs(const QString &name, Reading reading) const
{
    return sqlite::microseconds(name, m_shape.zoneOf(name), reading);
}

SqlText SqliteDialect::snapshot(const CountCaps &caps, const QStringList &parked) const
{
    SqlText sql;
    const RowStates states = this->states();
    QString processed = sqliteNull;
    QString apart = sqliteNull;
    const auto counted = [&](const QString &from, qint64 cap) -> QString {
        return u"(SELECT count(*) FROM (SELECT 1 FROM "_s + from + u" LIMIT "_s
            + sqlite::bind(sql, cap + 1) + u"))"_s;
    };
    if (const QString done = states.processed(u"t."_s); done != u"false")
        processed = counted(tableName() + u" AS t WHERE "_s + done, caps.processed);
    if (m_shape.failedHow == OutboxShape::FailedHow::Table)
        apart = counted(quotedName(neighbour(m_shape.failedIn.table)), caps.open);
    // w: who holds the row by a live lease. The seldom owners are counted together, since there may
    // be as many of them as rows.
    const QString named = states.owner(u"t."_s);
    const QString owner = u"CASE WHEN %1 THEN ifnull(%2, '') END"_s.arg(
        states.surelyLocked(u"t."_s), named.isEmpty() ? sqliteNull : named);
    const QString isParked = parked.isEmpty() ? QString() : isAmong(parked, sql);
    sql.text = u"SELECT g.kind, NULL, g.w, NULL, g.n, g.c, "_s + sqlite::nowUs() + u", "_s
        + processed + u", NULL, g.s, "_s + apart
        + u" FROM (SELECT 1) one LEFT JOIN (SELECT CASE WHEN w IS NOT NULL THEN 'lease' END"
          " AS kind, CASE WHEN place <= %1 THEN w END AS w, s, sum(n) AS n, min(c) AS c FROM"
          " (SELECT w, s, count(*) AS n, min(c) AS c, row_number() OVER (PARTITION BY w IS NULL, s"
          " ORDER BY count(*) DESC) AS place FROM (SELECT "_s.arg(mostLeaseOwners)
        + timeUs(m_shape.createdColumn, Reading::Earlier) + u" AS c, "_s + owner + u" AS w, "_s
        + stateBeside(isParked, states.state(u"t."_s, true)) + u" AS s FROM "_s + tableName()
        + u" AS t WHERE "_s + states.open(u"t."_s) + u" LIMIT "_s + sqlite::bind(sql, caps.open + 1)
        + u") GROUP BY w, s) GROUP BY 1, 2, 3) g ON true"_s;
    return sql;
}

QString SqliteDialect::select(const QString &payloadLimit, const QList<SortColumn> &order,
                              bool withVersion) const
{
    const QString payload = sqlite::aliased(m_shape.payloadColumn);
    const bool hasPayload = !m_shape.payloadColumn.isEmpty();
    const RowStates states = this->states();
    const auto orNothing = [](const QString &text) { return text.isEmpty() ? sqliteNull : text; };
    QStringList cells{
        states.key(u"t."_s),
        orNothing(states.type(u"t."_s)),
        hasPayload ? u"substr(CAST(%1 AS BLOB), 1, %2)"_s.arg(payload, payloadLimit) : sqliteNull,
        hasPayload ? u"length(CAST(%1 AS BLOB))"_s.arg(payload) : sqliteNull,
        timeUs(m_shape.createdColumn, Reading::Earlier),
        timeUs(m_shape.processedWhenColumn(), Reading::Earlier),
        sqlite::textOf(m_shape.attemptsColumn),
        orNothing(states.error(u"t."_s)),
        sqlite::textOf(m_shape.queueColumn),
        sqlite::textOf(m_shape.referenceTableColumn),
        sqlite::textOf(m_shape.referenceIdColumn),
        sqlite::nowUs(),
        sqliteNull,
        sqliteNull,
        sqliteNull,
        sqliteNull,
        withVersion ? sqlite::version(m_table) : sqliteNull,
        u"CASE WHEN %1 THEN 'live' WHEN %2 THEN 'over' END"_s.arg(
            states.locked(u"t."_s),
            m_shape.lockedHow == OutboxShape::LockedHow::Until ? sqlite::leaseIsOver(m_shape)
                                                               : states.lockIsOver(u"t."_s)),
        orNothing(states.owner(u"t."_s)),
        timeUs(m_shape.leaseColumn, Reading::Later),
        markOf(m_shape.processedWhenColumn()),
        states.state(u"t."_s, false),
        sqlite::microseconds(m_shape.createdColumn, asWrittenDown)};
    for (const SortColumn &one : order)
        cells += sqlite::exactTextOf(one.name);
    return u"SELECT "_s + cells.join(u", "_s) + u" FROM "_s + tableName() + u" AS t"_s;
}

QStringList SqliteDialect::filters(const PageRequest &request, SqlText &sql) const
{
    QStringList conditions;
    conditions += states().filter(u"t."_s, request.states, u"false"_s); // no row can be locked
    if (!request.ids.isEmpty()) {
        conditions += (m_shape.keyColumn.isEmpty() ? states().key(u"t."_s)
                                                   : sqlite::aliased(m_shape.keyColumn))
            + u" IN "_s + sqlite::keysIn(sql, keyTexts(request.ids));
    }
    const auto byAge = [&](const QString &name, const std::optional<double> &seconds, QChar sign) {
        if (!seconds)
            return;
        if (name.isEmpty()) {
            conditions += u"false"_s; // no row can be said to be that old
            return;
        }
        conditions += u'(' + timeUs(name, Reading::Earlier) + u") "_s + sign + u" ("_s
            + sqlite::nowUs() + u" - "_s + sqlite::bind(sql, *seconds) + u" * 1000000)"_s;
    };
    byAge(m_shape.processedWhenColumn(), request.processedWithinSeconds, u'>');
    conditions.removeAll(u"true"_s);
    return conditions;
}

QString SqliteDialect::afterCursor(const QList<SortColumn> &order, const QStringList &after,
                                   SqlText &sql)
{
    // The first column alone bounds the range that an index has to walk.
    const SortColumn &first = order.constFirst();
    const QString range = sqlite::aliased(first.name) + (first.descending ? u" <= "_s : u" >= "_s)
        + sqlite::bind(sql, after.constFirst());
    QStringList ways;
    for (qsizetype i = 0; i < order.size(); ++i) {
        QStringList way;
        for (qsizetype j = 0; j < i; ++j)
            way += sqlite::aliased(order.at(j).name) + u" = "_s + sqlite::bind(sql, after.at(j));
        way += sqlite::aliased(order.at(i).name) + (order.at(i).descending ? u" < "_s : u" > "_s)
            + sqlite::bind(sql, after.at(i));
        ways += u'(' + way.join(u" AND "_s) + u')';
    }
    return range + u" AND ("_s + ways.join(u" OR "_s) + u')';
}

SqlText SqliteDialect::rowsIn(const RowSpan &span, const PageRequest &request,
                              const CheckNode &checks, PayloadTexts texts) const
{
    SqlText sql;
    const bool hasPayload = !m_shape.payloadColumn.isEmpty();
    sql.text = select(hasPayload ? sqlite::bind(sql, request.payloadPrefixBytes) : QString(),
                      span.order, request.withVersions);
    QStringList conditions = filters(request, sql);
    if (const QString ours = states().scope(u"t."_s); ours != u"true")
        conditions.prepend(ours); // it binds nothing
    if (const QString condition = pushed(checks, sql, texts); condition != u"true"_s)
        conditions += condition;
    conditions += within(span, sql);
    if (!conditions.isEmpty())
        sql.text += u" WHERE "_s + conditions.join(u" AND "_s);
    sql.text += u" ORDER BY "_s + orderBy(span.order, u"t."_s) + u" LIMIT "_s
        + sqlite::bind(sql, request.limit + 1);
    return sql;
}

SqlText SqliteDialect::find(const QString &key, qint64 payloadLimit) const
{
    SqlText sql;
    const bool hasPayload = !m_shape.payloadColumn.isEmpty();
    sql.text
        = select(hasPayload ? sqlite::bind(sql, payloadLimit) : QString(), pageOrder(true), true)
        + u" WHERE "_s + states().scope(u"t."_s);
    const QStringList names = m_shape.keyColumns();
    const QStringList parts = keyPartsOf(key);
    for (qsizetype i = 0; i < parts.size(); ++i)
        sql.text += u" AND "_s + sqlite::aliased(names.at(i)) + u" = "_s
            + sqlite::bind(sql, parts.at(i));
    sql.text += u" LIMIT 1"_s;
    return sql;
}

SqlText SqliteDialect::references(const CatalogTable &target, const QStringList &keys,
                                  qint64 payloadLimit) const
{
    SqlText sql;
    const QString key = sqlite::aliased(target.primaryKey.constFirst());
    const QString limit = sqlite::bind(sql, payloadLimit);
    sql.text = u"SELECT key, substr(CAST(json AS BLOB), 1, "_s + limit
        + u"), length(CAST(json AS BLOB)) FROM (SELECT CAST(%1 AS TEXT) AS key, "_s.arg(key);
    sql.text += jsonObject(target, sql) + u" AS json FROM "_s + quotedName(target.name)
        + u" AS t WHERE "_s + key + u" IN "_s;
    sql.text += sqlite::keysIn(sql, keys) + u')';
    return sql;
}

std::unique_ptr<Dialect> makeSqliteDialect(const OutboxShape &shape, const CatalogTable &table)
{
    return std::make_unique<SqliteDialect>(shape, table);
}

} // namespace outbox
