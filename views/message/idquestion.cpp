// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/message/idquestion.h"

#include "models/plaintext.h"
#include "views/operation/offeredverbs.h"
#include "views/theme/theme.h"
#include "views/widgets/card.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

IdQuestion::IdQuestion(QWidget *parent)
    : QWidget(parent), m_field(new QLineEdit), m_ask(new QPushButton(tr("Ask"))),
      m_glyph(new QLabel), m_sentence(plainLabel({}, true)), m_replay(titleLabel({})),
      m_offered(new OfferedVerbs(u"idVerbs"_s))
{
    m_field->setObjectName(u"idField"_s);
    m_field->setAccessibleName(tr("Message id"));
    m_field->setPlaceholderText(tr("Message id"));
    m_field->setFont(theme::fixedFont(m_field->font()));
    m_field->setClearButtonEnabled(true);
    m_field->setMaxLength(512);
    m_ask->setObjectName(u"askId"_s);
    m_ask->setAccessibleName(tr("Ask about this id"));
    m_ask->setEnabled(false);
    m_ask->setToolTip(plainTooltip(tr("Type an id first")));
    m_sentence->setObjectName(u"idSentence"_s);
    m_replay->setObjectName(u"idReplay"_s);
    for (QLabel *label : {m_sentence, m_replay}) {
        wrapLines(label);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto *row = new QHBoxLayout;
    row->addWidget(m_field, 1);
    row->addWidget(m_ask);
    layout->addLayout(row);
    auto *answer = new QHBoxLayout;
    answer->setSpacing(8);
    answer->addWidget(m_glyph, 0, Qt::AlignTop);
    auto *words = new QVBoxLayout;
    words->setSpacing(4);
    words->addWidget(m_sentence);
    words->addWidget(m_replay);
    answer->addLayout(words, 1);
    layout->addLayout(answer);
    layout->addWidget(m_offered);
    layout->addStretch();

    connect(m_field, &QLineEdit::returnPressed, this, &IdQuestion::ask);
    connect(m_ask, &QPushButton::clicked, this, &IdQuestion::ask);
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString &text) {
        const bool empty = text.trimmed().isEmpty();
        m_ask->setEnabled(!empty);
        m_ask->setToolTip(empty ? plainTooltip(tr("Type an id first")) : QString());
    });
    forget();
}

void IdQuestion::forget()
{
    m_asked = {};
    m_field->clear();
    m_sentence->setText(tr("Type the id of a message to see what a replay would do now."));
    m_glyph->setVisible(false);
    m_replay->setVisible(false);
    m_offered->clear();
}

void IdQuestion::ask()
{
    const QString text = m_field->text().trimmed();
    if (text.isEmpty())
        return;
    m_asked = MessageId{text};
    m_field->setCursorPosition(0);
    m_sentence->setText(tr("Asking\u2026"));
    m_glyph->setVisible(false);
    m_replay->setVisible(false);
    m_offered->clear();
    emit idAsked(m_asked);
}

void IdQuestion::setId(const QString &id)
{
    m_field->setText(id);
    ask();
}

void IdQuestion::focusField()
{
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void IdQuestion::setVerdict(const IdVerdict &verdict)
{
    if (verdict.message != m_asked)
        return;
    m_sentence->setText(shownText(verdict.sentence, Lines::Many));
    m_replay->setText(tr("Replay now: %1").arg(shownText(verdict.replay)));
    m_replay->setVisible(!verdict.replay.isEmpty());
    m_offered->setVerdict(verdict);
    const TaskState state = verdict.task ? verdict.task->state : TaskState::None;
    const Appearance appearance
        = verdict.taskError ? theme::appearance(HealthLevel::Unknown) : theme::appearance(state);
    m_glyph->setPixmap(theme::glyph(appearance.glyph, appearance.color, 18, devicePixelRatioF()));
    m_glyph->setAccessibleName(appearance.word);
    m_glyph->setToolTip(plainTooltip(appearance.word));
    m_glyph->setVisible(true);
}

} // namespace outbox
