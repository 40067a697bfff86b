// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first steps of an operation: what it would do, message by message, and how it can be undone;
// and what a person has to say before it may act, no more than the plan needs.
#pragma once

#include "models/operations/consent.h"
#include "models/operations/plan.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace outbox {

class NoticeBar;
class OutcomeTable;
class TextFold;

/// The first step of an operation.
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
    TextFold *m_changes;
    TextFold *m_statements;
    QLabel *m_undo;
};

/// The second step of an operation.
class PlanConfirm : public QWidget
{
    Q_OBJECT

public:
    explicit PlanConfirm(QWidget *parent = nullptr);

    /// Forgets what was said to the plan before.
    void setPlan(const Plan &plan);
    [[nodiscard]] Consent consent() const;
    /// What will be carried out with what has been said so far.
    [[nodiscard]] const Plan &agreed() const { return m_agreed; }
    /// Where a person begins: the text to type, or the note.
    void focusFirst();

signals:
    void edited();

private:
    void agree();

    Plan m_plan;
    Plan m_agreed; ///< made anew only when a box is ticked: it may hold 100,000 messages
    QLabel *m_sentence;
    QLabel *m_target;
    QCheckBox *m_second;
    QCheckBox *m_trim;
    QLabel *m_typedLabel;
    QLineEdit *m_typed;
    QLineEdit *m_note;
};

} // namespace outbox
