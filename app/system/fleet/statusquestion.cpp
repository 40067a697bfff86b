// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/fleet/statusquestion.h"

#include "app/settings/opening.h"

namespace outbox {

StatusQuestion::StatusQuestion(const Target &target, QuestionPlace place,
                               std::shared_ptr<ReadingJudge> memory, ClosedSources known, Take take)
    : SystemQuestion(target, std::move(place)), m_memory(std::move(memory)),
      m_known(std::move(known)), m_take(std::move(take))
{ }

void StatusQuestion::ask()
{
    m_answer.reading.at = QDateTime::currentDateTimeUtc();
    if (m_known.database) {
        m_answer.reading.outbox = Failure(*m_known.database);
        openQueue();
        return;
    }
    recognize(!m_memory->shape().has_value(),
              [this](const Result<OutboxShape> &shape, bool isOpen) {
                  if (shape) {
                      m_memory->setShape(*shape);
                      countRows();
                      return;
                  }
                  m_memory->setShape({});
                  m_answer.reading.outbox = passOn(shape);
                  if (!isOpen)
                      m_answer.closed.database = shape.error();
                  openQueue();
              });
}

void StatusQuestion::countRows()
{
    step([](SystemSessions &sessions) { return sessions.outbox.snapshot(liveCaps); },
         [this](const Result<OutboxSnapshot> &outbox) {
             m_answer.reading.outbox = outbox;
             openQueue();
         });
}

void StatusQuestion::openQueue()
{
    if (m_known.queue) {
        m_answer.reading.queue = Failure(*m_known.queue);
        judge();
        return;
    }
    const auto endpoint = queueEndpointOf(target());
    if (!endpoint) {
        m_answer.reading.queue = passOn(endpoint);
        judge();
        return;
    }
    step(
        [endpoint = *endpoint, program = program()](SystemSessions &sessions) {
            return sessions.tasks.ready(endpoint, sessionName(program));
        },
        [this](const Result<void> &opened) {
            if (opened) {
                readQueue();
                return;
            }
            m_answer.reading.queue = passOn(opened);
            m_answer.closed.queue = opened.error();
            judge();
        });
}

void StatusQuestion::readQueue()
{
    step([profile = target().profile](
             SystemSessions &sessions) { return readEveryQueue(sessions.tasks, profile); },
         [this](const Result<QueueReading> &queue) {
             m_answer.reading.queue = queue;
             judge();
         });
}

void StatusQuestion::judge()
{
    m_memory->take(m_answer.reading);
    if (!m_answer.reading.outbox)
        m_memory->setShape({}); // the table may have changed
    m_answer.cost = cost();
    m_take(m_answer);
    end();
}

} // namespace outbox
