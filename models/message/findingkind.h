// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kinds of what can be inconsistent between an outbox and a queue.
#pragma once

#include <QString>

#include <optional>

namespace outbox {

/// The numbers are the K of correctness.md 9.2 and never change: people and scripts name them.
enum class FindingKind {
    StubHash = 1,
    MemberWithoutHash = 2,
    ActiveWithoutLease = 3,
    LeaseWithoutActive = 4,
    StateDiffers = 5,
    TwoContainers = 6,
    OrphanHash = 7,
    ProcessedWithoutTask = 8,
    PendingWithTask = 9,
    OtherMessage = 10,
    QueueNotListed = 11,
    DeadWithRow = 12,
    ShortRetention = 13,
    WrongType = 14,
    LeakedEntry = 15,
    GarbageToken = 16,
    TrimmedOrphan = 17,
    Undecodable = 18,
    LeaseNobodyRecovers = 19,
    ExpiredNotPurged = 20,
    ServedByNobody = 21,
    LockWithoutTask = 22,
    ArchiveTooLarge = 23,
    DeadClaim = 24,
    PoisonRow = 25,
    OverdueRow = 26,
    EffectDisagrees = 27,
    TaskWithoutRow = 28,
    Undispatched = 29,
    RedisLostData = 30,
    ClockSkew = 31,
};

[[nodiscard]] QString word(FindingKind kind); ///< "K17"
/// Empty where there is none.
[[nodiscard]] inline QString word(const std::optional<FindingKind> &kind)
{
    return kind ? word(*kind) : QString();
}
[[nodiscard]] std::optional<FindingKind> findingKindFromWord(QStringView word);

} // namespace outbox
