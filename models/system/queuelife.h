// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a relay remembers of one queue from run to run, and what the database keeps of that.
#pragma once

#include "models/ids.h"

#include <QByteArray>

namespace outbox {

struct QueueLife
{
    QueueName queue;
    QByteArray life; ///< the word that the queue's Redis was met with
    qint64 committed = 0; ///< the last batch whose rows have left the outbox; 0 = none

    bool operator==(const QueueLife &) const = default;
};

/// A line of the table outbox_fence: how far one relay has delivered into one queue.
struct RelayLife
{
    QByteArray relay; ///< its name, which no other relay has
    QueueLife reached;

    bool operator==(const RelayLife &) const = default;
};

} // namespace outbox
