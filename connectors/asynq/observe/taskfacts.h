// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything Redis holds about one id of a queue, and what is wrong with it: pure, so that a script
// can ask the same question again.
#pragma once

#include "models/message/messagestate.h"
#include "models/message/task.h"
#include "models/operations/finding.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QList>

#include <optional>

namespace outbox::asynq {

/// A list or sorted set that holds the id. `key` is set for groups only, `score` for sorted sets.
struct Place
{
    TaskState state = TaskState::None;
    QByteArray score;
    QByteArray key;

    bool operator==(const Place &) const = default;
};

struct TaskFacts
{
    QByteArray id;
    QByteArray keyType = "none"; ///< "hash" when sound
    qint64 messageBytes = 0; ///< 0: no message
    QByteArray digest; ///< of the message, see `digestOf`; empty: not read
    bool decodable = true; ///< false: it was read, and is no task message
    QByteArray state; ///< the hash's word
    QByteArray group;
    QByteArray uniqueKey;
    QByteArray pendingSince;
    QByteArray lease; ///< its score; null: no lease
    QList<Place> places; ///< in the order of asynq's states, groups last
    Task message; ///< what the message says, without its payload

    [[nodiscard]] const Place *place(TaskState state) const;
    bool operator==(const TaskFacts &) const = default;
};

/// Enough of a message to know it again: 16 hex digits of its SHA-1, which Redis can tell as well.
[[nodiscard]] QByteArray digestOf(const QByteArray &message);

/// One line that is the same only while nothing about the id changed, such as
/// "key=hash msg=275:0123456789abcdef state=retry in=retry@1795225764 lease=-". repair.lua writes
/// the same line. A group's key stands last, behind " group=".
[[nodiscard]] QByteArray signatureOf(const TaskFacts &facts);
/// That of an id of which nothing is left at all.
[[nodiscard]] QByteArray signatureOfNothing();
/// The group's key in a signature; empty where it names none.
[[nodiscard]] QByteArray groupKeyIn(const QByteArray &signature);

/// The part of a signature that speaks of the message, "275:0123456789abcdef"; "0" without one.
[[nodiscard]] QByteArray messageText(const QByteArray &message);
[[nodiscard]] QByteArray messageIn(const QByteArray &signature);

/// The first thing that is wrong with an id, in the order in which it must be repaired; nullopt
/// when it is sound, or not there at all. `now` is Unix s, by Redis's clock; `patienceSeconds` is
/// what asynq itself may take to recover or expire; without `hasLeases` workers before 0.22 serve
/// the queue, which have none.
[[nodiscard]] std::optional<FindingKind> diagnose(const TaskFacts &facts, qint64 now,
                                                  qint64 patienceSeconds, bool hasLeases);

/// Leases come and go in moments that no single look can tell from damage: such a kind counts only
/// when it stood like this for the patience.
[[nodiscard]] bool isWatched(FindingKind kind);

/// The facts in a sentence for people.
[[nodiscard]] QString evidenceOf(const TaskFacts &facts);
/// The same as a plan keeps it.
[[nodiscard]] TaskSeen seenOf(const TaskFacts &facts);

} // namespace outbox::asynq
