// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The options that all operations of the command line share: what is meant, what is allowed, how it
// is paced.
#pragma once

#include "app/system/sources/target.h"
#include "models/operations/consent.h"
#include "models/operations/selection.h"
#include "models/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>

class QCommandLineParser;

namespace outbox {

struct OperationOptions
{
    bool confirmed = false; ///< --yes
    Consent consent; ///< `typed` only where --confirm was given
    bool isTyped = false; ///< --confirm was given
    QString unlockReason; ///< --unlock; empty = not asked for
    bool isLocked = false; ///< the profile is read-only
    int chunk = 500; ///< items a transaction or script
    int pauseMs = 0; ///< between two chunks
    Target target; ///< with the --limit as the most that a plan may freeze
    ProfilePasswords acting; ///< of the acting roles
    QString stateFolder; ///< audit and exports
};

/// --yes, --note, --confirm, --unlock, --chunk, --pause, --state-dir …: for everything that acts.
void addOperationOptions(QCommandLineParser &parser);
/// --allow-second-execution and --trim, for the verbs that know them.
void addSecondExecutionOption(QCommandLineParser &parser);
void addTrimOption(QCommandLineParser &parser);
/// Fails with Invalid for what cannot be understood, with Refused for a password file that cannot
/// be read.
[[nodiscard]] Result<OperationOptions> operationOptions(const QCommandLineParser &parser,
                                                        const Target &target);

/// The queue that a command about tasks, or about a queue, speaks of: that of --queue, else the
/// profile's. Fails with Invalid where rows are shared out among queues and none of them is named.
[[nodiscard]] Result<QueueName> meantQueue(const QCommandLineParser &parser,
                                           const Profile &profile);
/// Ids, --ids-file and --filter. `what` names one of them: "row", "task".
void addSelectionOptions(QCommandLineParser &parser, const QString &what);
/// The ids of the command line and of --ids-file, in their order and with the blanks that they
/// have; a line ends with \n or \r\n. Fails with Invalid.
[[nodiscard]] Result<QStringList> selectedIds(const QCommandLineParser &parser);
/// Either ids or a filter, which is read to see that it can be understood. Fails with Invalid, also
/// when nothing is selected.
[[nodiscard]] Result<Selection> rowSelection(const QCommandLineParser &parser);
[[nodiscard]] Result<Selection> taskSelection(const QCommandLineParser &parser,
                                              const Profile &profile);

/// What the file of --payload-file holds, byte for byte; "-" is stdin. Fails with Invalid.
[[nodiscard]] Result<QByteArray> payloadFrom(const QString &path);

/// A whole number of an option, within its bounds. Fails with Invalid.
[[nodiscard]] Result<int> numberOf(const QCommandLineParser &parser, const QString &option,
                                   int least, int most);

} // namespace outbox
