// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/filterbar.h"

#include "models/plaintext.h"
#include "views/theme.h"

#include <QAction>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

FilterBar::FilterBar(const QString &name, const QString &placeholder, QWidget *parent)
    : QWidget(parent), m_line(new QLineEdit), m_strip(new QWidget), m_fault(new QLabel)
{
    setObjectName(name);
    m_line->setObjectName(name + u"Line"_s);
    m_line->setAccessibleName(tr("Filter"));
    m_line->setPlaceholderText(placeholder);
    m_line->setClearButtonEnabled(true);
    m_line->setFont(theme::fixedFont(font()));
    m_line->addAction(theme::icon(u"filter"_s), QLineEdit::LeadingPosition);
    m_line->installEventFilter(this);
    m_strip->setFixedHeight(2);
    m_strip->setAutoFillBackground(true);
    m_fault->setObjectName(name + u"Fault"_s);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(m_line);
    auto *under = new QHBoxLayout;
    under->setContentsMargins(4, 0, 4, 0);
    under->addWidget(m_strip);
    column->addLayout(under);
    column->addWidget(m_fault);
    connect(m_line, &QLineEdit::returnPressed, this, [this] { apply(m_line->text()); });
    connect(m_line, &QLineEdit::textEdited, this, [this](const QString &text) {
        mark(text == m_applied ? Mark::Applied : Mark::Edited);
        emit edited(text);
    });
    // The clear button edits without Enter, and an empty line cannot be wrong.
    connect(m_line, &QLineEdit::textChanged, this, [this](const QString &text) {
        if (text.isEmpty() && !m_applied.isEmpty() && !m_line->isModified())
            apply({});
    });
    mark(Mark::Plain);
}

QString FilterBar::text() const
{
    return m_line->text();
}

void FilterBar::apply(const QString &text)
{
    m_applied = text;
    if (m_line->text() != text)
        m_line->setText(text);
    accept();
    emit applied(text);
}

void FilterBar::accept()
{
    mark(m_applied.isEmpty() ? Mark::Plain : Mark::Applied);
}

void FilterBar::refuse(const Error &fault)
{
    const QString text = fault.hint.isEmpty() ? fault.text : fault.text + u". "_s + fault.hint;
    m_faultAt = std::max(fault.position, 0);
    m_fault->setText(u"\u2191 "_s + shownText(text));
    mark(Mark::Wrong);
    m_line->setAccessibleDescription(text);
}

void FilterBar::focusLine()
{
    m_line->setFocus(Qt::ShortcutFocusReason);
    m_line->selectAll();
}

void FilterBar::mark(Mark mark)
{
    QColor color = Qt::transparent;
    if (mark == Mark::Applied && !m_line->text().isEmpty())
        color = theme::look(HealthLevel::Ok).color;
    else if (mark == Mark::Edited)
        color = theme::look(HealthLevel::Watch).color;
    else if (mark == Mark::Wrong)
        color = theme::look(HealthLevel::Broken).color;
    QPalette strip;
    strip.setColor(QPalette::Window, color);
    m_strip->setPalette(strip);
    QPalette fault;
    fault.setColor(QPalette::WindowText, theme::look(HealthLevel::Broken).color);
    m_fault->setPalette(fault);
    m_fault->setVisible(mark == Mark::Wrong);
    if (mark == Mark::Wrong)
        placeFault();
    else
        m_line->setAccessibleDescription({});
}

/// Moves the sentence so that its arrow stands under the character it speaks of.
void FilterBar::placeFault()
{
    constexpr int beforeText = 26; // leading icon and frame, less half an arrow
    const QFontMetrics metrics(m_line->font());
    const int wanted = beforeText + metrics.horizontalAdvance(m_line->text().left(m_faultAt));
    const int room = width() - m_fault->sizeHint().width() - 4;
    m_fault->setIndent(std::clamp(wanted, 4, std::max(room, 4)));
}

bool FilterBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape && m_line->text() != m_applied) {
            m_line->setText(m_applied);
            accept();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void FilterBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (m_fault->isVisibleTo(this))
        placeFault();
}

} // namespace outbox
