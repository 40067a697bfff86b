// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/offeredverbs.h"

#include "models/operations/verbdescriptor.h"
#include "models/system/offer.h"

#include <QAction>

namespace outbox {

OfferedVerbs::OfferedVerbs(const QString &name, QWidget *parent)
    : VerbBar(
        name, offerableVerbs(), Place::Aside, [this](Verb verb) { return selection(verb); },
        [this](Verb verb) {
            return offeredVerbs(m_verdict).contains(verb) ? QString()
                                                          : tr("It has no meaning here.");
        },
        parent)
{
    for (const Verb verb : offerableVerbs()) {
        if (const char *text = descriptorOf(verb).offeredAs)
            action(verb)->setText(verbTexts(text) + u'\u2026');
    }
    clear();
}

void OfferedVerbs::setVerdict(const IdVerdict &verdict)
{
    m_verdict = verdict;
    const QList<Verb> offered = offeredVerbs(verdict);
    for (const Verb verb : offerableVerbs())
        setShown(verb, offered.contains(verb));
    setVisible(!offered.isEmpty());
    judge();
}

Selection OfferedVerbs::selection(Verb verb) const
{
    Selection selection;
    if (actsOnRows(verb)) {
        selection.rows = {m_verdict.message};
    } else {
        selection.tasks = {m_verdict.taskId};
        selection.queue = m_verdict.queue;
    }
    return selection;
}

} // namespace outbox
