// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What MariadbDialect says to a relay: claims, one row alone, and a failed try noted in it.
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbdialect.h"
#include "connectors/sql/mariadb/mariadbtexts.h"

#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

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

} // namespace

QString MariadbDialect::textOfColumn(const QString &name) const
{
    return mariadb::textOf(m_table, name);
}

QString MariadbDialect::due() const
{
    return states().due(u"t."_s);
}

SqlFragment MariadbDialect::butParked(const QStringList &parked) const
{
    return parked.isEmpty() ? SqlFragment()
                            : u" AND NOT "_s + mariadb::among(column(m_shape.keyColumn), parked);
}

SqlFragment MariadbDialect::butQueues(const QStringList &queues) const
{
    if (queues.isEmpty() || m_shape.queueColumn.isEmpty())
        return {};
    QList<SqlFragment> texts; // as bytes: for Redis "Q" and "q" are two queues
    for (const QString &queue : queues)
        texts += u"CAST("_s + SqlFragment::of(queue) + u" AS BINARY)"_s;
    return u" AND CAST(IFNULL("_s + textOfColumn(m_shape.queueColumn)
        + u", '') AS BINARY) NOT IN ("_s + SqlFragment::joined(texts, u", "_s) + u')';
}

SqlFragment MariadbDialect::wanted(const ClaimScope &scope) const
{
    return u" FROM "_s + tableName() + u" AS t WHERE "_s + due() + butParked(scope.parked)
        + butQueues(scope.queues);
}

std::optional<SqlText> MariadbDialect::anyDue() const
{
    // Reads a snapshot: no lock, nor the time to take and give back many.
    return u"SELECT ''"_s + wanted({}) + u" LIMIT 1"_s;
}

SqlText MariadbDialect::anyLeft(const QStringList &parked) const
{
    return u"SELECT '' FROM "_s + tableName() + u" AS t WHERE "_s + states().left(u"t."_s)
        + butParked(parked) + u" LIMIT 1"_s;
}

QStringList MariadbDialect::claimCells(qint64 mostPayloadBytes) const
{
    // Of the payload no function: what is larger than a packet it would make NULL.
    const QString payload
        = m_shape.payloadColumn.isEmpty() ? u"NULL"_s : mariadb::aliased(m_shape.payloadColumn);
    QStringList cells{textOfColumn(m_shape.keyColumn),
                      textOfColumn(m_shape.typeColumn),
                      payload,
                      textOfColumn(m_shape.queueColumn),
                      textOfColumn(m_shape.referenceTableColumn),
                      textOfColumn(m_shape.referenceIdColumn),
                      u"NULL"_s,
                      writtenUs(bornColumn()),
                      timeUs(comparedBirth(), Reading::Later)};
    if (mostPayloadBytes > 0 && !m_shape.payloadColumn.isEmpty()) {
        cells[ClaimColumn::BytesTooMany]
            = u"CASE WHEN OCTET_LENGTH(%1) > %2 THEN OCTET_LENGTH(%1) END"_s.arg(
                payload, QString::number(mostPayloadBytes));
    }
    for (const QString &name : placeColumns())
        cells += mariadb::exactTextOf(column(name));
    return cells;
}

