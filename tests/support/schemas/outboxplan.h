// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is drawn before an outbox is made: how its rows tell their states, and what its rows are.
#pragma once

#include "tests/support/schemas/generatedschema.h"

namespace outbox {

struct OutboxPlan
{
    enum class Key { Uuid, Counted, Text, Several };
    enum class Status { Words, Enum, Numbers, Letters };
    enum class FlagIs { Boolean, Number, YesNo };
    enum class Spread { MostProcessed, NoneProcessed, Backlog, Empty, Few, ManyTypes, OldOnly };

    Key key = Key::Uuid;
    TimeForm times = TimeForm::Plain;
    OutboxShape::ProcessedHow processed = OutboxShape::ProcessedHow::Deleted;
    OutboxShape::LockedHow locked = OutboxShape::LockedHow::None;
    OutboxShape::FailedHow failed = OutboxShape::FailedHow::None;
    Status status = Status::Words;
    FlagIs flag = FlagIs::Boolean;
    Spread spread = Spread::Backlog;
    bool hasSentTime = false; ///< beside a flag or a status
    bool mayStatusBeNull = false;
    bool hasDefault = false; ///< of the status
    bool isListed = false; ///< a check says which values there are
    bool isExplained = false; ///< by a comment
    bool hasLockOwner = false;
    bool hasLockTime = false;
    bool leavesLease = false; ///< processed rows keep the end of theirs
    bool hasDue = false;
    bool mayDueBeNull = false;
    bool hasWaitingValue = false;
    bool hasAttempts = false;
    bool hasMaxAttempts = false;
    bool hasError = false;
    bool hasCreated = true;
    bool hasHeaders = false;
    int typeStyle = 0; ///< how its types are written: "OrderCreated", "order.created" …
    QStringList extras; ///< roles of columns that mislead
    bool hasDeadLetters = false;

    [[nodiscard]] bool hasStatus() const { return processed == OutboxShape::ProcessedHow::Status; }
    /// Only held-out schemas put these together.
    [[nodiscard]] bool isHeldOut() const;
    [[nodiscard]] QString text() const;
};

[[nodiscard]] OutboxPlan anyPlan(Dice &dice);
[[nodiscard]] OutboxPlan drawnPlan(Dice &dice, bool isHeldOut);
/// One as relays and job queues have it.
[[nodiscard]] OutboxPlan designedPlan(Dice &dice);

/// The values of a status column by state, as they are stored.
using StatusValues = QMap<MessageState, QString>;
[[nodiscard]] StatusValues statusValues(const OutboxPlan &plan, const Corpus &corpus,
                                        const Vocabulary &vocabulary, Dice &dice,
                                        QString *explained);

/// Fills `table`; counts the rows of each state in `truth`.
void fillOutbox(TableDraft &table, const OutboxPlan &plan, const StatusValues &values,
                const SqlForm &form, Dice &dice, OutboxTruth &truth);

} // namespace outbox
