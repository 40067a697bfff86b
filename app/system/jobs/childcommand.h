// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program that is started without a shell, and ends with all that it has started.
#pragma once

#include "models/result.h"

#include <QByteArray>
#include <QObject>
#include <QStringList>
#include <QTimer>

class QProcess;

namespace outbox {

/// Starts the program `command` (itself and its arguments, at least one) as the first of a group.
void startInGroup(QProcess &process, const QStringList &command);
/// Kills it with all of its group, as long as it runs. Waits for nothing.
void killGroup(QProcess &process);

/// Gives a program bytes on its stdin and takes what it writes to its stdout. It is killed, with
/// what it has started, when its time is over, when it writes too much, and when nobody wants its
/// answer any more; what it has started is killed also when it ends. For a thread with an event
/// loop; waits for nothing but in the destructor, for a process that was killed.
class ChildCommand : public QObject
{
    Q_OBJECT

public:
    static constexpr int patienceMs = 5'000;
    static constexpr qsizetype mostOutput = qsizetype(1024) * 1024; ///< bytes

    explicit ChildCommand(int deadlineMs = patienceMs, QObject *parent = nullptr);
    ~ChildCommand() override;

    /// Stops the run before. `rowType` is in its environment as OUTBOX_ROW_TYPE.
    void start(const QStringList &command, const QByteArray &input, const QString &rowType);
    /// `ended` does not follow.
    void stop();
    [[nodiscard]] bool isRunning() const { return m_process != nullptr; }

signals:
    /// What it wrote, where it ended with 0. Else Timeout, Unsupported where it was too much, or
    /// Invalid; the hint is the begin of what it wrote to stderr: untrusted.
    void ended(const outbox::Result<QByteArray> &output);

private:
    void takeOutput();
    void giveUp(Error::Kind kind, const QString &why);
    void settle(const QString &why);
    [[nodiscard]] Failure failure(Error::Kind kind, const QString &why) const;

    QTimer m_deadline;
    QProcess *m_process = nullptr; ///< that runs; belongs to this
    qint64 m_group = 0; ///< of what it has started
    QString m_program;
    QByteArray m_output;
    QByteArray m_said; ///< the begin of its stderr
};

} // namespace outbox
