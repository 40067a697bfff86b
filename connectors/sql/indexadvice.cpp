// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/indexadvice.h"

#include "connectors/sql/sqlnames.h"
#include "connectors/sql/sqlsession.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 advisedAgainAfterMs = 60'000;

struct TableIndex
{
    QString firstColumn;
    QString where; ///< of a partial one
};

const QString postgresIndexes
    = uR"(SELECT a.attname, pg_get_expr(i.indpred, i.indrelid) FROM pg_index i
LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] AND a.attnum > 0
WHERE i.indrelid = $1::regclass AND i.indisvalid)"_s;

const QString mariadbIndexes = u"SELECT s.COLUMN_NAME, NULL FROM information_schema.STATISTICS s"
                               " WHERE s.TABLE_SCHEMA = DATABASE() AND s.TABLE_NAME = ?"
                               " AND s.SEQ_IN_INDEX = 1"_s;

/// The text of an index is kept as it was written; its condition stands behind the last bracket.
const QString sqliteIndexes
    = u"SELECT (SELECT x.name FROM pragma_index_info(l.name) x WHERE x.seqno = 0),"
      " CASE WHEN l.partial THEN (SELECT m.sql FROM sqlite_schema m WHERE m.type = 'index'"
      " AND m.name = l.name) END FROM pragma_index_list(?) l"_s;

Result<QList<TableIndex>> indexesOf(SqlSession &session, const CatalogTable &table,
                                    DatabaseUrl::Dialect kind)
{
    SqlText sql{postgresIndexes, {quotedName(table.name)}};
    if (kind != DatabaseUrl::Dialect::PostgreSql) {
        sql = {kind == DatabaseUrl::Dialect::MariaDb ? mariadbIndexes : sqliteIndexes,
               {table.name.table}};
    }
    const auto rows = session.query(sql, u"reading the indexes of "_s + table.name.text());
    if (!rows)
        return passOn(rows);
    QList<TableIndex> found;
    for (qsizetype row = 0; row < rows->size(); ++row)
        found += TableIndex{rows->text(row, 0), rows->text(row, 1)};
    if (!table.primaryKey.isEmpty()) // SQLite's own number of a row is no index of its list
        found += TableIndex{table.primaryKey.constFirst(), {}};
    return found;
}

bool leads(const QList<TableIndex> &indexes, const QString &column)
{
    return std::any_of(indexes.cbegin(), indexes.cend(), [&column](const TableIndex &index) {
        return index.where.isEmpty() && index.firstColumn == column;
    });
}

QString statement(const Dialect &dialect, DatabaseUrl::Dialect kind, const QString &suffix,
                  const QStringList &columns, const QString &where)
{
    const TableName &table = dialect.table().name;
    QStringList names;
    for (const QString &column : columns)
        names += quotedName(column, kind);
    const QString listed = u" ("_s + names.join(u", "_s) + u')' + where;
    if (kind == DatabaseUrl::Dialect::PostgreSql) // which finds a name by itself
        return u"CREATE INDEX CONCURRENTLY ON "_s + quotedName(table) + listed;
    return u"CREATE INDEX "_s + quotedName(table.table + suffix, kind) + u" ON "_s
        + quotedName(table.table, kind) + listed;
}

} // namespace

bool hasIndex(SqlSession &session, const CatalogTable &table, DatabaseUrl::Dialect kind,
              const QString &column)
{
    const auto indexes = indexesOf(session, table, kind);
    return indexes && leads(*indexes, column);
}

QList<IndexAdvice> IndexAdviser::missing(SqlSession &session, const Dialect &dialect,
                                         DatabaseUrl::Dialect kind)
{
    if (m_since.isValid() && m_since.elapsed() < advisedAgainAfterMs)
        return m_last;
    m_since.start();
    const auto indexes = indexesOf(session, dialect.table(), kind);
    if (!indexes)
        return m_last;
    m_last.clear();

    QStringList order;
    for (const SortColumn &one : dialect.pageOrder(false))
        order += one.name;
    if (!order.isEmpty() && !leads(*indexes, order.constFirst())) {
        m_last += IndexAdvice{IndexAdvice::Look::Pages,
                              statement(dialect, kind, u"_listed"_s, order, {})};
    }

    const OutboxShape &shape = dialect.shape();
    using How = OutboxShape::ProcessedHow;
    if (shape.processedHow != How::Time && shape.processedHow != How::Flag
        && shape.processedHow != How::Status)
        return m_last;
    const QString &mark = shape.processedColumn;
    const bool isServed = leads(*indexes, mark)
        || std::any_of(indexes->cbegin(), indexes->cend(), [&mark](const TableIndex &index) {
                              return index.where.contains(mark, Qt::CaseInsensitive);
                          });
    if (isServed)
        return m_last;
    if (kind == DatabaseUrl::Dialect::MariaDb) // which has no partial indexes
        order.prepend(mark);
    const QString where = kind == DatabaseUrl::Dialect::MariaDb
        ? QString()
        : QString(u" WHERE "_s + dialect.openCondition());
    m_last += IndexAdvice{IndexAdvice::Look::Counts,
                          statement(dialect, kind, u"_open"_s, order, where)};
    return m_last;
}

void IndexAdviser::forget()
{
    m_since.invalidate();
    m_last.clear();
}

} // namespace outbox
