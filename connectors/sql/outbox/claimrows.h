// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows that a claim gave, as messages; and the place where the next claim may go on.
#pragma once

#include "connectors/sql/outbox/claim.h"

namespace outbox {

/// Reads what rows refer to within the claim's transaction. A row that cannot be sent carries its
/// problem; fails where no row can be named, and where the key turns out not to be unique.
[[nodiscard]] Result<Claim> claimFrom(const ClaimContext &tools, const SqlRows &taken,
                                      const ClaimRequest &asked);

} // namespace outbox
