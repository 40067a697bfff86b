// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Proofs of delivery for tests of the database alone: as if a queue had taken the rows.
#pragma once

#include "connectors/sql/outbox/outboxstore.h"

namespace outbox {

inline QList<DeliveryProof> asDelivered(const QList<MessageId> &rows)
{
    EnqueueAnswer stored;
    stored.kind = EnqueueAnswer::Kind::Stored;
    QList<DeliveryProof> proofs;
    for (const MessageId &row : rows)
        proofs += *verdictOn(row, stored).proof;
    return proofs;
}

/// Commits all that the open claim has taken.
inline Result<void> commitTaken(OutboxStore &store)
{
    auto sent = store.sendCommit(asDelivered(store.taken()));
    return sent ? store.takeCommit() : sent;
}

} // namespace outbox
