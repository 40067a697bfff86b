// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/tablecopy.h"

#include "models/payload/celltext.h"
#include "models/tables/keyedtablemodel.h"

#include <QByteArrayList>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTableView>

#include <algorithm>

namespace outbox {

namespace {

QList<int> shownColumns(const QTableView &table)
{
    QList<int> columns;
    for (int place = 0; place < table.horizontalHeader()->count(); ++place) {
        const int column = table.horizontalHeader()->logicalIndex(place);
        if (!table.isColumnHidden(column))
            columns.append(column);
    }
    return columns;
}

/// What other programs read of a cell: what it shows, where its model says nothing else.
QString rawText(const QModelIndex &cell)
{
    const QVariant raw = cell.data(RawRole);
    return raw.isValid() ? raw.toString() : cell.data().toString();
}

} // namespace

QList<int> selectedRows(const QTableView &table)
{
    QList<int> numbers;
    if (table.selectionModel() == nullptr)
        return numbers;
    const QModelIndexList rows = table.selectionModel()->selectedRows();
    for (const QModelIndex &one : rows)
        numbers.append(one.row());
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

int selectedCount(const QTableView &table)
{
    return static_cast<int>(selectedRows(table).size());
}

QString selectionAsTsv(const QTableView &table)
{
    const QList<int> rows = selectedRows(table);
    if (rows.isEmpty())
        return {};
    // Cells hold no tab and no line break: the models show both as escapes.
    const QList<int> columns = shownColumns(table);
    QStringList lines;
    QStringList cells;
    for (const int column : columns)
        cells.append(table.model()->headerData(column, Qt::Horizontal).toString());
    lines.append(cells.join(u'\t'));
    for (const int row : rows) {
        cells.clear();
        for (const int column : columns)
            cells.append(table.model()->index(row, column).data().toString());
        lines.append(cells.join(u'\t'));
    }
    return lines.join(u'\n') + u'\n';
}

QString rowsAsCsv(const QTableView &table, const QList<int> &rows)
{
    const QList<int> columns = shownColumns(table);
    QByteArrayList cells;
    for (const int column : columns)
        cells += csvCell(table.model()->headerData(column, Qt::Horizontal).toString());
    QByteArray text = cells.join(',') + '\n';
    for (const int row : rows) {
        cells.clear();
        for (const int column : columns)
            cells += csvCell(rawText(table.model()->index(row, column)));
        text += cells.join(',') + '\n';
    }
    return QString::fromUtf8(text);
}

QString rowsAsJsonLines(const QTableView &table, const QList<int> &rows)
{
    const QList<int> columns = shownColumns(table);
    QByteArray text;
    for (const int row : rows) {
        QJsonObject object;
        for (const int column : columns)
            object.insert(table.model()->headerData(column, Qt::Horizontal).toString(),
                          rawText(table.model()->index(row, column)));
        text += QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
    }
    return QString::fromUtf8(text);
}

QString selectedColumn(const QTableView &table, int column)
{
    QStringList lines;
    const QList<int> rows = selectedRows(table);
    for (const int row : rows)
        lines.append(table.model()->index(row, column).data().toString());
    return lines.join(u'\n');
}

} // namespace outbox
