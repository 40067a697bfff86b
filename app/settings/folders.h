// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where settings and state of one user live, by the XDG rules.
#pragma once

#include <QString>

namespace outbox {

/// Absolute folders; they need not exist. Qt 6.4 knows no state folder, hence by hand.
struct Folders
{
    QString config; ///< profiles
    QString state; ///< window geometry, audit, exports, history, logs

    /// $XDG_CONFIG_HOME/outboxdeck and $XDG_STATE_HOME/outboxdeck, with their defaults below the
    /// home folder; a relative value of a variable is ignored, as XDG asks. What is given wins.
    [[nodiscard]] static Folders standard(const QString &config = {}, const QString &state = {});

    [[nodiscard]] QString profilesFile() const { return config + QStringLiteral("/profiles.json"); }
    [[nodiscard]] QString preferencesFile() const
    {
        return state + QStringLiteral("/preferences.json");
    }
    [[nodiscard]] QString auditFile() const { return state + QStringLiteral("/audit.jsonl"); }
    [[nodiscard]] QString exportsFolder() const { return state + QStringLiteral("/exports"); }
    /// Rows that were set aside.
    [[nodiscard]] QString parkedFolder() const { return state + QStringLiteral("/parked"); }
    /// What relays know from run to run.
    [[nodiscard]] QString relaysFolder() const { return state + QStringLiteral("/relays"); }
    /// What was seen of each system, for charts.
    [[nodiscard]] QString historyFolder() const { return state + QStringLiteral("/history"); }
    [[nodiscard]] QString groupNotesFile() const
    {
        return state + QStringLiteral("/group-notes.json");
    }
    bool operator==(const Folders &) const = default;
};

} // namespace outbox
