// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Meaning, then column: the fields of a mapping, each with what speaks for its choice or against
// it.
#pragma once

#include "models/mapping/mappingdraft.h"
#include "views/mapping/mappinglines.h"

#include <QMap>
#include <QWidget>

class QCheckBox;

namespace outbox {

class ChoiceField;
class StatusValues;

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
    QMap<Meaning, MappingLine> m_columns;
    QMap<MappingDraft::Choice, ChoiceField *> m_choices;
    QLineEdit *m_taskId;
    QLineEdit *m_fixedType;
    QLineEdit *m_tables;
    QLineEdit *m_zone; ///< of times without one
    QSpinBox *m_leaseSeconds;
    QSpinBox *m_mostAttempts;
    StatusValues *m_values;
    QCheckBox *m_relayed;
    QLabel *m_kept; ///< what has no field
    MappingLine m_fixedTypeLine;
    MappingLine m_tablesLine;
    MappingLine m_zoneLine;
    MappingLine m_leaseLine;
    MappingLine m_mostLine;
    MappingLine m_valuesLine;
    MappingLine m_relayedLine;
};

} // namespace outbox
