// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/idplaces.h"

#include "connectors/answer.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

IdPlaces::IdPlaces(Profile profile, Secrets secrets, QString stateFolder, QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_secrets(std::move(secrets)),
      m_stateFolder(std::move(stateFolder))
{ }

IdPlaces::~IdPlaces()
{
    m_stop.request_stop();
    m_room.interrupt(); // closing the room would wait for a server that stands still
}

bool IdPlaces::isAbout(const IdVerdict &facts) const
{
    return m_asked.message == facts.message && m_asked.row.has_value() == facts.row.has_value()
        && m_asked.rowError.has_value() == facts.rowError.has_value()
        && m_asked.taskError.has_value() == facts.taskError.has_value();
}

void IdPlaces::look(const IdVerdict &facts, const OutboxShape &shape)
{
    if (isAbout(facts))
        return;
    m_stop.request_stop();
    m_stop = {};
    m_asked = facts;
    m_isKnown = false;
    const IdSearchTerms terms{m_profile, m_secrets, shape, m_stateFolder, u"outboxdeck"_s};
    answerTo(this, m_room.run([terms, facts, stop = m_stop.get_token()](IdSearch &search) {
        return stop.stop_requested() ? facts : search.search(terms, facts, stop);
    }),
             [this, run = ++m_run](const IdVerdict &verdict) {
                 if (run != m_run)
                     return;
                 m_known = verdict;
                 m_isKnown = true;
                 if (!verdict.traces.isEmpty() || !verdict.lives.isEmpty()
                     || !verdict.gaps.isEmpty() || verdict.task != m_asked.task)
                     emit found(verdict.message);
             });
}

IdVerdict IdPlaces::added(IdVerdict facts) const
{
    if (!m_isKnown || !isAbout(facts))
        return facts;
    facts.traces = m_known.traces;
    facts.gaps = m_known.gaps;
    QList<Task> lives = m_known.lives;
    if (m_known.task && !m_asked.task)
        lives.prepend(*m_known.task);
    lives.removeIf([&facts](const Task &life) {
        return facts.task && facts.task->queue == life.queue && facts.task->id == life.id;
    });
    facts.lives = lives;
    return facts;
}

QList<TaskId> IdPlaces::tasksOf(const MessageId &id) const
{
    QList<TaskId> ids;
    if (!m_isKnown || m_known.message != id || m_known.row)
        return ids;
    if (m_known.task && !m_asked.task)
        ids += m_known.task->id;
    for (const Task &life : m_known.lives)
        ids += life.id;
    return ids;
}

} // namespace outbox
