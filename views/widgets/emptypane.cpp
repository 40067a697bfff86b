// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/emptypane.h"

#include "views/widgets/boxes.h"
#include "views/widgets/card.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

EmptyPane::EmptyPane(QWidget *parent)
    : QWidget(parent), m_sentence(new QLabel), m_action(new QPushButton)
{
    m_sentence->setTextFormat(Qt::PlainText);
    wrapLines(m_sentence);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setForegroundRole(QPalette::PlaceholderText);
    m_sentence->setMinimumWidth(320);
    m_action->setObjectName(u"emptyAction"_s);
    m_action->hide();
    auto *column = boxOn<QVBoxLayout>(this, 12, {24, 9, 24, 9});
    column->addStretch();
    // As wide as the pane: a label that is itself centred would be cut where its text wraps.
    column->addWidget(m_sentence);
    column->addWidget(m_action, 0, Qt::AlignHCenter);
    column->addStretch();
    connect(m_action, &QPushButton::clicked, this, &EmptyPane::actionAsked);
}

void EmptyPane::say(const QString &sentence, const QString &action)
{
    m_sentence->setText(sentence);
    m_action->setText(action);
    m_action->setAccessibleName(action);
    m_action->setVisible(!action.isEmpty());
}

QString EmptyPane::sentence() const
{
    return m_sentence->text();
}

} // namespace outbox
