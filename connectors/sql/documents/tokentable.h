// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table of tokens, each with the attempt that made it.
#pragma once

#include "connectors/sql/documents/auxiliarytable.h"
#include "connectors/tokenstore.h"

namespace outbox {

/// Lives in one thread, that of its room, but for `interrupt`.
/// Errors: those of `AuxiliaryTable`.
class TokenTable : public TokenStore
{
public:
    [[nodiscard]] Result<void> open(const StoreSettings &settings, const DoneTable &table);

    [[nodiscard]] Result<QSet<QString>> have(const QStringList &tokens) override;
    [[nodiscard]] Result<void> create(const QList<Token> &tokens) override;
    [[nodiscard]] Result<bool> consume(const QString &token) override;
    [[nodiscard]] StoreDurability trust() const override { return m_table.trust(); }
    [[nodiscard]] Result<QList<Token>> page(QString &cursor, int limit) override;
    /// From any thread: shuts the session's socket.
    void interrupt() noexcept { m_table.interrupt(); }

private:
    AuxiliaryTable m_table;
};

} // namespace outbox
