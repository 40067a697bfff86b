// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/propertylist.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>

#include <utility>

namespace outbox {

namespace {

constexpr qsizetype longestValue = 4000;

} // namespace

PropertyList::PropertyList(const QString &name, const QString &spoken, QWidget *parent)
    : QScrollArea(parent), m_grid(new QGridLayout)
{
    setNames(this, name, spoken);
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    auto *page = new QWidget;
    m_grid->setContentsMargins(12, 12, 12, 12);
    m_grid->setHorizontalSpacing(20);
    m_grid->setVerticalSpacing(7);
    m_grid->setColumnStretch(1, 1);
    page->setLayout(m_grid);
    page->setBackgroundRole(QPalette::Base);
    setWidget(page);
    viewport()->setBackgroundRole(QPalette::Base);
}

void PropertyList::changeEvent(QEvent *event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        setFacts(std::exchange(m_facts, {}));
}

void PropertyList::addLine()
{
    auto *name = new QLabel;
    auto *value = new QLabel;
    name->setTextFormat(Qt::PlainText);
    name->setForegroundRole(QPalette::PlaceholderText);
    name->setAlignment(Qt::AlignRight | Qt::AlignTop);
    value->setTextFormat(Qt::PlainText);
    wrapLines(value);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    const auto row = static_cast<int>(m_lines.size());
    m_grid->addWidget(name, row, 0);
    m_grid->addWidget(value, row, 1);
    // What is left over goes below the last line; by an alignment, long lines would be cut off.
    m_grid->setRowStretch(row, 0);
    m_grid->setRowStretch(row + 1, 1);
    m_lines.emplaceBack(name, value);
}

void PropertyList::setFacts(const QList<Fact> &facts)
{
    if (facts == m_facts)
        return;
    m_facts = facts;
    while (m_lines.size() < facts.size())
        addLine();
    for (qsizetype at = 0; at < m_lines.size(); ++at) {
        const auto &[name, value] = m_lines.at(at);
        const bool used = at < facts.size();
        name->setVisible(used);
        value->setVisible(used);
        if (!used)
            continue;
        const Fact &fact = facts.at(at);
        const QString text = plainText(fact.value.left(longestValue), Lines::Many);
        name->setText(shownText(fact.name));
        if (value->text() != text)
            value->setText(text);
        value->setFont(fact.fixed ? theme::fixedFont(font()) : font());
        QPalette colors;
        if (fact.alarming) { // a selectable label paints with Text
            colors.setColor(QPalette::WindowText, theme::appearance(HealthLevel::Broken).color);
            colors.setColor(QPalette::Text, theme::appearance(HealthLevel::Broken).color);
        }
        value->setPalette(colors);
        value->setAccessibleDescription(name->text());
    }
}

} // namespace outbox
