// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/failures/groupnotebar.h"

#include <QBoxLayout>
#include <QLineEdit>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

GroupNoteBar::GroupNoteBar(QWidget *parent)
    : QWidget(parent), m_who(new QLineEdit), m_text(new QLineEdit)
{
    m_who->setObjectName(u"groupWho"_s);
    m_who->setAccessibleName(tr("Who looks after the group"));
    m_who->setPlaceholderText(tr("Who looks after it"));
    m_who->setMaxLength(GroupNote::mostWhoCharacters);
    m_who->setFixedWidth(fontMetrics().averageCharWidth() * 24);
    m_text->setObjectName(u"groupNote"_s);
    m_text->setAccessibleName(tr("Note of the group"));
    m_text->setPlaceholderText(tr("A note of this group, kept on this computer"));
    m_text->setMaxLength(GroupNote::mostCharacters);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(6);
    row->addWidget(m_who);
    row->addWidget(m_text, 1);
    for (QLineEdit *line : {m_who, m_text})
        connect(line, &QLineEdit::editingFinished, this, &GroupNoteBar::tell);
}

void GroupNoteBar::setNote(const QString &group, const GroupNote &note)
{
    setVisible(!group.isEmpty());
    if (group == m_note.group && (m_who->hasFocus() || m_text->hasFocus()))
        return;
    tell(); // of the group before
    m_note = note;
    m_note.group = group;
    m_who->setText(note.who);
    m_text->setText(note.text);
}

void GroupNoteBar::tell()
{
    const QString who = m_who->text().trimmed();
    const QString text = m_text->text().trimmed();
    if (m_note.group.isEmpty() || (who == m_note.who && text == m_note.text))
        return;
    m_note.who = who;
    m_note.text = text;
    m_note.at = QDateTime::currentDateTimeUtc();
    emit noteWritten(m_note);
}

} // namespace outbox
