// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table outbox_audit of one profile, read when somebody wants to see it.
#pragma once

#include "app/system/sources/poller.h"
#include "connectors/room.h"
#include "connectors/sql/edit/audittable.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"

#include <QObject>

namespace outbox {

/// One answer over a session that only looks and ends with it. Blocking; in the table's room.
[[nodiscard]] Result<AuditPage> readAuditTable(AuditTable &table, const StoreSettings &settings,
                                               const TableName &outbox, int most);

/// Lives in the asker's thread and never waits but in its destructor, for a room that is woken.
class AuditFeed : public QObject
{
    Q_OBJECT

public:
    static constexpr int firstRows = 2'000; ///< a few milliseconds

    AuditFeed(Profile profile, ProfilePasswords secrets, QObject *parent = nullptr);
    ~AuditFeed() override;

    /// False: messages do not wait in rows of a database.
    [[nodiscard]] bool isOffered() const
    {
        return !m_profile.design && !m_profile.databaseUrl.isEmpty();
    }
    /// Asks for the newest entries; while an answer is under way, once more behind it, for what
    /// came in since may not be in it. `outbox` is the table that the record stands beside.
    void read(const TableName &outbox);
    /// From now on ten times as many, up to `AuditTable::mostRows`.
    void readMore(const TableName &outbox);
    [[nodiscard]] bool mayReadMore() const { return m_most < AuditTable::mostRows; }

signals:
    void taken(const outbox::AuditPage &page);
    /// Unsupported: there is no such table.
    void failed(const outbox::Error &error);

private:
    void ask();

    Profile m_profile;
    ProfilePasswords m_secrets;
    int m_most = firstRows;
    TableName m_outbox; ///< that was named last
    Poller m_poller; ///< never started: it asks when it is told to
    Room<AuditTable> m_room{QStringLiteral("audit")}; ///< last: its thread ends first
};

} // namespace outbox
