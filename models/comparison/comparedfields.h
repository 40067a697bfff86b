// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What two messages hold: field by field, and their payloads byte by byte.
#pragma once

#include "models/payload/payloadmasks.h"
#include "models/system/systemview.h"

#include <QList>
#include <QString>

#include <optional>

namespace outbox {

/// NotKnown: a source did not tell it, of one message at least. It is never taken for Same.
enum class Likeness { Same, Different, NotKnown };

[[nodiscard]] QString word(Likeness likeness); ///< "same", "different", "not-known"; for JSON

struct ComparedField
{
    QString name; ///< "row.type", "task.header.trace"; for JSON
    QString title; ///< for people; a name of a header is from outside
    Likeness is = Likeness::NotKnown;
    QString a; ///< from outside; of what is not known, why
    QString b;

    bool operator==(const ComparedField &) const = default;
};

/// Those of the rows and of the tasks; of what only one of the two messages has, that it is there.
/// Times are left out: they are the journey.
[[nodiscard]] QList<ComparedField> comparedFields(const IdVerdict &a, const IdVerdict &b);

struct ComparedPayload
{
    /// Of the row where it is there, else of the task.
    struct Side
    {
        QString from; ///< "row", "task"; empty: nobody has it
        qint64 bytes = -1; ///< that are stored; -1: not known
        qint64 read = 0; ///< of them
        QString why; ///< why not all were read; empty: they were

        bool operator==(const Side &) const = default;
    };
    Side a;
    Side b;
    Likeness is = Likeness::NotKnown;
    /// The first byte that is not alike, from 0; nullopt: none is, as far as both were read, or
    /// masks hide a part of them.
    std::optional<qint64> firstOther;
    /// As `differenceOf`, of payloads that were read whole, through the masks. From outside.
    QString difference;

    bool operator==(const ComparedPayload &) const = default;
};

/// Exact bytes, as far as they were read; what is shown of them goes through `masks`.
[[nodiscard]] ComparedPayload comparedPayloads(const IdVerdict &a, const IdVerdict &b,
                                               const PayloadMasks &masks);

/// In one sentence. From outside.
[[nodiscard]] QString payloadSentence(const ComparedPayload &payload);

} // namespace outbox
