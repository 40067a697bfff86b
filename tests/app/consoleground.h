// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A console with a folder of its own, its window over a system, and what it has put on record.
#pragma once

#include "app/audit/audittrail.h"
#include "app/desktop/desktop.h"
#include "models/profile/profile.h"
#include "tests/support/testoutbox.h"

#include <QTemporaryDir>
#include <QTest>

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
    /// A system of development over this outbox and its Redis; read-only, as a new profile is.
    [[nodiscard]] static Profile profileOver(const TestOutbox &fixture, const QString &name)
    {
        Profile one;
        one.name = name;
        one.environment = Environment::Development;
        one.databaseUrl = fixture.url();
        one.table = fixture.table();
        one.redisUrl = fixture.redisUrl();
        one.refreshMs = 250;
        return one;
    }
    /// Its servers are away: what is looked at is the window.
    [[nodiscard]] Profile awayProfile(const QString &name) const
    {
        Profile one;
        one.name = name;
        one.databaseUrl
            = QStringLiteral("sqlite://") + m_folder->filePath(QStringLiteral("missing.db"));
        one.redisUrl
            = QStringLiteral("redis+unix://") + m_folder->filePath(QStringLiteral("missing.sock"));
        return one;
    }
    /// Opens the system and shows its window, which is active then.
    void openWindow(const Profile &system)
    {
        m_desktop->openProfile(system, {});
        window().resize(1280, 800);
        window().show();
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
    }
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
