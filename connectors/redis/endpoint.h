// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a Redis is and how to get in: redis://, rediss://, redis+unix:// as values.
#pragma once

#include "models/result.h"

#include <QString>

namespace outbox {

struct RedisEndpoint
{
    enum class Transport { Tcp, Unix, Tls };
    Transport transport = Transport::Tcp;
    QString host = QStringLiteral("localhost");
    quint16 port = 6379;
    QString socketPath; ///< Unix
    QString user; ///< empty: AUTH with the password alone, if there is one
    QString password; ///< never shown, logged or saved
    bool passwordInUrl = false; ///< the caller warns about it
    int database = 0;
    QString caFile; ///< Tls: PEM; empty = the system's certificates
    QString certificateFile; ///< Tls: client certificate, PEM
    QString keyFile; ///< Tls: its key, PEM
    QString serverName; ///< Tls: name to check instead of `host`

    /// Reads `redis://[user[:password]@]host[:port][/db]`, `rediss://…` with
    /// `?ca=&cert=&key=&server_name=` and `redis+unix:///path?db=N&user=…`. Fails with Invalid (or
    /// Unsupported for sentinel, cluster).
    [[nodiscard]] static Result<RedisEndpoint> fromUrl(const QString &url);
    /// For people and logs: never holds the password.
    [[nodiscard]] QString shown() const;
    bool operator==(const RedisEndpoint &) const = default;
};

} // namespace outbox
