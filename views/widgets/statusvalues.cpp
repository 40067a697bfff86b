// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/statusvalues.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/card.h"
#include "views/widgets/choicefield.h"

#include <QGridLayout>
#include <QLabel>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostLines = 24; ///< a column with more values is no status

QString wordsOf(MessageState state)
{
    if (state == MessageState::Unknown)
        return StatusValues::tr("not said");
    if (state == MessageState::Locked)
        return StatusValues::tr("In progress");
    return label(state);
}

} // namespace

StatusValues::StatusValues(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    setObjectName(u"statusValues"_s);
    m_grid->setContentsMargins({});
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(3, 1);
}

void StatusValues::makeLines(const QList<MappingDraft::StatusValue> &values)
{
    while (QLayoutItem *item = m_grid->takeAt(0)) {
        // Later: it may be the one whose choice changes the lines.
        if (QWidget *old = item->widget()) {
            old->hide();
            old->setParent(nullptr);
            old->deleteLater();
        }
        delete item;
    }
    m_lines.clear();
    for (const MappingDraft::StatusValue &one : values) {
        const auto row = static_cast<int>(m_lines.size());
        const QString shown = one.value.isEmpty() ? tr("(empty text)") : shownText(one.value);
        QLabel *name = plainLabel(shownText(shown, Lines::One, 40));
        name->setFont(theme::fixedFont(font()));
        const Line line{
            one.value, plainLabel({}, true),
            new ChoiceField(u"stateOf-"_s + one.value, tr("State of value %1").arg(shown))};
        m_grid->addWidget(name, row, 0);
        m_grid->addWidget(line.count, row, 1, Qt::AlignRight);
        m_grid->addWidget(line.state, row, 2);
        connect(line.state, &ChoiceField::valueChosen, this,
                [this, value = one.value](const QString &state) {
                    emit assigned(value,
                                  messageStateFromWord(state).value_or(MessageState::Unknown));
                });
        m_lines += line;
    }
}

void StatusValues::setValues(const QList<MappingDraft::StatusValue> &values,
                             const QList<MessageState> &states)
{
    const QList<MappingDraft::StatusValue> shown = values.mid(0, mostLines);
    bool isSame = shown.size() == m_lines.size();
    for (qsizetype at = 0; isSame && at < shown.size(); ++at)
        isSame = shown.at(at).value == m_lines.at(at).value;
    if (!isSame)
        makeLines(shown);
    QList<NamedChoice> choices;
    for (const MessageState state : states)
        choices += NamedChoice{word(state), wordsOf(state), {}};
    for (qsizetype at = 0; at < shown.size(); ++at) {
        const Line &line = m_lines.at(at);
        line.count->setText(shown.at(at).count ? countText(*shown.at(at).count) : tr("none seen"));
        line.state->setChoices(choices, word(shown.at(at).state));
    }
}

} // namespace outbox
