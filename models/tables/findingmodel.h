// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a look found: by kind with its count, and the single cases of one kind.
#pragma once

#include "models/operations/scanreport.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

/// All findings of one kind.
struct FindingGroup
{
    FindingKind kind = FindingKind::StubHash;
    qsizetype count = 0;
    qsizetype repairable = 0;
    std::optional<QDateTime> since; ///< of the oldest, as far as it is known

    bool operator==(const FindingGroup &) const = default;
};

/// By kind, in the order of their numbers.
[[nodiscard]] QList<FindingGroup> groupsOf(const ScanReport &report);
/// "501 can be repaired", "none needed", "fix with another verb or a setting", "needs your
/// decision".
[[nodiscard]] QString repairWords(const FindingGroup &group);
/// "10,000 rows, 9,800 tasks and 20,100 keys in 12.4 s at 14:01:20; stopped before its end."
[[nodiscard]] QString lookWords(const ScanReport &report, const QDateTime &now);

class FindingGroupModel : public KeyedTableModel<FindingGroup, int>
{
    Q_OBJECT

public:
    enum Columns { Kind, Where, Count, Since, Repair, ColumnCount };

    explicit FindingGroupModel(QObject *parent = nullptr);
};

class FindingModel : public KeyedTableModel<Finding, QString>
{
    Q_OBJECT

public:
    enum Columns { Outcome, Id, Queue, Evidence, Reason, ColumnCount };

    explicit FindingModel(QObject *parent = nullptr);
};

} // namespace outbox
