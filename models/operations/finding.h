// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be inconsistent between an outbox and a queue, by kind, and one case of it as it was
// seen.
#pragma once

#include "models/ids.h"
#include "models/message/findingkind.h"
#include "models/operations/outcome.h"
#include "models/operations/plan.h"

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// Where a kind is looked for.
enum class FindingPlace {
    Queue, ///< Q: inside the queue
    Both, ///< X: rows against the queue
    Outbox, ///< O: rows alone
    Documents, ///< D: documents and tokens
    Condition, ///< C: a setting or a server, not a message
};

/// How far the console goes in repairing a kind.
enum class RepairOffer {
    NotNeeded, ///< it ends by itself
    Here, ///< by Reconcile; some need consent to a second execution, each case says so
    Elsewhere, ///< by another verb or a setting, which the texts name
    Never, ///< only a person can decide; nothing is offered
};

/// One line of the catalogue. All texts are sentences for people.
struct KindText
{
    FindingKind kind = FindingKind::StubHash;
    FindingPlace place = FindingPlace::Queue;
    RepairOffer offer = RepairOffer::Never;
    bool isLookedFor = true; ///< false: this version has no reader for it
    QString title; ///< "Task without a message"
    QString why; ///< the promise that is broken
    QString repair; ///< what repairing does
    QString risk; ///< what is lost if the finding is a mistake
};

[[nodiscard]] QString word(FindingPlace place); ///< "queue", "rows against queue", …
[[nodiscard]] KindText textOf(FindingKind kind);
/// By number.
[[nodiscard]] QList<FindingKind> allFindingKinds();
/// "K1 to K31": the words that a person may choose from.
[[nodiscard]] QString findingKindRange();

/// What repairing does to one id. The word stands before the signature in a plan's evidence.
enum class Repair {
    None,
    Drop, ///< out of every container, its own lock and its hash go
    Requeue, ///< from active to pending
    ClearLease, ///< off the lease set
    Settle, ///< the state field takes the container's name
    RestoreStatus, ///< out of every container but the one that the state field names
    Reattach, ///< into the archive, where nothing runs by itself
    FreeLock, ///< the unique lock goes
    RegisterQueue, ///< the queue's name goes into asynq:queues
    Reopen, ///< the row waits for the relay again
    SetStatus, ///< the status table takes the value for done
    Release, ///< the lease columns of the row are emptied
};

[[nodiscard]] QString word(Repair repair); ///< "drop", "requeue" …
[[nodiscard]] std::optional<Repair> repairFromWord(QStringView word);

/// One case. Texts from outside are in `evidence` and `subject` as they came: show them as plain
/// text.
struct Finding
{
    FindingKind kind = FindingKind::StubHash;
    MessageId row; ///< empty where none is concerned
    TaskId task; ///< empty where none is concerned
    QueueName queue;
    QString subject; ///< key, session or setting where it is not about one message
    QString evidence; ///< one sentence: keys, scores, states as they were seen twice
    QString signature; ///< the same for the script that repairs: it acts on nothing else
    std::optional<QDateTime> since; ///< as long as we know of it; UTC
    std::optional<RowSnapshot> rowSeen;
    std::optional<TaskSeen> taskSeen;
    Repair repair = Repair::None;
    Outcome expected = Outcome::NotOffered; ///< Done, SecondExecution, or why it is left alone
    QString reason; ///< one sentence: what repairing will do, or why it is left alone

    [[nodiscard]] bool isRepairable() const { return acts(expected); }
    bool operator==(const Finding &) const = default;
};

/// What a plan keeps of a finding beside its kind: "drop | key=hash msg=0 …".
[[nodiscard]] QString guardText(Repair repair, const QString &signature);

struct RepairGuard
{
    Repair repair = Repair::None;
    QString signature;
};

/// The reverse of `guardText`; nullopt for any other text.
[[nodiscard]] std::optional<RepairGuard> guardFromText(QStringView text);

} // namespace outbox
