// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a profile and its passwords to what the connectors want to be opened with.
// Errors: Invalid for an address that cannot be understood, Refused for a secret that cannot be
// read.
#pragma once

#include "connectors/redis/endpoint.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/operations/auditentry.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"
#include "models/system/login.h"

namespace outbox {

/// What whoever needs a Redis is told where the profile names none.
inline constexpr QStringView noRedisAddress = u"no Redis address is set";

/// "ana@desk": who works here, as far as the operating system tells.
[[nodiscard]] QString operatorName();
/// "outboxdeck/ana@desk": what other operators see in pg_stat_activity and CLIENT LIST.
[[nodiscard]] QString sessionName(const QString &program);

/// The beginning of what goes on record: who does something here by `face`, and to which system.
[[nodiscard]] AuditEntry entryAbout(AuditEntry::Kind kind, const Profile &profile,
                                    const QString &face, const QString &target = {});

/// Whom the addresses of the profile name; empty where one cannot be understood, too.
[[nodiscard]] LogInNames logInNamesOf(const Profile &profile);

/// Fails with Invalid when the profile's URL cannot be understood. With Act access the profile's
/// acting user signs in, by the password in `secrets` alone.
[[nodiscard]] Result<StoreSettings> storeSettingsOf(const Profile &profile,
                                                    const ProfilePasswords &secrets,
                                                    StoreAccess access, const QString &program);
/// Fails with Invalid, and `noRedisAddress`, where none is set.
[[nodiscard]] Result<RedisEndpoint> redisOf(const Profile &profile,
                                            const ProfilePasswords &secrets);
/// The same for the profile's acting user.
[[nodiscard]] Result<RedisEndpoint> actingRedisOf(const Profile &profile,
                                                  const ProfilePasswords &secrets);

/// The shape to read a profile's table with: the profile's own, else what the probe proposes. One
/// that is recognized for certain says so in `confirmed`. `guess` takes how sure the
/// probe is of one that does not. `store` is open; the shape is in use afterwards.
[[nodiscard]] Result<OutboxShape> takeShape(OutboxStore &store, const Profile &profile,
                                            MappingGuess *guess = nullptr);
/// Why nothing is written through this shape: neither has a person looked at it nor is it certain
/// (shapes.md 1, rule 5). Empty where it may be.
[[nodiscard]] QString whyNotWrite(const OutboxShape &shape);
/// The same as an answer, with what to do.
[[nodiscard]] Result<void> mayWrite(const OutboxShape &shape, const QString &doing);

} // namespace outbox
