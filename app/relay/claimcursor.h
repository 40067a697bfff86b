// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the next claim begins.
#pragma once

#include "models/result.h"

#include <QStringList>

#include <chrono>
#include <functional>
#include <optional>
#include <utility>

namespace outbox {

/// Where one claim begins, and of what kind it is. A place is `Claim::last` of an earlier claim.
struct ClaimStart
{
    QStringList after; ///< the place behind which the claim looks; empty = it looks from the
                       ///< beginning
    bool isSweep = false; ///< it looks from the beginning all the same, for rows that commit late
    qint64 number = 0; ///< of the claim
    qint64 backs = 0; ///< how often rows had been given back when it was sent
    /// Of a sweep by the file: the place up to which it looks; `after` is a place in the file then.
    QStringList upTo{};
    bool isCareful = false; ///< see `ClaimCursor::claimCarefully`
    bool areSuspect = false; ///< of a careful claim: the database refused the rows before

    [[nodiscard]] bool isByFile() const { return !upTo.isEmpty(); }
    bool operator==(const ClaimStart &) const = default;
};

/// Moves through an outbox, claim by claim. There are four kinds of claims:
/// - An ordinary one goes on behind the last one, so that the dead versions of rows taken before
///   cost nothing. Rows that commit late stand before that place: a sweep, from the beginning,
///   finds them now and then.
/// - A careful one only holds its rows; they are taken once those that cannot go are known. It
///   costs more than an ordinary one, and much less than batches in vain.
/// - While somebody holds an old snapshot a claim from the beginning may meet more dead versions
///   than it can pass over in time, again and again. Until one may be tried again, claims make
///   a detour: they begin in the order of the file, where there is one, or behind what was passed.
/// - Where the sweeps alone take too long, they read the file, up to the place where claims go on.
/// Rows that are given back are claimed again: the next claim begins before them.
/// Used in the relay's room. It sends nothing itself.
class ClaimCursor
{
public:
    using Time = std::chrono::steady_clock::time_point;

    /// See `OutboxStore::startOfFile` and `OutboxStore::isFilePlace`.
    using StartOfFile = std::function<QStringList()>;
    using IsFilePlace = std::function<bool(const QStringList &)>;

    /// The functions are what the database says of places; empty and false where it has no order of
    /// the file. One session answers for all lanes of a relay. Sweeps come at least every
    /// `sweepEveryMs` milliseconds, but take no more than a twentieth of the time.
    ClaimCursor(StartOfFile startOfFile, IsFilePlace isFilePlace, int sweepEveryMs)
        : m_startOfFile(std::move(startOfFile)), m_isFilePlace(std::move(isFilePlace)),
          m_sweepEveryMs(sweepEveryMs)
    { }

    /// The start of a claim that is sent now. No careful claim, and no sweep by the file, is sent
    /// while a guilty row is searched for.
    [[nodiscard]] ClaimStart next(bool isSearching, Time now);
    /// The start of a claim of one single row; `isSweep`: of the first one of the outbox.
    [[nodiscard]] ClaimStart single(bool isSweep);

    /// The next claim is a careful one, and begins where `start` did, whose claim met rows that
    /// failed; `areSuspect`: the database refused that claim.
    void claimCarefully(const ClaimStart &start, bool areSuspect);
    /// The next claim is a careful one of rows that none of these claims has met: for a relay that
    /// is stuck.
    void lookFurther();
    [[nodiscard]] bool isCarefulNext() const { return m_careful.has_value(); }

    /// What a claim brought.
    struct Found
    {
        qsizetype rows = 0;
        int asked = 0; ///< for so many rows
        QStringList last; ///< see `Claim::last`
    };
    /// The claim of `start` was answered after `took`. `isStuck`: see `RowTrials`.
    void answered(const ClaimStart &start, const Found &found, std::chrono::nanoseconds took,
                  bool isSearching, bool isStuck, Time now);
    /// The claim of `start` failed after `took`. After a Timeout others take another way for
    /// a while.
    void failed(const ClaimStart &start, const Error &error, std::chrono::nanoseconds took,
                Time now);

    enum class Emptiness {
        File, ///< nothing stands before the mark of a sweep by the file; the next claim looks
              ///< behind
        Rest, ///< nothing stands behind the place where the claim began
        Table, ///< nothing is left at all
    };
    /// What it tells that the claim of `start` found no row.
    [[nodiscard]] Emptiness foundNone(const ClaimStart &start);
    /// A claim found rows.
    void foundSome() { m_sweep.isFileEmpty = false; }

    /// The rows of the claim of `start` are given back.
    void goBack(const ClaimStart &start, Time now);
    /// Nothing was given back since the claim of `start` was sent.
    [[nodiscard]] bool isInOrder(const ClaimStart &start) const { return start.backs == m_backs; }
    /// In how many milliseconds a sweep may come again; 0 = now.
    [[nodiscard]] qint64 sweepDueMs(Time now) const;

private:
    struct Detour
    {
        QStringList place;
        Time until; ///< then the straight way is tried again
        [[nodiscard]] bool isOver(Time now) const { return until <= now; }
    };

    void takeDetour(const ClaimStart &start, std::chrono::nanoseconds took, Time now);
    /// Where a claim begins that is to find whatever can be found now.
    [[nodiscard]] QStringList beginning(Time now) const;
    /// Makes the claim a sweep by the file, where ordinary sweeps take too long.
    void sweepByFile(ClaimStart &start, bool isSearching, Time now);
    /// Such a sweep does not move the place where claims go on, only its own.
    void goOnInFile(const ClaimStart &start, const Found &found);

    StartOfFile m_startOfFile;
    IsFilePlace m_isFilePlace;
    int m_sweepEveryMs;
    QStringList m_after; ///< where the next claim goes on; empty = from the beginning
    QStringList m_passed; ///< the last such place, whatever was given back since
    qint64 m_claims = 0; ///< sent so far
    qint64 m_backs = 0; ///< how often rows were given back
    /// The rows of claims with larger numbers stand behind `m_after`, if they are given back, too.
    qint64 m_backTo = 0;
    bool m_isAtEnd = false; ///< the last claim found fewer rows than it asked for
    struct Sweep
    {
        std::optional<Time> begun; ///< the last one; empty where another may come at once
        std::chrono::nanoseconds cost{0}; ///< of the last one
        /// Until an ordinary sweep may be tried again, sweeps read the file from this place.
        std::optional<Detour> byFile;
        bool isFileTurn = true; ///< no two claims in a row go by the file: they leave out what
                                ///< stands behind the mark
        bool isFileEmpty = false; ///< the last claim by the file, of the whole of it, found nothing
    };
    Sweep m_sweep;
    std::optional<ClaimStart> m_careful; ///< the next claim, where it is a careful one
    QStringList m_lookedUpTo; ///< while the relay is stuck: up to here no row got through
    std::optional<Detour> m_detour; ///< of claims from the beginning
};

} // namespace outbox
