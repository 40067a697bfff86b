// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notes of groups of failures in one file of the state folder, by profile. They never leave this
// computer.
#pragma once

#include "models/groups/failuregroups.h"
#include "models/result.h"

namespace outbox {

class GroupNotes
{
public:
    /// The oldest ones beyond so many of one profile are forgotten.
    static constexpr qsizetype mostNotes = 500;

    explicit GroupNotes(QString file) : m_file(std::move(file)) { }

    /// None where there is no file. Fails with Invalid where it cannot be understood, with Refused
    /// where it cannot be read.
    [[nodiscard]] Result<QList<GroupNote>> load(const QString &profile) const;
    /// Takes the place of the note of the same group; an empty one removes it. Reads the file anew,
    /// so that two windows lose nothing of each other, and answers what is kept now. A file that
    /// cannot be understood is left as it is.
    [[nodiscard]] Result<QList<GroupNote>> keep(const QString &profile,
                                                const GroupNote &note) const;

private:
    QString m_file;
};

} // namespace outbox
