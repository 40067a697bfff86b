// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows of one outbox page, each with what stands under its id in the queue.
#pragma once

#include "models/message/message.h"
#include "models/payload/payloadmasks.h"
#include "models/system/systemview.h"
#include "models/tables/keyedtablemodel.h"

#include <memory>

namespace outbox {

/// A row as the table shows it. Ages are those of the moment the page was read.
struct OutboxRow
{
    Message message;
    std::optional<TaskState> inQueue; ///< nullopt: not read
    std::optional<QDateTime> keptUntil;

    bool operator==(const OutboxRow &) const = default;
};

class OutboxModel : public KeyedTableModel<OutboxRow, MessageId>
{
    Q_OBJECT

public:
    enum Columns {
        State,
        Id,
        Type,
        Created,
        Age,
        Attempts,
        LockedBy,
        InQueue,
        LastError, ///< empty where the table has no column for it
        Payload,
        ColumnCount
    };

    /// `masks` say what of the payloads is not to be seen.
    explicit OutboxModel(const PayloadMasks &masks, QObject *parent = nullptr);

    void setMasks(const PayloadMasks &masks);

    /// The rows of a page, joined, in the page's order.
    [[nodiscard]] static QList<OutboxRow> joined(const OutboxPageView &page);

    /// Which rows come first, for the header of the time column; nullopt: that says nothing of it.
    void setOrder(std::optional<bool> newestFirst);
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    OutboxModel(std::shared_ptr<PayloadMasks> masks, QObject *parent);

    std::shared_ptr<PayloadMasks> m_masks; ///< the column of payloads has it, too
    std::optional<bool> m_newestFirst;
};

/// "relay-7 (process 4711), 2 s", "several sessions", or that the holder cannot be seen.
[[nodiscard]] QString holderWords(const LockHolder &holder);

} // namespace outbox
