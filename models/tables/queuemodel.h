// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The queues of one Redis database, one line each.
#pragma once

#include "models/system/snapshots.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

class QueueModel : public KeyedTableModel<QueueSnapshot, QueueName>
{
    Q_OBJECT

public:
    enum Columns {
        Name,
        Pending,
        Active,
        Scheduled,
        Retry,
        Dead,
        Done,
        Oldest,
        ServedBy,
        ColumnCount
    };

    explicit QueueModel(QObject *parent = nullptr);
};

/// "2 servers", "NOBODY", or "not known".
[[nodiscard]] QString servedWords(const QueueSnapshot &queue);

} // namespace outbox
