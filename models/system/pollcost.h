// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What our own looking costs a source: time, statements and bytes since it was opened.
#pragma once

#include <QDateTime>

#include <optional>

namespace outbox {

/// What went over connections.
struct Traffic
{
    qint64 statements = 0; ///< SQL statements, or commands of Redis, that were answered
    qint64 bytes = 0; ///< of the answers, as they came from the server or its driver

    Traffic &operator+=(const Traffic &more)
    {
        statements += more.statements;
        bytes += more.bytes;
        return *this;
    }
    bool operator==(const Traffic &) const = default;
};

struct PollCost
{
    /// A question that is asked again and again.
    struct Regular
    {
        std::optional<QDateTime> at; ///< our clock, UTC; nullopt: not answered yet
        double tookMs = 0; ///< from the question in the room to its answer
        int intervalMs = 0; ///< between an answer and the next question
        int wantedMs = 0; ///< what the interval is while looking is cheap
        double dearMs = 0; ///< the look that made the interval longer, last time

        [[nodiscard]] bool isSlowed() const { return intervalMs > wantedMs; }
        [[nodiscard]] double share() const { return intervalMs > 0 ? tookMs / intervalMs : 0; }
        bool operator==(const Regular &) const = default;
    };

    Regular figures; ///< counts of rows, sizes of queues
    Regular list; ///< the rows or tasks on screen
    std::optional<QDateTime> since; ///< the first look
    qint64 looks = 0; ///< all of them, those that were asked once too
    double totalMs = 0;
    Traffic traffic;

    bool operator==(const PollCost &) const = default;
};

} // namespace outbox
