// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A filter evaluated on what is at hand of a row or a task. What cannot be known from that is said.
#pragma once

#include "models/filter/checks.h"
#include "models/message/message.h"
#include "models/message/task.h"

#include <functional>

namespace outbox {

/// Unknown: what it depends on is not at hand, such as the rest of a payload.
enum class Truth { No, Unknown, Yes };

/// Parts with a truth each, put together.
[[nodiscard]] Truth truthOf(const CheckNode &node,
                            const std::function<Truth(const FieldCheck &)> &test);

/// Where a filter looks, besides what a list of rows or tasks holds anyway.
struct FilterNeeds
{
    bool payload = false; ///< the content itself: a list has only its beginning
    bool queue = false; ///< the task of a row
    bool columns = false; ///< columns that no Message holds: the database alone can tell

    bool operator==(const FilterNeeds &) const = default;
};
[[nodiscard]] FilterNeeds needsOf(const CheckNode &checks);
/// The first check, from the left, that needs this; it lives in `checks`. nullptr: none does.
[[nodiscard]] const FieldCheck *firstThatNeeds(const CheckNode &checks, bool FilterNeeds::*need);

/// Whether a row matches. `uuidKeys`: ids are uuids, in whatever way somebody writes them; `task`:
/// where the task of the row stands, None where there is none; nullopt: not known.
[[nodiscard]] Truth truthOf(const CheckNode &checks, const Message &row, bool uuidKeys,
                            const std::optional<TaskState> &task = {});

/// Whether a task meets `checks`; `now` is what its age counts to.
[[nodiscard]] Truth truthOf(const CheckNode &checks, const Task &task, const QDateTime &now);

/// A text, empty where it is missing, or a time, against the values of a check.
[[nodiscard]] bool meets(const FieldCheck &check, const QString &text);
[[nodiscard]] bool meets(const FieldCheck &check, const std::optional<QDateTime> &at);
[[nodiscard]] bool meets(const FieldCheck &check, const std::optional<double> &number);

} // namespace outbox
