// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One of our editing scripts over any number of tasks, in steps that do not hold Redis up.
#pragma once

#include "connectors/asynq/edit/queuenode.h"
#include "connectors/asynq/edit/taskeditor.h"
#include "connectors/redis/script.h"

#include <QByteArrayList>
#include <QList>
#include <QString>

#include <functional>

namespace outbox::asynq {

/// Ids at either end of the list of pending tasks that are cheap to find.
inline constexpr qint64 nearEnd = 1'000;
/// Ids that a script walks past in that list: some 2 ms.
inline constexpr qint64 longestWalk = 100'000;

/// How many tasks the next script gets: up to 500 while scripts stay short by the server's own
/// clock, fewer as soon as they do not.
class EditPace
{
public:
    /// `listLength`: of the list the ids must be searched for in; 0 where there is none to search.
    explicit EditPace(qint64 listLength);
    [[nodiscard]] qsizetype tasks() const { return m_tasks; }
    /// A script answered `answered` of the tasks it got, in `microseconds`.
    void learn(qsizetype answered, qsizetype sent, qint64 microseconds);

private:
    qsizetype m_tasks;
};

/// The keys that a script may have to touch beside the hashes of these tasks, each of which is here
/// with the script's arguments, its id first.
using KeysOfTasks = std::function<Result<QByteArrayList>(const QList<QByteArrayList> &tasks)>;

/// Sends one edit. What its first parts answered stays true where a later part ends in an error.
/// Errors: those of `QueueNode`.
class PacedEdit
{
public:
    /// `settings` are the arguments of the script behind prefix and times. `beside` is asked
    /// before each script; none: it touches the hashes alone. The node and the script outlive the
    /// edit.
    PacedEdit(QueueNode &node, const RedisScript &script, QByteArrayList settings, QString doing,
              EditPace pace, KeysOfTasks beside = {});

    /// The answers for `tasks` (the script's arguments for each) in their order. Fails when the
    /// outcome of what was sent last is unknown, or when nothing at all was done before the server
    /// refused; what a later refusal leaves over is answered Failed.
    [[nodiscard]] Result<QList<TaskAnswer>> run(const QList<QByteArrayList> &tasks);
    /// True once a task was answered Done.
    [[nodiscard]] bool acted() const { return m_acted; }

private:
    /// `microseconds`: between two looks at the server's clock.
    [[nodiscard]] Result<RedisReply> send(const QByteArrayList &keys,
                                          const QByteArrayList &arguments, qint64 &microseconds);
    [[nodiscard]] Result<qsizetype> step(const QList<QByteArrayList> &tasks, qsizetype from,
                                         QList<TaskAnswer> &answers);

    QueueNode &m_node;
    const RedisScript &m_script;
    QByteArrayList m_settings;
    QString m_doing;
    EditPace m_pace;
    KeysOfTasks m_beside;
    bool m_acted = false;
    bool m_answered = false;
};

/// Every container of the queue and the key to try rights on, as the scripts expect their KEYS
/// before those of the tasks.
[[nodiscard]] QByteArrayList editedKeys(const QueueKeys &keys);

/// What is told of a task that was not written to.
[[nodiscard]] QString explanation(TaskAnswer::Kind kind, TaskState state);

} // namespace outbox::asynq
