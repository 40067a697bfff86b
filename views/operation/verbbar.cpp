// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/verbbar.h"

#include "models/operations/verbdescriptor.h"
#include "models/plaintext.h"
#include "views/theme/spokentips.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"

#include <QAction>
#include <QBoxLayout>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString verbTip(Verb verb)
{
    const char *tip = descriptorOf(verb).tip;
    return tip ? verbTexts(tip) : label(verb);
}

QString verbIcon(Verb verb)
{
    return QString::fromLatin1(descriptorOf(verb).icon);
}

VerbBar::VerbBar(const QString &name, const QList<Verb> &verbs, Place place,
                 SelectionOf selectionOf, WhyNothing whyNothing, QWidget *parent)
    : QWidget(parent), m_place(place), m_selectionOf(std::move(selectionOf)),
      m_whyNothing(std::move(whyNothing)), m_verbs(verbs), m_row(new QHBoxLayout(this))
{
    setObjectName(name);
    m_row->setContentsMargins({});
    m_row->setSpacing(4);
    for (const Verb verb : verbs) {
        auto *action = new QAction(theme::icon(verbIcon(verb)), label(verb) + u'\u2026', this);
        action->setObjectName(name + u'-' + word(verb));
        connect(action, &QAction::triggered, this, [this, verb] {
            if (whyNot(verb).isEmpty()) // something may have changed since `judge`
                emit operationAsked({verb, m_selectionOf(verb), {}});
        });
        auto *button = new QToolButton;
        setNames(button, action->objectName() + u"Button"_s, label(verb));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setDefaultAction(action);
        m_actions.insert(verb, action);
        m_buttons.insert(verb, button);
        m_row->addWidget(button);
    }
    m_row->addStretch();
}

QList<QAction *> VerbBar::actionsInOrder() const
{
    QList<QAction *> actions;
    for (const Verb verb : m_verbs)
        actions += m_actions.value(verb);
    return actions;
}

void VerbBar::setTerms(const ActingTerms &terms)
{
    m_terms = terms;
    judge();
}

void VerbBar::setNotOffered(Verb verb, const QString &reason)
{
    if (m_notOffered.value(verb) == reason)
        return;
    m_notOffered.insert(verb, reason);
    judge();
}

void VerbBar::forget()
{
    m_terms.reset();
    m_notOffered.clear();
    judge();
}

void VerbBar::setShown(Verb verb, bool shown)
{
    m_buttons.value(verb)->setVisible(shown);
}

void VerbBar::rename(Verb verb, const QString &name)
{
    m_actions.value(verb)->setText(name + u'\u2026');
    m_buttons.value(verb)->setAccessibleName(name);
}

QString VerbBar::whyNot(Verb verb) const
{
    if (QString why = m_notOffered.value(verb); !why.isEmpty())
        return why;
    if (!m_terms)
        return tr("No system is open.");
    const QString why = whyNotNow(verb, *m_terms, QDateTime::currentDateTimeUtc());
    return why.isEmpty() ? m_whyNothing(verb) : why;
}

void VerbBar::judge()
{
    bool another = false;
    for (const Verb verb : std::as_const(m_verbs)) {
        const QString why = shownText(whyNot(verb));
        QAction *action = m_actions.value(verb);
        const QString tip = plainTooltip(why.isEmpty() ? verbTip(verb) : why);
        if (action->isEnabled() == why.isEmpty() && action->toolTip() == tip)
            continue;
        another = true;
        action->setEnabled(why.isEmpty());
        action->setToolTip(tip);
        action->setStatusTip(why.isEmpty() ? verbTip(verb) : why);
        theme::setSpoken(m_buttons.value(verb), action->statusTip());
    }
    if (another)
        emit changed();
}

} // namespace outbox
