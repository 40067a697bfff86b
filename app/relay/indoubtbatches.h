// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Batches whose COMMIT was not answered, until it is known how they ended.
#pragma once

#include "connectors/sql/outbox/outboxstore.h"
#include "models/relay/relaystep.h"

#include <QList>

#include <functional>

namespace outbox {

/// A batch whose COMMIT was sent, and not answered.
struct InDoubtBatch
{
    RelayStep step; ///< what was told of it, or is to be told
    QList<MessageId> ids; ///< the rows that its COMMIT was to take
    qint64 queueBatch = 0; ///< its number in the queue's count
};

/// The database is asked by key what became of the rows; a row that comes back tells as well.
/// Used in the relay's room.
class InDoubtBatches
{
public:
    /// Asks the database for the fate of rows.
    using Ask = std::function<Result<OutboxStore::Fate>(const QList<MessageId> &)>;

    [[nodiscard]] bool isEmpty() const { return m_batches.isEmpty(); }
    /// Keeps at most 16; what comes then is not asked about.
    void add(InDoubtBatch batch);
    /// Asks for each batch. Answers those whose end is known now, with the step that tells it;
    /// where asking fails, or others hold the rows, the batch stays in doubt.
    [[nodiscard]] QList<InDoubtBatch> settle(const Ask &fateOf);
    /// The rows `ids` can be claimed, so their batches were rolled back. Answers the steps of
    /// these.
    [[nodiscard]] QList<RelayStep> comeBack(const QList<MessageId> &ids);

private:
    QList<InDoubtBatch> m_batches;
};

} // namespace outbox
