// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table in which the database itself keeps the record of what operators did: its name, its
// columns, how it is made and read.
#pragma once

#include "connectors/sql/edit/outboxeditor.h"
#include "connectors/sql/session/databasesession.h"
#include "models/shape/catalog.h"

namespace outbox {

/// The table over a session of its own. With ReadOnly access it only reads. Whatever it is asked
/// for costs the same however long the table is. Blocking; made and used in one thread, but for
/// `interrupt`.
/// Errors: those of `SqlSession`; Unsupported where there is no such table.
class AuditTable
{
public:
    /// What is read without an index, and what a question about messages goes through without one.
    static constexpr int mostUnordered = 20'000;
    static constexpr int mostRows = 100'000; ///< of one answer

    /// Connects and looks for the table: beside `outbox` first, then where the session looks for
    /// names. Fails with Unsupported where there is none, and with Invalid where it is another.
    [[nodiscard]] Result<void> open(const StoreSettings &settings, const TableName &outbox);
    void close();
    [[nodiscard]] bool isOpen() const { return m_session.isUp(); }

    /// The newest `most` entries. Fails with Unsupported, with the index that is missing in the
    /// hint, where a long table has none to find them by; with Refused where the role may not read.
    [[nodiscard]] Result<AuditPage> newest(int most);
    /// Entries about messages with these ids. Where no index finds them, the newest ones of a long
    /// table are gone through, and the answer is not whole.
    [[nodiscard]] Result<AuditPage> about(const QStringList &messages, int most);
    /// Adds one entry at the time of the database's clock. Refused with ReadOnly access.
    [[nodiscard]] Result<void> write(const AuditRow &row);

    /// As `DatabaseSession::interrupt`.
    void interrupt() noexcept { m_session.interrupt(); }

private:
    [[nodiscard]] Result<void> find(const TableName &outbox);
    [[nodiscard]] Result<void> measure();
    [[nodiscard]] bool hasOrder() const { return m_table.hasRowId || m_isOrdered || m_isShort; }
    [[nodiscard]] QString newestFirst() const;
    [[nodiscard]] QString cells() const;
    [[nodiscard]] Result<AuditPage> read(const SqlFragment &where, int most, const QString &doing);

    DatabaseSession m_session;
    CatalogTable m_table;
    bool m_isMeasured = false;
    bool m_isOrdered = false; ///< an index begins with the time
    bool m_isFound = false; ///< an index begins with the message
    bool m_isShort = false; ///< it may be read whole
};

} // namespace outbox
