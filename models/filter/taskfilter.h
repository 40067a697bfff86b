// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A filter over queue tasks: the states to read, and a test for what was read.
#pragma once

#include "models/result.h"
#include "models/task.h"

#include <QList>
#include <QString>

namespace outbox {

struct TaskFilter
{
    QList<TaskState> states; ///< empty = all
    QString typePattern; ///< `*` and `?` are wildcards; empty = all
    QString idPrefix; ///< empty = all

    /// Reads `state:retry,dead type:email:* id:7e57` and bare words. Fails like
    /// pageRequestFromFilter.
    [[nodiscard]] static Result<TaskFilter> fromText(const QString &text);
    [[nodiscard]] bool matches(const Task &task) const;
    bool operator==(const TaskFilter &) const = default;
};

} // namespace outbox
