// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a look found: by kind in words with its count, and the single cases of one kind.
#pragma once

#include "models/operations/scanreport.h"
#include "models/tables/keyedtablemodel.h"

#include <QSet>

namespace outbox {

/// All findings of one kind.
struct FindingGroup
{
    FindingKind kind = FindingKind::StubHash;
    qsizetype count = 0;
    qsizetype repairable = 0;
    qsizetype again = 0; ///< of those that can be repaired: may run a second time by it
    std::optional<QDateTime> since; ///< of the oldest, as far as it is known

    bool operator==(const FindingGroup &) const = default;
};

/// By kind, in the order of their numbers.
[[nodiscard]] QList<FindingGroup> groupsOf(const ScanReport &report);
/// "501 can be repaired here", "no repair needed: it goes away", "fix with Run or Replace", "needs
/// your decision".
[[nodiscard]] QString repairWords(const FindingGroup &group);
/// "Checked at 14:01:20: 10,000 rows, 9,800 tasks and 20,100 keys in 12.4 s; stopped before its
/// end."
[[nodiscard]] QString lookWords(const ScanReport &report, const QDateTime &now);

class FindingGroupModel : public KeyedTableModel<FindingGroup, int>
{
    Q_OBJECT

public:
    enum Columns { Meaning, Count, Repair, Since, Where, Kind, ColumnCount };

    explicit FindingGroupModel(QObject *parent = nullptr);

    /// Takes over what was found. Each kind that can be repaired here is chosen, but for those that
    /// a person left out, for as long as they are found.
    void setGroups(const QList<FindingGroup> &groups);
    /// The kinds whose repair is wanted, by number; only such as can be repaired here.
    [[nodiscard]] QList<FindingKind> chosen() const;
    /// How many repairs that are.
    [[nodiscard]] qsizetype chosenRepairs() const;

    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    /// The tick before the meaning of a kind.
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;

signals:
    /// A person chose a kind, or left one out.
    void chosenChanged();

private:
    [[nodiscard]] bool isOffered(const QModelIndex &index) const;

    QSet<FindingKind> m_leftOut;
};

class FindingModel : public KeyedTableModel<Finding, QString>
{
    Q_OBJECT

public:
    enum Columns { Outcome, Id, Queue, Evidence, Reason, ColumnCount };

    explicit FindingModel(QObject *parent = nullptr);
};

} // namespace outbox
