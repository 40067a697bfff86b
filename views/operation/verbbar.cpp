// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/verbbar.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"

#include <QAction>
#include <QBoxLayout>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString verbText(Verb verb)
{
    return label(verb) + u'\u2026';
}

QString verbTip(Verb verb)
{
    switch (verb) {
    case Verb::Replay:
        return VerbBar::tr("Opens processed rows again, for the relay to send");
    case Verb::Purge:
        return VerbBar::tr("Deletes rows, after an export");
    case Verb::Release:
        return VerbBar::tr("Takes a dead owner's lease off rows");
    case Verb::Run:
        return VerbBar::tr("Moves tasks to pending, to be run now");
    case Verb::Archive:
        return VerbBar::tr("Sets tasks aside: they do not run by themselves");
    case Verb::Delete:
        return VerbBar::tr("Removes tasks and frees their ids, after an export");
    case Verb::Replace:
        return VerbBar::tr("Removes tasks and enqueues the same messages afresh");
    case Verb::Cancel:
        return VerbBar::tr("Asks the worker to give a running task up; nobody confirms it");
    case Verb::Pause:
        return VerbBar::tr("Workers take nothing more from this queue");
    case Verb::Unpause:
        return VerbBar::tr("Workers take from this queue again");
    case Verb::Reconcile:
        return VerbBar::tr("Repairs what was found, after another look at each");
    case Verb::Park:
        return VerbBar::tr("Sets rows aside: no relay claims them until they are unparked");
    case Verb::Unpark:
        return VerbBar::tr("Lets relays have rows that were set aside");
    case Verb::Import:
    case Verb::Unreplay:
    case Verb::Enqueue:
        break;
    }
    return label(verb);
}

QString verbIcon(Verb verb)
{
    switch (verb) {
    case Verb::Replay:
        return u"retry"_s;
    case Verb::Purge:
    case Verb::Delete:
        return u"trash"_s;
    case Verb::Release:
    case Verb::Unpark:
        return u"unlock"_s;
    case Verb::Run:
    case Verb::Unpause:
        return u"play"_s;
    case Verb::Archive:
    case Verb::Park:
        return u"drain"_s;
    case Verb::Replace:
        return u"refresh"_s;
    case Verb::Cancel:
        return u"stop"_s;
    case Verb::Pause:
        return u"pause"_s;
    case Verb::Reconcile:
    case Verb::Import:
    case Verb::Unreplay:
    case Verb::Enqueue:
        break;
    }
    return u"tick"_s;
}

VerbBar::VerbBar(const QString &name, const QList<Verb> &verbs, Place place, QWidget *parent)
    : QWidget(parent), m_place(place), m_verbs(verbs), m_row(new QHBoxLayout(this))
{
    setObjectName(name);
    m_row->setContentsMargins({});
    m_row->setSpacing(4);
    for (const Verb verb : verbs) {
        auto *action = new QAction(theme::icon(verbIcon(verb)), verbText(verb), this);
        action->setObjectName(name + u'-' + word(verb));
        connect(action, &QAction::triggered, this,
                [this, verb] { emit operationAsked(verb, selection(verb)); });
        auto *button = new QToolButton;
        button->setObjectName(action->objectName() + u"Button"_s);
        button->setAccessibleName(label(verb));
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

void VerbBar::judge()
{
    bool another = false;
    for (const Verb verb : std::as_const(m_verbs)) {
        QString why = m_notOffered.value(verb);
        if (why.isEmpty())
            why = m_terms ? whyNotNow(verb, *m_terms, QDateTime::currentDateTimeUtc())
                          : tr("No system is open.");
        if (why.isEmpty())
            why = whyNothing(verb);
        why = shownText(why);
        QAction *action = m_actions.value(verb);
        const QString tip = plainTooltip(why.isEmpty() ? verbTip(verb) : why);
        if (action->isEnabled() == why.isEmpty() && action->toolTip() == tip)
            continue;
        another = true;
        action->setEnabled(why.isEmpty());
        action->setToolTip(tip);
        action->setStatusTip(why.isEmpty() ? verbTip(verb) : why);
        m_buttons.value(verb)->setAccessibleDescription(action->statusTip());
    }
    if (another)
        emit changed();
}

} // namespace outbox
