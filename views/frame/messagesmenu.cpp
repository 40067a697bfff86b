// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/messagesmenu.h"

#include "models/plaintext.h"
#include "views/operation/verbbar.h"
#include "views/widgets/actions.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

MessagesMenu::MessagesMenu(Actions &actions, QObject *parent) : QObject(parent)
{
    const auto add = [&](const QList<Verb> &verbs, const QString &id, const QString &text,
                         const QKeySequence &keys, bool separated = false) {
        Entry entry;
        entry.verbs = verbs;
        entry.action = actions.add({id, Actions::Menu::Messages, text, verbTip(verbs.first()),
                                    verbIcon(verbs.first()), keys, false, separated});
        const qsizetype at = m_entries.size();
        connect(entry.action, &QAction::triggered, this, [this, at] {
            if (QAction *target = m_entries.at(at).target)
                target->trigger();
        });
        m_entries += entry;
    };
    add({Verb::Replay}, u"replay"_s, tr("&Replay\u2026"), Qt::CTRL | Qt::Key_R);
    add({Verb::Run}, u"run"_s, tr("R&un\u2026"), Qt::CTRL | Qt::SHIFT | Qt::Key_R);
    add({Verb::Archive}, u"archive"_s, tr("&Archive\u2026"), {});
    add({Verb::Replace}, u"replace"_s, tr("Re&place\u2026"), {});
    add({Verb::Cancel}, u"cancelTask"_s, tr("&Cancel\u2026"), {});
    add({Verb::Release}, u"release"_s, tr("Re&lease\u2026"), {});
    add({Verb::Park}, u"park"_s, tr("Par&k\u2026"), {});
    add({Verb::Unpark}, u"unpark"_s, tr("U&npark\u2026"), {});
    add({Verb::Purge, Verb::Delete}, u"remove"_s, tr("Purge or &delete\u2026"), Qt::Key_Delete,
        true);
    add({Verb::Pause, Verb::Unpause}, u"pauseQueue"_s, tr("Pause or unpause the &queue\u2026"), {},
        true);
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
