// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Puts on record what must not wait for its record: starts and stops of relays, changed settings.
#pragma once

#include "app/audit/audittrail.h"
#include "connectors/room.h"
#include "connectors/sql/edit/audittable.h"

#include <QFuture>
#include <QObject>

#include <memory>

namespace outbox {

/// Unlike an act on messages, which is not done without its record, these go on: a relay that
/// cannot write a line delivers nevertheless, and `failed` says so. Lives in the thread of the one
/// who made it; file and table have a room each, made for the first entry, so that a database that
/// stands still keeps no line out of the file. Its destructor waits a little for what is under way.
class RecordWriter : public QObject
{
    Q_OBJECT

public:
    /// `file` is the record of this machine (`Folders::auditFile`).
    explicit RecordWriter(QString file, QObject *parent = nullptr);
    ~RecordWriter() override;

    /// Where the table outbox_audit is looked for; `settings` are of a session that writes anyway.
    /// Without this call, and where there is no such table, the file alone is written.
    void setTable(const StoreSettings &settings, const TableName &outbox);
    /// The time is now; an entry without an operation gets one where a table is to have it, too.
    void write(AuditEntry entry);
    /// Waits until all is written or a few seconds have passed.
    void finish();

signals:
    void failed(const outbox::Error &error);

private:
    void writeToTable(const AuditEntry &entry);

    QString m_file;
    std::optional<StoreSettings> m_tableSettings; ///< nullopt: the file alone is written
    TableName m_outbox;
    QFuture<Result<AuditEntry>> m_filed; ///< the last job of each room
    QFuture<Result<void>> m_tabled;
    std::unique_ptr<Room<std::unique_ptr<AuditTrail>>> m_fileRoom; ///< nullptr: nothing was written
    std::unique_ptr<Room<AuditTable>> m_tableRoom; ///< nullptr: nothing was written to a table
};

} // namespace outbox
