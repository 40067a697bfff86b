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
    m_look.at = QDateTime::currentDateTimeUtc();
    if (m_known.database) {
        m_look.outbox = Failure(*m_known.database);
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
                  m_look.outbox = passOn(shape);
                  if (!isOpen)
                      m_closed.database = shape.error();
                  openQueue();
              });
}

void StatusQuestion::countRows()
{
    step([](SystemSessions &sessions) { return sessions.outbox().snapshot(liveCaps); },
         [this](const Result<OutboxSnapshot> &outbox) {
             m_look.outbox = outbox;
             openQueue();
         });
}

void StatusQuestion::openQueue()
{
    if (m_known.queue) {
        m_look.queue = Failure(*m_known.queue);
        judge();
        return;
    }
    const auto endpoint = redisOf(target().profile, target().secrets);
    if (!endpoint) {
        m_look.queue = passOn(endpoint);
        judge();
        return;
    }
    step(
        [endpoint = *endpoint, program = program()](SystemSessions &sessions) {
            return sessions.tasksAt(endpoint).ready(endpoint, sessionName(program));
        },
        [this, endpoint = *endpoint](const Result<void> &opened) {
            if (opened) {
                readQueue(endpoint);
                return;
            }
            m_look.queue = passOn(opened);
            m_closed.queue = opened.error();
            judge();
        });
}

void StatusQuestion::readQueue(const RedisEndpoint &endpoint)
{
    step(
        [endpoint, profile = target().profile](SystemSessions &sessions) {
            return readEveryQueue(sessions.tasksAt(endpoint), profile);
        },
        [this](const Result<QueueReading> &queue) {
            m_look.queue = queue;
            judge();
        });
}

void StatusQuestion::judge()
{
    m_memory->take(m_look);
    if (!m_look.outbox)
        m_memory->setShape({}); // the table may have changed
    m_take(m_look, m_closed);
    end();
}

} // namespace outbox
