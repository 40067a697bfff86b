// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/idquestion.h"

#include "app/system/jobs/idsearch.h"
#include "connectors/answer.h"
#include "connectors/room.h"
#include "models/system/verdict.h"

#include <functional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// Where else the id stands, looked for once in a room of its own. What was found of one id is kept
/// until another is asked for, or its row comes or goes: a search through the keys of Redis is
/// never repeated by itself.
class IdQuestion::Places
{
public:
    /// `found` is called when `added` knows more of an id than before.
    Places(Target target, std::function<void(const MessageId &)> found)
        : m_target(std::move(target)), m_found(std::move(found))
    { }
    ~Places()
    {
        m_stop.request_stop();
        m_room.interrupt(); // closing the room would wait for a server that stands still
    }

    /// Begins to look for the id of `facts`, unless that was done; a search for another ends.
    void look(const IdVerdict &facts, const OutboxShape &shape)
    {
        if (isAbout(facts))
            return;
        m_stop.request_stop();
        m_stop = {};
        m_asked = facts;
        m_isKnown = false;
        answerTo(&m_asker,
                 m_room.run([target = m_target, shape, facts,
                             stop = m_stop.get_token()](IdSearch &search) {
                     search.setSystem(target, shape, u"outboxdeck"_s);
                     return stop.stop_requested() ? facts : search.search(facts, stop);
                 }),
                 [this, run = ++m_run](const IdVerdict &verdict) {
                     if (run != m_run)
                         return;
                     m_known = verdict;
                     m_isKnown = true;
                     if (!verdict.traces.isEmpty() || !verdict.lives.isEmpty()
                         || !verdict.gaps.isEmpty() || verdict.task != m_asked.task)
                         m_found(verdict.message);
                 });
    }

    /// `facts` with what was found of the same id.
    [[nodiscard]] IdVerdict added(IdVerdict facts) const
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

    /// Tasks that were found for it, newest first.
    [[nodiscard]] QList<TaskId> tasksOf(const MessageId &id) const
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

private:
    [[nodiscard]] bool isAbout(const IdVerdict &facts) const
    {
        return m_asked.message == facts.message && m_asked.row.has_value() == facts.row.has_value()
            && m_asked.rowError.has_value() == facts.rowError.has_value()
            && m_asked.taskError.has_value() == facts.taskError.has_value();
    }

    Target m_target;
    std::function<void(const MessageId &)> m_found;
    QObject m_asker;
    IdVerdict m_asked; ///< of the search that ran last, or is under way
    IdVerdict m_known; ///< what it found
    bool m_isKnown = false;
    std::stop_source m_stop;
    quint64 m_run = 0; ///< the answer of an older search is dropped
    Room<IdSearch> m_room{QStringLiteral("ids")}; ///< last: its thread ends first
};

IdQuestion::IdQuestion(const Target &target, DatabaseFeed &database, QueueFeed &queue)
    : m_database(database), m_queue(queue), m_ownQueue{target.profile.queue},
      m_hasRows(!target.profile.design),
      m_places(std::make_unique<Places>(target, [this](const MessageId &id) {
          if (!m_asked && m_told == id) // what else is known is told with what is so now
              ask(id);
      }))
{
    connect(&m_database, &DatabaseFeed::found, this, &IdQuestion::takeRow);
    connect(&m_queue, &QueueFeed::found, this, &IdQuestion::takeTask);
}

IdQuestion::~IdQuestion() = default;

void IdQuestion::ask(const MessageId &id)
{
    IdVerdict asked;
    asked.message = id;
    const auto &shape = m_database.shape();
    asked.taskId = shape ? taskOfTyped(*shape, id) : TaskId{id.text};
    asked.queue = shape ? queueOfTyped(*shape, asked.taskId, m_ownQueue) : m_ownQueue;
    m_asked = asked;
    m_key = id;
    m_isRowIn = false;
    if (m_hasRows)
        m_database.find(MessageId(id));
    else
        takeRow(MessageId(id), std::optional<Message>());
}

void IdQuestion::takeRow(const MessageId &id, const Result<std::optional<Message>> &row)
{
    if (!m_asked || m_isRowIn || m_key != id)
        return; // an older question
    const auto &shape = m_database.shape();
    const auto key = shape ? shape->keyIn({id.text}) : std::nullopt;
    if (row && !*row && id == m_asked->message && key && *key != id) {
        m_key = *key; // somebody gave the id of a task
        return m_database.find(*key);
    }
    m_isRowIn = true;
    IdVerdict &verdict = *m_asked;
    noteRow(verdict, row);
    // Of a row that is there the id counts in its own queue. Copies: an answer that comes at once
    // ends the question.
    if (verdict.row)
        return m_queue.find(QueueName(verdict.queue), TaskId(verdict.taskId));
    QList<TaskId> ids = m_places->tasksOf(verdict.message);
    ids << verdict.taskId << TaskId{verdict.message.text};
    verdict.taskId = ids.constFirst();
    m_queue.findAnywhere(QueueName(verdict.queue), ids);
}

void IdQuestion::takeTask(const QueueName &queue, const TaskId &id,
                          const Result<std::optional<Task>> &task)
{
    if (!m_asked || !m_isRowIn || m_asked->queue != queue || m_asked->taskId != id)
        return; // somebody else's look at another task
    IdVerdict asked = *std::exchange(m_asked, std::nullopt);
    noteTask(asked, task);
    m_told = asked.message;
    emit answered(m_places->added(asked));
    m_places->look(asked, m_database.shape().value_or(OutboxShape()));
}

} // namespace outbox
