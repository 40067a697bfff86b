// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Addresses for a form: read and written by what the connectors read them with.
#pragma once

#include "models/profile/addressparts.h"

namespace outbox {

/// Keeps nothing; for any thread.
[[nodiscard]] AddressParser addressParser();

} // namespace outbox
