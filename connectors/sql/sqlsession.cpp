// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/sqlsession.h"

#include "connectors/sql/outboxstore.h"
#include "connectors/sql/postgressession.h"
#include "connectors/sql/sqlitesession.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace outbox {

std::optional<qint64> SqlRows::integer(qsizetype row, qsizetype column) const
{
    bool ok = false;
    const qint64 value = bytes(row, column).toLongLong(&ok);
    return ok ? std::optional(value) : std::nullopt;
}

std::optional<double> SqlRows::number(qsizetype row, qsizetype column) const
{
    bool ok = false;
    const double value = bytes(row, column).toDouble(&ok);
    return ok ? std::optional(value) : std::nullopt;
}

int SocketBreaker::take() noexcept
{
    int own = m_own.exchange(taken);
    while (own == taken) { // the other side holds it for the length of one system call
        m_own.wait(taken);
        own = m_own.exchange(taken);
    }
    return own;
}

void SocketBreaker::arm(int socket)
{
    disarm();
    const int own = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
    m_own.store(own < 0 ? none : own);
    m_own.notify_all();
}

void SocketBreaker::disarm()
{
    const int own = take();
    m_own.store(none);
    m_own.notify_all();
    if (own >= 0)
        ::close(own);
}

void SocketBreaker::shut() noexcept
{
    const int own = take();
    if (own >= 0)
        ::shutdown(own, SHUT_RDWR);
    m_own.store(own);
    m_own.notify_all();
}

std::unique_ptr<SqlSession> makeSession(const StoreSettings &settings, SocketBreaker &breaker)
{
    if (settings.url.dialect == DatabaseUrl::Dialect::Sqlite)
        return std::make_unique<SqliteSession>();
    return std::make_unique<PostgresSession>(breaker);
}

} // namespace outbox
