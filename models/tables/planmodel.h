// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The messages of a plan or of its receipt, all of them or those of some outcomes.
#pragma once

#include "models/operations/plan.h"
#include "models/operations/receipt.h"
#include "models/tables/keyedtablemodel.h"

#include <QStringList>

namespace outbox {

struct PlanRow;

/// A frozen list: it is set as a whole and filtered by outcome, so that 100,000 messages cost no
/// more than one pass. Lives in the GUI thread.
class PlanModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Columns { What, Id, Type, Reason, Seen, Queue, ColumnCount };

    explicit PlanModel(QObject *parent = nullptr);

    void setPlan(const Plan &plan);
    /// The same messages with what came of them; a receipt of another plan is not taken.
    void setReceipt(const Receipt &receipt);
    /// Words of outcomes; empty shows all.
    void setShown(const QStringList &outcomes);
    /// How many there are whether shown or not.
    [[nodiscard]] QMap<Outcome, qsizetype> counts() const;
    [[nodiscard]] Verb verb() const { return m_plan.verb; }
    [[nodiscard]] bool hasReceipt() const { return m_isReceipt; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] PlanRow at(int row) const;
    [[nodiscard]] Outcome outcomeOf(int item) const;
    void filter();

    QList<TableColumn<PlanRow>> m_columns;
    Plan m_plan; ///< implicitly shared with the one that was given
    Receipt m_receipt;
    bool m_isReceipt = false;
    QStringList m_outcomes;
    QList<int> m_shown; ///< places in the plan
};

} // namespace outbox
