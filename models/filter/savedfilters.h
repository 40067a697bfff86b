// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters that somebody gave names, and their text form: one line each, to be kept and passed on.
#pragma once

#include "models/filter/fields.h"
#include "models/profile/profile.h"
#include "models/result.h"

#include <QList>
#include <QString>

#include <optional>

namespace outbox {

struct SavedFilter
{
    QString name; ///< one line, without `=` and brackets
    QString text; ///< right when it was saved
    std::optional<Environment> environment; ///< the kind of profile it is for; none: for all
    FilterSubject subject = FilterSubject::Rows; ///< of rows or of tasks

    /// It is for profiles of this kind.
    [[nodiscard]] bool fits(Environment kind) const { return !environment || environment == kind; }

    bool operator==(const SavedFilter &) const = default;
};

/// A name as it can be kept: one line of at most 60 characters, without `=`, `[` and `]`.
[[nodiscard]] QString asFilterName(const QString &text);

/// Whether the one takes the place of the other: the same name, for the same things.
[[nodiscard]] bool isNamedAs(const SavedFilter &one, const SavedFilter &other);
/// The list with this filter in it, in the place of one that is named as it, sorted by name.
[[nodiscard]] QList<SavedFilter> withFilter(QList<SavedFilter> filters, const SavedFilter &filter);

/// `Stuck mail [production] = state:pending type:email:* age>5m`, a line each; filters of tasks
/// say so: `Mail that failed [tasks, production] = state:retry type:email:*`.
[[nodiscard]] QString toText(const QList<SavedFilter> &filters);
/// Reads such lines; empty ones and those that begin with `#` are comments. Fails with Invalid and
/// the number of the line; of a text from anybody no more than 1,000 filters are taken.
[[nodiscard]] Result<QList<SavedFilter>> savedFiltersFrom(const QString &text);

} // namespace outbox
