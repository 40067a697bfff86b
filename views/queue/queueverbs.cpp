// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/queue/queueverbs.h"

#include "models/operations/verbdescriptor.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QueueVerbs::QueueVerbs(QWidget *parent)
    : VerbBar(u"queueVerbs"_s, verbsFor(VerbTarget::Queue), Place::Page, parent)
{
    setQueue(std::nullopt);
}

void QueueVerbs::setQueue(const std::optional<QueueSnapshot> &queue)
{
    m_queue = queue;
    const bool paused = queue && queue->paused;
    setShown(Verb::Pause, !paused);
    setShown(Verb::Unpause, paused);
    judge();
}

Selection QueueVerbs::selection(Verb /*verb*/) const
{
    Selection selection;
    selection.queue = m_queue->name;
    return selection;
}

QString QueueVerbs::whyNothing(Verb verb) const
{
    if (!m_queue)
        return tr("No queue is chosen.");
    if (m_queue->paused == (verb == Verb::Pause))
        return m_queue->paused ? tr("It is paused already.") : tr("It is not paused.");
    return {};
}

} // namespace outbox
