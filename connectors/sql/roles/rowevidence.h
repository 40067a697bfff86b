// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What columns tell of rows beside the part they play: who delivered a row, which plain word stands
// in it, how often it was tried. Pure.
#pragma once

#include "connectors/sql/roles/tablefacts.h"

#include <QSet>

namespace outbox {

/// Rows that a status calls open or failed, where all its values are plain words.
[[nodiscard]] RowMask openByWords(const TableFacts &facts);
/// Rows that name who delivered them: some of the old ones, just those of one value of a mark.
/// Empty: no column tells that.
[[nodiscard]] RowMask doneBySomebody(const TableFacts &facts);

/// The same rows, but for a few that changed while they were read.
[[nodiscard]] bool isSame(const RowMask &one, const RowMask &other);

/// A number that counts up from 0 where delivered rows (`sent`) hold several values, as no status
/// does: attempts. Columns in `taken` play another part; null: there is none.
[[nodiscard]] const ColumnFacts *counterBeside(const TableFacts &facts, const RowMask &sent,
                                               const QSet<int> &taken);

/// Rows whose column `counter` is above 0, without those of `except`.
[[nodiscard]] RowMask countedIn(const TableFacts &facts, const ColumnFacts &counter,
                                const RowMask &except);

/// The rows of one value of `column` are just those of `mask`, and there are at least `least`.
[[nodiscard]] bool isValueOf(const TableFacts &facts, const ColumnFacts &column,
                             const RowMask &mask, int least);

/// A numbered mark that several values of a counter share is one mark.
[[nodiscard]] QList<RowMask> marksIn(const TableFacts &facts, const ColumnFacts &column,
                                     const RowMask &set);

[[nodiscard]] bool isDocument(const QString &text);
/// Another column that every row must fill with a document stands before it.
[[nodiscard]] bool hasDocumentBefore(const TableFacts &facts, const ColumnFacts &one);

} // namespace outbox
