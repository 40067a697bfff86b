// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every message of a plan or a receipt, and the counts by outcome that filter them.
#pragma once

#include "models/operations/plan.h"
#include "models/operations/receipt.h"

#include <QWidget>

class QLabel;

namespace outbox {

class LiveTable;
class PlanModel;
class StateChips;

class OutcomeTable : public QWidget
{
    Q_OBJECT

public:
    /// `name` is the base of the objectNames: "planTable" and "planOutcome".
    explicit OutcomeTable(const QString &name, QWidget *parent = nullptr);

    void setPlan(const Plan &plan);
    /// What became of the plan that was set.
    void setReceipt(const Receipt &receipt);
    void clear();

private:
    void showCounts();
    void showReason(const QModelIndex &index);

    PlanModel *m_model;
    StateChips *m_chips;
    LiveTable *m_table;
    QLabel *m_reason; ///< of the row that one stands on, whole
};

} // namespace outbox
