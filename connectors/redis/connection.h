// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One connection to a Redis: commands in, replies out, a deadline on everything; dropped after any
// doubt.
#pragma once

#include "connectors/redis/endpoint.h"
#include "connectors/redis/reply.h"
#include "connectors/redis/servererror.h"
#include "models/result.h"

#include <QByteArrayList>
#include <QDeadlineTimer>
#include <QList>

#include <chrono>
#include <memory>

namespace outbox {

using RedisCommand = QByteArrayList;

/// Blocking; made and used in one thread (that of its room). hiredis serves as codec only; the
/// bytes travel over a Qt socket, through a length gate that refuses absurd counts before they are
/// believed.
/// Errors: Unreachable where the connection is lost, Timeout behind the deadline, Refused (rights,
/// a write on a ReadOnly connection), Protocol for an answer without sense, Unsupported for a
/// server that is too old.
class RedisConnection
{
public:
    /// `ReadOnly` refuses every command that could write, by name, before it is sent (law L3).
    enum class Access { ReadOnly, Act };

    RedisConnection();
    ~RedisConnection();
    RedisConnection(const RedisConnection &) = delete;
    RedisConnection &operator=(const RedisConnection &) = delete;

    /// Connects, shakes hands (TLS with host name check), AUTH, SELECT, CLIENT SETNAME
    /// `clientName`. Keeps what it was given, so that `ensureOpen` can do it again. With sentinels
    /// it finds the master first, each time it connects; Invalid for a name they do not know.
    /// Refused for a Cluster as a whole (`ClusterLink` opens its nodes).
    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint, Access access,
                                    const QString &clientName,
                                    std::chrono::milliseconds timeout = std::chrono::seconds(3));
    /// Opens again with the last settings when the connection was dropped; no-op when it is up.
    [[nodiscard]] Result<void> ensureOpen();
    void close();
    [[nodiscard]] bool isOpen() const;
    /// How often it was connected: another number than before tells that it may be another server.
    [[nodiscard]] qint64 timesConnected() const;
    [[nodiscard]] const RedisEndpoint &endpoint() const;
    /// For errors that are made of replies, and of those to `script` where one ran.
    [[nodiscard]] RedisAsker asker(const QByteArray &script = {},
                                   const QByteArray &keys = "asynq:*") const;

    /// Sends all commands in one write and reads as many replies within `timeout` (that of `open`
    /// by default, with a second more for each 16 MiB sent or received). Error replies are values
    /// inside the list. The Result fails for the exchange as a whole: with Refused nothing was sent
    /// and the connection stays; with Unreachable, Timeout or Protocol it is closed, and what was
    /// sent may or may not have happened.
    [[nodiscard]] Result<QList<RedisReply>> pipeline(const QList<RedisCommand> &commands);
    [[nodiscard]] Result<QList<RedisReply>> pipeline(const QList<RedisCommand> &commands,
                                                     std::chrono::milliseconds timeout);
    /// The same for `replies` commands that the caller has already put into RESP form (see
    /// `RedisWire`), for batches where each copy counts. Refused with ReadOnly access: their names
    /// cannot be read.
    [[nodiscard]] Result<QList<RedisReply>> exchange(const QByteArray &wire, qsizetype replies);
    /// The first half of an exchange: Redis may begin with what was sent while the caller puts the
    /// next commands into RESP form. Does not wait; may be repeated before `receive`. Until then
    /// every other question is Refused.
    [[nodiscard]] Result<void> send(const QByteArray &wire, qsizetype replies);
    /// The second half: the replies to all that was sent, in its order. The time begins now.
    [[nodiscard]] Result<QList<RedisReply>> receive();
    /// The same of one of several connections that are read one after the other: all of them share
    /// `deadline`. One that is read last has 300 ms all the same: its replies may be there already.
    [[nodiscard]] Result<QList<RedisReply>> receive(const QDeadlineTimer &deadline);
    /// Listens to these channels from now on, and is asked nothing else: `messages` brings what
    /// comes.
    [[nodiscard]] Result<void> subscribe(const QByteArrayList &channels);
    /// What came since, confirmations and refusals of channels among it; waits for more only when
    /// nothing has, as long as `patience`. The connection stays where nothing comes.
    [[nodiscard]] Result<QList<RedisReply>> messages(std::chrono::milliseconds patience);
    /// One command; an error reply becomes an Error (`doing` = `what`).
    [[nodiscard]] Result<RedisReply> command(const RedisCommand &command, const QString &what);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace outbox
