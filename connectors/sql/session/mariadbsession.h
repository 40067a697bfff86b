// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A MariaDB session through Qt's QMYSQL; the socket beneath is watched for the end of the session.
#pragma once

#include "connectors/sql/session/sqlsession.h"

class QSqlError;

namespace outbox {

/// The server keeps its own deadlines; ours is that of the socket, for a server that stands still.
/// Errors: those of `SqlSession`; Unsupported for a server whose rows cannot be claimed.
class MariadbSession : public SqlSession
{
public:
    /// `breaker` outlives the session; armed while it is up.
    explicit MariadbSession(SocketBreaker &breaker);
    ~MariadbSession() override;

    [[nodiscard]] Result<void> open(const StoreSettings &settings) override;
    void close() override;
    [[nodiscard]] bool isUp() const override;
    [[nodiscard]] Result<SqlRows> query(const SqlText &sql, const QString &doing) override;
    [[nodiscard]] Result<void> begin(const QString &doing) override;
    [[nodiscard]] Result<void> commit(const QString &doing) override;
    [[nodiscard]] Result<void> rollback(const QString &doing) override;
    [[nodiscard]] Result<void> verifyTransaction(const QString &doing) override;
    /// MariaDB tells nobody of a change: Unsupported.
    [[nodiscard]] Result<void> limitStatements(int milliseconds, const QString &doing) override;
    [[nodiscard]] Result<void> listen(const QString &channel) override;
    [[nodiscard]] Result<bool> waitForChange(int milliseconds) override;

private:
    [[nodiscard]] Result<void> plain(const QString &text, const QString &doing);
    [[nodiscard]] Result<void> connect(const StoreSettings &settings, const QString &doing);
    /// Makes sure that the server is one whose rows can be claimed, and sets what a session needs.
    [[nodiscard]] Result<void> prepare(const StoreSettings &settings, const QString &doing);
    [[nodiscard]] Error failed(const QString &doing, const QSqlError &said, qint64 afterMs);
    /// True where the server has something to say that nobody asked for: its farewell.
    [[nodiscard]] bool isEnded(int milliseconds) const;

    SocketBreaker &m_breaker;
    QString m_name; ///< of the QSqlDatabase; empty = closed
    int m_socket = -1; ///< owned by the client library
    bool m_inTransaction = false;
    int m_deadlineMs = 0;
    qint64 m_aliveNs = 0; ///< when an open transaction was last known to be there
};

} // namespace outbox
