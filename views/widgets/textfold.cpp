// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/textfold.h"

#include "models/plaintext.h"
#include "views/widgets/pagebuttons.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QPlainTextEdit>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

TextFold::TextFold(const QString &name, const QString &title, QWidget *parent)
    : QWidget(parent), m_head(pageButton(name + u"Head"_s, u"show"_s, title)),
      m_copy(pageButton(name + u"Copy"_s, u"copy"_s, tr("Copy"))), m_text(new QPlainTextEdit)
{
    const QString spoken = QString(title).remove(u'&');
    m_head->setAccessibleName(spoken);
    m_head->setCheckable(true);
    m_head->setArrowType(Qt::RightArrow);
    m_copy->setAccessibleName(tr("Copy: %1").arg(spoken));
    m_text->setObjectName(name);
    m_text->setAccessibleName(spoken);
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setFont(theme::fixedFont(font()));
    m_text->setFixedHeight(8 * m_text->fontMetrics().lineSpacing());
    auto *head = new QHBoxLayout;
    head->addWidget(m_head);
    head->addStretch();
    head->addWidget(m_copy);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_text);
    connect(m_head, &QToolButton::toggled, this, &TextFold::setOpen);
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(plainText(m_whole, Lines::Many)); });
    setOpen(false);
}

void TextFold::setText(const QString &text)
{
    m_whole = text;
    m_text->setPlainText(shownPage(text));
    setVisible(!text.isEmpty());
}

void TextFold::setOpen(bool open)
{
    m_head->setChecked(open);
    m_head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_text->setVisible(open);
    m_copy->setVisible(open);
}

bool TextFold::isOpen() const
{
    return m_head->isChecked();
}

} // namespace outbox
