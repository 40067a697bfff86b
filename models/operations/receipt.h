// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an operation did, message by message.
#pragma once

#include "models/ids.h"
#include "models/operations/outcome.h"
#include "models/operations/verb.h"
#include "models/result.h"

#include <QDateTime>
#include <QList>
#include <QMap>
#include <QString>

#include <optional>

namespace outbox {

struct ReceiptItem
{
    MessageId row;
    TaskId task;
    QueueName queue;
    Outcome outcome = Outcome::Cancelled;
    QString reason;
    QString after; ///< what undo must find: the row's version or the task's state and stamp

    bool operator==(const ReceiptItem &) const = default;
};

struct Receipt
{
    QString operation; ///< the plan's
    Verb verb{};
    QDateTime started; ///< UTC
    QDateTime ended;
    QList<ReceiptItem> items; ///< one for each item of the plan, in its order
    QList<ReceiptItem> trimmed; ///< Archive: what had to leave to make room for them
    QString exportFile; ///< absolute; empty where nothing was deleted
    QByteArray exportChecksum; ///< of its content
    bool cancelled = false;
    std::optional<Error> error; ///< why it ended before its time
    bool undoable = false;

    [[nodiscard]] QMap<Outcome, qsizetype> counts() const; ///< of the items
    [[nodiscard]] QMap<Outcome, qsizetype> trimmedCounts() const;
    [[nodiscard]] qsizetype count(Outcome outcome) const;
    [[nodiscard]] bool isInDoubt() const; ///< of one item or trimmed task at least
    /// "297 done, 2 changed meanwhile, 1 claimed"; what was trimmed follows.
    [[nodiscard]] QString sentence() const;
    bool operator==(const Receipt &) const = default;
};

} // namespace outbox
