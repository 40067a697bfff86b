// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/session/sqlsession.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QStringList SqlRows::texts(qsizetype row, qsizetype from) const
{
    QStringList texts;
    for (qsizetype column = from; row < size() && column < columns; ++column)
        texts += text(row, column);
    return texts;
}

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

Result<void> SqlSession::send(const QList<SqlText> &, const QString &doing)
{
    return fail(Error::Kind::Unsupported, doing, u"this database answers each statement at once"_s);
}

Result<SqlRows> SqlSession::receive(const QString &doing)
{
    return fail(Error::Kind::Conflict, doing, u"nothing was sent ahead"_s);
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
    const int own = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
    m_wasShut.store(false);
    replace(own < 0 ? none : own);
}

void SocketBreaker::disarm()
{
    replace(none);
}

void SocketBreaker::replace(int next)
{
    // One step: what shut() has in hand meanwhile it would put back over the new one.
    const int before = take();
    m_own.store(next);
    m_own.notify_all();
    if (before >= 0)
        ::close(before);
}

void SocketBreaker::shut() noexcept
{
    const int own = take();
    if (own >= 0) {
        m_wasShut.store(true); // before the thread that waits wakes up
        ::shutdown(own, SHUT_RDWR);
    }
    m_own.store(own);
    m_own.notify_all();
}

Result<void> SqlSession::setParameter(const QString &name, const QString &, const QString &doing)
{
    return fail(Error::Kind::Unsupported, doing, u"this database has no parameter "_s + name);
}

} // namespace outbox
