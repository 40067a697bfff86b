// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The selected rows of a table as text for the clipboard.
#pragma once

#include <QList>
#include <QString>

class QTableView;

namespace outbox {

/// The selected rows, from top to bottom.
[[nodiscard]] QList<int> selectedRows(const QTableView &table);
/// How many rows are selected.
[[nodiscard]] int selectedCount(const QTableView &table);
/// Tab-separated with a head line, visible columns in their visible order; empty without a
/// selection.
[[nodiscard]] QString selectionAsTsv(const QTableView &table);
/// One column of the selected rows, a line each.
[[nodiscard]] QString selectedColumn(const QTableView &table, int column);

} // namespace outbox
