// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows of an outbox counted one by one, slice by slice along its key.
#pragma once

#include "models/message/messagestate.h"
#include "models/system/snapshots.h"

#include <QDateTime>
#include <QMap>
#include <QString>

#include <optional>

namespace outbox {

/// How far a count has come, or one slice of it: rows that follow one another in the order of the
/// key. Each row is counted once, at the moment its slice was read.
struct ExactCount
{
    QMap<MessageState, qint64> rows; ///< those that the shape calls ours
    qint64 seen = 0; ///< rows gone through, those of others in the same table included
    QDateTime started; ///< of the whole count: our clock, UTC
    QDateTime at; ///< of its last slice
    QString next; ///< where the next slice begins; empty behind the last
    double tookMs = 0; ///< time that the database worked for it
    double longestMs = 0; ///< the longest statement: no snapshot was held longer
    bool isComplete = false;
    QString note; ///< what is not among them

    bool operator==(const ExactCount &) const = default;
};

/// A count as it is shown: "~" before one that was capped or estimated.
[[nodiscard]] QString countText(qint64 count, bool exact);
/// The same, or "-" where the count is not known.
[[nodiscard]] QString countOrDash(const std::optional<qint64> &count, bool exact);

/// Puts the counts of a whole count in the place of those that a look capped or estimated.
void putExact(const ExactCount &count, OutboxSnapshot &snapshot);

} // namespace outbox
