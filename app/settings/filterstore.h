// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Saved filters in one file of the settings folder, in the text form in which they are passed on.
#pragma once

#include "models/filter/savedfilters.h"

namespace outbox {

// Errors: Refused for a file that cannot be read or written, Invalid for a line that cannot be
// understood.

/// The file in a settings folder.
[[nodiscard]] QString filtersFileIn(const QString &folder);

/// Those that are saved; none where there is no file. Fails with Invalid and the line where it
/// cannot be understood, with Refused where it cannot be read.
[[nodiscard]] Result<QList<SavedFilter>> loadFilters(const QString &file);
// Each of these reads the file anew, so that two windows lose nothing of each other, and answers
// what is saved now. A file that cannot be understood is left as it is.
[[nodiscard]] Result<QList<SavedFilter>> saveFilter(const QString &file, const SavedFilter &filter);
[[nodiscard]] Result<QList<SavedFilter>> removeFilter(const QString &file,
                                                      const SavedFilter &filter);
/// Takes all filters of a text over; those with names that are there are replaced.
[[nodiscard]] Result<QList<SavedFilter>> takeFilters(const QString &file, const QString &text);

} // namespace outbox
