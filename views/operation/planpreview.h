// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first step of an operation: what it would do, message by message, and how it can be undone.
#pragma once

#include "models/operations/plan.h"

#include <QWidget>

class QLabel;

namespace outbox {

class NoticeBar;
class OutcomeTable;
class TextFold;

class PlanPreview : public QWidget
{
    Q_OBJECT

public:
    explicit PlanPreview(QWidget *parent = nullptr);

    void setPlan(const Plan &plan);

private:
    QLabel *m_sentence;
    QLabel *m_about;
    NoticeBar *m_warnings;
    OutcomeTable *m_items;
    TextFold *m_statements;
    QLabel *m_undo;
};

} // namespace outbox
