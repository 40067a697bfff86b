// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A filter while it is typed: right, not yet right, or wrong, and where; and how it could go on:
// fields, then their values.
#pragma once

#include "models/filter/checks.h"
#include "models/filter/fields.h"
#include "models/message/message.h"
#include "models/message/task.h"

namespace outbox {

/// The colours of the filter bar: green, amber, red.
enum class FilterStatus { Complete, Incomplete, Wrong };

/// A filter while it is typed.
struct FilterReading
{
    FilterStatus status = FilterStatus::Complete;
    CheckNode checks; ///< only where it is complete
    std::optional<Error> fault; ///< Invalid, with its position
};

/// `now` as in `checksOf`.
[[nodiscard]] FilterReading readFilter(const QString &text, FilterSubject subject,
                                       const QDateTime &now);

/// What is known of the rows that are loaded.
struct FilterWords
{
    QList<std::pair<QString, qint64>> types; ///< with how often they are there, the most first
    QStringList queues;
    QStringList payloadPaths; ///< `user.id`, `tags[0]`, as they were met

    bool operator==(const FilterWords &) const = default;
};

/// Of rows as a list holds them: from the beginning of their payloads.
[[nodiscard]] FilterWords wordsOf(const QList<Message> &rows);
[[nodiscard]] FilterWords wordsOf(const QList<Task> &tasks);

/// The members of a JSON document of which only the beginning may be there, at most `most`; names
/// that a filter cannot write are left out.
[[nodiscard]] QStringList payloadPaths(const QByteArray &prefix, qsizetype most = 40);

/// `text` takes the place of `length` characters from `from` on.
struct FilterSuggestion
{
    QString text;
    QString about; ///< what it means, or how often it is there
    int from = 0;
    int length = 0;

    bool operator==(const FilterSuggestion &) const = default;
};

/// What could stand at `cursor`, the best first; none inside of quotes. Nothing is suggested that
/// stands there already.
[[nodiscard]] QList<FilterSuggestion>
suggestionsFor(const QString &text, int cursor, FilterSubject subject, const FilterWords &known);

/// A text as a value, in quotes where it needs them.
[[nodiscard]] QString asFilterValue(const QString &text);

} // namespace outbox
