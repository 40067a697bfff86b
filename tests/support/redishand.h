// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A test's own connection to its Redis, which may do what it likes.
#pragma once

#include "app/demo/privateserver.h"
#include "connectors/redis/connection.h"

namespace outbox {

/// Opens `hand`; answers where the server is.
[[nodiscard]] inline Result<RedisEndpoint> openByHand(RedisConnection &hand,
                                                      const PrivateRedis &server)
{
    auto endpoint = RedisEndpoint::fromUrl(server.url());
    if (!endpoint)
        return endpoint;
    if (auto opened = hand.open(*endpoint, RedisConnection::Access::Act, QStringLiteral("hand"));
        !opened)
        return passOn(opened);
    return endpoint;
}

} // namespace outbox
