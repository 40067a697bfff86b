// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What failed and what is stuck, put together by what it has in common, and what somebody wrote of
// it. A group is a filter.
#pragma once

#include "models/groups/failuresample.h"

#include <QStringList>

namespace outbox {

/// Cause: by type and error, both; see `causeOf`.
enum class GroupBy { Cause, Error, Type, Queue, Hour };

[[nodiscard]] QString label(GroupBy by); ///< for people
[[nodiscard]] QList<GroupBy> allGroupings();

struct FailureGroup
{
    static constexpr int buckets = 24;
    static constexpr qsizetype mostIds = 5;

    GroupBy by = GroupBy::Cause;
    FailureSource source = FailureSource::Rows;
    QString type; ///< of all its members, where it is made by them
    QString cause;
    QString queue; ///< of tasks always: no group of theirs spans queues
    std::optional<QDateTime> hour; ///< its beginning, UTC; nullopt where the time is not known
    qint64 count = 0;
    double share = 0; ///< of the sample, 0 to 1
    std::optional<QDateTime> first; ///< oldest and newest
    std::optional<QDateTime> last;
    QList<int> trend; ///< members in equal parts of time, the oldest first; empty: no times
    QStringList ids; ///< some of them, as they came
    QString example; ///< error of the first that came
    /// What finds its members and no others, changes since the sample aside; empty where no filter
    /// can say it.
    QString filter;
    QString note; ///< what somebody wrote of it, in one line

    [[nodiscard]] QString key() const; ///< tells it from the others of one grouping
    bool operator==(const FailureGroup &) const = default;
};

/// So many groups are listed at most.
inline constexpr qsizetype mostGroupsListed = 200;

/// The groups of all items of a sample, the largest first. `others` takes the number of members of
/// groups that are not listed, the smallest ones.
[[nodiscard]] QList<FailureGroup> groupsOf(const FailureSample &sample, GroupBy by,
                                           qint64 *others = nullptr);

/// What somebody wrote down about a group of failures, and who looks after it.
struct GroupNote
{
    static constexpr int mostCharacters = 500; ///< of `text`
    static constexpr int mostWhoCharacters = 60;

    QString group; ///< its `noteKey`
    QString text;
    QString who; ///< looks after it
    QDateTime at; ///< when it was written, UTC

    [[nodiscard]] bool isEmpty() const { return text.isEmpty() && who.isEmpty(); }
    bool operator==(const GroupNote &) const = default;
};

/// What a note of this group is kept under: the same at each look, whatever its time and its scope.
/// Empty for hours, which come and go.
[[nodiscard]] QString noteKey(const FailureGroup &group);
/// "ana: INC-12, the new certificate comes on Monday"
[[nodiscard]] QString noteWords(const GroupNote &note);

} // namespace outbox
