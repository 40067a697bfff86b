// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The second step of an operation: what a person has to say before it may act, no more than the
// plan needs.
#pragma once

#include "models/operations/consent.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace outbox {

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
