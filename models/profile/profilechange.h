// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was changed in a saved profile, in words for the record.
#pragma once

#include "models/profile/profile.h"

namespace outbox {

/// "Profile changed: table outbox -> app.outbox; mapping.processed.column …", "Profile added",
/// "Profile removed". At least one of the two is there. Passwords are in no profile; one that
/// stands in an address is left out.
[[nodiscard]] QString profileChange(const std::optional<Profile> &before,
                                    const std::optional<Profile> &after);

} // namespace outbox
