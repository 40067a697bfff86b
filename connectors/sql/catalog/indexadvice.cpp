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

} // namespace

Result<TableIndexes> TableIndexes::read(SqlSession &session, const CatalogTable &table,
                                        DatabaseUrl::Dialect kind)
{
    const auto rows = TRY(session.query(catalogOf(kind).indexesOf(table),
                                        u"reading the indexes of "_s + table.name.text()));
    TableIndexes found;
    for (qsizetype row = 0; row < rows.size(); ++row)
        found.m_indexes += Index{rows.text(row, 0), rows.text(row, 1)};
    if (!table.primaryKey.isEmpty()) // SQLite's own number of a row is no index of its list
        found.m_indexes += Index{table.primaryKey.constFirst(), {}};
    return found;
}

bool TableIndexes::beginWith(const QString &column) const
{
    return std::any_of(m_indexes.cbegin(), m_indexes.cend(), [&column](const Index &index) {
        return index.where.isEmpty() && index.firstColumn == column;
    });
}

bool TableIndexes::areChosenBy(const QString &column) const
{
    return std::any_of(m_indexes.cbegin(), m_indexes.cend(), [&column](const Index &index) {
        return index.where.contains(column, Qt::CaseInsensitive);
    });
}

const std::optional<TableIndexes> &
IndexAdviser::known(SqlSession &session, const CatalogTable &table, DatabaseUrl::Dialect kind)
{
    if (m_since.isValid() && m_since.elapsed() < readAgainAfterMs)
        return m_last;
    m_since.start();
    if (const auto indexes = TableIndexes::read(session, table, kind))
        m_last = *indexes;
    return m_last;
}

bool IndexAdviser::hasIndex(SqlSession &session, const Dialect &dialect, DatabaseUrl::Dialect kind,
                            const QString &column)
{
    const auto &indexes = known(session, dialect.table(), kind);
    return indexes && indexes->beginWith(column);
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
    if (!order.isEmpty() && !indexes->beginWith(order.constFirst())) {
        missing += IndexAdvice{IndexAdvice::Statement::Pages,
                               statement(dialect, kind, u"_listed"_s, order, {})};
    }

    const OutboxShape &shape = dialect.shape();
    using How = OutboxShape::ProcessedHow;
    if (shape.processedHow != How::Time && shape.processedHow != How::Flag
        && shape.processedHow != How::Status)
        return missing;
    const QString &mark = shape.processedColumn;
    if (indexes->beginWith(mark) || indexes->areChosenBy(mark))
        return missing;
    const bool isPartial = databaseOf(kind).hasPartialIndexes;
    if (!isPartial)
        order.prepend(mark);
    const QString where = isPartial ? QString(u" WHERE "_s + dialect.openCondition()) : QString();
    missing += IndexAdvice{IndexAdvice::Statement::Counts,
                           statement(dialect, kind, u"_open"_s, order, where)};
    return missing;
}

} // namespace outbox
