// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two messages beside each other: whose step took longer, which fields differ, and their payloads.
#pragma once

#include "models/comparison/comparison.h"

#include <QDialog>
#include <QList>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace outbox {

class ComparedAxis;
class ComparedFieldModel;
class ComparedStepModel;
class NoticeBar;

/// Non-modal; fetches nothing, but asks for a comparison and is told. GUI thread.
class CompareDialog : public QDialog
{
    Q_OBJECT

public:
    explicit CompareDialog(QWidget *parent = nullptr);

    /// Takes none, one or two messages; two are asked for at once.
    void begin(const QList<ComparedId> &ids);
    /// The answer for the ids in the fields; others are dropped.
    void setComparison(const ComparedId &a, const ComparedId &b, const Comparison &comparison);

signals:
    void comparisonAsked(const outbox::ComparedId &a, const outbox::ComparedId &b);

private:
    void build();
    /// What a field names: the message that was put there, or what somebody typed.
    [[nodiscard]] static ComparedId named(const QLineEdit &field, const ComparedId &put);
    void follow();
    void ask();
    void clearResult(const QString &sentence);

    ComparedId m_askedA;
    ComparedId m_askedB;
    QLineEdit *m_a;
    QLineEdit *m_b;
    QPushButton *m_compare;
    NoticeBar *m_notes;
    QLabel *m_journey;
    ComparedAxis *m_axis;
    ComparedStepModel *m_steps;
    QLabel *m_fieldsText;
    ComparedFieldModel *m_fields;
    QLabel *m_payload;
    QPlainTextEdit *m_difference;
};

} // namespace outbox
