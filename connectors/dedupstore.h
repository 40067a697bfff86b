// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the designs ask of a store of the ids of messages that are done.
#pragma once

#include "models/designs/donestore.h"
#include "models/result.h"

#include <QSet>
#include <QString>
#include <QStringList>

namespace outbox {

/// Presence means done. What one call has answered, no later call of anybody may contradict: a read
/// after a read must not be stale. Lives in one thread, that of its room.
/// Errors: those of its database or of Redis; after Timeout, Unreachable or Protocol a write may
/// have happened.
class DedupStore
{
public:
    virtual ~DedupStore() = default;

    /// Those of `ids` that are in the store.
    [[nodiscard]] virtual Result<QSet<QString>> have(const QStringList &ids) = 0;
    /// Answers when every later reader will find it; once more does no harm.
    [[nodiscard]] virtual Result<void> add(const QString &id) = 0;
    /// As found when it was opened.
    [[nodiscard]] virtual StoreDurability trust() const = 0;
};

} // namespace outbox
