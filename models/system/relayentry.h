// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A relay as the queues know it that it delivers to.
#pragma once

#include <QDateTime>
#include <QString>

#include <optional>

namespace outbox {

/// What a relay says of itself. Texts that were read from a queue are made harmless to look at.
struct RelayAbout
{
    QString host; ///< its machine's name
    QString version; ///< of the program
    int worker = 1; ///< which one of its process, from 1
    int batch = 0; ///< the largest one, in rows
    bool bySchedule = false; ///< it works at its times, and rests between them
    QDateTime started; ///< UTC
    QDateTime ended; ///< UTC; invalid: it did not say that it ended

    bool operator==(const RelayAbout &) const = default;
};

struct RelayEntry
{
    QString relay; ///< a name that no other one has: letters, digits, "-" and "_"
    std::optional<RelayAbout> about; ///< nullopt: it says nothing, or nothing that can be read
    /// The last batch that was executed here, UTC, by the clock of the relay's host. Its start
    /// counts as one.
    QDateTime lastBatch;

    bool operator==(const RelayEntry &) const = default;
};

} // namespace outbox
