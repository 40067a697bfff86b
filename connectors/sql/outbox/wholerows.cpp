// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/wholerows.h"

#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/sqlnames.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostBoundValues = 30'000; ///< SQLite takes 32,766, PostgreSQL 65,535
constexpr qsizetype mostWholeRows = 100;
constexpr qint64 mostBytes = qint64(16) * 1024 * 1024; ///< but for a single row

Cell cellFrom(const QByteArray &kind, const QByteArray &value)
{
    if (kind.isEmpty())
        return {};
    const QByteArray bytes = value.isNull() ? QByteArray("") : value;
    if (kind == "blob")
        return {Cell::Kind::Bytes, bytes};
    if (kind == "integer")
        return {Cell::Kind::Integer, bytes};
    if (kind == "real")
        return {Cell::Kind::Real, bytes};
    return {Cell::Kind::Text, bytes};
}

bool isReadable(const Cell &cell)
{
    bool ok = true;
    if (cell.kind == Cell::Kind::Integer)
        cell.bytes.toLongLong(&ok);
    else if (cell.kind == Cell::Kind::Real)
        cell.bytes.toDouble(&ok);
    return ok;
}

} // namespace

QList<WholeRow> wholeRowsFrom(const SqlRows &rows, const QStringList &columns)
{
    using namespace WholeColumn;
    QList<std::pair<qint64, qsizetype>> places;
    for (qsizetype row = 0; row < rows.size(); ++row)
        places += {rows.integer(row, Place).value_or(0), row};
    std::sort(places.begin(), places.end());
    QList<WholeRow> whole;
    whole.reserve(rows.size());
    for (const auto &[place, row] : std::as_const(places)) {
        WholeRow one;
        one.id.text = rows.text(row, Key);
        one.version = rows.text(row, Version);
        one.columns = columns;
        one.cells.reserve(columns.size());
        for (qsizetype i = 0; i < columns.size(); ++i) {
            one.cells += cellFrom(rows.bytes(row, FirstOfCells + 2 * i),
                                  rows.bytes(row, FirstOfCells + 2 * i + 1));
        }
        whole += one;
    }
    return whole;
}

Result<void> checkWholeRow(const WholeRow &row, const CatalogTable &table, const QString &keyColumn,
                           DatabaseUrl::Dialect dialect, const QString &doing)
{
    const SqlFlavor &flavor = flavorOf(dialect);
    const auto refuse = [&](const QString &text, const QString &hint = {}) {
        return fail(Error::Kind::Invalid, doing, u"row %1: "_s.arg(row.id.text) + text, {}, hint);
    };
    if (row.cells.size() != row.columns.size() || !row.columns.contains(keyColumn))
        return refuse(u"it has no key, or not one value for each column"_s);
    for (qsizetype i = 0; i < row.columns.size(); ++i) {
        const QString &name = row.columns.at(i);
        const CatalogColumn *column = table.column(name);
        if (!column) {
            QStringList names;
            for (const CatalogColumn &one : table.columns)
                names += one.name;
            const QString nearest = nearestName(name, names);
            return refuse(u"the table has no column \"%1\""_s.arg(name),
                          nearest.isEmpty() ? QString() : u"Did you mean \"%1\"?"_s.arg(nearest));
        }
        if (column->generated)
            return refuse(u"the column \"%1\" is computed by the database"_s.arg(name));
        if (row.columns.indexOf(name, i + 1) >= 0)
            return refuse(u"the column \"%1\" stands twice"_s.arg(name));
        const Cell &cell = row.cells.at(i);
        if (!isReadable(cell))
            return refuse(u"the number in \"%1\" cannot be read"_s.arg(name));
        if (name == keyColumn && !flavor.isKeyOf(row.id.text, cell, *column))
            return refuse(u"the key in its cells is another one"_s);
        if (!flavor.takes(cell, *column))
            return refuse(u"\"%1\" takes no bytes"_s.arg(name));
    }
    return {};
}

qint64 bytesOf(const WholeRow &row)
{
    qint64 sum = 0;
    for (const Cell &cell : row.cells)
        sum += cell.bytes.size();
    return sum;
}

qsizetype rowsOfOneInsert(const QList<WholeRow> &rows, qsizetype first)
{
    const QStringList &columns = rows.at(first).columns;
    const qsizetype most
        = qBound<qsizetype>(1, mostBoundValues / qMax<qsizetype>(1, columns.size()), mostWholeRows);
    qsizetype count = 1;
    qint64 bytes = bytesOf(rows.at(first));
    while (count < most && first + count < rows.size()) {
        const WholeRow &next = rows.at(first + count);
        bytes += bytesOf(next);
        if (bytes > mostBytes || next.columns != columns)
            break;
        ++count;
    }
    return count;
}

} // namespace outbox
