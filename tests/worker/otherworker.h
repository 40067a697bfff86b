// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The worker in Python (worker.py) for tests: runs its passes, and reads what it says it executed.
// Nothing here knows our codec of tasks.
#pragma once

#include "models/result.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

namespace outbox {

class OtherWorker
{
public:
    explicit OtherWorker(QString redisSocket) : m_socket(std::move(redisSocket)) { }

    /// Unsupported where Python or one of its two libraries is missing; fails where a message of
    /// asynq itself is read or written wrongly.
    [[nodiscard]] static Result<void> canRead()
    {
        const QString doing = QStringLiteral("starting the worker in Python");
        QProcess process;
        process.start(QStringLiteral(PYTHON), {QStringLiteral(WORKER), QStringLiteral("--golden")});
        const bool ended = process.waitForFinished();
        const QString said = QString::fromUtf8(process.readAllStandardError()).trimmed();
        if (!ended || said.contains(QStringLiteral("ModuleNotFoundError"))) {
            return fail(
                Error::Kind::Unsupported, doing,
                QStringLiteral("Python or a library of it is missing"), said,
                QStringLiteral("sudo apt-get install python3 python3-protobuf python3-redis"));
        }
        if (process.exitCode() != 0)
            return fail(Error::Kind::Invalid, doing, said);
        return {};
    }

    /// Does the passes ("recover", "forward", "work", "expire") once each; its clock is
    /// `aheadSeconds` ahead. Answers what it did, by name.
    [[nodiscard]] Result<QJsonObject> run(const QStringList &passes, qint64 aheadSeconds = 0,
                                          const QStringList &more = {}) const
    {
        QProcess process;
        process.start(QStringLiteral(PYTHON), arguments(aheadSeconds) + more + passes);
        if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit
            || process.exitCode() != 0) {
            return fail(Error::Kind::Unreachable, QStringLiteral("running the worker in Python"),
                        QString::fromUtf8(process.readAllStandardError()));
        }
        return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    }

    /// It works, and kills itself with the first task that is "popped" or "executed"; true when it
    /// did.
    [[nodiscard]] bool dies(const QString &step) const
    {
        QProcess process;
        process.start(QStringLiteral(PYTHON),
                      arguments(0)
                          + QStringList{QStringLiteral("--die-at"), step, QStringLiteral("work")});
        return process.waitForFinished() && process.exitStatus() == QProcess::CrashExit;
    }

    /// What it executed, one object for each try, in their order.
    [[nodiscard]] QList<QJsonObject> effects() const
    {
        QList<QJsonObject> found;
        QFile file(effectsFile());
        if (!file.open(QIODevice::ReadOnly))
            return found;
        for (const QByteArray &line : file.readAll().split('\n')) {
            if (!line.isEmpty())
                found += QJsonDocument::fromJson(line).object();
        }
        return found;
    }
    void forget() const { QFile::remove(effectsFile()); }

private:
    [[nodiscard]] QString effectsFile() const
    {
        return m_folder.filePath(QStringLiteral("effects"));
    }
    [[nodiscard]] QStringList arguments(qint64 aheadSeconds) const
    {
        return {QStringLiteral(WORKER),
                QStringLiteral("--socket"),
                m_socket,
                QStringLiteral("--effects"),
                effectsFile(),
                QStringLiteral("--ahead"),
                QString::number(aheadSeconds)};
    }

    QString m_socket;
    QTemporaryDir m_folder;
};

} // namespace outbox

/// Use inside initTestCase(): without Python it is skipped, or fails where all servers are
/// required.
#define OUTBOX_NEEDS_OTHER_WORKER()                                                                \
    do {                                                                                           \
        const auto canRead = outbox::OtherWorker::canRead();                                       \
        if (!canRead && canRead.error().kind == outbox::Error::Kind::Unsupported                   \
            && !qEnvironmentVariableIsSet("OUTBOX_REQUIRE_SERVERS"))                               \
            QSKIP(qPrintable(outbox::oneLine(canRead.error())));                                   \
        QVERIFY2(canRead, canRead ? "" : qPrintable(outbox::oneLine(canRead.error())));            \
    } while (false)
