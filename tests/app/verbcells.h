// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cells of the verb matrix: a row in a state beside a task in a state, set up for real, and
// what the design promises for each of them.
#pragma once

#include "models/operations/outcome.h"
#include "models/operations/verb.h"
#include "tests/support/testoutbox.h"

#include <QHash>
#include <QList>
#include <QString>

namespace outbox {

enum class RowIs { Gone, Pending, Processed, HeldPending, HeldProcessed };
enum class TaskIs {
    None,
    Pending,
    Active,
    Scheduled,
    Retry,
    Aggregating,
    Archived,
    Completed,
    Expired, ///< completed, its window is over, no janitor came
    Stranger, ///< completed, but another message
    Stub,
    Orphan,
    WrongType,
    Unreadable, ///< pending, its message cannot be decoded
};

[[nodiscard]] QString word(RowIs row);
[[nodiscard]] QString word(TaskIs task);
[[nodiscard]] QList<RowIs> rowsOf(TestOutbox::Kind kind, BenchShape shape);
[[nodiscard]] QList<TaskIs> allTasks();

struct VerbCell
{
    RowIs row = RowIs::Gone;
    TaskIs task = TaskIs::None;
    QString id; ///< of the row
    QString taskId;
};

/// Makes every cell of the shape in `fixture`, which is freshly set up. Held rows are locked by the
/// fixture's own session until `releaseHeld`.
[[nodiscard]] QList<VerbCell> makeCells(TestOutbox &fixture, TestOutbox::Kind kind,
                                        BenchShape shape, const OutboxShape &mapping);
[[nodiscard]] bool releaseHeld(TestOutbox &fixture, TestOutbox::Kind kind);

/// The outcome that a plan must foresee: correctness.md 8, asynq-protocol.md 10.6, console.md 5.3,
/// 8.3, written down apart from the engine.
[[nodiscard]] Outcome promised(Verb verb, const VerbCell &cell);

/// Every row, by key: a digest of all its columns, on PostgreSQL of its version too.
[[nodiscard]] QHash<QString, QString> rowDigests(TestOutbox &fixture, TestOutbox::Kind kind,
                                                 BenchShape shape);
/// Marks rows as processed now.
[[nodiscard]] bool markProcessed(TestOutbox &fixture, BenchShape shape, const QStringList &ids);
/// Those of the rows that are processed.
[[nodiscard]] QStringList processedIds(TestOutbox &fixture, BenchShape shape);

} // namespace outbox
