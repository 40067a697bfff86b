// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether this console may write now, until when and on whose word; and why a verb may not be asked
// for.
#pragma once

#include "models/operations/verb.h"
#include "models/profile/profilepasswords.h"

#include <QDateTime>
#include <QString>

#include <optional>

namespace outbox {

/// How long writing stays armed.
constexpr int armedMinutes = 15;

/// A profile that opens read-only is unlocked for a while; any other is always armed.
struct Arming
{
    bool opensLocked = true; ///< the profile is read-only
    QDateTime until; ///< UTC; null: nobody unlocked it
    QString who; ///< "ana@desk"
    QString reason;

    [[nodiscard]] bool isArmed(const QDateTime &now) const;
    /// Seconds until it locks itself; 0 while it is locked or never locked.
    [[nodiscard]] int secondsLeft(const QDateTime &now) const;
    bool operator==(const Arming &) const = default;
};

/// "READ-ONLY", "UNLOCKED 14:59" or "WRITING ALLOWED".
[[nodiscard]] QString lockWords(const Arming &arming, const QDateTime &now);

/// What was said to unlock writing: the acting roles with their passwords, and why.
struct Unlocking
{
    QString databaseUser; ///< empty: that of the profile's address
    QString redisUser;
    ProfilePasswords passwords; ///< empty: those the console looks with
    QString reason;

    bool operator==(const Unlocking &) const = default;
};

/// What decides whether a verb may be asked for at this moment, beside what is selected. Whether
/// writing is unlocked does not: a preview changes nothing.
struct ActingTerms
{
    std::optional<QDateTime> databaseStale; ///< when it was read last; nullopt: fresh
    std::optional<QDateTime> queueStale;
    QString running; ///< the operation that is under way, in words; empty: none
    bool hasQueue = true; ///< a Redis is named

    bool operator==(const ActingTerms &) const = default;
};

/// One sentence with what to do about it; empty: the verb may be asked for.
[[nodiscard]] QString whyNotNow(Verb verb, const ActingTerms &terms, const QDateTime &now);

} // namespace outbox
