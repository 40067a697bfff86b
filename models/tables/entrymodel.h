// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Entries of documents, each with what is safe next for it, in words.
#pragma once

#include "models/designs/designview.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

/// An entry as one look saw it.
struct EntryRow
{
    SeenEntry seen;
    std::optional<qint64> ageSeconds; ///< nullopt: the shape has no time

    [[nodiscard]] QString key() const { return seen.document + u'\n' + seen.entry.incoming; }
    bool operator==(const EntryRow &) const = default;
};

class EntryModel : public KeyedTableModel<EntryRow, QString>
{
    Q_OBJECT

public:
    enum Columns { State, Document, Incoming, Types, Age, Size, Next, ColumnCount };

    explicit EntryModel(QObject *parent = nullptr);

    /// What one look has found; ages are those of its moment.
    [[nodiscard]] static QList<EntryRow> rowsOf(const DesignView &view);
    /// The states a row may be shown in, for a column that is never narrower than their words.
    [[nodiscard]] static QVariantList states();
};

} // namespace outbox

Q_DECLARE_METATYPE(outbox::EntryRow)
