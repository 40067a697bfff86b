// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements for MariaDB 10.6 and later.
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/rowstates.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbtexts.h"
#include "models/filter/pagerequest.h"
#include "models/mapping/meaning.h"

#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString mariadbNull = u"NULL"_s;
const QString withoutWaiting = u" FOR UPDATE SKIP LOCKED"_s;

/// How many candidates a claim looks at for each row it wants, and how many besides, where it
/// cannot lock in the order of the rows: others may hold the first ones.
constexpr qint64 candidatesForEach = 8;
constexpr qint64 candidatesMore = 2000;

/// The characters that surely fit.
int roomOf(const CatalogColumn &column)
{
    static const QRegularExpression length(u"\\((\\d+)\\)"_s);
    if (const auto match = length.match(column.type); match.hasMatch())
        return match.captured(1).toInt();
    constexpr int widest = 4; // bytes of a character
    return (column.type == u"tinytext" ? 255 : 65'535) / widest;
}

/// A claim locks rows as it reads them, and takes those that it read: no statement of this database
/// does both. Nothing tells which rows others hold.
/// Errors: those of `Dialect`.
class MariadbDialect : public Dialect
{
public:
    using Dialect::Dialect;

    [[nodiscard]] std::optional<SqlText> anyDue() const override
    {
        // Reads a snapshot: no lock, nor the time to take and give back many.
        return u"SELECT ''"_s + wanted({}) + u" LIMIT 1"_s;
    }
    [[nodiscard]] SqlText anyLeft(const QStringList &parked) const override
    {
        return u"SELECT '' FROM "_s + tableName() + u" AS t WHERE "_s + states().left(u"t."_s)
            + butParked(parked) + u" LIMIT 1"_s;
    }
    [[nodiscard]] SqlText claim(const ClaimScope &scope) const override
    {
        return claimed(claimCells(scope.mostPayloadBytes), scope);
    }
    [[nodiscard]] SqlText hold(const ClaimScope &scope) const override
    {
        return claim(scope); // which holds the rows, and takes none
    }
    [[nodiscard]] SqlText consumeLocked(const QStringList &keys) const override
    {
        return *consumeRead(keys);
    }
    [[nodiscard]] std::optional<SqlText> consumeRead(const QStringList &keys) const override
    {
        if (m_shape.processedHow == OutboxShape::ProcessedHow::Deleted)
            return mariadb::deleteRows(m_table, m_shape.keyColumn, keys);
        return mariadb::byKey() + u"UPDATE "_s + tableName() + u" AS t SET "_s
            + states().markProcessed() + u" WHERE "_s + due() + u" AND "_s
            + mariadb::among(column(m_shape.keyColumn), keys);
    }
    [[nodiscard]] SqlText firstDue(const ClaimScope &scope) const override
    {
        return claimed({textOf(m_shape.keyColumn)}, {1, scope.parked, {}, 0, scope.queues});
    }
    [[nodiscard]] SqlText claimOnly(const QString &key, qint64 mostPayloadBytes) const override
    {
        return u"SELECT "_s + SqlFragment::joined(claimCells(mostPayloadBytes), u", "_s)
            + wanted({}) + u" AND "_s + mariadb::equals(column(m_shape.keyColumn), key)
            + withoutWaiting;
    }
    [[nodiscard]] std::optional<SqlText> noteFailure(const QString &key,
                                                     const QString &reason) const override
    {
        QList<SqlFragment> sets;
        const CatalogColumn *attempts = m_table.column(m_shape.attemptsColumn);
        if (attempts && attempts->typeClass == TypeClass::Integer) {
            const QString name = aliased(attempts->name);
            sets += name + u" = IFNULL("_s + name + u", 0) + 1"_s;
        }
        const CatalogColumn *error = m_table.column(m_shape.errorColumn);
        if (error && error->typeClass == TypeClass::Text) {
            sets += aliased(error->name) + u" = "_s
                + SqlFragment::of(storable(reason).left(roomOf(*error)));
        }
        if (sets.isEmpty())
            return std::nullopt;
        // A row that is held is not waited for: the session then says 1205 at once.
        return u"SET STATEMENT innodb_lock_wait_timeout = 0 FOR UPDATE "_s + tableName()
            + u" AS t SET "_s + SqlFragment::joined(sets, u", "_s) + u" WHERE "_s + due()
            + u" AND "_s + mariadb::equals(column(m_shape.keyColumn), key);
    }
    [[nodiscard]] SqlText snapshot(const CountCaps &caps, const QStringList &parked) const override
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
                + u" THEN -1 ELSE "_s
                + counted(tableName() + u" AS t WHERE "_s + done, caps.processed) + u" END"_s;
        }
        // w: who holds the row by a live lease. The seldom owners are counted together, since there
        // may be as many of them as rows.
        const QString named = states.owner(u"t."_s);
        const QString owner = u"CASE WHEN %1 THEN IFNULL(%2, '') END"_s.arg(
            states.surelyLocked(u"t."_s),
            named.isEmpty() ? mariadbNull : mariadb::exactly(named).text);
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
              " FROM ("_s.arg(mostLeaseOwners)
            + openRows(owner, parked, caps.open)
            + u") AS r GROUP BY r.w, r.s) AS o) AS p GROUP BY p.kind, p.w, p.s) AS g ON true"_s;
    }
    [[nodiscard]] Result<FilterPush> push(const CheckNode &checks,
                                          PayloadTexts texts) const override
    {
        return mariadb::push(m_shape, m_table, keyText(), checks, texts);
    }
    [[nodiscard]] SqlText rowsIn(const RowSpan &span, const PageRequest &request,
                                 const SqlFragment &condition) const override
    {
        const SqlFragment chosen
            = firstOf(chosenIn(span, request, condition), span.order, request.limit + 1);
        // Rows with a key of several columns are written by no verb of ours.
        if (!request.withVersions || !m_shape.keyParts.isEmpty())
            return select(request.payloadPrefixBytes, span.order, {}) + chosen;
        return select(request.payloadPrefixBytes, span.order, flavor().version(m_table),
                      u"CASE WHEN f.k0 IS NULL THEN 'undecided' END"_s)
            + freeOnes(chosen) + chosen;
    }
    [[nodiscard]] SqlText payloadSlice(const QString &key, qint64 from, qint64 bytes) const override
    {
        const QString name = aliased(m_shape.payloadColumn);
        const bool isBytes = column(m_shape.payloadColumn).typeClass == TypeClass::Bytes;
        const QString payload
            = isBytes ? name : QString(u"CAST(CONVERT(%1 USING utf8mb4) AS BINARY)"_s.arg(name));
        return u"SELECT SUBSTRING("_s + payload + u", "_s + SqlFragment::of(from + 1) + u", "_s
            + SqlFragment::of(bytes) + u"), CAST(LENGTH("_s + payload + u") AS CHAR) FROM "_s
            + tableName() + u" AS t WHERE "_s + states().scope(u"t."_s) + u" AND "_s + hasKey(key);
    }
    [[nodiscard]] SqlText references(const CatalogTable &target, const QStringList &keys,
                                     qint64 payloadLimit) const override
    {
        const CatalogColumn &key = *target.column(target.primaryKey.constFirst());
        QList<SqlFragment> members;
        for (const CatalogColumn &one : target.columns) {
            const bool written = one.typeClass == TypeClass::Bytes || isUuidBytes(one)
                || one.type.startsWith("float"_L1) || one.type.startsWith("bit("_L1);
            members += SqlFragment::of(one.name) + u", "_s
                + (written ? mariadb::textOf(target, one.name) : aliased(one.name));
        }
        return u"SELECT j.id, LEFT(CAST(j.json AS BINARY), "_s + SqlFragment::of(payloadLimit)
            + u"), LENGTH(j.json) FROM (SELECT "_s + mariadb::textOf(target, key.name)
            + u" AS id, JSON_COMPACT(JSON_OBJECT("_s + SqlFragment::joined(members, u", "_s)
            + u")) AS json FROM "_s + quotedName(target.name) + u" AS t WHERE "_s
            + mariadb::among(key, keys) + u") AS j"_s;
    }

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return mariadbFlavor(); }
    [[nodiscard]] SqlFragment hasKey(const QString &key) const override
    {
        const SqlFragment same = Dialect::hasKey(key);
        return same.text == u"false" ? same : u'(' + same + u')';
    }
    [[nodiscard]] SqlFragment afterCursor(const QList<SortColumn> &order, const QString &prefix,
                                          const QStringList &after) const override
    {
        if (order.size() > 1)
            return Dialect::afterCursor(order, prefix, after);
        const SortColumn &only = order.constFirst();
        return prefix + quotedName(only.name) + (only.descending ? u" < "_s : u" > "_s)
            + placed(after.constFirst(), only.name);
    }
    [[nodiscard]] QString keyText() const override
    {
        if (m_shape.keyParts.isEmpty())
            return textOf(m_shape.keyColumn);
        QStringList parts; // the colon between them stands in none
        for (const QString &name : m_shape.keyColumns())
            parts += u"REPLACE(REPLACE("_s + textOf(name) + u", '%', '%25'), ':', '%3A')"_s;
        return u"CONCAT("_s + parts.join(u", ':', "_s) + u')';
    }
    [[nodiscard]] SqlFragment processedWithin(double seconds) const override
    {
        const CatalogColumn &since = column(m_shape.processedWhenColumn());
        const QString zone = m_shape.zoneOf(since.name);
        if (zone.isEmpty() && mariadb::isWithoutZone(since))
            return u"false"_s;
        const auto span = static_cast<qint64>(seconds * 1e6);
        if (since.typeClass == TypeClass::Time) { // the bare column, so that its index serves
            return aliased(since.name) + u" >= "_s
                + mariadb::firstLocal(span - 1, mariadb::isWithoutZone(since) ? zone : u"UTC"_s);
        }
        return u'(' + mariadb::microseconds(&since, zone) + u") > ("_s + mariadb::nowUs() + u" - "_s
            + SqlFragment::of(span) + u')';
    }

    [[nodiscard]] QString due() const { return states().due(u"t."_s); }
    [[nodiscard]] SqlFragment butQueues(const QStringList &queues) const
    {
        if (queues.isEmpty() || m_shape.queueColumn.isEmpty())
            return {};
        QList<SqlFragment> texts; // as bytes: for Redis "Q" and "q" are two queues
        for (const QString &queue : queues)
            texts += u"CAST("_s + SqlFragment::of(queue) + u" AS BINARY)"_s;
        return u" AND CAST(IFNULL("_s + textOf(m_shape.queueColumn) + u", '') AS BINARY) NOT IN ("_s
            + SqlFragment::joined(texts, u", "_s) + u')';
    }
    /// What a claim reads of a row.
    [[nodiscard]] QList<SqlFragment> claimCells(qint64 mostPayloadBytes) const
    {
        if (m_shape.payloadColumn.isEmpty())
            return cellsOfClaim(mariadbNull, mariadbNull);
        // Of the payload no function: what is larger than a packet it would make NULL.
        const QString payload = aliased(m_shape.payloadColumn);
        return cellsOfClaim(
            payload,
            mostPayloadBytes > 0
                ? u"CASE WHEN OCTET_LENGTH(%1) > %2 THEN OCTET_LENGTH(%1) END"_s.arg(
                    payload, QString::number(mostPayloadBytes))
                : mariadbNull);
    }
    /// Locks the first rows that nobody holds and reads `cells` of them.
    [[nodiscard]] SqlText claimed(const QList<SqlFragment> &cells, const ClaimScope &scope) const
    {
        const QList<SortColumn> order = claimOrder();
        SqlFragment chosen = wanted(scope);
        if (isPlace(scope.after))
            chosen += u" AND "_s + afterCursor(placeOrder(), u"t."_s, scope.after);
        chosen += u" ORDER BY "_s + orderBy(order, u"t."_s) + u" LIMIT "_s;
        if (keyComesFirst()) { // rows are read, and locked, one after another up to the last wanted
            return u"SELECT "_s + SqlFragment::joined(cells, u", "_s) + chosen
                + SqlFragment::of(scope.rows) + withoutWaiting;
        }
        // A sort would lock every row that is due. So candidates are chosen from a snapshot, and
        // those locked that nobody holds, until there are enough; what changed meanwhile is asked
        // again.
        QStringList keys{aliased(m_shape.keyColumn) + u" AS k0"_s};
        QList<SqlFragment> read;
        QStringList given;
        QStringList sorted;
        for (qsizetype i = 0; i < cells.size(); ++i) {
            read += cells.at(i) + u" AS a%1"_s.arg(i);
            given += u"x.a%1"_s.arg(i);
        }
        for (qsizetype i = 0; i < order.size(); ++i) {
            keys += aliased(order.at(i).name) + u" AS s%1"_s.arg(i);
            read += u"k.s%1"_s.arg(i);
            sorted += u"x.s%1"_s.arg(i) + (order.at(i).descending ? u" DESC"_s : QString());
        }
        return u"SELECT "_s + given.join(u", "_s) + u" FROM (SELECT "_s
            + SqlFragment::joined(read, u", "_s) + u" FROM (SELECT "_s + keys.join(u", "_s) + chosen
            + SqlFragment::of(scope.rows * candidatesForEach + candidatesMore)
            + u") AS k STRAIGHT_JOIN "_s + tableName() + u" AS t ON "_s + aliased(m_shape.keyColumn)
            + u" = k.k0 WHERE "_s + due() + u" LIMIT "_s + SqlFragment::of(scope.rows)
            + withoutWaiting + u") AS x ORDER BY "_s + sorted.join(u", "_s);
    }
    /// FROM and WHERE of the rows that are due and not parked.
    [[nodiscard]] SqlFragment wanted(const ClaimScope &scope) const
    {
        return u" FROM "_s + tableName() + u" AS t WHERE "_s + due() + butParked(scope.parked)
            + butQueues(scope.queues);
    }
    /// The rows of `chosen`, a WHERE with all that follows, that nobody holds; to be joined as f.
    [[nodiscard]] SqlFragment freeOnes(const SqlFragment &chosen) const
    {
        const QString key = aliased(m_shape.keyColumn);
        return SqlFragment::filled(
            u" LEFT JOIN (SELECT %1 AS k0 FROM (SELECT %1 AS k0 FROM %2 AS t%3) AS c STRAIGHT_JOIN"
            " %2 AS t ON %1 = c.k0 LOCK IN SHARE MODE SKIP LOCKED) AS f ON f.k0 = %1"_s,
            {key, tableName(), chosen});
    }
};

} // namespace

std::unique_ptr<Dialect> makeMariadbDialect(const OutboxShape &shape, const CatalogTable &table)
{
    return std::make_unique<MariadbDialect>(shape, table);
}

} // namespace outbox
