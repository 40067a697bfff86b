// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/wholerows.h"

#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbtexts.h"

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

QString withoutTrailingBlanks(QString text)
{
    while (text.endsWith(u' '))
        text.chop(1);
    return text;
}

/// Bytes as PostgreSQL casts them to text where bytea_output is "escape".
QString escaped(const QByteArray &bytes)
{
    QString text;
    for (const char one : bytes) {
        const auto byte = static_cast<unsigned char>(one);
        if (one == '\\')
            text += u"\\\\"_s;
        else if (byte < 0x20 || byte > 0x7e)
            text += u"\\%1"_s.arg(byte, 3, 8, QChar(u'0'));
        else
            text += QLatin1Char(one);
    }
    return text;
}

/// Whether this is what the database calls `id` when it is asked for the key as text.
bool isKeyOf(const QString &id, const Cell &cell, const CatalogColumn &column,
             DatabaseUrl::Dialect dialect)
{
    const bool postgres = dialect == DatabaseUrl::Dialect::PostgreSql;
    const bool isMariaDb = dialect == DatabaseUrl::Dialect::MariaDb;
    switch (cell.kind) {
    case Cell::Kind::Null:
        return false;
    case Cell::Kind::Real: // its digits depend on who writes them
        return cell.bytes.toDouble() == id.toDouble();
    case Cell::Kind::Bytes:
        if (postgres)
            return id.toLatin1() == "\\x" + cell.bytes.toHex() || id == escaped(cell.bytes);
        if (isMariaDb)
            return mariadb::valueOf(id, column).toByteArray() == cell.bytes;
        break;
    case Cell::Kind::Text:
        if (postgres && column.type.startsWith("character("_L1)) // a cast to text cuts its blanks
            return id == withoutTrailingBlanks(QString::fromUtf8(cell.bytes));
        break;
    case Cell::Kind::Integer:
        break;
    }
    return id == QString::fromUtf8(cell.bytes);
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
        if (name == keyColumn && !isKeyOf(row.id.text, cell, *column, dialect))
            return refuse(u"the key in its cells is another one"_s);
        if (dialect == DatabaseUrl::Dialect::PostgreSql && column->typeClass != TypeClass::Bytes
            && (cell.kind == Cell::Kind::Bytes || cell.bytes.contains('\0')))
            return refuse(u"\"%1\" takes no bytes"_s.arg(name));
        if (dialect == DatabaseUrl::Dialect::MariaDb && !mariadb::holdsBytes(*column)
            && (cell.kind == Cell::Kind::Bytes
                || QString::fromUtf8(cell.bytes).toUtf8() != cell.bytes))
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
