// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts servers that belong to us alone: a throwaway folder, a private socket, and death with us.
#pragma once

#include "models/result.h"

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <csignal>
#include <memory>

namespace outbox {

/// A child process that dies with this one, also after SIGKILL. Start it from a thread that ends
/// after it: the kernel's death signal follows the thread that forked.
/// Errors: Unsupported for a program that is not there, Unreachable for one that does not start.
class PrivateServer
{
public:
    virtual ~PrivateServer();
    PrivateServer(const PrivateServer &) = delete;
    PrivateServer &operator=(const PrivateServer &) = delete;

    [[nodiscard]] bool isRunning() const
    {
        return m_process && m_process->state() != QProcess::NotRunning;
    }
    [[nodiscard]] qint64 pid() const { return m_process ? m_process->processId() : 0; }
    [[nodiscard]] QString folder() const { return m_folder.path(); }
    void kill(); ///< SIGKILL for the server and its children, and waits for their end
    void freeze(); ///< SIGSTOP for the server and its children
    void thaw(); ///< SIGCONT

protected:
    PrivateServer();
    [[nodiscard]] Result<void> launch(const QString &program, const QStringList &arguments,
                                      const QString &doing);
    /// Runs a program that ends by itself.
    [[nodiscard]] static Result<void> runToEnd(const QString &program, const QStringList &arguments,
                                               const QString &doing);
    /// Where we are root: makes the program, which refuses that, run as nobody in our folder.
    /// `death` is the signal it gets when we are gone, such as INT.
    void runAsNobody(QString &program, QStringList &arguments, const QString &death) const;

    QTemporaryDir m_folder;
    std::unique_ptr<QProcess> m_process;
    int m_stopSignal = 15;
    int m_deathSignal = 15; ///< what the kernel sends when we are gone
};

/// redis-server on a unix socket, without persistence unless asked for.
/// Errors: those of `PrivateServer`.
class PrivateRedis : public PrivateServer
{
public:
    PrivateRedis();
    /// `extra` goes to the command line, e.g. {"--appendonly", "yes"}.
    [[nodiscard]] Result<void> start(const QStringList &extra = {});
    /// The same without waiting for the server: `answers` says when it can be used.
    [[nodiscard]] Result<void> begin(const QStringList &extra = {});
    [[nodiscard]] bool answers() const;
    [[nodiscard]] QString socketPath() const
    {
        return m_folder.filePath(QStringLiteral("redis.sock"));
    }
    /// "redis+unix://…".
    [[nodiscard]] QString url() const { return QStringLiteral("redis+unix://") + socketPath(); }
};

/// A PostgreSQL cluster on a unix socket, fsync off unless `durable`. Works as root too.
/// Errors: those of `PrivateServer`.
class PrivatePostgres : public PrivateServer
{
public:
    ~PrivatePostgres() override;
    [[nodiscard]] Result<void> start(const QStringList &extraSettings = {}, bool durable = false);
    /// Starts the same cluster again after a kill or stop.
    [[nodiscard]] Result<void> restart();
    /// Fast stop (SIGINT).
    void stop() { stopWith(SIGINT); }
    /// Immediate stop (SIGQUIT): every session is cut, the next start recovers from the log.
    void stopAtOnce() { stopWith(SIGQUIT); }
    [[nodiscard]] QString socketFolder() const { return folder(); }
    [[nodiscard]] QString user() const { return QStringLiteral("outbox"); }
    [[nodiscard]] QString url(const QString &database = QStringLiteral("postgres")) const
    {
        return QStringLiteral("postgresql://%1@/%2?host=%3").arg(user(), database, folder());
    }
    /// What the server wrote (log_statement and the like), whole.
    [[nodiscard]] QByteArray log() const;

protected:
    /// Before anything is made in our folder; `durable` as for `start`.
    void prepare(const QStringList &extraSettings, bool durable);

private:
    void stopWith(int signal);

    QStringList m_settings;
};

/// The folder with PostgreSQL's server programs: newest under /usr/lib/postgresql, else from PATH.
/// Fails with Unsupported and the package to install.
[[nodiscard]] Result<QString> postgresBinaries();

} // namespace outbox
