// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A SQLite session through Qt's QSQLITE.
#pragma once

#include "connectors/sql/session/sqlsession.h"

namespace outbox::sqlite {

/// Columns of this name, side by side, are answered by a SqliteSession as one: the digest of their
/// values, 32 hex digits. SQLite itself has no hash, and the values may be too large to be held.
inline constexpr QLatin1StringView digestColumn("outbox_digest");

} // namespace outbox::sqlite

namespace outbox {

/// In SQLite the transaction is the claim: it begins IMMEDIATE and holds the only write lock.
/// Errors: those of `SqlSession`; Conflict where another process keeps the file.
class SqliteSession : public SqlSession
{
public:
    ~SqliteSession() override;

    [[nodiscard]] Result<void> open(const StoreSettings &settings) override;
    void close() override;
    [[nodiscard]] bool isUp() const override;
    [[nodiscard]] Result<SqlRows> query(const SqlText &sql, const QString &doing) override;
    [[nodiscard]] Result<void> begin(const QString &doing) override;
    [[nodiscard]] Result<void> commit(const QString &doing) override;
    [[nodiscard]] Result<void> rollback(const QString &doing) override;
    [[nodiscard]] Result<void> verifyTransaction(const QString &doing) override;
    [[nodiscard]] Result<void> listen(const QString &channel) override;
    [[nodiscard]] Result<bool> waitForChange(int milliseconds) override;

private:
    [[nodiscard]] Result<void> plain(const QString &text, const QString &doing);
    [[nodiscard]] Result<qint64> version();

    QString m_name; ///< of the QSqlDatabase; empty = closed
    bool m_inTransaction = false;
    qint64 m_version = -1; ///< PRAGMA data_version before the last claim
};

} // namespace outbox
