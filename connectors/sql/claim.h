// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The inside of a claim: takes rows in the open transaction and makes messages of them.
#pragma once

#include "connectors/sql/dialect.h"
#include "connectors/sql/outboxstore.h"
#include "connectors/sql/references.h"

namespace outbox {

/// Takes up to `rows` due rows but the `parked` ones, whose texts fit the key's type. On an error
/// the caller rolls back.
[[nodiscard]] Result<QList<ClaimedMessage>> takeRows(SqlSession &session, const Dialect &dialect,
                                                     const ReferenceReader &references, int rows,
                                                     const QStringList &parked,
                                                     const QString &doing);

} // namespace outbox