SqlText MariadbDialect::claimed(const QStringList &cells, const ClaimScope &scope) const
{
    const QList<SortColumn> order = claimOrder();
    SqlFragment chosen = wanted(scope);
    if (isPlace(scope.after))
        chosen += u" AND "_s + afterCursor(placeOrder(), scope.after);
    chosen += u" ORDER BY "_s + orderBy(order, u"t."_s) + u" LIMIT "_s;
    if (keyComesFirst()) { // rows are read, and locked, one after another up to the last wanted
        return u"SELECT "_s + cells.join(u", "_s) + chosen + SqlFragment::of(scope.rows)
            + withoutWaiting;
    }
    // A sort would lock every row that is due. So candidates are chosen from a snapshot, and those
    // locked that nobody holds, until there are enough; what changed meanwhile is asked again.
    QStringList keys{mariadb::aliased(m_shape.keyColumn) + u" AS k0"_s};
    QStringList read;
    QStringList given;
    QStringList sorted;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        read += cells.at(i) + u" AS a%1"_s.arg(i);
        given += u"x.a%1"_s.arg(i);
    }
    for (qsizetype i = 0; i < order.size(); ++i) {
        keys += mariadb::aliased(order.at(i).name) + u" AS s%1"_s.arg(i);
        read += u"k.s%1"_s.arg(i);
        sorted += u"x.s%1"_s.arg(i) + (order.at(i).descending ? u" DESC"_s : QString());
    }
    return u"SELECT "_s + given.join(u", "_s) + u" FROM (SELECT "_s + read.join(u", "_s)
        + u" FROM (SELECT "_s + keys.join(u", "_s) + chosen
        + SqlFragment::of(scope.rows * candidatesForEach + candidatesMore)
        + u") AS k STRAIGHT_JOIN "_s + tableName() + u" AS t ON "_s
        + mariadb::aliased(m_shape.keyColumn) + u" = k.k0 WHERE "_s + due() + u" LIMIT "_s
        + SqlFragment::of(scope.rows) + withoutWaiting + u") AS x ORDER BY "_s
        + sorted.join(u", "_s);
}

SqlText MariadbDialect::claim(const ClaimScope &scope) const
{
    return claimed(claimCells(scope.mostPayloadBytes), scope);
}

SqlText MariadbDialect::hold(const ClaimScope &scope) const
{
    return claim(scope); // which holds the rows, and takes none
}

SqlText MariadbDialect::consumeLocked(const QStringList &keys) const
{
    return *consumeRead(keys);
}

std::optional<SqlText> MariadbDialect::consumeRead(const QStringList &keys) const
{
    if (m_shape.processedHow == OutboxShape::ProcessedHow::Deleted)
        return mariadb::deleteRows(m_table, m_shape.keyColumn, keys);
    return mariadb::byKey() + u"UPDATE "_s + tableName() + u" AS t SET "_s
        + states().markProcessed() + u" WHERE "_s + due() + u" AND "_s
        + mariadb::among(column(m_shape.keyColumn), keys);
}

SqlText MariadbDialect::firstDue(const ClaimScope &scope) const
{
    return claimed({textOfColumn(m_shape.keyColumn)}, {1, scope.parked, {}, 0, scope.queues});
}

SqlText MariadbDialect::claimOnly(const QString &key, qint64 mostPayloadBytes) const
{
    return u"SELECT "_s + claimCells(mostPayloadBytes).join(u", "_s) + wanted({}) + u" AND "_s
        + mariadb::equals(column(m_shape.keyColumn), key) + withoutWaiting;
}

std::optional<SqlText> MariadbDialect::noteFailure(const QString &key, const QString &reason) const
{
    QList<SqlFragment> sets;
    const CatalogColumn *attempts = m_table.column(m_shape.attemptsColumn);
    if (attempts && attempts->typeClass == TypeClass::Integer) {
        const QString name = mariadb::aliased(attempts->name);
        sets += name + u" = IFNULL("_s + name + u", 0) + 1"_s;
    }
    const CatalogColumn *error = m_table.column(m_shape.errorColumn);
    if (error && error->typeClass == TypeClass::Text) {
        sets += mariadb::aliased(error->name) + u" = "_s
            + SqlFragment::of(storable(reason).left(roomOf(*error)));
    }
    if (sets.isEmpty())
        return std::nullopt;
    // A row that is held is not waited for: the session then says 1205 at once.
    return u"SET STATEMENT innodb_lock_wait_timeout = 0 FOR UPDATE "_s + tableName()
        + u" AS t SET "_s + SqlFragment::joined(sets, u", "_s) + u" WHERE "_s + due() + u" AND "_s
        + mariadb::equals(column(m_shape.keyColumn), key);
}

} // namespace outbox
