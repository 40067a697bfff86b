// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements for SQLite 3.38 and later.
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/rowstates.h"
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
        .arg(aliased(name), sqlite::exactTextOf(name));
}

/// JSON text of a row; bytes as hex. A function takes at most 127 arguments, so a wide row is put
/// together from pieces. Their ends are never braces of a value: every value is a string or a
/// number.
SqlFragment jsonObject(const CatalogTable &table)
{
    constexpr qsizetype piece = 50;
    QList<SqlFragment> pieces;
    for (qsizetype from = 0; from < table.columns.size(); from += piece) {
        QList<SqlFragment> members;
        for (const CatalogColumn &one : table.columns.mid(from, piece)) {
            members += SqlFragment::of(one.name)
                + u", CASE typeof(%1) WHEN 'blob' THEN hex(%1) ELSE %1 END"_s.arg(
                    aliased(one.name));
        }
        pieces += u"trim(json_object("_s + SqlFragment::joined(members, u", "_s) + u"), '{}')"_s;
    }
    return u"'{' || "_s + SqlFragment::joined(pieces, u" || ',' || "_s) + u" || '}'"_s;
}

/// Errors: those of `Dialect`.
class SqliteDialect : public Dialect
{
public:
    using Dialect::Dialect;

    [[nodiscard]] std::optional<SqlText> anyDue() const override
    {
        return u"SELECT ''"_s + wanted({}) + u" LIMIT 1"_s;
    }
    [[nodiscard]] std::optional<SqlText> anyWithoutKey() const override
    {
        const CatalogColumn &key = column(m_shape.keyColumn);
        if (key.type.compare(u"integer"_s, Qt::CaseInsensitive) == 0 && m_table.hasRowId)
            return std::nullopt; // the row's own number
        // A primary key of any other type may be NULL in SQLite.
        return SqlText(u"SELECT '' FROM "_s + tableName() + u" AS t WHERE "_s
                       + states().due(u"t."_s) + u" AND "_s + aliased(m_shape.keyColumn)
                       + u" IS NULL LIMIT 1"_s);
    }
    [[nodiscard]] SqlText anyLeft(const QStringList &parked) const override
    {
        const QString isKeyed
            = m_shape.keyColumn.isEmpty() // without a key it will never be delivered
            ? QString()
            : u" AND "_s + aliased(m_shape.keyColumn) + u" IS NOT NULL"_s;
        return u"SELECT '' FROM "_s + tableName() + u" AS t WHERE "_s + states().left(u"t."_s)
            + isKeyed + butParked(parked) + u" LIMIT 1"_s;
    }
    [[nodiscard]] SqlText claim(const ClaimScope &scope) const override
    {
        return u"SELECT "_s + claimCells(scope.mostPayloadBytes) + claimed(scope);
    }
    [[nodiscard]] SqlText hold(const ClaimScope &scope) const override
    {
        return claim(scope); // the write lock keeps everybody else away
    }
    [[nodiscard]] SqlText consumeLocked(const QStringList &keys) const override
    {
        return *consumeRead(keys) + u" RETURNING CAST("_s + quotedName(m_shape.keyColumn)
            + u" AS TEXT)"_s;
    }
    [[nodiscard]] std::optional<SqlText> consumeRead(const QStringList &keys) const override
    {
        // By nothing but the keys: the clock goes on, and other rows may be due than those that
        // were read a moment ago. The write lock keeps the rows as they were.
        return takingStart() + u" WHERE "_s + aliased(m_shape.keyColumn) + u" IN "_s
            + sqlite::keysIn(keys);
    }
    [[nodiscard]] SqlText firstDue(const ClaimScope &scope) const override
    {
        return u"SELECT "_s + textOf(m_shape.keyColumn)
            + claimed({1, scope.parked, {}, 0, scope.queues});
    }
    [[nodiscard]] SqlText claimOnly(const QString &key, qint64 mostPayloadBytes) const override
    {
        return u"SELECT "_s + claimCells(mostPayloadBytes) + wanted({}) + u" AND "_s
            + aliased(m_shape.keyColumn) + u" = "_s + SqlFragment::of(key);
    }
    [[nodiscard]] std::optional<SqlText> noteFailure(const QString &key,
                                                     const QString &reason) const override
    {
        QList<SqlFragment> sets;
        if (!m_shape.attemptsColumn.isEmpty()) {
            const QString name = quotedName(m_shape.attemptsColumn);
            sets += name + u" = ifnull("_s + name + u", 0) + 1"_s;
        }
        if (!m_shape.errorColumn.isEmpty())
            sets += quotedName(m_shape.errorColumn) + u" = "_s + SqlFragment::of(reason);
        if (sets.isEmpty())
            return std::nullopt;
        return u"UPDATE "_s + tableName() + u" AS t SET "_s + SqlFragment::joined(sets, u", "_s)
            + u" WHERE "_s + states().due(u"t."_s) + u" AND "_s + aliased(m_shape.keyColumn)
            + u" = "_s + SqlFragment::of(key);
    }
    [[nodiscard]] SqlText snapshot(const CountCaps &caps, const QStringList &parked) const override
    {
        const RowStates states = this->states();
        SqlFragment processed = sqliteNull;
        SqlFragment apart = sqliteNull;
        const auto counted = [](const QString &from, qint64 cap) {
            return u"(SELECT count(*) FROM (SELECT 1 FROM "_s + from + u" LIMIT "_s
                + SqlFragment::of(cap + 1) + u"))"_s;
        };
        if (const QString done = states.processed(u"t."_s); done != u"false")
            processed = counted(tableName() + u" AS t WHERE "_s + done, caps.processed);
        if (m_shape.failedHow == OutboxShape::FailedHow::Table)
            apart = counted(quotedName(neighbour(m_shape.failedIn.table)), caps.open);
        // w: who holds the row by a live lease. The seldom owners are counted together, since there
        // may be as many of them as rows.
        const QString named = states.owner(u"t."_s);
        const QString owner = u"CASE WHEN %1 THEN ifnull(%2, '') END"_s.arg(
            states.surelyLocked(u"t."_s), named.isEmpty() ? sqliteNull : named);
        return u"SELECT g.kind, NULL, g.w, NULL, g.n, g.c, "_s + sqlite::nowUs() + u", "_s
            + processed + u", NULL, g.s, "_s + apart
            + u" FROM (SELECT 1) one LEFT JOIN (SELECT CASE WHEN w IS NOT NULL THEN 'lease' END"
              " AS kind, CASE WHEN place <= %1 THEN w END AS w, s, sum(n) AS n, min(c) AS c FROM"
              " (SELECT w, s, count(*) AS n, min(c) AS c, row_number() OVER (PARTITION BY"
              " w IS NULL, s ORDER BY count(*) DESC) AS place FROM ("_s.arg(mostLeaseOwners)
            + openRows(owner, parked, caps.open)
            + u") GROUP BY w, s) GROUP BY 1, 2, 3) g ON true"_s;
    }
    [[nodiscard]] Result<FilterPush> push(const CheckNode &checks,
                                          PayloadTexts texts) const override
    {
        return sqlite::push(m_shape, m_table, checks, texts);
    }
    [[nodiscard]] SqlText rowsIn(const RowSpan &span, const PageRequest &request,
                                 const SqlFragment &condition) const override
    {
        return select(request.payloadPrefixBytes, span.order,
                      request.withVersions ? flavor().version(m_table) : QString())
            + firstOf(chosenIn(span, request, condition), span.order, request.limit + 1);
    }
    [[nodiscard]] SqlText payloadSlice(const QString &key, qint64 from, qint64 bytes) const override
    {
        const QString payload = u"CAST("_s + aliased(m_shape.payloadColumn) + u" AS BLOB)"_s;
        return u"SELECT substr("_s + payload + u", "_s + SqlFragment::of(from + 1) + u", "_s
            + SqlFragment::of(bytes) + u"), CAST(length("_s + payload + u") AS TEXT) FROM "_s
            + tableName() + u" AS t WHERE "_s + states().scope(u"t."_s) + u" AND "_s + hasKey(key);
    }
    [[nodiscard]] SqlText references(const CatalogTable &target, const QStringList &keys,
                                     qint64 payloadLimit) const override
    {
        const QString key = aliased(target.primaryKey.constFirst());
        return u"SELECT key, substr(CAST(json AS BLOB), 1, "_s + SqlFragment::of(payloadLimit)
            + u"), length(CAST(json AS BLOB)) FROM (SELECT CAST("_s + key + u" AS TEXT) AS key, "_s
            + jsonObject(target) + u" AS json FROM "_s + quotedName(target.name) + u" AS t WHERE "_s
            + key + u" IN "_s + sqlite::keysIn(keys) + u')';
    }

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return sqliteFlavor(); }
    [[nodiscard]] SqlFragment isAmong(const QStringList &keys) const override
    {
        return m_shape.keyParts.isEmpty() ? Dialect::isAmong(keys)
                                          : flavor().isAmong(states().key(u"t."_s), keys);
    }
    [[nodiscard]] SqlFragment isParked(const QStringList &parked) const override
    {
        if (parked.isEmpty())
            return {};
        // A row without a key is none of them.
        return u"ifnull("_s + states().key(u"t."_s) + u", '') IN "_s + sqlite::keysIn(parked);
    }
    [[nodiscard]] SqlFragment processedWithin(double seconds) const override
    {
        return u'(' + timeUs(m_shape.processedWhenColumn(), Reading::Earlier) + u") > ("_s
            + sqlite::nowUs() + u" - "_s + SqlFragment::of(seconds) + u" * 1000000)"_s;
    }
    [[nodiscard]] QString processedText() const override
    {
        return markOf(m_shape.processedWhenColumn());
    }

    [[nodiscard]] SqlFragment butQueues(const QStringList &queues) const
    {
        if (queues.isEmpty() || m_shape.queueColumn.isEmpty())
            return {};
        return u" AND ifnull("_s + textOf(m_shape.queueColumn) + u", '') NOT IN "_s
            + sqlite::keysIn(queues);
    }
    /// What a claim reads of a row.
    [[nodiscard]] SqlFragment claimCells(qint64 mostPayloadBytes) const
    {
        SqlFragment payload = sqliteNull;
        SqlFragment tooMany = sqliteNull;
        if (!m_shape.payloadColumn.isEmpty()) {
            const QString column = aliased(m_shape.payloadColumn);
            payload = u"CAST(%1 AS BLOB)"_s.arg(column);
            if (mostPayloadBytes > 0) {
                // That of a blob is known without reading it.
                const QString length = u"CASE typeof(%1) WHEN 'blob' THEN length(%1)"
                                       " ELSE length(CAST(%1 AS BLOB)) END"_s.arg(column);
                const SqlFragment most = SqlFragment::of(mostPayloadBytes);
                payload = u"CASE WHEN "_s + length + u" <= "_s + most + u" THEN "_s + payload
                    + u" END"_s;
                tooMany
                    = u"CASE WHEN "_s + length + u" > "_s + most + u" THEN "_s + length + u" END"_s;
            }
        }
        return SqlFragment::joined(cellsOfClaim(payload, tooMany), u", "_s);
    }
    /// DELETE or UPDATE, up to its WHERE.
    [[nodiscard]] QString takingStart() const
    {
        if (m_shape.processedHow == OutboxShape::ProcessedHow::Deleted)
            return u"DELETE FROM "_s + tableName() + u" AS t"_s;
        return u"UPDATE "_s + tableName() + u" AS t SET "_s + states().markProcessed();
    }
    /// FROM and WHERE of the rows that are due and not parked.
    [[nodiscard]] SqlFragment wanted(const ClaimScope &scope) const
    {
        return u" FROM "_s + tableName() + u" AS t WHERE "_s + states().due(u"t."_s) + u" AND "_s
            + aliased(m_shape.keyColumn) + u" IS NOT NULL"_s + butParked(scope.parked)
            + butQueues(scope.queues);
    }
    /// FROM, WHERE, ORDER and LIMIT of the rows a claim takes.
    [[nodiscard]] SqlFragment claimed(const ClaimScope &scope) const
    {
        SqlFragment sql = wanted(scope);
        if (isPlace(scope.after))
            sql += u" AND "_s + afterCursor(placeOrder(), u"t."_s, scope.after);
        return sql + u" ORDER BY "_s + orderBy(claimOrder(), u"t."_s) + u" LIMIT "_s
            + SqlFragment::of(scope.rows);
    }
};

} // namespace

std::unique_ptr<Dialect> makeSqliteDialect(const OutboxShape &shape, const CatalogTable &table)
{
    return std::make_unique<SqliteDialect>(shape, table);
}

} // namespace outbox
