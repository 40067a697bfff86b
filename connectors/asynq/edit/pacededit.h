// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One of our editing scripts over any number of tasks, in steps that do not hold Redis up.
#pragma once

#include "connectors/asynq/edit/taskeditor.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/script.h"

#include <QByteArrayList>
#include <QList>
#include <QString>

namespace outbox::asynq {

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

/// Sends one edit; the answers of its parts are one story: an error after the first tasks were
/// answered does not unsay them.
/// Errors: those of `RedisConnection`.
class PacedEdit
{
public:
    /// `settings` are the arguments of the script behind prefix and times. The connection and the
    /// script outlive the edit.
    PacedEdit(RedisConnection &connection, const RedisScript &script, QueueKeys keys,
              QByteArrayList settings, QString doing, EditPace pace);

    /// The answers for `tasks` (the script's arguments for each) in their order. Fails when the
    /// outcome of what was sent last is unknown, or when nothing at all was done before the server
    /// refused; what a later refusal leaves over is answered Failed.
    [[nodiscard]] Result<QList<TaskAnswer>> run(const QList<QByteArrayList> &tasks);
    /// True once a task was answered Done.
    [[nodiscard]] bool acted() const { return m_acted; }

private:
    /// `microseconds`: between two looks at the server's clock.
    [[nodiscard]] Result<RedisReply> send(const QByteArrayList &arguments, qint64 &microseconds);
    [[nodiscard]] Result<qsizetype> step(const QList<QByteArrayList> &tasks, qsizetype from,
                                         QList<TaskAnswer> &answers);

    RedisConnection &m_connection;
    const RedisScript &m_script;
    QueueKeys m_keys;
    QByteArrayList m_settings;
    QString m_doing;
    EditPace m_pace;
    bool m_acted = false;
    bool m_answered = false;
};

/// Every container of the queue, as the scripts expect their KEYS.
[[nodiscard]] QByteArrayList editedKeys(const QueueKeys &keys);

/// What is told of a task that was not written to.
[[nodiscard]] QString explanation(TaskAnswer::Kind kind, TaskState state);

} // namespace outbox::asynq
