// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps the runs of a job on one table apart, whatever process they are of. Nobody waits for it,
// and it goes with the session or the process that holds it.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "models/result.h"
#include "models/shape/shaperules.h"

namespace outbox {

class SqlSession;

/// An advisory lock of the session on PostgreSQL, GET_LOCK on MariaDB. SQLite has none: there it is
/// a byte of the file "<database>-outboxdeck-jobs", locked by the operating system.
/// Errors: those of `SqlSession`; of SQLite Refused where the file cannot be made.
class JobLock
{
public:
    JobLock() = default;
    ~JobLock() { forget(); }
    JobLock(const JobLock &) = delete;
    JobLock &operator=(const JobLock &) = delete;

    /// False: another one holds it. True at once where it is held already.
    [[nodiscard]] Result<bool> take(SqlSession &session, const DatabaseUrl &url,
                                    const TableName &table);
    [[nodiscard]] Result<void> release(SqlSession &session, const DatabaseUrl &url,
                                       const TableName &table);
    /// The session is gone, and the lock with it.
    void forget();

private:
    [[nodiscard]] Result<bool> takeFile(const DatabaseUrl &url, const TableName &table);

    bool m_isHeld = false;
    int m_file = -1;
};

} // namespace outbox
