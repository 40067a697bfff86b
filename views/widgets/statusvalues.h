// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each value of a status column stands for: one line a value.
#pragma once

#include "models/mapping/mappingdraft.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace outbox {

class ChoiceField;

class StatusValues : public QWidget
{
    Q_OBJECT

public:
    explicit StatusValues(QWidget *parent = nullptr);

    /// Lines are made anew only where the values are others: the focus stays in its place.
    void setValues(const QList<MappingDraft::StatusValue> &values,
                   const QList<MessageState> &states);

signals:
    void assigned(const QString &value, outbox::MessageState state);

private:
    struct Line
    {
        QString value;
        QLabel *count;
        ChoiceField *state;
    };
    void makeLines(const QList<MappingDraft::StatusValue> &values);

    QGridLayout *m_grid;
    QList<Line> m_lines;
};

} // namespace outbox
