// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The alerts of one system in a file of the settings folder, in the form that `watch --alerts`
// reads.
#pragma once

#include "models/alerts/alert.h"
#include "models/result.h"

#include <QHash>
#include <QList>
#include <QString>

namespace outbox {

// Errors: Refused for a file that cannot be read or written, Invalid and the place where an alert
// in it cannot be understood. Such a file is left as it is.

/// The file of a saved profile, by its name; no name leaves the folder.
[[nodiscard]] QString alertsFileIn(const QString &configFolder, const QString &profileName);

/// Moves the files of profiles that have other names now: `renamed` has the new name of each by the
/// one before. What stood under a new name belonged to no profile any more, and is gone.
[[nodiscard]] Result<void> moveAlerts(const QString &configFolder,
                                      const QHash<QString, QString> &renamed);

/// Deletes the file of a profile that is deleted; does nothing where there is none.
[[nodiscard]] Result<void> dropAlerts(const QString &configFolder, const QString &profileName);

/// The alerts that stand in a file. Fails with Invalid, too, where there is no file, or none in it.
[[nodiscard]] Result<QList<Alert>> loadAlerts(const QString &path);
/// The same; none where there is no file, or an empty list in it.
[[nodiscard]] Result<QList<Alert>> keptAlerts(const QString &path);
// Each of these reads the file anew, so that two windows lose nothing of each other, and answers
// what is kept now.
/// Puts `alert` in the place of the one that is called `before`, or behind all others where that is
/// empty or gone. Fails with Conflict where another alert has its name, or there are too many.
[[nodiscard]] Result<QList<Alert>> keepAlert(const QString &path, const QString &before,
                                             const Alert &alert);
[[nodiscard]] Result<QList<Alert>> removeAlert(const QString &path, const QString &name);

} // namespace outbox
