// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/planconfirm.h"

#include "models/operations/planwords.h"
#include "models/operations/verbdescriptor.h"
#include "models/payload/celltext.h"
#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/formrows.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLineEdit>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

PlanConfirm::PlanConfirm(QWidget *parent)
    : QWidget(parent), m_sentence(titleLabel({})), m_target(hint({})), m_second(new QCheckBox),
      m_trim(new QCheckBox), m_typedLabel(plainLabel({})), m_typed(new QLineEdit),
      m_note(new QLineEdit)
{
    m_sentence->setObjectName(u"confirmSentence"_s);
    wrapLines(m_sentence);
    m_sentence->setFont(theme::scaledFont(font(), 1.25, QFont::DemiBold));
    m_target->setObjectName(u"confirmTarget"_s);
    m_second->setObjectName(u"allowSecond"_s);
    m_trim->setObjectName(u"allowTrim"_s);
    wrapLines(m_typedLabel);
    m_typedLabel->setBuddy(m_typed);
    m_typed->setObjectName(u"confirmTyped"_s);
    m_typed->setFont(theme::fixedFont(font()));
    m_typed->setMaximumWidth(420);
    auto *noteLabel = new QLabel(tr("&Note, kept in the record"));
    noteLabel->setBuddy(m_note);
    setNames(m_note, u"confirmNote"_s, tr("Note, kept in the record"));
    m_note->setPlaceholderText(tr("INC-4711: why this is done"));
    m_note->setMaxLength(500);
    m_note->setMaximumWidth(420);
    auto *column = boxOn<QVBoxLayout>(this, 8);
    column->addWidget(m_sentence);
    column->addWidget(m_target);
    column->addSpacing(8);
    column->addWidget(m_second);
    column->addWidget(m_trim);
    column->addSpacing(8);
    column->addWidget(m_typedLabel);
    column->addWidget(m_typed);
    column->addSpacing(8);
    column->addWidget(noteLabel);
    column->addWidget(m_note);
    column->addStretch();
    for (QCheckBox *one : {m_second, m_trim})
        connect(one, &QCheckBox::toggled, this, &PlanConfirm::agree);
    connect(m_typed, &QLineEdit::textChanged, this, &PlanConfirm::edited);
}

void PlanConfirm::setPlan(const Plan &plan)
{
    m_plan = plan;
    m_typed->clear();
    m_note->clear();
    const qsizetype second = plan.counts().value(Outcome::SecondExecution);
    m_second->setChecked(false);
    m_second->setVisible(second > 0);
    m_second->setText(
        descriptorOf(plan.verb).target == VerbTarget::File
            ? counted(second, tr("&Allow 1 message to run, which may have run since the export"),
                      tr("&Allow %1 messages to run, which may have run since the export"))
            : counted(second, tr("&Allow 1 message that ran before to run a second time"),
                      tr("&Allow %1 messages that ran before to run a second time")));
    m_second->setAccessibleName(QString(m_second->text()).remove(u'&'));
    m_trim->setChecked(false);
    m_trim->setVisible(plan.trimmed > 0);
    m_trim->setText(counted(plan.trimmed,
                            tr("Let the oldest archived task &go, to make room; it is exported"),
                            tr("Let the %1 oldest archived tasks &go, to make room; they are "
                               "exported")));
    m_trim->setAccessibleName(QString(m_trim->text()).remove(u'&'));
    QString about = plan.undo;
    if (plan.exportsFirst)
        about = tr("Whatever is deleted is written to a file first.") + u' ' + about;
    m_target->setText(shownText(plan.target) + u'\n' + shownText(about));
    agree();
}

Consent PlanConfirm::consent() const
{
    return {m_second->isChecked(), m_trim->isChecked(), m_typed->text().trimmed(),
            m_note->text().trimmed()};
}

void PlanConfirm::focusFirst()
{
    for (QWidget *one : QList<QWidget *>{m_second, m_trim, m_typed}) {
        if (!one->isHidden())
            return one->setFocus(Qt::OtherFocusReason);
    }
    m_note->setFocus(Qt::OtherFocusReason);
}

void PlanConfirm::agree()
{
    m_agreed = withConsent(m_plan, consent());
    m_sentence->setText(shownText(planSentence(m_agreed)));
    const bool typed = m_agreed.acting() > 0 && confirmationFor(m_agreed) == Confirmation::Typed;
    m_typedLabel->setVisible(typed);
    m_typed->setVisible(typed);
    const QString ask = tr("Type %1 to confirm").arg(u'"' + shownText(textToType(m_agreed)) + u'"');
    m_typedLabel->setText(ask);
    m_typed->setAccessibleName(ask);
    emit edited();
}

} // namespace outbox
