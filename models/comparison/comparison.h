// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two messages beside each other: journeys, fields, payloads, and what could not be read.
#pragma once

#include "models/comparison/comparedfields.h"
#include "models/comparison/comparedsteps.h"
#include "models/ids.h"

#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>

namespace outbox {

/// A message that somebody names: the key of its row or the id of its task. `queue` is where its
/// task is looked for first; empty: in that of the profile.
struct ComparedId
{
    MessageId id;
    QueueName queue{};

    bool operator==(const ComparedId &) const = default;
};

struct Comparison
{
    IdVerdict a; ///< judged; without their payloads, which `payload` has taken in
    IdVerdict b;
    QDateTime now; ///< our clock, UTC
    ComparedJourneys journeys;
    QList<ComparedField> fields; ///< those that are alike, too
    ComparedPayload payload;
    /// What the one who compares must know: a source that failed, a message that is nowhere, both
    /// ids of one message. From outside.
    QStringList notes;

    bool operator==(const Comparison &) const = default;
};

/// Payloads are shown through `masks`. Takes some milliseconds for payloads of a megabyte: not for
/// the GUI thread.
[[nodiscard]] Comparison comparisonOf(const IdVerdict &a, const IdVerdict &b, const QDateTime &now,
                                      const PayloadMasks &masks);

/// A row, a task or a trace of it was found.
[[nodiscard]] bool isFound(const IdVerdict &facts);
/// Which step differs most, in one sentence.
[[nodiscard]] QString journeySentence(const ComparedJourneys &journeys);
/// How many fields differ, how many are not known, in one sentence.
[[nodiscard]] QString fieldSentence(const QList<ComparedField> &fields);
/// Those that are not alike, or not known.
[[nodiscard]] QList<ComparedField> withoutSame(const QList<ComparedField> &fields);

} // namespace outbox
