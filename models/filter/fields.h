// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fields of the filter language: of rows, of tasks, and of what was done from here.
#pragma once

#include "models/filter/filter.h"

#include <QStringList>

namespace outbox {

/// What a filter is about.
enum class FilterSubject { Rows, Tasks, Activities };

enum class FilterField {
    Word, ///< a bare word
    State,
    Id,
    Type,
    Queue,
    Created,
    Due,
    Processed,
    Age,
    Wait,
    Attempts,
    Max,
    Error,
    Cause, ///< of the error: what it has in common with others (`causeOf`)
    Locked,
    Owner,
    LockAge,
    Task,
    Dedup,
    Payload,
    Header,
    Column,
    Size,
    Next,
    Since,
    Failed,
    Completed,
    Expires,
    When,
    Verb,
    Who,
    Profile,
    Outcome,
    Record, ///< where it was read
    Note,
};

/// What kind of values a field takes. Value: texts or numbers, of a path.
enum class FilterKind { Words, Text, Start, Number, Size, Duration, Time, Presence, Value };

struct FieldInfo
{
    FilterField field = FilterField::Word;
    QString name;
    FilterKind kind = FilterKind::Text;
    QString example; ///< how one writes a term of it
    QString meaning; ///< a few words for a person
};

/// The fields that can be asked for, in the order in which a person is offered them.
[[nodiscard]] const QList<FieldInfo> &fieldsOf(FilterSubject subject);
/// The field of this first name, lower case; nullptr where there is none.
[[nodiscard]] const FieldInfo *fieldNamed(FilterSubject subject, const QString &name);
/// The words a field of the kind Words takes.
[[nodiscard]] QStringList wordsOf(FilterSubject subject, FilterField field);

/// Says that there is no such field, and which was meant.
[[nodiscard]] Failure fieldFault(const FilterTerm &term, FilterSubject subject);
/// Whether a bare word asks for an id (hexadecimal digits and dashes with a digit) or for a type.
[[nodiscard]] bool looksLikeId(QStringView word);

} // namespace outbox
