// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a profile of a document design and its passwords to the place that its stores are opened at.
#pragma once

#include "app/designs/documentstores.h"
#include "app/settings/secrets.h"
#include "models/profile/profile.h"

namespace outbox {

/// `acting` are the passwords of the acting roles, `program` is ours. Fails with Invalid where the
/// profile names no database or no design, or something about them is wrong.
[[nodiscard]] Result<DesignPlace> designPlaceOf(const Profile &profile, const Secrets &looking,
                                                const Secrets &acting, const QString &program);

/// What operations take for the outbox of such a profile: its documents.
[[nodiscard]] OutboxShape documentsAsShape(const DesignProfile &design);

} // namespace outbox
