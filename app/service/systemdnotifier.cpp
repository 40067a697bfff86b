// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/systemdnotifier.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr timeval longestSend{0, 200'000};

std::optional<std::chrono::microseconds> watchdogFromEnvironment()
{
    const QByteArray pid = qgetenv("WATCHDOG_PID");
    if (!pid.isEmpty() && pid.toLongLong() != ::getpid())
        return std::nullopt; // meant for another process of the unit
    const qlonglong microseconds = qgetenv("WATCHDOG_USEC").toLongLong();
    return microseconds > 0 ? std::optional(std::chrono::microseconds(microseconds)) : std::nullopt;
}

} // namespace

Supervisor::~Supervisor()
{
    if (m_socket >= 0)
        ::close(m_socket);
}

Result<void> Supervisor::open()
{
    const QString doing = u"reading NOTIFY_SOCKET"_s;
    QByteArray name = qgetenv("NOTIFY_SOCKET");
    if (name.isEmpty())
        return {};
    constexpr auto most = static_cast<qsizetype>(sizeof(sockaddr_un::sun_path));
    const bool isAbstract = name.startsWith('@');
    if ((!isAbstract && !name.startsWith('/')) || name.size() < 2
        || name.size() > (isAbstract ? most : most - 1)) {
        return fail(Error::Kind::Invalid, doing,
                    u"\"%1\" is neither a path nor an abstract name of a socket"_s.arg(
                        QString::fromLocal8Bit(name)));
    }
    if (isAbstract)
        name[0] = '\0';
    const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket < 0) {
        return fail(Error::Kind::Refused, doing, QString::fromLocal8Bit(std::strerror(errno)),
                    QString::number(errno));
    }
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &longestSend, sizeof longestSend);
    if (m_socket >= 0)
        ::close(m_socket);
    m_socket = socket;
    m_address = name;
    m_watchdog = watchdogFromEnvironment();
    return {};
}

Result<void> Supervisor::tell(const QByteArray &lines) const
{
    if (!isListening())
        return {};
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    const auto length = static_cast<size_t>(m_address.size());
    std::memcpy(address.sun_path, m_address.constData(), length);
    const bool isAbstract = m_address.front() == '\0';
    const auto size
        = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length + (isAbstract ? 0 : 1));
    ssize_t sent = -1;
    do {
        sent = ::sendto(m_socket, lines.constData(), static_cast<size_t>(lines.size()),
                        MSG_NOSIGNAL, reinterpret_cast<const sockaddr *>(&address), size);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0) {
        return fail(Error::Kind::Unreachable, u"telling the service manager"_s,
                    QString::fromLocal8Bit(std::strerror(errno)), QString::number(errno));
    }
    return {};
}

Result<void> SystemdNotifier::open(int rooms)
{
    TRY(m_supervisor.open());
    m_works.assign(static_cast<size_t>(rooms), false);
    m_clock.start();
    if (const auto watchdog = m_supervisor.watchdog())
        m_heartbeat.emplace(rooms, watchdog->count() / 1000);
    return {};
}

void SystemdNotifier::answered(int room, bool works)
{
    if (works && !m_ready) {
        m_works.at(static_cast<size_t>(room)) = true;
        if (std::all_of(m_works.begin(), m_works.end(), [](bool one) { return one; })) {
            m_ready = true;
            tell("READY=1");
        }
    }
    if (m_heartbeat && m_heartbeat->answered(room, m_clock.elapsed()))
        tell("WATCHDOG=1");
}

void SystemdNotifier::gone(int room)
{
    if (m_heartbeat)
        m_heartbeat->gone(room);
}

void SystemdNotifier::status(const QString &sentence)
{
    if (sentence == m_status)
        return;
    m_status = sentence;
    tell("STATUS=" + QString(sentence).replace(u'\n', u' ').toUtf8());
}

void SystemdNotifier::stopping(qint64 needMs)
{
    if (std::exchange(m_stopping, true))
        return;
    // The manager's own patience may be shorter than the time that the operator gave the batch.
    tell("STOPPING=1\nEXTEND_TIMEOUT_USEC=" + QByteArray::number(needMs * 1000));
}

void SystemdNotifier::tell(const QByteArray &lines)
{
    if (const auto told = m_supervisor.tell(lines); !told && !std::exchange(m_problemTold, true))
        m_problem = told.error();
}

} // namespace outbox
