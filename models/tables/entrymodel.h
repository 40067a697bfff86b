// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Entries of documents, each with what is safe next for it, in words; and tokens of messages with
// what still refers to each.
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

/// Tokens of messages and what still refers to each.
class TokenModel : public KeyedTableModel<JudgedToken, QString>
{
    Q_OBJECT

public:
    enum Columns { Reach, Id, Age, Attempt, Incoming, Words, ColumnCount };

    explicit TokenModel(QObject *parent = nullptr);

    /// What one look has found: what nothing refers to comes first, then the oldest.
    [[nodiscard]] static QList<JudgedToken> rowsOf(const DesignView &view);
};

/// "12 held by entries, 3 garbage": what the tokens come to.
[[nodiscard]] QString tokenCountsText(const TokenReport &report);

} // namespace outbox
