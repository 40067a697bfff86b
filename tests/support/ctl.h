// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the outboxctl that was just built, as a script would.
#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>

namespace outbox {

struct CtlRun
{
    int exitCode = -1;
    QByteArray out;
    QByteArray err;

    /// Each line of stdout as a JSON object; lines that are none are dropped.
    [[nodiscard]] QList<QJsonObject> objects() const
    {
        QList<QJsonObject> found;
        for (const QByteArray &line : out.split('\n')) {
            const QJsonDocument document = QJsonDocument::fromJson(line);
            if (document.isObject())
                found += document.object();
        }
        return found;
    }
    [[nodiscard]] QJsonObject last() const
    {
        const auto all = objects();
        return all.isEmpty() ? QJsonObject() : all.last();
    }
};

/// `input` is what it reads from stdin.
inline CtlRun
runCtl(const QStringList &arguments, int timeoutMs = 60'000, const QByteArray &input = {},
       const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(OUTBOXCTL), arguments);
    process.write(input);
    process.closeWriteChannel();
    CtlRun run;
    if (!process.waitForFinished(timeoutMs)) {
        process.kill();
        process.waitForFinished();
        run.err = "killed by the test: " + process.errorString().toUtf8();
        return run;
    }
    run.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    if (process.exitStatus() == QProcess::CrashExit) // which names the signal
        run.err += "crashed: " + QByteArray::number(process.exitCode());
    return run;
}

} // namespace outbox
