// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notes of groups of failures in one file of the state folder, by profile. They never leave this
// computer.
#pragma once

#include "models/groups/failuregroups.h"
#include "models/result.h"

#include <QHash>
#include <QStringList>

namespace outbox {

/// The oldest notes beyond so many of one profile are forgotten.
inline constexpr qsizetype mostGroupNotes = 500;

/// The notes of one profile; none where there is no file. Fails with Invalid where it cannot be
/// understood, with Refused where it cannot be read.
[[nodiscard]] Result<QList<GroupNote>> loadGroupNotes(const QString &file, const QString &profile);
/// Takes the place of the note of the same group; an empty one removes it. Reads the file anew, so
/// that two windows lose nothing of each other, and answers what is kept now. A file that cannot be
/// understood is left as it is.
[[nodiscard]] Result<QList<GroupNote>> keepGroupNote(const QString &file, const QString &profile,
                                                     const GroupNote &note);

/// Gives the notes of renamed profiles their new names and removes those of deleted ones: `renamed`
/// has the new name of each by the one before. What stood under a new name is gone.
[[nodiscard]] Result<void> moveGroupNotes(const QString &file,
                                          const QHash<QString, QString> &renamed,
                                          const QStringList &deleted);

} // namespace outbox
