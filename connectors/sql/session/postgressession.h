// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A PostgreSQL session, through libpq: every statement has a deadline on our side, results come as
// plain bytes, and NOTIFY needs no event loop.
#pragma once

#include "connectors/sql/session/postgrespipeline.h"
#include "connectors/sql/session/sqlsession.h"

class QDeadlineTimer;

namespace outbox {

/// Behind a pooler each statement runs in a transaction that brings its parameters along, and
/// nothing outlives it there: the server's session is somebody else's behind it.
/// Errors: those of `SqlSession`; Refused, too, where the server keeps a looking session neither
/// read-only nor to a deadline.
class PostgresSession : public SqlSession
{
public:
    explicit PostgresSession(SocketBreaker &breaker);
    ~PostgresSession() override;

    [[nodiscard]] Result<void> open(const StoreSettings &settings) override;
    void close() override;
    [[nodiscard]] bool isUp() const override;
    [[nodiscard]] Error explained(Error error) override;
    [[nodiscard]] Result<SqlRows> query(const SqlText &sql, const QString &doing) override;
    [[nodiscard]] bool sendsAhead() const override { return true; }
    [[nodiscard]] Result<void> send(const QList<SqlText> &statements,
                                    const QString &doing) override;
    [[nodiscard]] Result<SqlRows> receive(const QString &doing) override;
    [[nodiscard]] int underWay() const override { return m_pipeline.underWay(); }
    [[nodiscard]] Result<void> begin(const QString &doing) override;
    [[nodiscard]] Result<void> commit(const QString &doing) override;
    [[nodiscard]] Result<void> rollback(const QString &doing) override;
    [[nodiscard]] Result<void> verifyTransaction(const QString &doing) override;
    [[nodiscard]] bool isPooled() const override { return m_isPooled; }
    [[nodiscard]] Result<void> setParameter(const QString &name, const QString &value,
                                            const QString &doing) override;
    [[nodiscard]] Result<void> limitStatements(int milliseconds, const QString &doing) override
    {
        return setParameter(QStringLiteral("statement_timeout"), QString::number(milliseconds),
                            doing);
    }
    [[nodiscard]] Result<void> listen(const QString &channel) override;
    [[nodiscard]] Result<bool> waitForChange(int milliseconds) override;

private:
    [[nodiscard]] Result<void> connectTo(const StoreSettings &settings, const QString &doing);
    /// Whether the server's session is another one than that which was connected to.
    [[nodiscard]] Result<void> findPooler(const QString &doing);
    /// The statement in a transaction of its own, with the parameters.
    [[nodiscard]] Result<SqlRows> queryPooled(const SqlText &sql, const QString &doing);
    /// Behind a pooler, the parameters behind a BEGIN.
    [[nodiscard]] QList<SqlText> withParameters(const QList<SqlText> &statements) const;
    [[nodiscard]] Result<void> plain(const QString &text, const QString &doing);
    /// Asks a server that keeps texts of any encoding to give them as they are.
    [[nodiscard]] Result<void> takeTextsAsBytes(const QString &doing);
    /// Makes sure that the server itself keeps a looking session read-only and to a deadline.
    [[nodiscard]] Result<void> guard(const StoreSettings &settings, const QString &doing);
    [[nodiscard]] Result<bool> isGuarded(const QString &doing);
    /// All results of one statement, or of what was sent ahead first.
    [[nodiscard]] Result<SqlRows> answer(const QString &doing);
    enum class Wait { Ready, Late, Lost };
    [[nodiscard]] Wait waitForResult(const QDeadlineTimer &deadline);
    [[nodiscard]] Error errorOf(const pg_result *failed, const QString &doing);
    static void takeNotice(void *session, const pg_result *notice);
    [[nodiscard]] Error lost(const QString &doing);
    [[nodiscard]] bool inTransaction() const;
    [[nodiscard]] bool takeNotifications();
    /// Reads what came unasked; false when the session turns out to be over.
    [[nodiscard]] bool readWaiting();

    SocketBreaker &m_breaker;
    pg_conn *m_connection = nullptr; ///< nullptr = closed
    bool m_isPooled = false;
    QString m_begin; ///< how a transaction begins behind a pooler
    QList<QPair<QString, QString>> m_parameters; ///< that each of them brings along
    PostgresPipeline m_pipeline;
    QString m_role; ///< as the settings name it
    QString m_asked; ///< the statement of the last `query`
    QString m_denied; ///< the statement that was refused for want of a right
    int m_deadlineMs = 0;
    qint64 m_aliveNs = 0; ///< when an open transaction was last known to be there
    /// What the server said when it ended a session that asked nothing: it comes as a notice.
    QString m_farewell;
    QString m_farewellState;
};

} // namespace outbox
