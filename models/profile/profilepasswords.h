// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Passwords on their way from a person to a connection, and out of the addresses they were pasted
// in.
#pragma once

#include <QString>

namespace outbox {

/// The passwords of one profile: of the roles that look, or of those that act. Where a URL carries
/// none, these are used. In memory only: never saved, logged or shown.
struct ProfilePasswords
{
    QString database;
    QString redis;
    QString sentinel{}; ///< of the sentinels that tell where Redis is, whoever looks or acts

    bool operator==(const ProfilePasswords &) const = default;
};

/// Takes the password out of a URL: `user:password@` and `?password=`. Everything else stays as it
/// was written, also what is no sound URL. Answers the password, percent signs undone; empty: there
/// was none.
QString passwordTakenFrom(QString &url);

/// The password in this address of a Redis is that of the sentinels: asynq's spelling,
/// `redis-sentinel://:password@host1,host2?master=name`.
[[nodiscard]] bool namesPasswordOfSentinels(const QString &url);

} // namespace outbox
