// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The groups of what failed, as a table.
#pragma once

#include "models/groups/failuregroups.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

class GroupModel : public KeyedTableModel<FailureGroup, QString>
{
    Q_OBJECT

public:
    enum Columns { Type, Cause, Queue, Hour, Count, Share, Trend, First, Last, Note, ColumnCount };

    explicit GroupModel(QObject *parent = nullptr);

    /// Those that say something in groups made so; Note where there are any is one more.
    [[nodiscard]] static QList<Columns> shownColumns(GroupBy by, FailureSource source);
};

/// "rising", "falling", "steady": how the newer half compares with the older; empty without times.
[[nodiscard]] QString trendWords(const FailureGroup &group);
/// "email:send: timeout after * ms": what a group is called in one line.
[[nodiscard]] QString titleOf(const FailureGroup &group);

} // namespace outbox
