// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which system a command line speaks of: from --profile or from the parts, with the passwords found
// for it.
#pragma once

#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"
#include "models/result.h"
#include "models/shape/outboxshape.h"

#include <QByteArray>
#include <QString>

#include <functional>

class QCommandLineParser;

namespace outbox {

struct Target
{
    Profile profile;
    ProfilePasswords secrets;
    QString stateFolder; ///< where parked rows are that no table keeps

    bool operator==(const Target &) const = default;
};

/// Adds the options of cli.md "Naming a system".
void addTargetOptions(QCommandLineParser &parser);

/// Reads them. Warns about a password in a URL through `warn`, and wipes it from the profile. Fails
/// with Invalid when a needed part is missing or cannot be understood.
[[nodiscard]] Result<Target> targetOf(const QCommandLineParser &parser,
                                      const std::function<void(const QString &)> &warn);

/// The system of a saved profile, with the passwords that somebody knows without being told of a
/// file. Warns and fails as above, and with Refused for a password that cannot be read.
[[nodiscard]] Result<Target> targetOf(const Profile &profile, const QString &stateFolder,
                                      const std::function<void(const QString &)> &warn);

/// What `--environment` says of a system that the command line names by its parts. Empty: nothing,
/// and the system is read-only, as production is. Fails with Invalid for another word.
[[nodiscard]] Result<void> takeEnvironment(Profile &profile, const QString &word);

/// `known`, and where that is empty the passwords that somebody knows without being told of a file.
/// Fails with Refused for one that cannot be read.
[[nodiscard]] Result<ProfilePasswords> foundPasswords(const Profile &profile,
                                                      const ProfilePasswords &known);

/// Adds the options for the passwords of the acting roles.
void addActingOptions(QCommandLineParser &parser);
/// The passwords of the roles that the profile names for operations: their own where there are
/// some, else those that it is looked with.
[[nodiscard]] Result<ProfilePasswords> actingSecretsOf(const QCommandLineParser &parser,
                                                       const Target &target);

/// "30s", "15m", "1h30m", "24h", "7d", "500ms" as milliseconds; a bare number is seconds.
[[nodiscard]] Result<qint64> durationMs(const QString &text, const QString &what);
/// Whether an option held no duration.
[[nodiscard]] bool isDurationFault(const Error &error);

/// The mapping in a file, for `--shape` and for the mapping editor alike.
/// Fails with Invalid when the file cannot be read or holds no shape.
[[nodiscard]] Result<OutboxShape> readShapeFile(const QString &path);
/// What such a file holds.
[[nodiscard]] QByteArray shapeFileText(const OutboxShape &shape);

} // namespace outbox
