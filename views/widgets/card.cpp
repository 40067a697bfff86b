// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/card.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>

namespace outbox {

Card::Card(const QString &title, QWidget *parent)
    : QFrame(parent), m_body(new QVBoxLayout), m_note(plainLabel({}, true))
{
    auto *outer = boxOn<QVBoxLayout>(this, 6, {14, 10, 14, 12});
    m_note->setVisible(false);
    if (!title.isEmpty()) {
        auto *head = new QHBoxLayout;
        head->addWidget(titleLabel(title));
        head->addStretch();
        head->addWidget(m_note);
        outer->addLayout(head);
    }
    m_body->setContentsMargins(0, 0, 0, 0);
    outer->addLayout(m_body, 1);
}

void Card::setNote(const QString &note)
{
    m_note->setText(shownText(note));
    m_note->setVisible(!note.isEmpty());
}

void Card::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    theme::paintRounded(&painter, rect(), theme::inks().base, theme::inks().border, cardCorner);
}

QLabel *plainLabel(const QString &text, bool secondary, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    if (secondary)
        label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

void wrapLines(QLabel *label)
{
    label->setWordWrap(true);
    // Else its longest word makes the window wider than the screen.
    constexpr int leastWidth = 40;
    label->setMinimumWidth(leastWidth);
}

QLabel *titleLabel(const QString &text, QWidget *parent)
{
    QLabel *label = plainLabel(text, false, parent);
    label->setFont(theme::scaledFont(label->font(), 1.0, QFont::DemiBold));
    return label;
}

} // namespace outbox
