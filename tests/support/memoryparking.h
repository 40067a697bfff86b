// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parked rows for as long as the program runs: a relay that starts anew meets the same reasons
// again.
#pragma once

#include "app/relay/parking/parking.h"

#include <algorithm>

namespace outbox {

class MemoryParking : public Parking
{
public:
    [[nodiscard]] Result<QList<ParkedRow>> rows() override { return m_rows; }
    [[nodiscard]] Result<void> put(const QList<ParkedRow> &rows) override
    {
        for (const ParkedRow &row : rows) {
            remove(row.id);
            m_rows += row;
        }
        return {};
    }
    [[nodiscard]] Result<void> release(const QList<MessageId> &ids) override
    {
        for (const MessageId &id : ids)
            remove(id);
        return {};
    }

private:
    void remove(const MessageId &id)
    {
        m_rows.removeIf([&id](const ParkedRow &row) { return row.id == id; });
    }

    QList<ParkedRow> m_rows;
};

} // namespace outbox
