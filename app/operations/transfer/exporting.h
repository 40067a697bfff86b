// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes what an operation is going to delete into its export file, before the first chunk.
// Errors: those of the sources and of the file; Cancelled where it was stopped.
#pragma once

#include "app/operations/core/operation.h"
#include "app/operations/transfer/exportfile.h"

#include <functional>
#include <optional>

namespace outbox {

/// A page of an export holds at most this many items and, but for a single larger one, bytes.
inline constexpr qsizetype exportPageItems = 500;
inline constexpr qint64 exportPageBytes = qint64(32) * 1024 * 1024;

/// Writes rows whole, page by page, to `file`, and answers the writer, which has finished: rows
/// that are gone are left out, and without any there is no file and no writer. `head` gets table
/// and columns here. Fails with Cancelled when the operator gives up; then no file is left.
[[nodiscard]] Result<std::optional<ExportWriter>> writeRows(OutboxEditor &reader,
                                                            const QList<PlanItem> &rows,
                                                            const QString &file, ExportHead head,
                                                            const OperationControl &control);
/// The same for tasks; `head` gets the queue.
[[nodiscard]] Result<std::optional<ExportWriter>> writeTasks(TaskEditor &reader,
                                                             const QList<PlanItem> &tasks,
                                                             const QString &file, ExportHead head,
                                                             const OperationControl &control);

/// All rows that the plan acts on, read by the acting session; file and checksum are set in
/// `receipt` when the file is on disk. Fails like writeRows.
[[nodiscard]] Result<void> exportRows(OperatorSession &session, const Plan &plan, Receipt &receipt,
                                      const OperationControl &control);
/// The same for tasks.
[[nodiscard]] Result<void> exportTasks(OperatorSession &session, const Plan &plan,
                                       const QList<PlanItem> &tasks, Receipt &receipt,
                                       const OperationControl &control);
/// Reads that file again and hands on each task as it stands there.
[[nodiscard]] Result<void> eachExported(const QString &file,
                                        const std::function<void(const StoredTask &)> &take);
/// The export of an act that is to be undone, from the very file that was written. Fails with
/// Refused where nothing was exported, with Conflict for another file.
[[nodiscard]] Result<ExportReader> exportOf(const Activity &undone);
/// The items of a plan that are acted on.
[[nodiscard]] QList<PlanItem> actingItems(const Plan &plan);

} // namespace outbox
