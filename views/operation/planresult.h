// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The last step of an operation: what became of every message, and where the export is.
#pragma once

#include "models/operations/plan.h"
#include "models/operations/receipt.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace outbox {

class NoticeBar;
class OutcomeTable;

class PlanResult : public QWidget
{
    Q_OBJECT

public:
    explicit PlanResult(QWidget *parent = nullptr);

    /// `plan` is the one that was carried out.
    void setReceipt(const Plan &plan, const Receipt &receipt);

private:
    QLabel *m_sentence;
    QLabel *m_about;
    NoticeBar *m_problem;
    OutcomeTable *m_items;
    QWidget *m_exported;
    QLineEdit *m_file;
};

} // namespace outbox
