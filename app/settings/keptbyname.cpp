// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/keptbyname.h"

#include "app/settings/alertstore.h"
#include "app/settings/groupnotes.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace outbox {

namespace {

/// Who was called so; empty where that profile is gone, or stood under a name that another one has
/// now.
QString nameNow(const QString &before, const NameChanges &changes)
{
    if (const auto renamed = changes.renamed.constFind(before); renamed != changes.renamed.cend())
        return *renamed;
    const bool isTaken = std::find(changes.renamed.cbegin(), changes.renamed.cend(), before)
        != changes.renamed.cend();
    return isTaken || changes.deleted.contains(before) ? QString() : before;
}

void followInPreferences(Preferences &preferences, const NameChanges &changes)
{
    preferences.lastProfile = nameNow(preferences.lastProfile, changes);
    QStringList oldestFirst;
    for (const QString &one : std::as_const(preferences.oldestFirst))
        oldestFirst += nameNow(one, changes);
    oldestFirst.removeAll(QString());
    oldestFirst.removeDuplicates();
    preferences.oldestFirst = oldestFirst;
}

/// A file that cannot be deleted keeps no other one from its new name.
Result<void> followWithAlerts(const QString &configFolder, const NameChanges &changes)
{
    QStringList gone = changes.deleted;
    // Of a profile without alerts none may be found under its new name.
    for (auto one = changes.renamed.cbegin(); one != changes.renamed.cend(); ++one) {
        const bool isTaken = QFileInfo::exists(alertsFileIn(configFolder, one.key()))
            || changes.renamed.contains(one.value());
        if (!isTaken)
            gone += one.value();
    }
    Result<void> dropped;
    for (const QString &name : std::as_const(gone)) {
        if (const auto done = dropAlerts(configFolder, name); !done)
            dropped = done;
    }
    TRY(moveAlerts(configFolder, changes.renamed));
    return dropped;
}

} // namespace

KeptByName keptByName(const Folders &folders, const QString &name)
{
    KeptByName kept;
    const auto alerts = keptAlerts(alertsFileIn(folders.config, name));
    kept.alerts = alerts ? std::optional(alerts->size()) : std::nullopt;
    if (const auto notes = loadGroupNotes(folders.groupNotesFile(), name))
        kept.notes = notes->size();
    return kept;
}

NamesFollowed followNames(const Folders &folders, Preferences &preferences,
                          const NameChanges &changes)
{
    followInPreferences(preferences, changes);
    return {followWithAlerts(folders.config, changes),
            moveGroupNotes(folders.groupNotesFile(), changes.renamed, changes.deleted)};
}

} // namespace outbox
