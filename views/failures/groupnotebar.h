// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who looks after a group of failures, and what they have to say of it.
#pragma once

#include "models/groups/groupnote.h"

#include <QWidget>

class QLineEdit;

namespace outbox {

class GroupNoteBar : public QWidget
{
    Q_OBJECT

public:
    explicit GroupNoteBar(QWidget *parent = nullptr);

    /// The note of this group, known by its `noteKey`; an empty key hides the bar. What is being
    /// written of the same group stays.
    void setNote(const QString &group, const GroupNote &note);

signals:
    /// An empty one is to be forgotten.
    void noteWritten(const outbox::GroupNote &note);

private:
    void tell();

    GroupNote m_note;
    QLineEdit *m_who;
    QLineEdit *m_text;
};

} // namespace outbox
