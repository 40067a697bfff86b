// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A console with a folder of its own, and what it has put on record.
#pragma once

#include "app/audit/audittrail.h"
#include "app/desktop/desktop.h"

#include <QTemporaryDir>

#include <algorithm>
#include <memory>
#include <optional>

namespace outbox {

class ConsoleGround
{
protected:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Desktop> m_desktop;

    [[nodiscard]] Folders folders() const { return {m_folder->path(), m_folder->path()}; }
    /// With nothing saved and nothing on record.
    void startConsole()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        startAgain();
    }
    void startAgain() { m_desktop = std::make_unique<Desktop>(folders()); }
    [[nodiscard]] MainWindow &window() const { return m_desktop->window(); }
    /// All lines of the record, oldest first.
    [[nodiscard]] QList<AuditEntry> record() const
    {
        return AuditTrail(folders().auditFile()).read().value_or(QList<AuditEntry>());
    }
    [[nodiscard]] bool wasRecorded(AuditEntry::Kind kind, std::optional<Verb> verb) const
    {
        const QList<AuditEntry> entries = record();
        return std::any_of(entries.begin(), entries.end(), [&](const AuditEntry &entry) {
            return entry.kind == kind && entry.verb == verb;
        });
    }
};

} // namespace outbox
