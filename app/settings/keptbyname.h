// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is kept by the names of saved profiles, beside the profiles: it follows a new name, and goes
// with its profile. Whatever else is to be kept by such a name belongs here.
#pragma once

#include "app/settings/folders.h"
#include "app/settings/preferences.h"
#include "models/result.h"

#include <QHash>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// How saved profiles are called since a person saved them.
struct NameChanges
{
    QHash<QString, QString> renamed; ///< the new name of each by the one before
    QStringList deleted; ///< another profile may have such a name by now

    [[nodiscard]] bool isEmpty() const { return renamed.isEmpty() && deleted.isEmpty(); }
};

/// What goes with a profile.
struct KeptByName
{
    std::optional<qsizetype> alerts = 0; ///< nullopt: a file that cannot be understood
    qsizetype notes = 0; ///< of groups of failures

    bool operator==(const KeptByName &) const = default;
};

/// What goes, where it is deleted, with the profile of this name.
[[nodiscard]] KeptByName keptByName(const Folders &folders, const QString &name);

/// What became of each file: one that fails does not stand in the way of the others, and is left as
/// it is.
struct NamesFollowed
{
    Result<void> alerts;
    Result<void> notes;
};

/// Gives new names to what is kept of renamed profiles, and deletes what is kept of deleted ones.
/// What stood under a new name belonged to no profile any more, and is gone. `preferences` are
/// changed and not saved. Errors: Refused for a file that cannot be read or written, Invalid for
/// one that cannot be understood.
[[nodiscard]] NamesFollowed followNames(const Folders &folders, Preferences &preferences,
                                        const NameChanges &changes);

} // namespace outbox
