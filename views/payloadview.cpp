// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/payloadview.h"

#include "models/celltext.h"
#include "models/payload/guess.h"
#include "models/payload/hexdump.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/jsontreeview.h"
#include "views/theme.h"

#include <QApplication>
#include <QBoxLayout>
#include <QButtonGroup>
#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// More than this is not laid out as text: a line of a megabyte takes seconds.
constexpr qsizetype textBytes = 131'072;

QPlainTextEdit *reader(const QString &name, const QString &spoken)
{
    auto *edit = new QPlainTextEdit;
    edit->setObjectName(name);
    edit->setAccessibleName(spoken);
    edit->setReadOnly(true);
    edit->setFrameShape(QFrame::NoFrame);
    edit->setFont(theme::fixedFont(edit->font()));
    edit->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    edit->setUndoRedoEnabled(false);
    return edit;
}

} // namespace

PayloadView::PayloadView(const QString &name, QWidget *parent)
    : QWidget(parent), m_forms(new QButtonGroup(this)), m_copy(new QToolButton), m_note(new QLabel),
      m_pages(new QStackedWidget), m_text(reader(name + u"Text"_s, tr("Payload as text"))),
      m_tree(new JsonTreeView(name + u"Tree"_s)),
      m_hex(reader(name + u"Hex"_s, tr("Payload as bytes")))
{
    setObjectName(name);
    m_hex->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setWordWrapMode(QTextOption::WrapAnywhere);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 6);
    bar->setSpacing(4);
    const QStringList titles{tr("Text"), tr("Tree"), tr("Hex")};
    for (int form = 0; form < titles.size(); ++form) {
        auto *button = new QToolButton;
        button->setText(titles.at(form));
        button->setObjectName(name + u"Form%1"_s.arg(form));
        button->setAccessibleName(tr("Payload as %1").arg(titles.at(form)));
        button->setCheckable(true);
        button->setAutoRaise(true);
        m_forms->addButton(button, form);
        bar->addWidget(button);
    }
    bar->addSpacing(8);
    bar->addWidget(m_note, 1);
    m_copy->setIcon(theme::icon(u"copy"_s));
    m_copy->setText(tr("Copy"));
    m_copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_copy->setAutoRaise(true);
    m_copy->setObjectName(name + u"Copy"_s);
    m_copy->setAccessibleName(tr("Copy the payload as stored"));
    bar->addWidget(m_copy);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_pages, 1);
    for (QWidget *page : std::initializer_list<QWidget *>{m_text, m_tree, m_hex})
        m_pages->addWidget(page);
    connect(m_forms, &QButtonGroup::idClicked, this,
            [this](int form) { choose(static_cast<Form>(form)); });
    connect(m_copy, &QToolButton::clicked, this, &PayloadView::copyAll);
    choose(Form::Text);
}

void PayloadView::setPayload(const QByteArray &payload, qint64 storedBytes)
{
    if (payload == m_payload && storedBytes == m_storedBytes)
        return;
    m_payload = payload;
    m_storedBytes = storedBytes;
    std::fill(std::begin(m_filled), std::end(m_filled), false);
    const PayloadKind kind = guessPayload(payload);
    QString note = tr("%1, looks like %2").arg(bytesText(storedBytes), label(kind));
    if (storedBytes < 0)
        note = tr("The row this message refers to is gone.");
    else if (payload.size() < storedBytes)
        note = tr("The first %1 of %2, looks like %3")
                   .arg(bytesText(payload.size()), bytesText(storedBytes), label(kind));
    m_note->setText(note);
    m_copy->setEnabled(!payload.isEmpty());
    if (kind == PayloadKind::Json && payload.size() == storedBytes)
        choose(Form::Tree);
    else
        choose(kind == PayloadKind::Binary ? Form::Hex : Form::Text);
}

void PayloadView::clear()
{
    m_payload.clear();
    m_storedBytes = 0;
    std::fill(std::begin(m_filled), std::end(m_filled), false);
    m_note->clear();
    m_copy->setEnabled(false);
    fill();
}

PayloadView::Form PayloadView::form() const
{
    return static_cast<Form>(m_pages->currentIndex());
}

void PayloadView::choose(Form form)
{
    m_pages->setCurrentIndex(static_cast<int>(form));
    m_forms->button(static_cast<int>(form))->setChecked(true);
    fill();
}

/// Fills the page that is looked at; the others wait until somebody looks.
void PayloadView::fill()
{
    bool &filled = m_filled[m_pages->currentIndex()];
    if (filled)
        return;
    filled = true;
    switch (form()) {
    case Form::Text:
        fillText();
        break;
    case Form::Tree:
        m_tree->setSource(m_payload);
        break;
    case Form::Hex:
        m_hex->setPlainText(hexDump(m_payload));
        break;
    }
}

void PayloadView::fillText()
{
    QString text = plainText(QString::fromUtf8(m_payload.left(textBytes)), Lines::Many);
    if (m_payload.size() > textBytes)
        text += u'\n' + tr("… %1 more").arg(bytesText(m_payload.size() - textBytes));
    m_text->setPlainText(text);
}

void PayloadView::copyAll() const
{
    QApplication::clipboard()->setText(QString::fromUtf8(m_payload));
}

} // namespace outbox
