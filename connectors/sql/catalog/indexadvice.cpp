// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/catalog/indexadvice.h"

#include "connectors/sql/catalog/sqlcatalog.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/session/sqlsession.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 readAgainAfterMs = 60'000;

QString statement(const Dialect &dialect, DatabaseUrl::Dialect kind, const QString &suffix,
                  const QStringList &columns, const QString &where)
{
    QStringList names;
    for (const QString &column : columns)
        names += quotedName(column, kind);
    return catalogOf(kind).createIndex(dialect.table().name, suffix,
                                       u" ("_s + names.join(u", "_s) + u')' + where);
}

/// Whether one is for the rows that a condition on this column chooses.
bool isChosenBy(const QList<TableIndex> &indexes, const QString &column)
{
    return std::any_of(indexes.cbegin(), indexes.cend(), [&column](const TableIndex &index) {
        return index.where.contains(column, Qt::CaseInsensitive);
    });
}

} // namespace

Result<QList<TableIndex>> readTableIndexes(SqlSession &session, const CatalogTable &table,
                                           DatabaseUrl::Dialect kind)
{
    const auto rows = TRY(session.query(catalogOf(kind).indexesOf(table),
                                        u"reading the indexes of "_s + table.name.text()));
    QList<TableIndex> found;
    for (qsizetype row = 0; row < rows.size(); ++row)
        found += TableIndex{rows.text(row, 0), rows.text(row, 1)};
    if (!table.primaryKey.isEmpty()) // SQLite's own number of a row is no index of its list
        found += TableIndex{table.primaryKey.constFirst(), {}};
    return found;
}

bool beginsWith(const QList<TableIndex> &indexes, const QString &column)
{
    return std::any_of(indexes.cbegin(), indexes.cend(), [&column](const TableIndex &index) {
        return index.where.isEmpty() && index.firstColumn == column;
    });
}

const std::optional<QList<TableIndex>> &
IndexAdviser::known(SqlSession &session, const CatalogTable &table, DatabaseUrl::Dialect kind)
{
    if (m_since.isValid() && m_since.elapsed() < readAgainAfterMs)
        return m_last;
    m_since.start();
    if (const auto indexes = readTableIndexes(session, table, kind))
        m_last = *indexes;
    return m_last;
}

bool IndexAdviser::hasIndex(SqlSession &session, const Dialect &dialect, DatabaseUrl::Dialect kind,
                            const QString &column)
{
    const auto &indexes = known(session, dialect.table(), kind);
    return indexes && beginsWith(*indexes, column);
}

QList<IndexAdvice> IndexAdviser::missing(SqlSession &session, const Dialect &dialect,
                                         DatabaseUrl::Dialect kind)
{
    const auto &indexes = known(session, dialect.table(), kind);
    if (!indexes)
        return {};
    QList<IndexAdvice> missing;
    QStringList order;
    for (const SortColumn &one : dialect.pageOrder(false))
        order += one.name;
    if (!order.isEmpty() && !beginsWith(*indexes, order.constFirst())) {
        missing += IndexAdvice{true, statement(dialect, kind, u"_listed"_s, order, {})};
    }

    const OutboxShape &shape = dialect.shape();
    using How = OutboxShape::ProcessedHow;
    if (shape.processedHow != How::Time && shape.processedHow != How::Flag
        && shape.processedHow != How::Status)
        return missing;
    const QString &mark = shape.processedColumn;
    if (beginsWith(*indexes, mark) || isChosenBy(*indexes, mark))
        return missing;
    const bool isPartial = databaseOf(kind).hasPartialIndexes;
    if (!isPartial)
        order.prepend(mark);
    const QString where = isPartial ? QString(u" WHERE "_s + dialect.openCondition()) : QString();
    missing += IndexAdvice{false, statement(dialect, kind, u"_open"_s, order, where)};
    return missing;
}

} // namespace outbox
