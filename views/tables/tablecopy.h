// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The selected rows of a table as text for the clipboard.
#pragma once

#include <QList>
#include <QString>

#include <functional>

class QTableView;

namespace outbox {

/// A form in which a page can copy rows of its table.
struct CopyForm
{
    QString title; ///< in a menu: "&CSV"
    std::function<QString(const QList<int> &rows)> text; ///< empty: these rows have no such form
    QString whyNot; ///< why `text` is empty
};

/// The selected rows, from top to bottom.
[[nodiscard]] QList<int> selectedRows(const QTableView &table);
/// How many rows are selected.
[[nodiscard]] int selectedCount(const QTableView &table);
/// Tab-separated with a head line, visible columns in their visible order; empty without a
/// selection.
[[nodiscard]] QString selectionAsTsv(const QTableView &table);
/// The same columns, with what stands behind the cells (RawRole) where the model tells it: a line
/// of CSV for each row under a head line, or an object of JSON for each row, by the titles of the
/// columns.
[[nodiscard]] QString rowsAsCsv(const QTableView &table, const QList<int> &rows);
[[nodiscard]] QString rowsAsJsonLines(const QTableView &table, const QList<int> &rows);
/// One column of the selected rows, a line each.
[[nodiscard]] QString selectedColumn(const QTableView &table, int column);

} // namespace outbox
