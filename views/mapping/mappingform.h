// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Meaning, then column: the fields of a mapping, each with what speaks for its choice or against
// it.
#pragma once

#include "models/mapping/mappingdraft.h"

#include <QMap>
#include <QWidget>

class QBoxLayout;
class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace outbox {

class ChoiceField;
class StatusValues;

/// A field of the form with its name and what is said of it. Hidden and shown as one.
template <class Field> struct MappingLine
{
    Field *field = nullptr;
    QLabel *name = nullptr;
    QLabel *note = nullptr;
};

/// Only what the table can do is offered, and only what the rest of the mapping leaves a use for is
/// shown.
class MappingForm : public QWidget
{
    Q_OBJECT

public:
    explicit MappingForm(QWidget *parent = nullptr);

    void setDraft(const MappingDraft &draft);
    [[nodiscard]] const MappingDraft &draft() const { return m_draft; }
    /// What was seen of the status column.
    void setSeenValues(const QString &column, const QList<ValueCount> &values);

signals:
    /// By a person.
    void edited();

protected:
    /// The colour of a problem is the theme's.
    void changeEvent(QEvent *event) override;

private:
    void addMessage(QBoxLayout *place);
    void addTries(QBoxLayout *place);
    void addStates(QBoxLayout *place);
    void addColumn(QGridLayout *grid, Meaning meaning);
    void addChoice(QGridLayout *grid, MappingDraft::Choice choice, const QString &name);
    void change();
    void refresh();
    void refreshColumn(Meaning meaning);

    MappingDraft m_draft;
    QMap<Meaning, MappingLine<ChoiceField>> m_columns;
    QMap<MappingDraft::Choice, ChoiceField *> m_choices;
    MappingLine<QLineEdit> m_taskId;
    MappingLine<QLineEdit> m_fixedType;
    MappingLine<QLineEdit> m_tables;
    MappingLine<QLineEdit> m_zone; ///< of times without one
    MappingLine<QSpinBox> m_leaseSeconds;
    MappingLine<QSpinBox> m_mostAttempts;
    MappingLine<StatusValues> m_values;
    MappingLine<QCheckBox> m_relayed;
    QLabel *m_kept; ///< what has no field
};

} // namespace outbox
