// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The servers of these tests and what is done to them; a relay as a child process.
#pragma once

#include "app/demo/privateserver.h"
#include "tests/crash/effects.h"

#include <QProcess>

#include <memory>

namespace outbox::crash {

enum class Fault {
    RelayKilled, ///< SIGKILL
    RelayTold, ///< SIGTERM
    BackendCut, ///< the server ends every session of the relay
    DatabaseStopped, ///< at once (MariaDB: SIGKILL), then started again
    RedisKilled, ///< SIGKILL with appendfsync everysec, then started again
    RedisFrozen, ///< SIGSTOP past the relay's timeout, then SIGCONT
    // Of a soak only:
    RedisEmptied, ///< FLUSHALL
    ScriptsFlushed,
    CommandsRefused, ///< the enqueue script, by a word that speaks of the server
    LineSlow, ///< late, in single bytes
};

[[nodiscard]] QString word(Fault fault);
/// Those that strike at a known moment.
[[nodiscard]] QList<Fault> allFaults();
/// Those that exist without a database server.
[[nodiscard]] QList<Fault> faultsWithSqlite();

/// The databases, and a Redis that keeps an append-only file.
class Ground
{
public:
    PrivatePostgres postgres;
    PrivateMariadb mariadb;
    PrivateRedis redis;

    [[nodiscard]] static QStringList redisArguments();
    /// Ends every session that relays hold, waits until they are gone, and answers how many.
    [[nodiscard]] Result<int> cutBackends(TestOutbox::Kind kind = TestOutbox::Kind::Postgres);
    /// Stops the database at once; `restartDatabase` starts it again over what it left.
    void stopDatabase(TestOutbox::Kind kind);
    [[nodiscard]] Result<void> restartDatabase(TestOutbox::Kind kind);
    /// Waits until everything acknowledged has been written (not: synced) to the file, then kills.
    /// Under everysec a write may wait behind a slow sync for two seconds.
    [[nodiscard]] Result<void> killRedis();
    /// Starts it again over its file.
    [[nodiscard]] Result<void> reviveRedis();
    /// PING until the server has loaded its file.
    [[nodiscard]] Result<void> awaitRedis();

private:
    [[nodiscard]] Result<int> cutPostgres();
    [[nodiscard]] Result<int> cutMariadb();
};

/// One life of a relay, or of a receiver, as a process.
class RelayProcess
{
public:
    ~RelayProcess();
    /// The arguments every relay of a fixture needs.
    [[nodiscard]] static QStringList argumentsFor(const TestOutbox &fixture);
    /// Starts `relaychild`; `extra` are options of its own.
    [[nodiscard]] Result<void> start(const TestOutbox &fixture, const QStringList &extra);
    /// Starts `outboxctl relay`, with its own recovery and its own handling of signals.
    [[nodiscard]] Result<void> startCtl(const TestOutbox &fixture, const QStringList &extra);
    /// The same with these arguments alone.
    [[nodiscard]] Result<void> startCtl(const QStringList &arguments);
    /// Starts any program that says where it stands.
    [[nodiscard]] Result<void> launch(const QString &program, const QStringList &arguments);
    /// Waits for words that it says (outboxctl: also on stderr), such as "at"; false when it ended
    /// or `milliseconds` passed.
    [[nodiscard]] bool heard(const QByteArray &words, int milliseconds = 20'000);
    void forgetSaid(); ///< what it said so far was not heard
    void goOn(); ///< from where it stands
    void tell(int signal);
    [[nodiscard]] bool isRunning() const;
    [[nodiscard]] qint64 pid() const { return m_process.processId(); }
    /// Its exit code; -1 when it was killed or does not end.
    [[nodiscard]] int end(int milliseconds = 30'000);
    /// Takes in what it has said: a process whose pipe is full stands still.
    void listen();
    [[nodiscard]] QByteArray complaints();

private:
    QProcess m_process;
    QByteArray m_said;
};

} // namespace outbox::crash
