// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Entries of documents, each with what is safe next for it, in words.
#pragma once

#include "models/designs/designview.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

class EntryModel : public KeyedTableModel<SeenEntry, QString>
{
    Q_OBJECT

public:
    enum Columns { State, Document, Incoming, Types, Age, Size, Next, ColumnCount };

    explicit EntryModel(QObject *parent = nullptr);

    /// The states a row may be shown in, for a column that is never narrower than their words.
    [[nodiscard]] static QVariantList states();
};

} // namespace outbox
