// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay as it is shipped, struck at a known moment: when it sends a command to Redis for the
// n-th time.
#pragma once

#include "tests/support/refusingline.h"
#include "tests/support/testoutbox.h"

#include <QDir>
#include <QProcess>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <sys/prctl.h>
#include <thread>

namespace outbox {

/// One `outboxctl relay` behind a line of its own to the fixture's Redis.
class StruckRelay
{
public:
    enum class Blow {
        None,
        Kill, ///< SIGKILL; the command and all behind it are lost
        Stand, ///< SIGSTOP; the command is carried out, its answer is not read
    };
    struct Moment
    {
        Blow blow = Blow::None;
        QByteArray command; ///< such as EVALSHA; empty: any
        int number = 1;
    };

    StruckRelay(const TestOutbox &fixture, const PrivateRedis &redis)
        : m_socket(redis.socketPath()), m_arguments{
                                            QStringLiteral("relay"),      QStringLiteral("--json"),
                                            QStringLiteral("--database"), fixture.url(),
                                            QStringLiteral("--table"),    fixture.table()}
    { }
    ~StruckRelay()
    {
        kill();
        m_line.set({});
    }

    [[nodiscard]] bool start(const Moment &moment, const QStringList &more = {})
    {
        if (!m_line.start(m_socket))
            return false;
        m_line.set([this, moment](const QByteArrayList &command) { return pass(moment, command); });
        m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
        m_process.start(QStringLiteral(OUTBOXCTL),
                        m_arguments + QStringList{QStringLiteral("--redis"), m_line.url()} + more);
        m_pid = static_cast<pid_t>(m_process.processId());
        return m_process.waitForStarted();
    }
    /// Commands that came until now, of those that the moment counts.
    [[nodiscard]] int seen() const { return m_seen; }
    [[nodiscard]] bool wasStruck() const { return m_isStruck; }
    [[nodiscard]] QProcess &process() { return m_process; }
    /// Its exit code; -1 when it was killed, or does not end.
    [[nodiscard]] int end(int milliseconds = 60'000)
    {
        if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(milliseconds)) {
            kill();
            return -1;
        }
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    void kill()
    {
        m_process.kill();
        m_process.waitForFinished(5000);
    }

private:
    /// A signal reaches one thread first. The others may run on for a while on a busy machine.
    [[nodiscard]] bool stands() const
    {
        const QString tasks = QStringLiteral("/proc/%1/task").arg(m_pid);
        const QStringList threads = QDir(tasks).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        return std::all_of(threads.begin(), threads.end(), [&tasks](const QString &thread) {
            QFile stat(tasks + QLatin1Char('/') + thread + QStringLiteral("/stat"));
            return !stat.open(QIODevice::ReadOnly) || stat.readAll().contains(") T ");
        });
    }
    /// In the line's thread.
    QByteArray pass(const Moment &moment, const QByteArrayList &command)
    {
        if (m_isStruck)
            return moment.blow == Blow::Kill ? "ERR nobody asks any more" : QByteArray();
        if (!moment.command.isEmpty() && command.first() != moment.command)
            return {};
        if (++m_seen != moment.number || moment.blow == Blow::None)
            return {};
        while (m_pid == 0)
            std::this_thread::yield();
        m_isStruck = true;
        const bool dies = moment.blow == Blow::Kill;
        ::kill(m_pid, dies ? SIGKILL : SIGSTOP);
        while (!dies && !stands())
            std::this_thread::yield();
        return dies ? "ERR nobody asks any more" : QByteArray();
    }

    QString m_socket;
    QStringList m_arguments;
    RefusingLine m_line;
    QProcess m_process;
    std::atomic<pid_t> m_pid = 0;
    std::atomic_int m_seen = 0;
    std::atomic_bool m_isStruck = false;
};

} // namespace outbox
