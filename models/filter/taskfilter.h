// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A filter over queue tasks: the states to read, and a test for what was read.
#pragma once

#include "models/filter/predicate.h"
#include "models/result.h"

#include <QList>
#include <QString>

namespace outbox {

class TaskFilter
{
public:
    /// Reads `state:retry,dead type:email:* error~timeout`; `now` is what times and ages count
    /// from. Fails with Invalid and the position of the fault.
    [[nodiscard]] static Result<TaskFilter> fromText(const QString &text, const QDateTime &now);

    /// The states in which tasks may be that match; empty where it does not speak of states.
    [[nodiscard]] const QList<TaskState> &states() const { return m_states; }
    /// How much of a payload a list must read for it, in bytes.
    [[nodiscard]] int payloadBytes() const;
    /// Unknown where more of the payload would tell.
    [[nodiscard]] Truth of(const Task &task) const { return m_predicate.of(task); }

private:
    explicit TaskFilter(TaskPredicate predicate) : m_predicate(std::move(predicate)) { }

    QList<TaskState> m_states;
    TaskPredicate m_predicate;
};

} // namespace outbox
