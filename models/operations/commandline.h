// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An operation of the console as the line that does the same with outboxctl.
#pragma once

#include "models/operations/consent.h"
#include "models/operations/selection.h"
#include "models/profile/profile.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// What a person asked for: a verb on a selection, or an operation to be undone.
struct OperationRequest
{
    Verb verb{};
    Selection selection;
    QString undoOf; ///< operation; then verb and selection are those of its plan

    bool operator==(const OperationRequest &) const = default;
};

/// "outboxctl purge --profile orders --filter 'age>30d' --yes --note 'INC-4711'", quoted for a
/// POSIX shell. Without a consent it is the line that prints the plan and changes nothing. A
/// profile that was never saved is named by its parts; one that opens read-only is unlocked with
/// `unlockReason`. Passwords are no part of it.
[[nodiscard]] QString commandLine(const OperationRequest &request, const Profile &profile,
                                  const std::optional<Consent> &consent = std::nullopt,
                                  const QString &unlockReason = {});

/// The options that name the system of a profile, and the queue where that is another than its own:
/// "--profile", "orders", "--queue", "mail". Passwords are no part of them.
[[nodiscard]] QStringList targetArguments(const Profile &profile, const QueueName &queue = {});
/// The same, each word quoted.
[[nodiscard]] QStringList targetWords(const Profile &profile, const QueueName &queue = {});

/// One word for a POSIX shell: quoted where it must be.
[[nodiscard]] QString shellWord(const QString &text);

} // namespace outbox
