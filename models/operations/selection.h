// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the operator pointed at, before anything was looked up.
#pragma once

#include "models/content/rowcontent.h"
#include "models/ids.h"
#include "models/message/findingkind.h"
#include "models/message/task.h"

#include <QList>
#include <QString>

#include <optional>
#include <variant>

namespace outbox {

/// What is meant inside documents. Then `Selection::rows` are documents (none: all of them) and
/// `tasks` the incoming messages whose entries are meant (none: every one). As many messages as
/// documents are pairs: each is meant in its own document alone.
enum class DocumentPart {
    Undispatched, ///< entries whose messages are to be dispatched
    Unsettled, ///< leftovers too
    Entries, ///< what may be purged
    Tokens, ///< `tasks` are tokens
};

/// Findings of these kinds, or of every kind where none is named; or a part of documents.
using Meant = std::variant<std::monostate, QList<FindingKind>, DocumentPart>;

/// As `--kind` takes it, and as a plan names it: "all", "K17", "K2,K7", "K15, K29", "entries";
/// empty where nothing is meant.
[[nodiscard]] QString word(const Meant &meant);

/// Ids, or a filter (console.md 7), or whole queues. A plan freezes it into ids.
struct Selection
{
    QList<MessageId> rows;
    QList<TaskId> tasks;
    QueueName queue; ///< of the tasks; the queue itself for Pause and Unpause
    QString filter; ///< rows or tasks, as the verb acts on; used when no id is given
    Meant meant; ///< beside ids
    QString file; ///< Import: the export to take
    std::optional<NewTask> newTask; ///< Enqueue
    std::optional<RowEdit> edit; ///< Edit, EditTask: what is wanted of the one row or task

    [[nodiscard]] bool isEmpty() const
    {
        return rows.isEmpty() && tasks.isEmpty() && filter.isEmpty() && file.isEmpty()
            && meant.index() == 0 && !newTask;
    }
    bool operator==(const Selection &) const = default;
};

} // namespace outbox
