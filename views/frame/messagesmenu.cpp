// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/messagesmenu.h"

#include "models/operations/verbdescriptor.h"
#include "models/plaintext.h"
#include "views/operation/verbbar.h"
#include "views/widgets/actions.h"

#include <QMap>

namespace outbox {

MessagesMenu::MessagesMenu(Actions &actions, QObject *parent) : QObject(parent)
{
    QMap<int, QList<Verb>> places;
    for (const VerbDescriptor &one : verbDescriptors()) {
        if (one.menu)
            places[one.menu->place] += one.verb;
    }
    for (const QList<Verb> &verbs : std::as_const(places)) {
        const VerbMenu &menu = *descriptorOf(verbs.first()).menu;
        Entry entry;
        entry.verbs = verbs;
        entry.action = actions.add(
            {QString::fromLatin1(menu.id), Actions::Menu::Messages, verbTexts(menu.text),
             verbTip(verbs.first()), verbIcon(verbs.first()),
             menu.key ? QKeySequence(*menu.key) : QKeySequence(), false, menu.separated});
        const qsizetype at = m_entries.size();
        connect(entry.action, &QAction::triggered, this, [this, at] {
            if (QAction *target = m_entries.at(at).target)
                target->trigger();
        });
        m_entries += entry;
    }
    follow();
}

void MessagesMenu::setPage(QWidget *page)
{
    for (const QPointer<VerbBar> &bar : std::as_const(m_bars)) {
        if (bar)
            disconnect(bar, nullptr, this, nullptr);
    }
    m_bars.clear();
    const QList<VerbBar *> found = page ? page->findChildren<VerbBar *>() : QList<VerbBar *>();
    for (VerbBar *bar : found) {
        if (bar->place() != VerbBar::Place::Page)
            continue;
        m_bars += bar;
        connect(bar, &VerbBar::changed, this, &MessagesMenu::follow);
    }
    follow();
}

void MessagesMenu::follow()
{
    for (Entry &entry : m_entries) {
        entry.target = nullptr;
        for (const QPointer<VerbBar> &bar : std::as_const(m_bars)) {
            for (const Verb verb : std::as_const(entry.verbs)) {
                QAction *one = bar ? bar->action(verb) : nullptr;
                // Of two the one that can act; else the first says why not.
                if (one && (!entry.target || (!entry.target->isEnabled() && one->isEnabled())))
                    entry.target = one;
            }
        }
        const QString elsewhere = actsOnRows(entry.verbs.first())
            ? tr("Rows are on the Outbox page.")
            : tr("Tasks and queues are on the Queue page.");
        entry.action->setEnabled(entry.target && entry.target->isEnabled());
        entry.action->setToolTip(entry.target ? entry.target->toolTip() : plainTooltip(elsewhere));
        entry.action->setStatusTip(entry.target ? entry.target->statusTip() : elsewhere);
    }
}

} // namespace outbox
