// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One database session: a statement with bound values goes in, rows as bytes come out.
#pragma once

#include "connectors/sql/driver/sqlfragment.h"
#include "models/result.h"
#include "models/system/standbystate.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <atomic>
#include <memory>
#include <optional>

namespace outbox {

struct StoreSettings;

/// A text in the bytes of the session's encoding, valid in it or not. PostgreSQL reads it as the
/// type of its placeholder, by that type's own rules. It holds no NUL.
struct TextBytes
{
    QByteArray bytes;

    bool operator==(const TextBytes &) const = default;
};

/// A whole statement. Every output column must be text or bytes; on MariaDB none may be a bare
/// placeholder.
using SqlText = SqlFragment;

/// The answer of a statement, whole. NULL is a null QByteArray; text is UTF-8.
struct SqlRows
{
    qsizetype columns = 0;
    QList<QByteArray> cells; ///< row after row
    qint64 affected = 0; ///< rows written, where the statement writes
    QByteArray command; ///< PostgreSQL: the command tag, such as "COMMIT"
    /// PostgreSQL: the warning that its COMMIT stopped waiting for the standbys; empty without one.
    QString standbyWarning;

    [[nodiscard]] qsizetype size() const { return columns ? cells.size() / columns : 0; }
    [[nodiscard]] const QByteArray &bytes(qsizetype row, qsizetype column) const
    {
        return cells.at(row * columns + column);
    }
    [[nodiscard]] bool isNull(qsizetype row, qsizetype column) const
    {
        return bytes(row, column).isNull();
    }
    [[nodiscard]] QString text(qsizetype row, qsizetype column) const
    {
        return QString::fromUtf8(bytes(row, column));
    }
    /// The cells of a row from a column on; none where there is no such row.
    [[nodiscard]] QStringList texts(qsizetype row, qsizetype from = 0) const;
    /// nullopt where the cell is NULL or no number.
    [[nodiscard]] std::optional<qint64> integer(qsizetype row, qsizetype column) const;
    [[nodiscard]] std::optional<double> number(qsizetype row, qsizetype column) const;
};

/// Shuts a socket from any thread. It holds a descriptor of its own, so libpq may close and forget
/// the socket at any moment and no foreign descriptor is ever hit.
class SocketBreaker
{
public:
    SocketBreaker() = default;
    ~SocketBreaker() { disarm(); }
    SocketBreaker(const SocketBreaker &) = delete;
    SocketBreaker &operator=(const SocketBreaker &) = delete;

    void arm(int socket);
    void disarm();
    void shut() noexcept; ///< from any thread; no-op when not armed
    /// The socket that was armed last was shut by us: what the server library says of it is untrue.
    [[nodiscard]] bool wasShut() const { return m_wasShut.load(); }

private:
    [[nodiscard]] int take() noexcept;
    void replace(int next);
    std::atomic<int> m_own{none};
    std::atomic<bool> m_wasShut{false};
    static constexpr int none = -1;
    static constexpr int taken = -2; ///< someone has it in hand for a moment
};

/// Blocking; made and used in one thread. After an error of kind Unreachable the session is down
/// and must be opened again.
/// Errors: Unreachable where the connection is lost, Timeout behind the deadline; else what the
/// server says: Refused (rights), Conflict (locks, deadlocks), Constraint, Invalid (a name that is
/// gone), Unsupported, or Protocol where it is none of these.
class SqlSession
{
public:
    virtual ~SqlSession() = default;

    [[nodiscard]] virtual Result<void> open(const StoreSettings &settings) = 0;
    virtual void close() = 0;
    [[nodiscard]] virtual bool isUp() const = 0;

    /// The same error, which says exactly which right was missing where it is about rights and no
    /// transaction is open: the server can be asked then.
    [[nodiscard]] virtual Error explained(Error error) { return error; }

    /// Runs one statement; outside a transaction it commits by itself. Bounded by the statement
    /// deadline of the settings, on our side too.
    [[nodiscard]] virtual Result<SqlRows> query(const SqlText &sql, const QString &doing) = 0;

    /// True where statements can be sent ahead of their answers, by `send` and `receive`.
    [[nodiscard]] virtual bool sendsAhead() const { return false; }
    /// Sends statements without waiting for an answer. They run one after another, up to the first
    /// that fails; what another call sent is not touched by that. Those with values are kept
    /// prepared. While an answer is to come, `query` is refused.
    [[nodiscard]] virtual Result<void> send(const QList<SqlText> &statements, const QString &doing);
    /// The answer of the last statement of the call of `send` that waits longest, or its first
    /// error.
    [[nodiscard]] virtual Result<SqlRows> receive(const QString &doing);
    /// How many calls of `send` wait for their answer.
    [[nodiscard]] virtual int underWay() const { return 0; }

    [[nodiscard]] virtual Result<void> begin(const QString &doing) = 0;
    [[nodiscard]] virtual Result<void> commit(const QString &doing) = 0;
    /// Does nothing when no transaction is open.
    [[nodiscard]] virtual Result<void> rollback(const QString &doing) = 0;
    /// Tells whether the transaction is still there: by what the server said unasked, and by asking
    /// it where the last sign of life is old.
    [[nodiscard]] virtual Result<void> verifyTransaction(const QString &doing) = 0;

    /// True where a pooler stands before the server: each transaction may meet another session of
    /// the server, which is somebody else's at any other time.
    [[nodiscard]] virtual bool isPooled() const { return false; }
    /// What the server says of itself now where it is a standby; nullopt where it is none, any more
    /// or at all.
    [[nodiscard]] virtual std::optional<StandbyState> standby() { return std::nullopt; }
    /// True where a standby does for want of a primary: another session may find that again.
    [[nodiscard]] virtual bool isSecondBest() const { return false; }
    /// Asks the other servers of the address of `settings`, those that the session was opened with,
    /// whether one is a primary of the same cluster on a later timeline: Unreachable with
    /// `noPrimaryCode` then, and all sessions that write and share its memory are down where they
    /// are at an earlier one. Each other server may take a second to let somebody in, and one to
    /// say what it is; one that fails, or is a standby, changes nothing. PostgreSQL only, where
    /// several hosts are named and no pooler stands before the server; elsewhere no-op.
    [[nodiscard]] virtual Result<void> leaveEarlierPrimary(const StoreSettings & /*settings*/)
    {
        return {};
    }
    /// What the statements of this session run with from now on; PostgreSQL only.
    [[nodiscard]] virtual Result<void> setParameter(const QString &name, const QString &value,
                                                    const QString &doing);

    /// The server ends later statements after so long, where it can.
    [[nodiscard]] virtual Result<void> limitStatements(int /*milliseconds*/,
                                                       const QString & /*doing*/)
    {
        return {};
    }

    [[nodiscard]] virtual Result<void> listen(const QString &channel) = 0;
    /// True when others changed something, false after `milliseconds`.
    [[nodiscard]] virtual Result<bool> waitForChange(int milliseconds) = 0;
};

/// The session for `settings.url`. `breaker` outlives it and is armed while it is up.
[[nodiscard]] std::unique_ptr<SqlSession> makeSession(const StoreSettings &settings,
                                                      SocketBreaker &breaker);

} // namespace outbox
