// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/profile/knownpasswords.h"

#include "models/profile/profile.h"

namespace outbox {

namespace {

void learnOne(QHash<QString, QString> &known, const QString &address, const QString &password)
{
    if (!address.isEmpty() && !password.isEmpty())
        known.insert(address, password);
}

} // namespace

void KnownPasswords::learn(const Profile &profile, const ProfilePasswords &passwords)
{
    learnOne(m_databases, profile.databaseUrl, passwords.database);
    learnOne(m_redis, profile.redisUrl, passwords.redis);
    learnOne(m_sentinels, profile.redisUrl, passwords.sentinel);
}

void KnownPasswords::forget(const Profile &profile)
{
    m_databases.remove(profile.databaseUrl);
    m_redis.remove(profile.redisUrl);
    m_sentinels.remove(profile.redisUrl);
}

ProfilePasswords KnownPasswords::completed(const Profile &profile,
                                           const ProfilePasswords &given) const
{
    ProfilePasswords all = given;
    if (all.database.isEmpty())
        all.database = m_databases.value(profile.databaseUrl);
    if (all.redis.isEmpty())
        all.redis = m_redis.value(profile.redisUrl);
    if (all.sentinel.isEmpty())
        all.sentinel = m_sentinels.value(profile.redisUrl);
    return all;
}

} // namespace outbox
