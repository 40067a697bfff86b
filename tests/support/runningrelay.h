// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An `outboxctl relay` that runs beside the test, with a service manager that listens to it.
#pragma once

#include "tests/support/ctl.h"
#include "tests/support/notifysocket.h"
#include "tests/support/testoutbox.h"

#include <csignal>

namespace outbox {

/// Runs with --json; ends with this object, by SIGKILL if it must.
class RunningRelay
{
public:
    explicit RunningRelay(const TestOutbox &fixture)
        : m_arguments{QStringLiteral("relay"),      QStringLiteral("--json"),
                      QStringLiteral("--database"), fixture.url(),
                      QStringLiteral("--table"),    fixture.table(),
                      QStringLiteral("--redis"),    fixture.redisUrl()},
          m_environment(QProcessEnvironment::systemEnvironment())
    {
        setEnvironment(QStringLiteral("NOTIFY_SOCKET"), QString::fromLocal8Bit(manager.address()));
    }
    ~RunningRelay()
    {
        process.kill();
        process.waitForFinished();
    }
    void setEnvironment(const QString &name, const QString &value)
    {
        m_environment.insert(name, value);
    }
    [[nodiscard]] bool start(const QStringList &more = {})
    {
        process.setProcessEnvironment(m_environment);
        process.start(QStringLiteral(OUTBOXCTL), m_arguments + more);
        return process.waitForStarted();
    }
    void send(int number) { ::kill(static_cast<pid_t>(process.processId()), number); }
    [[nodiscard]] bool hasEnded() const { return process.state() == QProcess::NotRunning; }

    /// The events on its stderr until now, in their order.
    [[nodiscard]] QList<QJsonObject> events()
    {
        m_stderr += process.readAllStandardError();
        QList<QJsonObject> found;
        for (const QByteArray &line : m_stderr.split('\n')) {
            if (const auto document = QJsonDocument::fromJson(line); document.isObject())
                found += document.object();
        }
        return found;
    }
    /// The last event of this name; empty when there was none.
    [[nodiscard]] QJsonObject event(const QString &name)
    {
        QJsonObject last;
        for (const QJsonObject &one : events()) {
            if (one.value(QLatin1StringView("event")).toString() == name)
                last = one;
        }
        return last;
    }
    /// The last object on its stdout.
    [[nodiscard]] QJsonObject last()
    {
        m_stdout += process.readAllStandardOutput();
        const QByteArrayList lines = m_stdout.trimmed().split('\n');
        return QJsonDocument::fromJson(lines.last()).object();
    }

    NotifySocket manager;
    QProcess process;

private:
    QStringList m_arguments;
    QProcessEnvironment m_environment;
    QByteArray m_stderr;
    QByteArray m_stdout;
};

} // namespace outbox
