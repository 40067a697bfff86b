// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a table shows as the line that lists the same with outboxctl.
#pragma once

#include "models/message/task.h"
#include "models/profile/profile.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace outbox {

/// "state:retry id=7e57…,81a0…": a filter for these ids, with "state:retry " as what stands
/// `before` them. Empty where there are none, or more than one filter can name.
[[nodiscard]] QString namingFilter(const QString &before, const QStringList &ids);
/// "outboxctl list --profile orders --filter id=7e57…,81a0…": the line that lists these rows,
/// quoted for a POSIX shell. Empty where there are none, or more than one filter can name.
/// Passwords are no part of it.
[[nodiscard]] QString listLine(const QList<MessageId> &rows, const Profile &profile);
/// The same of tasks, by `outboxctl tasks`, in the states they are in. Empty, too, where they are
/// in several queues, or one is in a state that is not listed.
[[nodiscard]] QString listLine(const QList<Task> &tasks, const Profile &profile);

} // namespace outbox
