// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table of the ids of messages that are done.
#pragma once

#include "connectors/dedupstore.h"
#include "connectors/sql/documents/auxiliarytable.h"

namespace outbox {

/// Lives in one thread, that of its room, but for `interrupt`.
/// Errors: those of `AuxiliaryTable`.
class DedupTable : public DedupStore
{
public:
    [[nodiscard]] Result<void> open(const StoreSettings &settings, const DoneTable &table);

    [[nodiscard]] Result<QSet<QString>> have(const QStringList &ids) override;
    [[nodiscard]] Result<void> add(const QString &id) override;
    [[nodiscard]] StoreDurability trust() const override { return m_table.trust(); }
    /// From any thread: shuts the session's socket.
    void interrupt() noexcept { m_table.interrupt(); }

private:
    AuxiliaryTable m_table;
};

} // namespace outbox
