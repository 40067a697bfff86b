// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A filter over queue tasks: the states to read, a test for what was read, and how far a search is.
#pragma once

#include "models/filter/predicate.h"
#include "models/message/message.h"
#include "models/message/taskwalk.h"
#include "models/result.h"

#include <QDateTime>
#include <QList>
#include <QSet>
#include <QString>

#include <optional>

namespace outbox {

/// See `TaskFilter::reach`; `checks` are those of a filter of tasks.
[[nodiscard]] FilterReach taskReachOf(const CheckNode &checks);

class TaskFilter
{
public:
    /// Reads `state:retry,dead type:email:* error~timeout`; `now` is what times and ages count
    /// from. Fails with Invalid and the position of the fault.
    [[nodiscard]] static Result<TaskFilter> fromText(const QString &text, const QDateTime &now);

    /// The states in which tasks may be that match; empty where it does not speak of states.
    [[nodiscard]] const QList<TaskState> &states() const { return m_states; }
    /// The states to read for it, in their order: all sound ones where it does not speak of states,
    /// none where what it says of them holds for no task.
    [[nodiscard]] QList<TaskState> statesToRead() const;
    /// Queue: it asks for states and for nothing else, which the queue lists by itself. Scan: tasks
    /// must be read and searched.
    [[nodiscard]] FilterReach reach() const { return taskReachOf(m_checks); }
    /// How much of a payload a list must read for it, in bytes.
    [[nodiscard]] int payloadBytes() const;
    /// Unknown where more of the payload would tell.
    [[nodiscard]] Truth of(const Task &task) const { return truthOf(m_checks, task, m_now); }

private:
    TaskFilter(CheckNode checks, const QDateTime &now) : m_checks(std::move(checks)), m_now(now) { }

    QList<TaskState> m_states;
    bool m_speaksOfStates = false;
    CheckNode m_checks;
    QDateTime m_now;
};

/// A search through the tasks of a queue: how far it is and what it has found. Whoever shows them
/// needs the beginning of their payloads only.
struct TaskSearchView
{
    enum class State {
        Running,
        Paused, ///< what one go may read is read; it goes on when a person says so
        Stopped, ///< by a person
        Failed, ///< `error` says why; it may go on
        Full, ///< more are found than a list holds
        Complete, ///< all tasks are read
    };

    TaskRequest request;
    State state = State::Running;
    QList<Task> tasks; ///< found, each once, however often it was met
    qint64 searched = 0; ///< tasks that were read
    qint64 undecided = 0; ///< left out, because the beginning of their payload does not tell
    double seconds = 0; ///< since the last start
    QDateTime at; ///< of the last answer
    std::optional<Error> error;

    /// Takes what matches of a page, payloads cut at `payloadBytes`.
    void take(const TaskFilter &filter, const TaskPage &page, qsizetype payloadBytes);
    [[nodiscard]] bool isRunning() const { return state == State::Running; }
    [[nodiscard]] bool mayGoOn() const
    {
        return state == State::Paused || state == State::Stopped || state == State::Failed;
    }

private:
    QSet<TaskId> m_known; ///< the tasks that were found
};

} // namespace outbox
