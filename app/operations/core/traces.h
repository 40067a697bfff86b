// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the audit keeps of one message before and after an act, as text that people can read and
// that undo and a look at doubtful chunks read again.
#pragma once

#include "models/operations/auditentry.h"
#include "models/operations/plan.h"
#include "models/operations/receipt.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <optional>

namespace outbox {

/// What was seen of a message before: "row=processed processed=2026-11-21T10:00:00.000Z
/// exactly=1795255200000000 task=none version=845". The version stands last, since it may hold
/// blanks.
struct Trace
{
    std::optional<MessageState> row;
    QString version;
    std::optional<QDateTime> processed;
    QString processedText; ///< `RowSnapshot::processedText`; percent-encoded in the text
    std::optional<TaskState> task;
    QByteArray stamp;
    QString intended; ///< `PlanItem::intended`

    [[nodiscard]] static Trace of(const PlanItem &item);
    [[nodiscard]] static Trace fromText(const QString &text);
    [[nodiscard]] QString text() const;
    bool operator==(const Trace &) const = default;
};

/// What is expected of one message, or what became of it, and why.
struct Judgement
{
    Outcome outcome = Outcome::Unknown;
    QString reason{};
    QString after{}; ///< what undo must find: `ReceiptItem::after`
};

/// "pending 1763719200000000000": state and stamp of a task, as `ReceiptItem::after` keeps them.
[[nodiscard]] QString taskAfter(TaskState state, const QByteArray &stamp);

/// Of a task that an act has moved: undo must find it only where it is pending.
[[nodiscard]] Judgement movedTask(const TaskSeen &now);

[[nodiscard]] AuditedItem auditedBefore(const PlanItem &item);
[[nodiscard]] AuditedItem auditedAfter(const ReceiptItem &item);
/// The outcome in `AuditedItem::after`; nullopt while there is none.
[[nodiscard]] std::optional<Outcome> outcomeOf(const AuditedItem &item);
/// Of an Archive: a task that had to leave the archive, not one that came into it.
[[nodiscard]] bool wasTrimmed(const AuditedItem &item);
/// What undo must find: `ReceiptItem::after` again.
[[nodiscard]] QString afterOf(const AuditedItem &item);

} // namespace outbox
