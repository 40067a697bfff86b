// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows that a claim gives, taken and as messages; and the place where the next claim may go on.
#pragma once

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/references.h"
#include "connectors/sql/outbox/outboxstore.h"

namespace outbox {

/// What a claim works with; all of it outlives the call.
struct ClaimContext
{
    SqlSession &session;
    const Dialect &dialect;
    const ReferenceReader &references;
    QString doing;
};

[[nodiscard]] ClaimScope scopeOf(const ClaimRequest &request, const Dialect &dialect);
/// Reads what rows refer to within the claim's transaction. A row that cannot be sent carries its
/// problem; fails where no row can be named, and where the key turns out not to be unique.
[[nodiscard]] Result<Claim> claimFrom(const ClaimContext &tools, const SqlRows &taken,
                                      const ClaimRequest &asked);
/// The whole claim where the database answers each statement at once; what it began is open behind
/// it, after an error and without rows, too.
[[nodiscard]] Result<Claim> takeAtOnce(const ClaimContext &tools, const ClaimRequest &asked);
/// The one row of `key` in the open transaction, or none.
[[nodiscard]] Result<Claim> takeOne(const ClaimContext &tools, const QString &key,
                                    qint64 mostPayloadBytes);

} // namespace outbox
