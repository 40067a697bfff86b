// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a look for inconsistencies is asked for, how far it is, and what it found.
#pragma once

#include "models/operations/finding.h"
#include "models/result.h"

#include <QByteArrayList>
#include <QHash>
#include <QMap>
#include <QStringList>

#include <utility>

namespace outbox {

struct Plan;
struct Receipt;

/// What Redis said of itself, for the question whether it lost data since: the id of its process,
/// and how many keys it has.
using RedisMark = std::pair<QString, qint64>;

/// Where a look stopped. A value without meaning outside the reconciler.
struct ScanPosition
{
    int stage = 0;
    QList<QueueName> queues; ///< to walk through, in this order
    int queue = 0; ///< index of the one in hand
    int phase = 0; ///< of the walk over that queue
    QByteArray cursor; ///< of that phase, or of the page of rows
    /// Tasks of the queue in hand to look at again, and the group keys they stood in.
    QHash<QByteArray, QByteArrayList> suspects;
    QStringList suspectRows; ///< keys of rows to look at again

    bool operator==(const ScanPosition &) const = default;
};

struct ScanReport
{
    QDateTime at; ///< begin, UTC
    double tookMs = 0; ///< all parts of a look that was resumed, together
    qint64 rows = 0; ///< looked at
    qint64 tasks = 0;
    qint64 keys = 0; ///< of Redis, scanned for what stands in no list
    bool complete = false; ///< false: stopped, out of budget, or a source failed
    std::optional<Error> unread; ///< of the first source that failed; nullopt: all answered
    std::optional<ScanPosition> position; ///< where it stopped; nullopt when complete
    QList<Finding> findings; ///< by kind, then queue and id
    /// Tasks that would be findings if they stay so, since when by Redis's clock: leases are judged
    /// after a while only. Hand them to the next look.
    QList<Finding> watched;
    std::optional<RedisMark> redis; ///< hand it to the next look
    QStringList notes; ///< what could not be read, in sentences
    int shortestRetention = -1; ///< s, asked for by tasks of the outbox; -1: none was seen
    qint64 shortestKept = -1; ///< s from a row's mark to the end of its task's window

    [[nodiscard]] QMap<FindingKind, qsizetype> counts() const;
    bool operator==(const ScanReport &) const = default;
};

/// The report without the findings that this receipt says are repaired; the rest of it is as it
/// was looked at. `plan`: the one that was carried out.
[[nodiscard]] ScanReport withoutRepaired(ScanReport report, const Plan &plan,
                                         const Receipt &receipt);

/// A look in short, for who only says that there was one.
struct ScanSummary
{
    QDateTime at; ///< begin, UTC
    qsizetype found = 0;
    qsizetype lasting = 0; ///< of those: do not end by themselves
    bool complete = false;

    bool operator==(const ScanSummary &) const = default;
};

[[nodiscard]] ScanSummary summaryOf(const ScanReport &report);

/// What to look at and how patiently. Spans are in the unit that their name says.
struct ScanOptions
{
    bool scansQueue = true; ///< the queue by itself
    bool scansRows = true; ///< rows against the queue
    bool scansOutbox = true; ///< rows by themselves
    QList<QueueName> queues; ///< empty: the profile's and those that rows name
    qint64 budgetMs = 30'000; ///< then it stops and can be resumed; 0: no limit
    int pauseMs = 1; ///< between two pages, for the servers' sake
    int secondLookMs = 1'000; ///< between the two looks at a suspect
    qint64 leasePatienceMs = 120'000; ///< up to two minutes without progress are normal for asynq
    bool waitsForLeases = false; ///< waits until watched tasks are ripe, within the budget
    qint64 overdueSeconds = 120; ///< K26
    qint64 claimSeconds = 300; ///< K24: a transaction that holds rows for longer
    qint64 retryHorizonSeconds = 3'600; ///< K13: the longest outage a relay must bridge
    std::optional<ScanReport> resume; ///< a report that was not complete
    QList<Finding> watched; ///< of the report before
    std::optional<RedisMark> redisBefore;
    int mostFindings = 100'000; ///< of one kind; more are counted in a note

    bool operator==(const ScanOptions &) const = default;
};

} // namespace outbox
