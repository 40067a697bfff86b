// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The socket under a Redis connection: TCP, unix or TLS, used blocking, always with a deadline.
#pragma once

#include "connectors/redis/endpoint.h"
#include "models/result.h"

#include <QByteArray>
#include <QDeadlineTimer>

#include <memory>

class QIODevice;

namespace outbox {

/// Made and used in one thread; needs no event loop. Dropped, never repaired.
/// Errors: Unreachable, Timeout, Refused (certificates), Invalid (certificate files).
class RedisTransport
{
public:
    RedisTransport();
    ~RedisTransport();

    /// Connects within `deadline`, with a TLS handshake of 5 s at the most and the name check on.
    /// Fails with Unreachable, Timeout, Refused (certificates) or Invalid (certificate files).
    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint, const QDeadlineTimer &deadline,
                                    const QString &doing);
    /// Hands the bytes to the socket. What the kernel takes at once is under way; the rest is sent
    /// while `receive` waits: neither side can dead-lock on full buffers.
    void send(const QByteArray &bytes);
    /// What has arrived; waits for more only when nothing has.
    [[nodiscard]] Result<QByteArray> receive(const QDeadlineTimer &deadline, const QString &doing);
    /// True when the peer has closed, or said something nobody asked for.
    [[nodiscard]] bool isStale();

private:
    [[nodiscard]] Result<void> openTls(const RedisEndpoint &endpoint,
                                       const QDeadlineTimer &deadline, const QString &doing);
    [[nodiscard]] bool isConnected() const;

    std::unique_ptr<QIODevice> m_device;
};

} // namespace outbox
