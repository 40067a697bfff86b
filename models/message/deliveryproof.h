// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a row needs to leave the outbox: the queue's own word that it holds this row's message.
#pragma once

#include "models/ids.h"
#include "models/message/task.h"

#include <QList>

#include <optional>

namespace outbox {

/// Made from the queue's answer for one row, and in no other way. A COMMIT of the relay takes a
/// list of these, so a row that the queue did not answer for cannot be given up
/// (correctness.md 3).
class DeliveryProof
{
public:
    /// Where the queue holds the message.
    enum class Found {
        Stored, ///< taken now
        InFlight, ///< delivered before; it waits or runs
        Done, ///< delivered before, completed and kept
        Dead, ///< delivered before, archived by the queue
    };

    /// What `answer` proves; nullopt where it does not prove that the queue holds this message.
    [[nodiscard]] static std::optional<Found> foundBy(const EnqueueAnswer &answer);
    /// The proof for `row`, whose request `answer` belongs to; nullopt as above.
    [[nodiscard]] static std::optional<DeliveryProof> from(const MessageId &row,
                                                           const EnqueueAnswer &answer);

    [[nodiscard]] const MessageId &row() const { return m_row; }
    [[nodiscard]] Found found() const { return m_found; }

private:
    DeliveryProof(MessageId row, Found found) : m_row(std::move(row)), m_found(found) { }

    MessageId m_row;
    Found m_found;
};

} // namespace outbox
