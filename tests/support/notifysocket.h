// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A service manager for one test: the socket that systemd would name, and what came in by it.
#pragma once

#include <QByteArrayList>
#include <QElapsedTimer>
#include <QSocketNotifier>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace outbox {

/// Bound at once; reads from the event loop.
class NotifySocket
{
public:
    explicit NotifySocket(bool isAbstract = false)
        : m_address(isAbstract ? "@outboxdeck-test-" + QByteArray::number(::getpid())
                               : QFile::encodeName(m_folder.filePath(QStringLiteral("notify"))))
    {
        m_clock.start();
        m_socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        sockaddr_un name = {};
        name.sun_family = AF_UNIX;
        std::memcpy(name.sun_path, m_address.constData(), static_cast<size_t>(m_address.size()));
        if (isAbstract)
            name.sun_path[0] = '\0';
        const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path)
                                                 + static_cast<size_t>(m_address.size()));
        m_isBound = ::bind(m_socket, reinterpret_cast<const sockaddr *>(&name), size) == 0;
        m_notifier = std::make_unique<QSocketNotifier>(m_socket, QSocketNotifier::Read);
        QObject::connect(m_notifier.get(), &QSocketNotifier::activated, m_notifier.get(),
                         [this] { read(); });
    }
    ~NotifySocket()
    {
        m_notifier.reset();
        ::close(m_socket);
    }
    NotifySocket(const NotifySocket &) = delete;
    NotifySocket &operator=(const NotifySocket &) = delete;

    [[nodiscard]] bool isBound() const { return m_isBound; }
    [[nodiscard]] const QByteArray &address() const { return m_address; } ///< for NOTIFY_SOCKET
    /// All lines of all messages, in their order.
    [[nodiscard]] const QByteArrayList &lines() const { return m_lines; }
    [[nodiscard]] bool has(const QByteArray &line) const { return m_lines.contains(line); }
    [[nodiscard]] qsizetype beats() const { return m_beatsMs.size(); }
    /// The longest time between two WATCHDOG=1, as they arrived.
    [[nodiscard]] qint64 longestSilenceMs() const
    {
        qint64 longest = 0;
        for (qsizetype i = 1; i < m_beatsMs.size(); ++i)
            longest = std::max(longest, m_beatsMs.at(i) - m_beatsMs.at(i - 1));
        return longest;
    }
    /// What came until now is forgotten but for the time of the last beat.
    void forget()
    {
        m_lines.clear();
        if (!m_beatsMs.isEmpty())
            m_beatsMs = {m_beatsMs.last()};
    }

private:
    void read()
    {
        std::array<char, 4096> bytes = {};
        ssize_t size = 0;
        while ((size = ::recv(m_socket, bytes.data(), bytes.size(), 0)) > 0) {
            for (const QByteArray &line : QByteArray(bytes.data(), size).split('\n')) {
                m_lines += line;
                if (line == "WATCHDOG=1")
                    m_beatsMs += m_clock.elapsed();
            }
        }
    }

    QTemporaryDir m_folder;
    QByteArray m_address;
    int m_socket = -1;
    bool m_isBound = false;
    std::unique_ptr<QSocketNotifier> m_notifier;
    QElapsedTimer m_clock;
    QByteArrayList m_lines;
    QList<qint64> m_beatsMs;
};

} // namespace outbox
