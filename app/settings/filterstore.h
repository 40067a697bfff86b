// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Saved filters in one file of the settings folder, in the text form in which they are passed on.
#pragma once

#include "models/filter/savedfilters.h"

namespace outbox {

/// Errors: Refused for a file that cannot be read or written, Invalid for a line that cannot be
/// understood.
class FilterStore
{
public:
    explicit FilterStore(QString file) : m_file(std::move(file)) { }

    /// The file in a settings folder.
    [[nodiscard]] static QString fileIn(const QString &folder);
    [[nodiscard]] const QString &file() const { return m_file; }
    /// Those that are saved; none where there is no file. Fails with Invalid and the line where it
    /// cannot be understood, with Refused where it cannot be read.
    [[nodiscard]] Result<QList<SavedFilter>> load() const;
    /// Each reads the file anew, so that two windows lose nothing of each other, and answers what
    /// is saved now. A file that cannot be understood is left as it is.
    [[nodiscard]] Result<QList<SavedFilter>> save(const SavedFilter &filter) const;
    [[nodiscard]] Result<QList<SavedFilter>> remove(const SavedFilter &filter) const;
    /// Takes all filters of a text over; those with names that are there are replaced.
    [[nodiscard]] Result<QList<SavedFilter>> take(const QString &text) const;

private:
    [[nodiscard]] Result<QList<SavedFilter>> write(const QList<SavedFilter> &filters) const;

    QString m_file;
};

} // namespace outbox
