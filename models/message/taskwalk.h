// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where one stands on the way through the tasks of several states, page after page.
#pragma once

#include "models/message/task.h"

#include <QList>
#include <QString>

namespace outbox {

/// What the tasks of a queue are asked for by.
struct TaskRequest
{
    QueueName queue;
    QString filter; ///< of tasks (console 7), right; empty is everything
    QString after; ///< cursor of a walk through its states; empty: from the start

    bool operator==(const TaskRequest &) const = default;
};

/// The states one behind the other, each by the cursors of its own pages.
class TaskWalk
{
public:
    /// `cursor` is that of a walk through the same states; empty: from the start. One that is not
    /// ends the walk.
    explicit TaskWalk(QList<TaskState> states, const QString &cursor = {});

    [[nodiscard]] bool isOver() const { return m_at >= m_states.size(); }
    /// What is to be read next; only where the walk is not over.
    [[nodiscard]] TaskState state() const { return m_states.at(m_at); }
    [[nodiscard]] const QString &after() const { return m_after; }
    /// That page is there.
    void passed(const TaskPage &page);
    /// To go on from here: "retry 200"; empty where the walk is over.
    [[nodiscard]] QString cursor() const;

private:
    QList<TaskState> m_states;
    qsizetype m_at = 0;
    QString m_after;
};

} // namespace outbox
