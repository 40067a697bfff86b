// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/childcommand.h"

#include "models/phrases.h"

#include <QProcess>
#include <QProcessEnvironment>

#include <algorithm>
#include <utility>

#include <csignal>
#include <unistd.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostSaid = 4096; ///< bytes of stderr
constexpr int saidLines = 3; ///< of them, in an error

void killAll(qint64 group)
{
    if (group > 1) // -1 would be everybody
        ::kill(static_cast<pid_t>(-group), SIGKILL);
}

} // namespace

void startInGroup(QProcess &process, const QStringList &command)
{
    process.setChildProcessModifier([] { (void)::setpgid(0, 0); });
    process.start(command.first(), command.mid(1));
}

void killGroup(QProcess &process)
{
    killAll(process.processId());
    process.kill(); // also before it has made its group
}

ChildCommand::ChildCommand(int deadlineMs, QObject *parent) : QObject(parent)
{
    m_deadline.setSingleShot(true);
    m_deadline.setInterval(deadlineMs);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        giveUp(Error::Kind::Timeout,
               u"no answer within "_s + spanText(m_deadline.interval() / 1000.0));
    });
}

ChildCommand::~ChildCommand()
{
    stop();
    for (QProcess *process : findChildren<QProcess *>())
        process->waitForFinished(1000); // all of them were killed
}

void ChildCommand::start(const QStringList &command, const QByteArray &input,
                         const QString &rowType)
{
    stop();
    m_program = command.first();
    m_output.clear();
    m_said.clear();
    auto *process = new QProcess(this);
    m_process = process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"OUTBOX_ROW_TYPE"_s, QString(rowType).remove(QChar(0)));
    process->setProcessEnvironment(environment);
    const auto isWanted = [this, process] { return m_process == process; };
    connect(process, &QProcess::readyReadStandardOutput, this, [this, isWanted] {
        if (isWanted())
            takeOutput();
    });
    connect(process, &QProcess::readyReadStandardError, this, [this, process, isWanted] {
        const QByteArray said = process->readAllStandardError();
        if (isWanted())
            m_said += said.first(std::min(said.size(), mostSaid - m_said.size()));
    });
    // Queued: all else is followed by `finished`, and this may come within the start.
    connect(
        process, &QProcess::errorOccurred, this,
        [this, process, isWanted](QProcess::ProcessError error) {
            if (isWanted() && error == QProcess::FailedToStart) {
                m_group = 0; // it has none
                settle(u"it cannot be started: "_s + process->errorString());
            }
        },
        Qt::QueuedConnection);
    connect(process, &QProcess::finished, this,
            [this, isWanted](int exitCode, QProcess::ExitStatus status) {
                if (!isWanted())
                    return;
                takeOutput();
                if (!isWanted())
                    return; // that was too much
                settle(status == QProcess::CrashExit ? u"it was ended by a signal"_s
                           : exitCode != 0           ? u"it ended with %1"_s.arg(exitCode)
                                                     : QString());
            });
    m_deadline.start();
    startInGroup(*process, command);
    if (process->state() == QProcess::NotRunning) // it could not be started, which is told
        return;
    m_group = process->processId();
    process->write(input);
    process->closeWriteChannel();
}

void ChildCommand::takeOutput()
{
    m_output += m_process->readAllStandardOutput();
    if (m_output.size() > mostOutput)
        giveUp(Error::Kind::Unsupported, u"it wrote more than %1"_s.arg(bytesText(mostOutput)));
}

Failure ChildCommand::failure(Error::Kind kind, const QString &why) const
{
    QStringList said = QString::fromUtf8(m_said).split(u'\n', Qt::SkipEmptyParts);
    said = said.mid(0, saidLines);
    return fail(kind, u"decoding with "_s + m_program, why, {}, said.join(u' '));
}

void ChildCommand::giveUp(Error::Kind kind, const QString &why)
{
    if (!isRunning())
        return;
    const Failure told = failure(kind, why);
    stop();
    emit ended(told);
}

void ChildCommand::settle(const QString &why)
{
    const Result<QByteArray> output = why.isEmpty()
        ? Result<QByteArray>(m_output)
        : Result<QByteArray>(failure(Error::Kind::Invalid, why));
    stop();
    emit ended(output);
}

void ChildCommand::stop()
{
    m_deadline.stop();
    QProcess *process = std::exchange(m_process, nullptr);
    if (process == nullptr)
        return;
    killAll(std::exchange(m_group, 0));
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater(); // it may be telling us that it has ended
        return;
    }
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
}

} // namespace outbox
