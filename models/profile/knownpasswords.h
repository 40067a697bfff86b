// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Passwords that somebody typed, kept while the program runs and no longer.
#pragma once

#include "models/profile/profilepasswords.h"

#include <QHash>
#include <QString>

namespace outbox {

struct Profile;

/// A password belongs to the address it was typed for: a profile with another name has it, too, one
/// with another host or user does not. In memory only: never saved, logged or shown.
class KnownPasswords
{
public:
    /// What is empty says nothing.
    void learn(const Profile &profile, const ProfilePasswords &passwords);
    /// Nothing is known of the addresses of this profile any more.
    void forget(const Profile &profile);
    /// `given`, and where that is empty what is known for the addresses of this profile.
    [[nodiscard]] ProfilePasswords completed(const Profile &profile,
                                             const ProfilePasswords &given = {}) const;

private:
    QHash<QString, QString> m_databases; ///< by the address of the database
    QHash<QString, QString> m_redis; ///< by the address of Redis
    QHash<QString, QString> m_sentinels; ///< by the address of Redis
};

} // namespace outbox
